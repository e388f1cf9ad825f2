//! The traits [`Fs`], [`FsFile`] and [`FsLock`] with their small value types.

use std::ffi::OsStr;
use std::fmt;
use std::io;
use std::path::Path;

/// Bytes that the name of a file has at most, on the filesystems of today.
pub(crate) const FILE_NAME_BYTES_MAX: usize = 255;

/// How [`Fs::open`] treats a file that exists or is missing. All modes but `Read` also write.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum OpenMode {
    /// An existing file, for reading only.
    Read,
    /// An existing file, for reading and writing.
    Write,
    /// For reading and writing; created empty if missing.
    Create,
    /// For reading and writing; an existing name is the error `AlreadyExists`.
    CreateNew,
    /// For reading and writing; created if missing, cut to size 0 if there.
    Truncate,
}

/// What [`FsFile::sync`] makes durable. Never the name: that is [`Fs::sync_dir`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SyncKind {
    /// Bytes and size (`fdatasync`).
    Data,
    /// Bytes, size and all other attributes (`fsync`).
    All,
}

/// What a name stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FileKind {
    /// A regular file.
    Regular,
    /// A directory.
    Directory,
    /// Anything else: a symbolic link, FIFO, socket or device.
    Other,
}

/// Tells whether two names are one file. Stable while the file exists.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FileIdentity {
    /// The device number.
    pub device: u64,
    /// The inode number on that device.
    pub inode: u64,
}

/// What [`Fs::stat`] tells of a name. Links are not followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Stat {
    /// What the name stands for.
    pub kind: FileKind,
    /// Size in bytes; meaningful for regular files only.
    pub size: u64,
    /// Which file it is.
    pub identity: FileIdentity,
}

/// Names one run of the machine: differs after every boot. A hint, never a proof.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BootId(pub [u8; 16]);

/// A filesystem. Object safe; all errors are `io::Error` with the system's `errno` where there is
/// one.
pub trait Fs: fmt::Debug + Send + Sync {
    /// Opens a regular file. `permissions` are the mode bits of a file that is created.
    ///
    /// # Errors
    /// `NotFound`, `AlreadyExists`, `PermissionDenied`, and `InvalidInput` for a name that is not
    /// a regular file (a link, FIFO or device is never followed, waited for or opened).
    fn open(&self, path: &Path, mode: OpenMode, permissions: u32) -> io::Result<Box<dyn FsFile>>;

    /// Tells kind, size and identity of a name, without following a link.
    ///
    /// # Errors
    /// `NotFound` and whatever the system says.
    fn stat(&self, path: &Path) -> io::Result<Stat>;

    /// Shows the names in a directory, as raw bytes, sorted, without `.` and `..`. `show` must not
    /// use the filesystem.
    ///
    /// # Errors
    /// `NotFound`, `NotADirectory` and whatever the system says; then nothing was shown.
    fn list_dir(&self, directory: &Path, show: &mut dyn FnMut(&OsStr)) -> io::Result<()>;

    /// Creates one directory; its parent must exist.
    ///
    /// # Errors
    /// `AlreadyExists`, `NotFound` for a missing parent.
    fn create_dir(&self, directory: &Path) -> io::Result<()>;

    /// Renames a file; an existing target is replaced in one step.
    ///
    /// # Errors
    /// `NotFound` for a missing source.
    fn rename(&self, source: &Path, target: &Path) -> io::Result<()>;

    /// Renames a file; an existing target is the error `AlreadyExists` and nothing changes.
    ///
    /// # Errors
    /// `AlreadyExists`, `NotFound` for a missing source.
    fn rename_no_replace(&self, source: &Path, target: &Path) -> io::Result<()>;

    /// Removes the name of a regular file. Open handles stay valid.
    ///
    /// # Errors
    /// `NotFound`, `IsADirectory`.
    fn remove_file(&self, path: &Path) -> io::Result<()>;

    /// Makes the names in a directory durable: creations, renames and removals so far.
    ///
    /// # Errors
    /// Whatever the system says; then nothing is known about those names.
    fn sync_dir(&self, directory: &Path) -> io::Result<()>;

    /// Takes an exclusive lock on a lock file, which is created with `permissions` if missing, and
    /// stays. The lock goes when the guard is dropped or its process dies; child processes do not
    /// inherit it. Two guards exclude each other also within one process.
    ///
    /// # Errors
    /// `WouldBlock` when somebody else holds it; `Unsupported` where there are no locks.
    fn try_lock(&self, path: &Path, permissions: u32) -> io::Result<Box<dyn FsLock>>;

    /// Names this run of the machine, or `None` where that cannot be known.
    fn boot_id(&self) -> Option<BootId>;
}

/// An open regular file. Positional: there is no cursor.
pub trait FsFile: fmt::Debug + Send + Sync {
    /// Reads at most `buffer.len()` bytes at `offset`; 0 means the end of the file.
    ///
    /// # Errors
    /// Whatever the system says.
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize>;

    /// Writes at least one and at most `bytes.len()` bytes at `offset`, growing the file.
    ///
    /// # Errors
    /// Whatever the system says (`StorageFull` among it); nothing of this call was written then.
    fn write_at(&self, offset: u64, bytes: &[u8]) -> io::Result<usize>;

    /// The size in bytes.
    ///
    /// # Errors
    /// Whatever the system says.
    fn size(&self) -> io::Result<u64>;

    /// Cuts or grows the file; grown bytes are zero.
    ///
    /// # Errors
    /// Whatever the system says.
    fn set_size(&self, size: u64) -> io::Result<()>;

    /// Makes the file's bytes and size durable (not its name).
    ///
    /// # Errors
    /// Whatever the system says; then the bytes it should have covered count as not written.
    fn sync(&self, kind: SyncKind) -> io::Result<()>;
}

/// What to do where the filesystem has no locks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum LockPolicy {
    /// Opening for writing fails.
    #[default]
    Required,
    /// The queue is opened without a lock; the caller sees to it that there is one owner.
    WaivedWhereUnsupported,
}

/// Holds a lock taken by [`Fs::try_lock`]; dropping it releases the lock.
pub trait FsLock: fmt::Debug + Send + Sync {}
