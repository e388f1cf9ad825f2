//! Lines of bounded width: wrapping, columns, and numbers that can be read.

/// The widest line that is printed, in columns.
pub const WIDTH: usize = 100;

/// The number in groups of three digits.
#[must_use]
pub fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A number and its noun, such as `1 call` and `1,024 calls`.
#[must_use]
pub(crate) fn counted(number: u64, noun: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{} {noun}{plural}", thousands(number))
}

/// The text broken at spaces into lines of at most `width` columns; a longer word is cut.
/// A text without words gives one empty line.
///
/// # Panics
/// If `width` is 0.
#[must_use]
pub fn wrapped(text: &str, width: usize) -> Vec<String> {
    assert!(width > 0, "a line has room for something");
    let mut lines = Vec::new();
    let mut line = String::new();
    for word in text.split_whitespace() {
        let mut word = word;
        while !line.is_empty() && length(&line) + 1 + length(word) > width {
            lines.push(std::mem::take(&mut line));
        }
        while length(word) > width {
            let (head, tail) = split_at_column(word, width);
            lines.push(head.to_owned());
            word = tail;
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    if !line.is_empty() || lines.is_empty() {
        lines.push(line);
    }
    lines
}

/// The text with `first` before its first line and as many blanks before every further line.
#[must_use]
pub(crate) fn hanging(first: &str, text: &str) -> Vec<String> {
    let indent = length(first);
    let room = WIDTH.saturating_sub(indent).max(20);
    let blanks = " ".repeat(indent);
    wrapped(text, room)
        .into_iter()
        .enumerate()
        .map(|(index, line)| {
            let margin = if index == 0 { first } else { blanks.as_str() };
            format!("{margin}{line}").trim_end().to_owned()
        })
        .collect()
}

/// Rows as aligned columns, two blanks apart. A heading that starts with `>` is set right-aligned,
/// as is its column. The last column is wrapped where a line would become too wide.
#[must_use]
pub fn columns(headings: &[&str], rows: &[Vec<String>]) -> Vec<String> {
    let titles: Vec<String> = headings
        .iter()
        .map(|heading| heading.trim_start_matches('>').to_owned())
        .collect();
    let widths: Vec<usize> = (0..headings.len())
        .map(|index| {
            let cells = rows.iter().chain(std::iter::once(&titles));
            cells
                .filter_map(|row| row.get(index))
                .map(|cell| length(cell))
                .max()
                .unwrap_or(0)
        })
        .collect();
    let mut lines = Vec::new();
    for row in std::iter::once(&titles).chain(rows) {
        let mut line = String::new();
        for ((cell, width), heading) in row.iter().zip(&widths).zip(headings) {
            if !line.is_empty() {
                line.push_str("  ");
            }
            if heading.starts_with('>') {
                line.push_str(&format!("{cell:>width$}"));
            } else {
                line.push_str(&format!("{cell:<width$}"));
            }
        }
        lines.extend(fitted(&line, &widths));
    }
    lines
}

/// The line, its last column wrapped under itself where it is too wide.
fn fitted(line: &str, widths: &[usize]) -> Vec<String> {
    let line = line.trim_end();
    let before_last: usize = widths.iter().rev().skip(1).map(|width| width + 2).sum();
    if length(line) <= WIDTH || before_last + 20 > WIDTH {
        return vec![line.to_owned()];
    }
    let (head, tail) = split_at_column(line, before_last);
    hanging(head, tail)
}

/// The number of columns that a text takes.
#[must_use]
pub(crate) fn length(text: &str) -> usize {
    text.chars().count()
}

fn split_at_column(text: &str, column: usize) -> (&str, &str) {
    let byte = text
        .char_indices()
        .nth(column)
        .map_or(text.len(), |(byte, _)| byte);
    text.split_at(byte)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_are_grouped_from_the_right() {
        let numbers = [0, 7, 999, 1_000, 12_345, 1_234_567];
        let texts: Vec<String> = numbers.into_iter().map(thousands).collect();
        assert_eq!(
            texts,
            ["0", "7", "999", "1,000", "12,345", "1,234,567"].map(String::from)
        );
    }

    #[test]
    fn wrapping_keeps_words_and_cuts_only_what_cannot_fit() {
        assert_eq!(wrapped("one two three", 7), ["one two", "three"]);
        assert_eq!(wrapped("abcdefgh ij", 4), ["abcd", "efgh", "ij"]);
        assert_eq!(wrapped("a abcdefgh", 4), ["a", "abcd", "efgh"]);
        assert_eq!(wrapped("  ", 4), [""]);
    }

    #[test]
    fn columns_align_and_a_long_last_column_stays_in_its_column() {
        let rows = vec![
            vec!["a".to_owned(), "1".to_owned(), "word ".repeat(30)],
            vec!["bcd".to_owned(), "100".to_owned(), "short".to_owned()],
        ];
        let lines = columns(&["name", ">count", "text"], &rows);
        assert_eq!(lines[0], "name  count  text");
        assert!(lines[1].starts_with("a         1  word word"));
        assert!(lines[2].starts_with("             word"));
        assert_eq!(lines[lines.len() - 1], "bcd     100  short");
        assert!(lines.iter().all(|line| length(line) <= WIDTH));
    }
}
