//! Makes a long timeline short: entries become blocks, runs of like blocks become one.
//!
//! Two file calls are alike if name, file and result agree; two operations if they agree but for
//! the numbers of messages (`#3`) and their file calls are alike. Runs of [`RUN_MIN`] are folded.

use crate::explore::Entry;

/// The shortest run that is folded.
const RUN_MIN: usize = 4;

/// One file call, or a run of like ones; or what came back in between.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct CallLine {
    /// The call in words; of a run, with the arguments of the last one too. Empty where something
    /// came back.
    pub(super) call: String,
    /// Its result in words, or what came back.
    pub(super) result: String,
    /// How many calls the line stands for.
    pub(super) count: u64,
}

impl CallLine {
    /// What came back, not being the answer: a message of a read that goes on.
    pub(super) fn is_message(&self) -> bool {
        self.call.is_empty()
    }
}

/// An operation with its file calls, or a run of like ones.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Operation {
    /// The step's number; of a run, the first one's.
    pub(super) step: u32,
    /// The last step of the run; `step` where there is no run.
    pub(super) step_last: u32,
    /// The call in words.
    pub(super) call: String,
    /// The answer; none if it never came.
    pub(super) answer: Option<String>,
    /// File calls; of a run, those of its first operation.
    pub(super) calls: Vec<CallLine>,
}

/// A part of the timeline.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Block<'a> {
    /// An operation.
    Operation(Operation),
    /// File calls outside of any operation.
    Calls(Vec<CallLine>),
    /// Anything else, as it is.
    Other(&'a Entry),
}

/// The timeline in blocks, runs folded.
pub(super) fn blocks(entries: &[Entry]) -> Vec<Block<'_>> {
    let mut blocks = grouped(entries);
    for block in &mut blocks {
        match block {
            Block::Operation(operation) => operation.calls = folded_calls(&operation.calls),
            Block::Calls(calls) => *calls = folded_calls(calls),
            Block::Other(_) => {}
        }
    }
    folded_operations(blocks)
}

/// Entries as blocks, one call a line.
fn grouped(entries: &[Entry]) -> Vec<Block<'_>> {
    let mut blocks: Vec<Block<'_>> = Vec::new();
    let mut open = false;
    for entry in entries {
        match entry {
            Entry::Begin { step, call } => {
                open = true;
                blocks.push(Block::Operation(Operation {
                    step: *step,
                    step_last: *step,
                    call: call.clone(),
                    answer: None,
                    calls: Vec::new(),
                }));
            }
            Entry::Call { call, result } => add_line(&mut blocks, open, call, result),
            Entry::Note(text) if open => add_line(&mut blocks, open, "", text),
            Entry::End { answer, .. } => {
                open = false;
                match blocks.last_mut() {
                    Some(Block::Operation(operation)) => operation.answer = Some(answer.clone()),
                    _ => blocks.push(Block::Other(entry)),
                }
            }
            // A crash or a verdict ends what is under way.
            Entry::Crash { .. } | Entry::Damage(_) | Entry::Note(_) | Entry::Violation { .. } => {
                blocks.push(Block::Other(entry))
            }
        }
    }
    blocks
}

/// Adds a line to the operation that is under way, or to the calls outside of any.
fn add_line(blocks: &mut Vec<Block<'_>>, open: bool, call: &str, result: &str) {
    let line = CallLine {
        call: call.to_owned(),
        result: result.to_owned(),
        count: 1,
    };
    match blocks.last_mut() {
        Some(Block::Operation(operation)) if open => operation.calls.push(line),
        Some(Block::Calls(calls)) => calls.push(line),
        _ => blocks.push(Block::Calls(vec![line])),
    }
}

fn folded_calls(calls: &[CallLine]) -> Vec<CallLine> {
    let mut lines = Vec::new();
    for run in calls.chunk_by(|one, next| call_shape(one) == call_shape(next)) {
        match run {
            [first, .., last] if run.len() >= RUN_MIN => lines.push(CallLine {
                call: if first.is_message() {
                    String::new()
                } else {
                    format!("{} .. {}", first.call, arguments(&last.call))
                },
                result: spanned(&first.result, &last.result),
                count: run.len() as u64,
            }),
            _ => lines.extend_from_slice(run),
        }
    }
    lines
}

