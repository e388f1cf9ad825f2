//! The engine against the reference model, without crashes: every answer is the model's, over
//! closes, opens for reading only, and opens with other options.

use super::config;
use crashline::fs::Fs;
use crashline_sim::model::{Answer, FifoModel};
use crashline_sim::scenario::{Action, FailureKind, FifoOptions, Outcome, Reply, payload};
use crashline_sim::simfs::SimFs;
use crashline_sim::subject::{DiskQueueSubject, Object, OpenRequest, Subject};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest_state_machine::{ReferenceStateMachine, StateMachineTest};
use std::path::Path;
use std::sync::Arc;

/// What the model says, and the number of the next message.
#[derive(Debug, Clone)]
struct State {
    model: FifoModel,
    first: FifoOptions,
    expected: Answer,
    next: u32,
    /// Numbers of the messages of the last put.
    put: std::ops::Range<u32>,
}

pub(super) fn options() -> impl Strategy<Value = FifoOptions> {
    (
        prop_oneof![Just(1_u64), Just(i64::MAX as u64), 16..200_u64],
        prop_oneof![Just(0_u32), 0..9_u32],
        prop_oneof![Just(i32::MAX as u32), 9..60_u32],
        prop_oneof![Just(0_u64), Just(1), Just(u64::MAX), 2..9_u64],
        prop_oneof![Just(0_u64), Just(u64::MAX), 1..3000_u64],
    )
        .prop_map(|(segment, min, max, every, timeout)| FifoOptions {
            segment_bytes_max: segment,
            message_bytes_min: min,
            message_bytes_max: max,
            sync_every: every,
            sync_timeout_ms: timeout,
        })
}

fn size() -> impl Strategy<Value = u32> {
    prop_oneof![4 => 4..40_u32, 1 => 0..70_u32]
}

struct Reference;

impl ReferenceStateMachine for Reference {
    type State = State;
    type Transition = Action;

    fn init_state() -> BoxedStrategy<State> {
        options()
            .prop_map(|first| State {
                model: FifoModel::new(first),
                first,
                expected: Answer::Done,
                next: 0,
                put: 0..0,
            })
            .boxed()
    }

    fn transitions(state: &State) -> BoxedStrategy<Action> {
        if !state.model.is_open() {
            let other = proptest::option::of(options());
            return prop_oneof![
                4 => other.prop_map(|options| Action::Open { options }),
                1 => Just(Action::OpenReadOnly),
            ]
            .boxed();
        }
        prop_oneof![
            8 => size().prop_map(|size| Action::Put { size }),
            3 => vec(size(), 0..5).prop_map(|sizes| Action::PutBatch { sizes }),
            8 => Just(Action::Read),
            2 => Just(Action::Peek),
            2 => Just(Action::Depth),
            2 => Just(Action::Sync),
            1 => prop_oneof![any::<u64>(), 0..9000_u64].prop_map(|now_ms| Action::Tick { now_ms }),
            1 => Just(Action::Empty),
            2 => Just(Action::Close),
            1 => Just(Action::Delete),
        ]
        .boxed()
    }

    fn apply(mut state: State, action: &Action) -> State {
        let count = u32::try_from(action.sizes().len()).expect("batches are small");
        state.put = state.next..state.next + count;
        state.next += count;
        state.expected = state.model.apply(action);
        state
    }

    fn preconditions(state: &State, action: &Action) -> bool {
        // Shrinking leaves steps out: what is left must still be called on what is open.
        let opens = matches!(action, Action::Open { .. } | Action::OpenReadOnly);
        opens != state.model.is_open()
    }
}

struct Engine {
    fs: Arc<dyn Fs>,
    options: FifoOptions,
    queue: Option<Box<dyn Object>>,
    sizes: Vec<u32>,
}

impl Engine {
    fn open(&mut self, read_only: bool) -> Outcome {
        self.queue = None;
        let opened = DiskQueueSubject.open(&OpenRequest {
            fs: &self.fs,
            directory: Path::new("/data"),
            object: "queue",
            options: &self.options,
            read_only,
            quirks: &[],
        });
        self.queue = opened.object;
        opened.outcome
    }

    fn call(&mut self, action: &Action, put: &std::ops::Range<u32>) -> Outcome {
        let payloads: Vec<Vec<u8>> = put
            .clone()
            .zip(action.sizes())
            .map(|(number, size)| payload(number, *size))
            .collect();
        self.sizes.extend(action.sizes());
        if let Action::Open { options } = action {
            self.options = options.unwrap_or(self.options);
            return self.open(false);
        }
        if *action == Action::OpenReadOnly {
            return self.open(true);
        }
        let queue = self.queue.as_mut().expect("the model knows what is open");
        let outcome = queue.apply(action, &payloads);
        if matches!(action, Action::Close | Action::Delete) && outcome.result.is_ok() {
            self.queue = None;
        }
        outcome
    }

    /// The answer in the model's words.
    fn told(&self, outcome: &Outcome, expected: Answer) -> Answer {
        assert!(outcome.losses.is_empty(), "nothing is lost: {outcome:?}");
        match &outcome.result {
            Ok(Reply::Done) => Answer::Done,
            Ok(Reply::Count(count)) => Answer::Count(*count),
            Ok(Reply::Nothing) => Answer::Nothing,
            Ok(Reply::Message(bytes)) => {
                let Answer::Message(number) = expected else {
                    panic!("{bytes:?} came and the model says {expected:?}");
                };
                let size = self.sizes.get(number as usize);
                let wanted = payload(number, *size.expect("the model knows what was put"));
                assert_eq!(*bytes, wanted, "not message {number}");
                expected
            }
            Err(failure) if failure.kind == FailureKind::Refused => Answer::Refused,
            Err(failure) if failure.kind == FailureKind::Closed => Answer::Closed,
            Err(failure) => panic!("nothing fails here: {failure:?}"),
        }
    }
}

struct AgainstModel;

impl StateMachineTest for AgainstModel {
    type SystemUnderTest = Engine;
    type Reference = Reference;

    fn init_test(state: &State) -> Engine {
        let fs = SimFs::new();
        fs.create_dir(Path::new("/data"))
            .expect("the root is there");
        let mut engine = Engine {
            fs: Arc::new(fs),
            options: state.first,
            queue: None,
            sizes: Vec::new(),
        };
        let opened = engine.open(false);
        assert!(opened.result.is_ok(), "{opened:?}");
        engine
    }

    fn apply(mut engine: Engine, state: &State, action: Action) -> Engine {
        let outcome = engine.call(&action, &state.put);
        assert_eq!(
            engine.told(&outcome, state.expected),
            state.expected,
            "{action:?}"
        );
        engine
    }

    fn teardown(mut engine: Engine, state: State) {
        let Some(queue) = engine.queue.as_mut() else {
            return;
        };
        let depth = queue.apply(&Action::Depth, &[]);
        let expected = Reply::Count(i64::try_from(state.model.depth()).expect("few"));
        assert_eq!(depth.result, Ok(expected));
        let mut delivered = 0;
        let drained = queue.drain(&mut |_| {
            delivered += 1;
            true
        });
        assert!(drained.result.is_ok(), "{drained:?}");
        assert_eq!(delivered, state.model.depth());
    }
}

#[test]
fn every_answer_is_that_of_the_model() {
    let strategy = Reference::sequential_strategy(1..60);
    let config = config(200);
    super::check(config.cases, &strategy, |(state, actions, counter)| {
        AgainstModel::test_sequential(config.clone(), state, actions, counter);
        Ok(())
    });
}
