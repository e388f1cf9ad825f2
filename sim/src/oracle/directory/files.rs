//! What is seen of a directory.

/// A file in the queue's directory.
#[derive(Debug, Clone, Copy)]
pub struct FileSeen<'a> {
    /// Its name, without the directory. A name that is no text is given with replacements.
    pub name: &'a str,
    /// Its size in bytes.
    pub size: u64,
    /// Its bytes, where they are at hand; needed for planted and quarantined files only.
    pub bytes: Option<&'a [u8]>,
}
