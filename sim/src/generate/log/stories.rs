//! Short courses of events that chance alone would seldom lead to.

use crate::generate::Choices;

/// One event, which becomes an operation when its turn comes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Event {
    Put,
    /// A put that exactly fills the segment.
    Fill,
    /// A put of so many bytes more than the message that was cut off first.
    Replace(i32),
    Flush,
    /// A rollback to a boundary below the end.
    Cut,
    /// Everything goes that may go.
    Clean,
    /// The reader is told the present end.
    Tell {
        force: bool,
    },
    Read,
    ConfirmAll,
    CloseReader,
    OpenReader,
}

/// Draws a story, its events in order.
pub(super) fn story(choices: &mut Choices) -> Vec<Event> {
    use Event::{Clean, CloseReader, ConfirmAll, Cut, Fill, Flush, OpenReader, Put, Read, Replace};
    let tell = Event::Tell { force: false };
    match choices.below(5) {
        // A roll at the tail while the reader waits there.
        0 => vec![
            Put, Flush, tell, Read, Read, Read, ConfirmAll, Fill, tell, Read, ConfirmAll,
        ],
        // What was read ahead is replaced by something equal, shorter or longer.
        1 => {
            let more = choices.pick(&[0, -1, -3, 1, 5]);
            let force = choices.chance(3, 4);
            let told = Event::Tell { force };
            vec![
                Put,
                Put,
                Flush,
                tell,
                Read,
                Cut,
                Replace(more),
                Flush,
                told,
                Read,
                Read,
            ]
        }
        // Retention while a reader is closed.
        2 => vec![
            tell,
            Read,
            ConfirmAll,
            CloseReader,
            Fill,
            Fill,
            Fill,
            Clean,
            OpenReader,
            Read,
        ],
        // A reader at the end of a segment that goes.
        3 => vec![
            Fill, tell, Read, Read, Read, Read, ConfirmAll, Fill, Fill, Clean, tell, Read,
        ],
        // One rollback after the other.
        _ => vec![Put, Put, Cut, Put, Cut, Replace(0), Cut, Flush],
    }
}
