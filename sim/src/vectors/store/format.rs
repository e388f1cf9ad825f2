//! Stages `parse` and `write`: bytes of a file, and what they are; a table, and its bytes.

use super::super::vector::{Bytes, Vector};
use super::bench::{dialect, table_of, told_table, words};
use super::stages::{AllowedParse, AllowedWrite, Form};
use crate::scenario::OffsetDialect;
use crashline::offsets::Dialect;
use crashline::offsets::format::{Document, Layout, Noted, ParseError, encode, parse};

/// Runs a vector of stage `parse`.
pub(super) fn read(vector: &Vector) -> Result<(), String> {
    let Bytes(bytes) = vector.data_b64.as_ref().ok_or("it has no bytes")?;
    let allowed: AllowedParse = vector.allowed()?;
    let parsed = parse(bytes);
    let found = told(&parsed);
    if found == allowed {
        return Ok(());
    }
    let reason = parsed.map_or_else(|error| error.to_string(), |_| "it is whole".to_owned());
    Err(format!("it is {found:?} ({reason})"))
}

fn told(parsed: &Result<Document, ParseError>) -> AllowedParse {
    match parsed {
        Ok(document) => AllowedParse::Whole {
            noted: document.noted,
            dialect: document.dialect.map(|dialect| match dialect {
                Dialect::Go => OffsetDialect::Go,
                Dialect::Java => OffsetDialect::Java,
            }),
            table: told_table(&document.table),
        },
        Err(error) => AllowedParse::Damaged {
            at: [error.offset, error.line, error.column],
        },
    }
}

/// Runs a vector of stage `write`: the bytes of every form, and that they can be read.
pub(super) fn write(vector: &Vector) -> Result<(), String> {
    let entries = vector.table.as_ref().ok_or("it has no table")?;
    let allowed: AllowedWrite = vector.allowed()?;
    let table = table_of(entries);
    for form in &allowed.forms {
        let Form {
            indented, noted, ..
        } = *form;
        let layout = if indented {
            Layout::Indented
        } else {
            Layout::Plain
        };
        let with_note = if noted { Noted::Yes } else { Noted::No };
        let bytes = encode(&table, dialect(form.dialect), layout, with_note);
        if bytes != form.data_b64.0 {
            return Err(format!("{form:?} is {}", bytes.escape_ascii()));
        }
        let document = parse(&bytes).map_err(words)?;
        if document.table != table || document.noted != noted {
            return Err(format!("it reads as {document:?}"));
        }
    }
    Ok(())
}
