//! Runs a program once on the simulated disk, under the schedule of its seed.

use super::after::Came;
use super::program::{Actor, Program, Task};
use super::recover::{DIRECTORY, NAME, drain};
use super::scheduler::{Ended, under_schedule};
use super::slow_fs::SlowFs;
use super::story::{Event, Story};
use crate::fault::{FaultFs, FaultPlan, Fired};
use crate::orders::SimPrimitives;
use crate::scenario::{Action, Applied, FailureKind, Outcome, Reply, Scenario};
use crate::simfs::{Recording, SimFs};
use crate::subject::{guarded, options_of, outcome_of, reply_of};
use crashline::diskqueue::{DiskQueue, Error, Quirks};
use crashline::fs::Fs;
use crashline::shared::{self, Primitives, SharedQueue};
use std::ffi::OsStr;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// How long the reads of a poller wait.
const POLL: Duration = Duration::from_millis(5);

/// Closes that are tried at the end of a run: an owed error may be told first.
const CLOSES_MAX: u32 = 4;

/// Opens that are tried while faults fire.
const OPENS_MAX: u32 = 30;

/// A finished run.
#[derive(Debug)]
pub struct Ran {
    /// What was called and answered.
    pub story: Story,
    /// Whether everybody came to an end.
    pub ended: Ended,
    /// What the disk saw.
    pub recording: Recording,
    /// The faults that fired.
    pub fired: Vec<Fired>,
    /// What the next open delivers; nothing of a run that did not end.
    pub left: Option<Came>,
    /// The words of a panic.
    pub panicked: Option<String>,
}

/// What all threads of a run share besides the queue. Its mutexes are no choices of the scheduler.
#[derive(Debug)]
struct Stage {
    program: Program,
    sim: SimFs,
    faults: Option<FaultFs>,
    fs: SlowFs,
    /// Steps before those of the end.
    steps: u32,
    events: Mutex<Vec<Event>>,
    last: Mutex<Vec<Action>>,
    queue: Mutex<Option<DiskQueue>>,
    quirks: shared::Quirks,
}

/// Runs a scenario.
///
/// # Errors
/// One sentence, where it makes no sense.
pub fn run(scenario: &Scenario) -> Result<Ran, String> {
    let program = Program::of(scenario)?;
    let names = scenario.quirks.iter().map(String::as_str);
    let quirks = shared::Quirks::parse(names);
    let quirks = quirks.map_err(|name| format!("the shared handle has no quirk `{name}`"))?;
    let sim = empty_disk().map_err(|error| format!("the simulated disk failed: {error}"))?;
    let plan = FaultPlan::parse(&scenario.faults).map_err(|error| error.to_string())?;
    let faults = (!scenario.faults.is_empty()).then(|| FaultFs::over_sim(sim.clone(), plan));
    let fs: Arc<dyn Fs> = match &faults {
        Some(faults) => Arc::new(faults.clone()),
        None => Arc::new(sim.clone()),
    };
    let fs = SlowFs::over(fs);
    let queue = open(scenario, &fs, faults.as_ref())?;
    let stage = Arc::new(Stage {
        program,
        sim: sim.clone(),
        faults,
        fs: fs.clone(),
        steps: u32::try_from(scenario.steps.len()).unwrap_or(u32::MAX),
        events: Mutex::default(),
        last: Mutex::default(),
        queue: Mutex::new(Some(queue)),
        quirks,
    });
    let on_stage = Arc::clone(&stage);
    let played =
        guarded(|| under_schedule(scenario.seed, move |primitives| on_stage.play(primitives)));
    let (ended, panicked) = match played {
        Ok(ended) => (ended, None),
        Err(panicked) => (Ended::Stuck, Some(panicked.message)),
    };
    fs.set_slow(false);
    let recording = sim.recording();
    let events = std::mem::take(&mut *lock(&stage.events));
    let story = Story::new(&stage.program, &lock(&stage.last), events);
    let left = (ended == Ended::Finished).then(|| drain(&sim, &story, scenario));
    Ok(Ran {
        story,
        ended,
        recording,
        fired: stage
            .faults
            .as_ref()
            .map(FaultFs::fired)
            .unwrap_or_default(),
        left,
        panicked,
    })
}

fn empty_disk() -> std::io::Result<SimFs> {
    let sim = SimFs::new();
    sim.create_dir(Path::new(DIRECTORY))?;
    sim.sync_dir(Path::new("/"))?;
    sim.settle();
    Ok(sim)
}

