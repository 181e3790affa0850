//! `nubbin man`: manual pages, from the definitions of the command line.

use crate::exit::Exit;
use crate::flags::{CommandLine, EXIT_CODES, ManFlags, is_for_farms};
use crate::help::{self, Topic};
use crate::output::Access;
use crate::print::print_bytes;
use crate::problem::Problem;
use clap::CommandFactory;
use clap::builder::Resettable;
use clap_mangen::Man;
use clap_mangen::roff::{Roff, bold, roman};
use std::io;
use std::path::Path;

pub(crate) fn run(options: &ManFlags) -> Result<Exit, Problem> {
    // The commands named `help` have no pages.
    let mut whole = CommandLine::command().disable_help_subcommand(true);
    // Building the command line adds inherited flags, so that each page is complete.
    whole.build();
    if let Some(folder) = &options.output {
        std::fs::create_dir_all(folder).map_err(|error| cannot_write(folder, &error))?;
        write_all(&whole, folder)?;
        return Ok(Exit::Done);
    }
    let mut command = &whole;
    for name in &options.command {
        command = command.find_subcommand(name).ok_or_else(|| {
            let path = options.command.join(" ");
            Problem::new(Exit::Usage, format!("unknown command `{path}`"))
                .hint("`nubbin help` lists all commands")
        })?;
    }
    let (_, page) = page(command).map_err(|error| {
        Problem::new(Exit::Output, "cannot make the manual page").because(&error)
    })?;
    print_bytes(&page)
}

/// Writes the pages of a command and of all commands in it.
fn write_all(command: &clap::Command, folder: &Path) -> Result<(), Problem> {
    let (name, page) = page(command).map_err(|error| cannot_write(folder, &error))?;
    let path = folder.join(name);
    // An existing file may be the only copy of its content.
    let written = Access::ALL.write_new(&path, &page);
    written.map_err(|error| cannot_write(&path, &error))?;
    command
        .get_subcommands()
        .filter(|command| !command.is_hide_set())
        .try_for_each(|command| write_all(command, folder))
}

/// Returns the name of the file of a page, and the page.
fn page(command: &clap::Command) -> io::Result<(String, Vec<u8>)> {
    let name = command.get_display_name().unwrap_or("nubbin");
    let after = (command.get_after_long_help())
        .or_else(|| command.get_after_help())
        .map(ToString::to_string);
    let after = match name {
        "nubbin" => Some(topics()),
        _ => after,
    };
    // `clap_mangen` would join the lines of tables and examples into paragraphs.
    let bare = command
        .clone()
        .after_help(Resettable::Reset)
        .after_long_help(Resettable::Reset)
        // The page of the whole program has the flags for farms. Other flags are listed even if the
        // short help omits them.
        .mut_args(|arg| match is_for_farms(arg.get_id().as_str()) {
            true => arg.hide(true),
            false => arg.hide_short_help(false),
        });
    let synopsis = synopsis(&bare);
    let has_commands = bare.has_subcommands();
    let man = Man::new(bare)
        .title(name.to_uppercase())
        // An argument without text would be omitted, and the next one would take its position.
        .date("\"\"")
        .source(concat!("nubbin ", env!("CARGO_PKG_VERSION")))
        .manual("User Commands");
    let mut page = Vec::new();
    man.render_title(&mut page)?;
    man.render_name_section(&mut page)?;
    page.extend(synopsis.to_roff().into_bytes());
    man.render_description_section(&mut page)?;
    man.render_options_section(&mut page)?;
    if has_commands {
        man.render_subcommands_section(&mut page)?;
    }
    if !page.ends_with(b"\n") {
        page.push(b'\n');
    }
    if let Some(after) = after {
        page.extend(sections(&after).to_roff().into_bytes());
    }
    Ok((format!("{name}.1"), page))
}

/// Returns the line of usage, which `clap_mangen` would fill with every flag.
fn synopsis(command: &clap::Command) -> Roff {
    let usage = command.clone().render_usage().to_string();
    let usage = usage.strip_prefix("Usage: ").unwrap_or(&usage).to_owned();
    let mut roff = Roff::new();
    roff.control("SH", ["SYNOPSIS"]);
    for (at, line) in usage.lines().enumerate() {
        if at > 0 {
            roff.control("br", []);
        }
        roff.text([bold(line.trim())]);
    }
    roff
}

/// Returns the topics that several commands share, for the page of the whole program.
fn topics() -> String {
    let farm = help::text(Topic::Farm);
    format!("{EXIT_CODES}\n\nTests on a farm:\n{farm}")
}

/// Lays out the text after the flags: a line such as `Examples:` is a heading, and lines that are
/// indented stay as they are.
fn sections(text: &str) -> Roff {
    let mut roff = Roff::new();
    if !text.lines().next().is_some_and(is_heading) {
        roff.control("SH", ["NOTES"]);
    }
    let mut is_as_typed = false;
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        let is_indented = line.starts_with(' ');
        if is_indented != is_as_typed {
            roff.control(if is_indented { "nf" } else { "fi" }, []);
            is_as_typed = is_indented;
        }
        if is_heading(line) {
            let heading = line.trim_end_matches(':').to_uppercase();
            roff.control("SH", [heading.as_str()]);
        } else if !line.is_empty() {
            roff.text([roman(line)]);
        } else if lines.peek().is_some_and(|next| !is_heading(next)) {
            roff.control("PP", []);
        }
    }
    if is_as_typed {
        roff.control("fi", []);
    }
    roff
}

fn is_heading(line: &str) -> bool {
    line.ends_with(':') && !line.starts_with(' ')
}

fn cannot_write(path: &Path, error: &io::Error) -> Problem {
    Problem::new(Exit::Output, format!("cannot write `{}`", path.display())).because(error)
}
