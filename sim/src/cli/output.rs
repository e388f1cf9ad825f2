//! Standard output: the result. A reader that closes the pipe has seen enough; that is no error.

use super::failure::Failure;
use crate::report::Paint;
use std::io::{self, ErrorKind, IsTerminal, Write};

/// Where results go.
pub(super) struct Output {
    writer: Box<dyn Write + Send>,
    /// Colour of results.
    pub(super) paint: Paint,
    closed: bool,
}

impl Output {
    /// Standard output, its colour as asked for.
    pub(super) fn standard(color: Color) -> Self {
        let stdout = io::stdout();
        let colored = color.decide(stdout.is_terminal());
        Self::to(Box::new(io::BufWriter::new(stdout)), colored)
    }

    /// Any writer.
    pub(super) fn to(writer: Box<dyn Write + Send>, colored: bool) -> Self {
        Self {
            writer,
            paint: Paint::new(colored),
            closed: false,
        }
    }

    /// Writes lines.
    pub(super) fn lines(&mut self, lines: &[String]) -> Result<(), Failure> {
        lines.iter().try_for_each(|line| self.line(line))
    }

    /// Writes one line.
    pub(super) fn line(&mut self, line: &str) -> Result<(), Failure> {
        self.attempt(|writer| writeln!(writer, "{line}"))
    }

    /// Writes a text that ends with a line end of its own.
    pub(super) fn text(&mut self, text: &str) -> Result<(), Failure> {
        self.attempt(|writer| writer.write_all(text.as_bytes()))
    }

    /// Writes one JSON value on a line of its own and hands it on at once.
    pub(super) fn event(&mut self, event: &serde_json::Value) -> Result<(), Failure> {
        self.line(&event.to_string())?;
        self.flush()
    }

    /// Hands on everything written so far.
    pub(super) fn flush(&mut self) -> Result<(), Failure> {
        self.attempt(|writer| writer.flush())
    }

    fn attempt(
        &mut self,
        write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Result<(), Failure> {
        if self.closed {
            return Ok(());
        }
        match write(&mut *self.writer) {
            Err(error) if error.kind() == ErrorKind::BrokenPipe => {
                self.closed = true;
                Ok(())
            }
            Err(error) => Err(Failure::usage(format!("cannot write the output: {error}"))),
            Ok(()) => Ok(()),
        }
    }
}

/// When there is colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Color {
    /// On a terminal, unless NO_COLOR is set.
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

impl Color {
    fn decide(self, terminal: bool) -> bool {
        match self {
            Self::Always => true,
            Self::Never => false,
            Self::Auto => {
                let unwanted = std::env::var_os("NO_COLOR").is_some_and(|text| !text.is_empty());
                let dumb = std::env::var_os("TERM").is_some_and(|text| text == "dumb");
                terminal && !unwanted && !dumb
            }
        }
    }
}

/// Says one line on standard error; if nobody reads it, nobody misses it.
pub(super) fn say(line: &str) {
    drop(writeln!(io::stderr(), "{line}"));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::Exit;

    struct Failing(ErrorKind);

    impl Write for Failing {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(self.0.into())
        }

        fn flush(&mut self) -> io::Result<()> {
            Err(self.0.into())
        }
    }

    #[test]
    fn a_closed_pipe_is_no_error_and_ends_the_writing() {
        let mut output = Output::to(Box::new(Failing(ErrorKind::BrokenPipe)), false);
        assert!(!output.closed);
        assert_eq!(output.line("text"), Ok(()));
        assert!(output.closed);
        assert_eq!(output.flush(), Ok(()));
    }

    #[test]
    fn a_full_disk_is_an_error() {
        let mut output = Output::to(Box::new(Failing(ErrorKind::StorageFull)), false);
        let failure = output.line("text").unwrap_err();
        assert_eq!(failure.exit, Exit::Usage);
    }
}
