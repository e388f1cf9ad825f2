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
    let mut command = &whole;
    // Pages name each other with hyphens, and no command has one in its name.
    for name in arguments.command.iter().flat_map(|word| word.split('-')) {
        let of_that_name = command.find_subcommand(name);
        command = of_that_name.ok_or_else(|| unknown(name, command))?;
    }
    let mut page = Vec::new();
    let rendered = Man::new(command.clone()).render(&mut page);
    rendered.map_err(|error| Failure::usage(format!("cannot write the page: {error}")))?;
    // What stands behind the help of a command is how it ends, and this is what pages call that.
    let page = String::from_utf8_lossy(&page);
    output.text(&page.replace("\n.SH EXTRA\n", "\n.SH \"EXIT STATUS\"\n"))?;
    Ok(Exit::Pass)
}

fn unknown(name: &str, command: &clap::Command) -> Failure {
    let of_command = command.get_bin_name().unwrap_or("crashline");
    let names: Vec<&str> = command
        .get_subcommands()
        .map(clap::Command::get_name)
        .collect();
    Failure::usage(match names.is_empty() {
        true => format!("`{of_command}` has no commands of its own, nor `{name}`"),
        false => format!(
            "`{of_command}` has no command `{name}`; there are {}",
            names.join(", ")
        ),
    })
}
