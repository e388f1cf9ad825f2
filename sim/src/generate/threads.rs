//! Scenarios of several threads on one handle: few threads, few steps each; what makes them meet
//! is the order in which they run, which the scenario's seed decides.

use super::Choices;
use crate::scenario::{Action, FORMAT, FifoOptions, RunKind, Scenario, Step};

/// Draws a scenario.
pub(super) fn draw(choices: &mut Choices, engine: &str, profile: &str, seed: u64) -> Scenario {
    let producers = choices.between(1, 4);
    let readers = choices.between(0, 2);
    let mut steps = Vec::new();
    for producer in 1..=producers {
        let name = format!("producer-{producer}");
        for _ in 0..choices.between(1, 4) {
            steps.push(step(&name, produce(choices)));
        }
    }
    for reader in 1..=readers {
        let kind = choices.pick(&["reader", "reader", "reader", "poller"]);
        let name = format!("{kind}-{reader}");
        for _ in 0..choices.between(1, 3) {
            let action = [Action::Read, Action::Peek]
                .get(choices.weighted(&[8, 1]))
                .cloned();
            steps.extend(action.map(|action| step(&name, action)));
        }
    }
    if choices.chance(1, 8) {
        let now_ms = choices.pick(&[1, 10]);
        steps.push(step("ticker", Action::Tick { now_ms }));
    }
    if choices.chance(1, 8) {
        steps.push(step("closer", Action::Close));
    }
    let faults = if choices.chance(1, 4) {
        vec![fault(choices)]
    } else {
        Vec::new()
    };
    Scenario {
        format: FORMAT,
        engine: engine.to_owned(),
        options: FifoOptions {
            segment_bytes_max: choices.pick(&[64, 200, 1_000_000]),
            sync_every: choices.pick(&[1, 1, 1, 2, 3, 1_000]),
            sync_timeout_ms: choices.pick(&[0, 5, 2_000]),
            ..FifoOptions::default()
        },
        quirks: Vec::new(),
        profile: profile.to_owned(),
        run: RunKind::Orders,
        with_dir_sync: false,
        seed,
        steps,
        log: None,
        offsets: None,
        cluster: None,
        faults,
        damage: Vec::new(),
        planted: Vec::new(),
        crashes: Vec::new(),
    }
}

fn step(object: &str, action: Action) -> Step {
    Step {
        object: object.to_owned(),
        action,
    }
}

fn produce(choices: &mut Choices) -> Action {
    let size = |choices: &mut Choices| choices.pick(&[4, 10, 24, 40]);
    match choices.weighted(&[12, 4, 2, 1]) {
        0 => Action::Put {
            size: size(choices),
        },
        1 => {
            let count = choices.between(2, 3);
            Action::PutBatch {
                sizes: (0..count).map(|_| size(choices)).collect(),
            }
        }
        2 => Action::Sync,
        _ => Action::Depth,
    }
}

fn fault(choices: &mut Choices) -> String {
    let first = choices.between(1, 6);
    let which = match choices.below(2) {
        0 => format!("{first}"),
        _ => format!("{first}-{}", first + choices.between(1, 2)),
    };
    let file = choices.pick(&["*.??????.dat", "*.??????.dat", "*.spare"]);
    match choices.weighted(&[3, 2]) {
        0 => {
            let after = choices.pick(&["clean", "reverted", "next"]);
            format!("{which} sync on {file}: EIO, {after}")
        }
        _ => format!("{which} write_at on {file}: ENOSPC"),
    }
}
