//! `man`: the manual pages, made from the same definitions that the flags are parsed with.

use super::Exit;
use super::args::{Arguments, ManArguments};
use super::failure::Failure;
use super::output::Output;
use clap::CommandFactory;
use clap_mangen::Man;

/// Runs the command.
pub(super) fn man(arguments: &ManArguments, output: &mut Output) -> Result<Exit, Failure> {
    let mut whole = Arguments::command();
    // Building gives every command its full name and the flags that all of them share.
    whole.build();
    let command = match &arguments.command {
        None => whole,
        Some(name) => {
            let of_that_name = whole.find_subcommand(name).cloned();
            of_that_name.ok_or_else(|| unknown(name, &whole))?
        }
    };
    let mut page = Vec::new();
    let rendered = Man::new(command).render(&mut page);
    rendered.map_err(|error| Failure::usage(format!("cannot write the page: {error}")))?;
    // What stands behind the help of a command is how it ends, and this is what pages call that.
    let page = String::from_utf8_lossy(&page);
    output.text(&page.replace("\n.SH EXTRA\n", "\n.SH \"EXIT STATUS\"\n"))?;
    Ok(Exit::Pass)
}

fn unknown(name: &str, whole: &clap::Command) -> Failure {
    let names: Vec<&str> = whole
        .get_subcommands()
        .map(clap::Command::get_name)
        .collect();
    Failure::usage(format!(
        "there is no command `{name}`; there are {}",
        names.join(", ")
    ))
}
