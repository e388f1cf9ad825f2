//! One vector as its file has it.

use crate::scenario::{CrashKind, FifoOptions, LogOptions, OffsetDialect};
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;

/// What a vector asks of whoever runs it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Stage {
    /// The bytes of a meta file, and what they are.
    ParseMeta,
    /// The bytes of a file of offsets, and what they are.
    Parse,
    /// A directory, and what is delivered from it.
    Read,
    /// Operations, and the files that they leave.
    Write,
    /// A directory as something bad left it: what is delivered, reported and left.
    Recover,
    /// Operations and their answers.
    Operations,
    /// A directory as a crash left it, and what may come back.
    CrashImages,
    /// Operations of several threads on one handle.
    Threads,
    /// A directory, one file of which is damaged in many ways, and what may come of it.
    Damage,
}

impl Stage {
    /// The folder that its vectors are in.
    #[must_use]
    pub fn folder(self) -> &'static str {
        match self {
            Self::ParseMeta => "parse-meta",
            Self::Parse => "parse",
            Self::Read => "read",
            Self::Write => "write",
            Self::Recover => "recover",
            Self::Operations => "operations",
            Self::CrashImages => "crash-images",
            Self::Threads => "threads",
            Self::Damage => "damage",
        }
    }
}

/// Bytes, in JSON as base64 with padding.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Bytes(pub Vec<u8>);

impl Serialize for Bytes {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&BASE64_STANDARD.encode(&self.0))
    }
}

impl<'de> Deserialize<'de> for Bytes {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let bytes = BASE64_STANDARD.decode(text).map_err(D::Error::custom)?;
        Ok(Self(bytes))
    }
}

/// A name: text, or an object `{"b64": ...}` where its bytes are none.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Name {
    /// UTF-8.
    Text(String),
    /// Anything else.
    Raw {
        /// The bytes.
        b64: Bytes,
    },
}

impl Name {
    /// The name of these bytes.
    #[must_use]
    pub fn of(name: &OsStr) -> Self {
        match name.to_str() {
            Some(text) => Self::Text(text.to_owned()),
            None => Self::Raw {
                b64: Bytes(name.as_bytes().to_vec()),
            },
        }
    }

    /// The name as the system takes it.
    #[must_use]
    pub fn to_os(&self) -> OsString {
        match self {
            Self::Text(text) => OsString::from(text),
            Self::Raw { b64 } => OsStr::from_bytes(&b64.0).to_owned(),
        }
    }
}

/// How the queue, log or store of a vector is opened.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum VectorOptions {
    /// Those of a FIFO queue.
    Fifo(FifoOptions),
    /// Those of a segmented log.
    Log(LogOptions),
    /// Those of an offset store.
    Store(StoreOptions),
}

/// Where an offset store is below its root, and whose file it is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StoreOptions {
    /// The client id.
    pub client: Name,
    /// The group.
    pub group: Name,
    /// The dialect of the file.
    pub dialect: OffsetDialect,
}

/// An offset of a table: topic, broker, number of the queue, offset.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct TableEntry(pub String, pub String, pub i32, pub i64);

/// A name in the directory before anything is done.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FileEntry {
    /// Its name.
    pub name: Name,
    /// The bytes of a file; a directory has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub data_b64: Option<Bytes>,
}

/// What was run before the crash, for people.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ScenarioTold {
    /// The recipe's name.
    pub name: String,
    /// The rules of the disk.
    pub profile: String,
    /// The operations in order.
    pub steps: Vec<String>,
    /// What went wrong with the disk, as lines of a plan of faults.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub faults: Vec<String>,
}

/// Which crash it was, for people.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CrashTold {
    /// Kill or power cut.
    pub kind: CrashKind,
    /// When it came, in words.
    pub when: String,
}

/// A vector. Which optional fields there are depends on the stage; the schema says so.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Vector {
    /// The path below `corpus/vectors` without its ending. Never changes.
    pub id: String,
    /// What is asked.
    pub stage: Stage,
    /// The engine whose format it is in.
    pub engine: String,
    /// What it shows, in a sentence.
    pub about: String,
    /// Who wrote the bytes.
    pub origin: String,
    /// The clauses that it tests.
    pub clauses: Vec<String>,
    /// Why it is there: names explained in `flags.json`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub flags: Vec<String>,
    /// The rows of the tables of decisions that it shows, by their ids in the format's page.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rows: Vec<String>,
    /// The name of the queue or log.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub queue: Option<Name>,
    /// How it is opened.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub options: Option<VectorOptions>,
    /// The boot that is running: 32 hex digits, or dashes where it cannot be known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub boot: Option<String>,
    /// What was run before the crash.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scenario: Option<ScenarioTold>,
    /// The crash.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub crash: Option<CrashTold>,
    /// What the bytes of a meta file are those of, where a format has several; or the name of the
    /// file that is damaged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// The bytes of a meta file or file of offsets.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub data_b64: Option<Bytes>,
    /// The table that is written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub table: Option<Vec<TableEntry>>,
    /// The directory before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub files: Option<Vec<FileEntry>>,
    /// The messages that were put, in order.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub messages_b64: Option<Vec<Bytes>>,
    /// What is allowed; its form depends on the stage.
    pub allowed: Value,
}

impl Vector {
    /// Reads a vector's file.
    ///
    /// # Errors
    /// One sentence that says what is wrong.
    pub fn parse(text: &str) -> Result<Self, String> {
        serde_json::from_str(text).map_err(|error| format!("this is no vector: {error}"))
    }

    /// It was wrong and has a successor: nobody has to pass it.
    #[must_use]
    pub fn is_superseded(&self) -> bool {
        self.flags.iter().any(|flag| flag == "superseded")
    }

    /// The text of its file.
    ///
    /// # Panics
    /// Never: a vector is plain data.
    #[must_use]
    pub fn to_text(&self) -> String {
        pretty(self)
    }

    /// What is allowed, in the form of its stage.
    ///
    /// # Errors
    /// One sentence that says what is wrong.
    pub fn allowed<T: for<'de> Deserialize<'de>>(&self) -> Result<T, String> {
        serde_json::from_value(self.allowed.clone()).map_err(|error| format!("`allowed`: {error}"))
    }
}

/// JSON with one value a line and one space for each level, as all of the corpus' files have it.
pub(super) fn pretty(value: &impl Serialize) -> String {
    let mut bytes = Vec::new();
    let formatter = serde_json::ser::PrettyFormatter::with_indent(b" ");
    let mut serializer = serde_json::Serializer::with_formatter(&mut bytes, formatter);
    value
        .serialize(&mut serializer)
        .expect("it is plain data, and writing to memory succeeds");
    bytes.push(b'\n');
    String::from_utf8(bytes).expect("JSON is text")
}