fn folded_operations(blocks: Vec<Block<'_>>) -> Vec<Block<'_>> {
    let mut folded = Vec::new();
    for run in blocks.chunk_by(alike) {
        match run {
            [Block::Operation(first), .., Block::Operation(last)] if run.len() >= RUN_MIN => {
                let answer = first.answer.as_ref().zip(last.answer.as_ref());
                folded.push(Block::Operation(Operation {
                    step: first.step,
                    step_last: last.step,
                    call: spanned(&first.call, &last.call),
                    answer: answer.map(|(first, last)| spanned(first, last)),
                    calls: first.calls.clone(),
                }));
            }
            _ => folded.extend_from_slice(run),
        }
    }
    folded
}

fn alike(one: &Block<'_>, next: &Block<'_>) -> bool {
    let (Block::Operation(one), Block::Operation(next)) = (one, next) else {
        return false;
    };
    let answers = one.answer.as_deref().zip(next.answer.as_deref());
    masked(&one.call) == masked(&next.call)
        && answers.is_some_and(|(one, next)| masked(one) == masked(next))
        && one.calls.len() == next.calls.len()
        && one
            .calls
            .iter()
            .zip(&next.calls)
            .all(|(one, next)| call_shape(one) == call_shape(next))
}

/// What must agree for two calls to be alike: name, file, result.
fn call_shape(line: &CallLine) -> (&str, &str, String) {
    let mut words = line.call.split(' ');
    let name = words.next().unwrap_or_default();
    let file = words.next().unwrap_or_default();
    (name, file, masked(&line.result))
}

/// What comes after name and file.
fn arguments(call: &str) -> &str {
    call.splitn(3, ' ').nth(2).unwrap_or(call)
}

/// The text with the number of every message taken out.
fn masked(text: &str) -> String {
    let mut parts = text.split('#');
    let mut masked = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        masked.push('#');
        masked.push_str(part.trim_start_matches(|one: char| one.is_ascii_digit()));
    }
    masked
}

/// The first text, with the last one's message number behind its own.
fn spanned(first: &str, last: &str) -> String {
    let (Some(first_number), Some(last_number)) = (number_of(first), number_of(last)) else {
        return first.to_owned();
    };
    if first_number == last_number {
        return first.to_owned();
    }
    first.replacen(first_number, &format!("{first_number} .. {last_number}"), 1)
}

/// The first message number in a text, with its `#`.
fn number_of(text: &str) -> Option<&str> {
    let tail = text.get(text.find('#')?..)?;
    let digits = tail.bytes().skip(1).take_while(u8::is_ascii_digit).count();
    tail.get(..=digits).filter(|_| digits > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn put(step: u32) -> [Entry; 3] {
        [
            Entry::Begin {
                step,
                call: format!("put 8 bytes (#{step})"),
            },
            Entry::Call {
                call: format!("write_at q.dat {}+12", step * 12),
                result: "ok".to_owned(),
            },
            Entry::End {
                step,
                answer: "acknowledged".to_owned(),
            },
        ]
    }

    #[test]
    fn a_run_of_like_operations_is_one_block_and_a_short_one_is_not() {
        let many: Vec<Entry> = (0..6).flat_map(put).collect();
        let folded = blocks(&many);
        let [Block::Operation(operation)] = folded.as_slice() else {
            panic!("one block: {folded:?}");
        };
        assert_eq!((operation.step, operation.step_last), (0, 5));
        assert_eq!(operation.call, "put 8 bytes (#0 .. #5)");
        assert_eq!(operation.answer.as_deref(), Some("acknowledged"));

        let few: Vec<Entry> = (0..3).flat_map(put).collect();
        assert_eq!(blocks(&few).len(), 3);
    }

    #[test]
    fn a_different_answer_ends_a_run() {
        let mut entries: Vec<Entry> = (0..8).flat_map(put).collect();
        if let Some(Entry::End { answer, .. }) = entries.get_mut(11) {
            *answer = "error: no space left".to_owned();
        }
        assert_eq!(blocks(&entries).len(), 3 + 1 + 1);
    }

    #[test]
    fn a_run_of_like_calls_is_one_line() {
        let calls: Vec<CallLine> = (0..5)
            .map(|index| CallLine {
                call: format!("read_at q.dat {index}+1"),
                result: "ok".to_owned(),
                count: 1,
            })
            .collect();
        let folded = folded_calls(&calls);
        assert_eq!(folded.len(), 1);
        assert_eq!(folded[0].call, "read_at q.dat 0+1 .. 4+1");
        assert_eq!(folded[0].count, 5);
    }

    #[test]
    fn an_operation_without_an_answer_is_never_folded() {
        let entries: Vec<Entry> = (0..6)
            .map(|step| Entry::Begin {
                step,
                call: "read".to_owned(),
            })
            .collect();
        assert_eq!(blocks(&entries).len(), 6);
    }
}
