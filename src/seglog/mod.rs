//! A segmented log with one writer, many readers and snapshots: the format and the operations of
//! youzan nsq's disk queue, hardened.
//!
//! Bytes, names and the order of steps stand in `corpus/formats/seglog.md`. In short: records in
//! numbered segments, each place in them known by virtual offset and message count; a writer meta
//! and one meta for each reader, in two copies that are written in turn, with a note that says
//! what is durable; sums of the records; a list of the places where the log's end was cut.
//!
//! # What is promised when
//! - `flush` without fsync, `flush_buffer` or a roll return: what was put survives the death of the
//!   process.
//! - `flush` with fsync, `close`, `open`, and whatever moves the log's start or end return: the
//!   state survives a power cut.
//!
//! # Reading order
//! `position` and `names` are the words; `noted`, `writer_meta`, `reader_meta`, `start_meta`,
//! `sidecar` and `cuts` the files, all pure. [`mod@format`] shows them to tools.
//! `writer` has the operations over `write_segment`, `metas` and `generations`; `open_writer` looks
//! (`survey`), decides (`recovery`) and makes it true (`settle`). `roll`, `cut`, `grow`, `restart`,
//! `retention` and `move_log` are the steps that change more than one file; `kept_aside` lists what
//! they keep.
//!
//! `record_reader` goes over records: `record_reader_starts` knows where segments start,
//! `record_reader_find` searches, `record_reader_pass` goes on behind what is lost. `reader_view`
//! is what readers and snapshots see of a log that changes beside them (`reader_watch` looks,
//! `reader_changes` saves looks), `reader_places` what became of their places. `snapshot` is the
//! plain cursor; `reader` has the positions of a reader, one file an operation beside it:
//! `reader_open` decides by `reader_standing` (its rows are `reader_row`), from `reader_files`,
//! `registry` and `reader_start`; `reader_look` only looks.

mod bare_start;
mod believed;
mod border;
mod chart;
mod cut;
mod cuts;
mod error;
pub mod format;
mod generations;
mod grow;
mod kept_aside;
mod known_readers;
mod lowered;
mod metas;
mod move_log;
mod names;
mod noted;
mod open_writer;
mod options;
mod paths;
mod persist;
mod position;
mod quarantine;
mod quirk_list;
mod quirk_steps;
mod quirks;
mod raw;
mod reader;
mod reader_changes;
mod reader_close;
mod reader_end;
mod reader_files;
mod reader_look;
mod reader_losses;
mod reader_meta;
mod reader_open;
mod reader_places;
mod reader_read;
mod reader_row;
mod reader_skip;
mod reader_standing;
mod reader_start;
mod reader_view;
mod reader_watch;
mod record_reader;
mod record_reader_find;
mod record_reader_pass;
mod record_reader_piece;
mod record_reader_starts;
mod record_reader_sums;
mod recover_bare;
mod recover_noted;
mod recover_scan;
mod recovery;
mod registry;
mod restart;
mod retention;
mod roll;
mod settle;
mod sidecar;
mod snapshot;
mod snapshot_raw;
mod start_meta;
mod store;
mod sums_cut;
mod sums_scan;
mod sums_writer;
mod survey;
mod tail;
mod walk;
mod write_segment;
mod writer;
mod writer_meta;

pub use error::{Applied, Error, Loss, LossKind};
pub use kept_aside::{KeptAside, kept_aside};
pub use open_writer::OpenedWriter;
pub use options::{BODY_BYTES_MAX, LockPolicy, LogOptions};
pub use position::{End, Position};
pub use quirk_list::{QUIRKS, QuirkInfo};
pub use quirks::{Quirk, Quirks};
pub use reader::LogReader;
pub use reader_changes::Changes;
pub use reader_files::ReaderFile;
pub use reader_look::ReaderLook;
pub use reader_open::OpenedReader;
pub use reader_read::Confirm;
pub use reader_row::ReaderRow;
pub use registry::{KnownReader, known_readers};
pub use retention::CleanTarget;
pub use snapshot::{Message, Snapshot};
pub use writer::{LogWriter, Put};