/// Opens the queue of the run; as long as faults prevent it, again.
fn open(scenario: &Scenario, fs: &SlowFs, faults: Option<&FaultFs>) -> Result<DiskQueue, String> {
    let fs: Arc<dyn Fs> = Arc::new(fs.clone());
    let options = options_of(&scenario.options, Quirks::default());
    let mut tries = 0;
    loop {
        let opened = DiskQueue::open(
            Arc::clone(&fs),
            Path::new(DIRECTORY),
            OsStr::new(NAME),
            options,
        );
        tries += 1;
        match (opened, faults) {
            (Ok(opened), _) => return Ok(opened.queue),
            (Err(_), Some(_)) if tries < OPENS_MAX => {}
            (Err(_), Some(faults)) if tries == OPENS_MAX => faults.heal(),
            (Err(error), _) => return Err(format!("the queue does not open: {error}")),
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Stage {
    /// The whole run, on the scheduler's first coroutine.
    fn play(self: &Arc<Self>, primitives: &SimPrimitives) {
        let Some(queue) = lock(&self.queue).take() else {
            return;
        };
        let queue = SharedQueue::with_quirks(queue, primitives.clone(), self.quirks);
        self.fs.set_slow(true);
        let mut givers = Vec::new();
        let mut takers = Vec::new();
        for (index, actor) in self.program.actors.iter().enumerate() {
            let (stage, handle) = (Arc::clone(self), queue.clone());
            let body = move || stage.act(index, &handle);
            let thread = primitives.spawn(&actor.name, body);
            let thread = thread.expect("a coroutine can always be started");
            if actor.takes() {
                takers.push(thread);
            } else {
                givers.push(thread);
            }
        }
        givers.into_iter().for_each(SimPrimitives::join);
        let needs_close = !self.has_enough();
        if needs_close {
            self.close(&queue);
        }
        takers.into_iter().for_each(SimPrimitives::join);
        if !needs_close {
            self.close(&queue);
        }
    }

    /// Whether every read finds a message, so that all end without a close.
    fn has_enough(&self) -> bool {
        let reads: usize = self.program.actors.iter().map(Actor::reads).sum();
        let events = lock(&self.events);
        let answered = events.iter().filter_map(|event| {
            let outcome = event.outcome.as_ref()?;
            let tasks = self.program.actors.iter().flat_map(|actor| &actor.tasks);
            let task = tasks.clone().find(|task| task.step == event.step)?;
            Some(match &outcome.result {
                Ok(_) => task.payloads.len(),
                Err(failure) => match failure.applied {
                    Applied::Leading(count) => count as usize,
                    Applied::No | Applied::Yes | Applied::Unknown => 0,
                },
            })
        });
        reads <= answered.sum()
    }

    /// Closes, past what is owed to be told.
    fn close(&self, queue: &SharedQueue<SimPrimitives>) {
        if let Some(faults) = &self.faults {
            faults.heal();
        }
        for number in 0..CLOSES_MAX {
            let step = self.steps + u32::try_from(lock(&self.last).len()).unwrap_or(number);
            lock(&self.last).push(Action::Close);
            self.note(step, None);
            let closed = queue.close();
            let is_over = matches!(closed, Ok(()) | Err(Error::Closed));
            self.note(step, Some(outcome_of(closed.map(|()| Reply::Done))));
            if is_over {
                return;
            }
        }
    }

    /// What one thread does.
    fn act(&self, index: usize, queue: &SharedQueue<SimPrimitives>) {
        let Some(actor) = self.program.actors.get(index) else {
            return;
        };
        for task in &actor.tasks {
            self.note(task.step, None);
            let outcome = apply(actor, task, queue);
            self.note(task.step, Some(outcome));
        }
    }

    /// Notes a call or an answer, and marks its place in the recording.
    fn note(&self, step: u32, outcome: Option<Outcome>) {
        let fired = self.faults.as_ref().map_or((0, 0), |faults| {
            let fired = faults.fired();
            let syncs = fired
                .iter()
                .filter(|fault| matches!(fault.kind, "sync-clean" | "sync-reverted"));
            (fired.len(), syncs.count())
        });
        let mut events = lock(&self.events);
        self.sim
            .mark(u32::try_from(events.len()).unwrap_or(u32::MAX));
        events.push(Event {
            step,
            outcome,
            fired,
        });
    }
}

fn apply(actor: &Actor, task: &Task, queue: &SharedQueue<SimPrimitives>) -> Outcome {
    let done = |result: Result<(), Error>| outcome_of(result.map(|()| Reply::Done));
    match &task.action {
        Action::Put { .. } => match task.payloads.as_slice() {
            [message] => done(queue.put(message)),
            _ => unreachable!("a put has one message"),
        },
        Action::PutBatch { .. } => done(queue.put_batch(&task.payloads)),
        Action::Read if actor.blocks() => outcome_of(queue.read().map(Reply::Message)),
        Action::Read => outcome_of(queue.read_timeout(POLL).map(reply_of)),
        Action::Peek => outcome_of(queue.peek().map(reply_of)),
        Action::Depth => {
            let count = |depth| Reply::Count(i64::try_from(depth).unwrap_or(i64::MAX));
            outcome_of(queue.depth().map(count))
        }
        Action::Sync => done(queue.sync()),
        Action::Tick { now_ms } if actor.ticks() => {
            done(queue.start_ticker(Duration::from_millis(*now_ms)))
        }
        Action::Tick { now_ms } => done(queue.tick(*now_ms)),
        Action::Close => done(queue.close()),
        Action::Open { .. }
        | Action::OpenReadOnly
        | Action::Empty
        | Action::Settle
        | Action::Delete
        | Action::Kill => Outcome::failed(
            FailureKind::Unsupported,
            Applied::No,
            "a thread of a shared handle has no such step",
        ),
    }
}
