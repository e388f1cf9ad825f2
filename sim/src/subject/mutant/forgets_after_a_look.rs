//! C2: opening, asking for the depth and opening again must show the same.

use super::changed::{Habit, changed};
use super::notes::Mark;
use crate::scenario::Action;
use crate::subject::{OpenRequest, Opened, Subject};

/// Reads one message too many where the last object was asked for nothing but its depth.
pub(super) fn open(request: &OpenRequest<'_>, engine: &dyn Subject) -> Opened {
    let mut opened = engine.open(request);
    if request.read_only {
        return opened;
    }
    let mark = Mark::of(request);
    let was_set = mark.is_set();
    if was_set && let Some(object) = &mut opened.object {
        mark.set(false);
        object.apply(&Action::Read, &[]);
    }
    let look = Look {
        mark,
        asked: Asked::Nothing,
    };
    changed(opened, look)
}

#[derive(Debug, PartialEq, Eq)]
enum Asked {
    Nothing,
    TheDepth,
    More,
}

#[derive(Debug)]
struct Look {
    mark: Mark,
    asked: Asked,
}

impl Habit for Look {
    fn before(&mut self, action: &Action) {
        if *action == Action::Depth {
            if self.asked == Asked::Nothing {
                self.asked = Asked::TheDepth;
                self.mark.set(true);
            }
            return;
        }
        if self.asked == Asked::TheDepth {
            self.mark.set(false);
        }
        self.asked = Asked::More;
    }
}
