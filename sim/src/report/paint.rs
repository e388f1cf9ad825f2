//! Colour, or none: the only place that writes terminal codes.

/// What a piece of text is, as far as its colour goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ink {
    /// A broken clause, a failure.
    Bad,
    /// A pass.
    Good,
    /// A crash, damage, something undecided.
    Alarm,
    /// Headings and operations.
    Strong,
    /// File calls and other detail.
    Faint,
}

/// Puts colour on text, or leaves it as it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Paint {
    colored: bool,
}

impl Paint {
    /// With colour or without.
    #[must_use]
    pub fn new(colored: bool) -> Self {
        Self { colored }
    }

    /// The text in its colour; nothing is added without colour or to nothing.
    #[must_use]
    pub fn ink(self, ink: Ink, text: &str) -> String {
        if !self.colored || text.is_empty() {
            return text.to_owned();
        }
        let code = match ink {
            Ink::Bad => "1;31",
            Ink::Good => "1;32",
            Ink::Alarm => "1;33",
            Ink::Strong => "1",
            Ink::Faint => "2",
        };
        format!("\u{1b}[{code}m{text}\u{1b}[0m")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_colour_the_text_stays_as_it_is() {
        assert_eq!(Paint::new(false).ink(Ink::Bad, "x"), "x");
        assert_eq!(
            Paint::new(true).ink(Ink::Bad, "x"),
            "\u{1b}[1;31mx\u{1b}[0m"
        );
        assert_eq!(Paint::new(true).ink(Ink::Bad, ""), "");
    }
}
