//! How an offset store is opened.

use serde::{Deserialize, Serialize};

/// Whose file it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OffsetDialect {
    /// `offset.json` of the Go client.
    #[default]
    Go,
    /// `offsets.json` of the Java client.
    Java,
}

/// The options of a store.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OffsetOptions {
    /// The first part of the path below the root.
    pub client: String,
    /// The second part.
    pub group: String,
    /// Whose file it is.
    pub dialect: OffsetDialect,
}

impl Default for OffsetOptions {
    fn default() -> Self {
        Self {
            client: "10.0.0.1@7".to_owned(),
            group: "group".to_owned(),
            dialect: OffsetDialect::default(),
        }
    }
}
