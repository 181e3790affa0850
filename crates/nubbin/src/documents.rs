//! `nubbin completions` and `nubbin man`: from the same definitions as the help.

use crate::exit::Exit;
use crate::flags::CommandLine;
use crate::print::print;
use crate::problem::Problem;
use clap::CommandFactory;

pub(crate) fn completions(shell: clap_complete::Shell) -> Result<Exit, Problem> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut CommandLine::command(), "nubbin", &mut script);
    print(&String::from_utf8_lossy(&script))
}

pub(crate) fn man(name: Option<&str>) -> Result<Exit, Problem> {
    let mut whole = CommandLine::command();
    // Fills in what commands inherit, so that a page stands by itself.
    whole.build();
    let command = match name {
        None => whole,
        Some(name) => {
            let found = whole
                .get_subcommands()
                .find(|command| command.get_name() == name);
            let page = format!("nubbin-{name}");
            found
                .cloned()
                .map(|command| command.name(page))
                .ok_or_else(|| {
                    Problem::new(Exit::Usage, format!("unknown command `{name}`"))
                        .hint("`nubbin help` lists all commands")
                })?
        }
    };
    let mut page = Vec::new();
    clap_mangen::Man::new(command)
        .render(&mut page)
        .map_err(|error| {
            Problem::new(Exit::Output, "cannot make the manual page").because(&error)
        })?;
    print(&String::from_utf8_lossy(&page))
}
