//! What lies in the data directory before the queue is opened for the first time.

use serde::{Deserialize, Serialize};

/// One name, and what it stands for.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Planted {
    /// The name in the data directory.
    pub name: String,
    /// What it stands for.
    pub kind: PlantedKind,
    /// The bytes of a file.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub text: String,
}

/// What a planted name stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PlantedKind {
    /// A regular file.
    File,
    /// An empty directory.
    Directory,
    /// A link, FIFO, socket or device: a thing that must not be opened.
    Special,
}

impl Planted {
    /// Checks what the types cannot say.
    pub(super) fn check(&self) -> Result<(), String> {
        let Self { name, kind, text } = self;
        if matches!(name.as_str(), "" | "." | "..") || name.contains(['/', '\0']) {
            return Err(format!("nothing can be planted under the name `{name}`"));
        }
        if *kind != PlantedKind::File && !text.is_empty() {
            return Err(format!("only a file holds text, and `{name}` is none"));
        }
        Ok(())
    }
}
