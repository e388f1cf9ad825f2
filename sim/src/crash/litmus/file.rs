//! The text form of a litmus: one JSON file each under `corpus/litmus`.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// One litmus.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Litmus {
    /// Its name: that of its file.
    pub name: String,
    /// What happens, in a sentence.
    pub text: String,
    /// Calls whose effects are durable.
    pub setup: Vec<LitmusCall>,
    /// Calls before the crash.
    pub calls: Vec<LitmusCall>,
    /// By profile, how many outcomes there are.
    pub expected: BTreeMap<String, Expected>,
}

/// A count and its reason.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Expected {
    /// The number of outcomes.
    pub count: u64,
    /// Which ones, and by which rule.
    pub why: String,
}

/// One call. A file that was created or opened keeps its handle under that path; a call on another
/// path opens it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "call", rename_all = "snake_case", deny_unknown_fields)]
pub enum LitmusCall {
    /// Creates a file.
    Create {
        /// Where.
        path: String,
    },
    /// Opens a file.
    Open {
        /// Where.
        path: String,
    },
    /// Writes bytes: `text`, or `size` times `byte`.
    Write {
        /// The file.
        path: String,
        /// Where in the file.
        offset: u64,
        /// The bytes.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        text: Option<String>,
        /// How many bytes.
        #[serde(default)]
        size: u32,
        /// The value of each.
        #[serde(default)]
        byte: u8,
    },
    /// Sets the size.
    SetSize {
        /// The file.
        path: String,
        /// In bytes.
        size: u64,
    },
    /// Syncs a file.
    Sync {
        /// The file.
        path: String,
    },
    /// A sync of a file fails, and leaves its pages clean.
    FailSync {
        /// The file.
        path: String,
    },
    /// Syncs a directory.
    SyncDir {
        /// The directory.
        path: String,
    },
    /// Creates a directory.
    CreateDir {
        /// Where.
        path: String,
    },
    /// Renames.
    Rename {
        /// The old path.
        from: String,
        /// The new one.
        to: String,
    },
    /// Removes a file's name.
    Remove {
        /// Which one.
        path: String,
    },
}

macro_rules! files {
    ($($name:literal),* $(,)?) => {
        &[$(($name, include_str!(concat!("../../../../corpus/litmus/", $name, ".json")))),*]
    };
}

const FILES: &[(&str, &str)] = files![
    "create-write",
    "create-write-sync",
    "create-write-sync-both",
    "two-appends",
    "append-in-sector",
    "replace-by-rename",
    "replace-by-rename-synced",
    "unlink-create",
    "mkdir-and-file",
    "append-to-two-files",
    "overwrite-then-append",
    "overwrite-two-sectors",
    "truncate-rewrite",
    "grow-then-write",
    "write-to-unlinked",
    "mkdir-inner-synced",
    "cross-rename",
    "cross-rename-target-synced",
    "checkpoint-then-unlink",
    "append-two-pages",
    "failed-sync",
];

/// All litmus tests, in the order in which they are shown.
///
/// # Errors
/// A file that is not one.
pub fn litmuses() -> Result<Vec<Litmus>, String> {
    let mut all = Vec::new();
    for (name, text) in FILES {
        let litmus: Litmus =
            serde_json::from_str(text).map_err(|error| format!("litmus `{name}`: {error}"))?;
        if litmus.name != *name {
            return Err(format!("litmus `{name}` calls itself `{}`", litmus.name));
        }
        all.push(litmus);
    }
    Ok(all)
}
