//! The system's error numbers, as `io::Error`s that carry them.

use rustix::io::Errno;
use std::io;

/// An error with the system's number, from which `io::Error` takes its kind and its text.
pub(crate) fn error(errno: Errno) -> io::Error {
    io::Error::from_raw_os_error(errno.raw_os_error())
}

/// What `Fs::open` says of a name that is not a regular file.
pub(crate) fn not_regular() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, "not a regular file")
}
