//! Stage `recover`: what is delivered, what is reported, and what is left.

use super::after;
use super::run::{Bench, drain, words};
use super::stages::{AllowedRecover, Lost, OpenLoss};
use super::vector::Name;
use crashline::diskqueue::{Loss, LossKind};

/// Runs one: once for reading only, which must leave every byte as it is, and once for good.
pub(super) fn run(bench: &Bench, allowed: &AllowedRecover) -> Result<(), String> {
    let before = after::files(bench)?;
    let looked = bench.open_read_only().map_err(|error| error.to_string())?;
    let mut looking = looked.queue;
    let (shown, _) = drain(&mut looking)?;
    if after::files(bench)? != before {
        return Err("opening for reading only changed the directory".to_owned());
    }
    drop(looking);
    let opened = bench.open().map_err(|error| error.to_string())?;
    let mut queue = opened.queue;
    let depth = queue.depth().map_err(|error| error.to_string())?;
    let (messages, losses) = drain(&mut queue)?;
    queue.close().map_err(|error| error.to_string())?;
    if depth != allowed.depth {
        return Err(format!("a depth of {depth}"));
    }
    if !same_open_losses(&opened.losses, &allowed.open_losses) {
        return Err(format!("opening reports {}", words(&opened.losses)));
    }
    if !allowed.deliver_b64.iter().map(|one| &one.0).eq(&messages) {
        return Err(format!("other messages came: {messages:02x?}"));
    }
    if !losses
        .iter()
        .map(lost)
        .eq(allowed.read_losses.iter().cloned())
    {
        return Err(format!("reading reports {}", words(&losses)));
    }
    if shown != messages {
        return Err("opening for reading only shows something else".to_owned());
    }
    after::compare(bench, &allowed.files_after)
}

fn same_open_losses(found: &[Loss], allowed: &[OpenLoss]) -> bool {
    let mut found: Vec<OpenLoss> = found
        .iter()
        .map(|loss| OpenLoss {
            lost: lost(loss),
            damaged: loss.kind == LossKind::Damaged,
        })
        .collect();
    found.sort();
    found == allowed
}

fn lost(loss: &Loss) -> Lost {
    Lost {
        file: Name::of(&loss.file),
        offset: loss.offset,
        size: loss.size,
        messages: loss.messages,
    }
}
