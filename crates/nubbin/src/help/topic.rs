use crate::flags::{EXIT_CODES, RemoteFlags};
use clap::Args as _;
use std::ffi::OsString;

/// The page for agents. A test holds that it is `AGENTS.md` of the repository, which is not in the
/// package of this crate.
const AGENT: &str = include_str!("agent.md");

/// A page of the help that is about no single command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Topic {
    /// The use of nubbin by programs and coding agents.
    Agent,
    /// The exit codes of the commands that run a test.
    ExitCodes,
    /// The flags for tests on a farm.
    Farm,
}

/// Returns the topic that a command line requests: `nubbin help farm`.
pub(crate) fn asked(args: impl Iterator<Item = OsString>) -> Option<Topic> {
    let words: Vec<OsString> = args.skip(1).collect();
    match &words[..] {
        [help, topic] if help == "help" => match topic.to_str()? {
            "agent" => Some(Topic::Agent),
            "exit-codes" => Some(Topic::ExitCodes),
            "farm" => Some(Topic::Farm),
            _ => None,
        },
        _ => None,
    }
}

/// Returns the page on a topic.
pub(crate) fn text(topic: Topic) -> String {
    match topic {
        Topic::Agent => AGENT.to_owned(),
        Topic::ExitCodes => format!(
            "The exit codes of `reduce`, `reduce-all`, `isolate`, `explain`, and `capture`.\n\n\
             {EXIT_CODES}\n\n\
             With `--ci`, `reduce` exits with code 0 unless the command line is wrong or a signal\n\
             stops it.\n"
        ),
        Topic::Farm => farm(),
    }
}

/// Returns the page on farms, with the flags from the command line's definitions.
fn farm() -> String {
    let flags = RemoteFlags::augment_args(clap::Command::new("farm").disable_help_flag(true));
    let flags = flags
        .help_template("{options}")
        .max_term_width(100)
        .render_long_help()
        .to_string();
    let about = match cfg!(feature = "remote") {
        true => ABOUT_FARMS.to_owned(),
        false => format!("{NO_FARMS}{ABOUT_FARMS}"),
    };
    format!("{}\n{}\n", about.trim_end(), flags.trim_end())
}

const ABOUT_FARMS: &str = "\
`reduce`, `reduce-all`, `isolate`, `explain`, and `campaign run` can run tests on
a farm: a server that speaks the Remote Execution API, version 2, as Buildbarn,
BuildGrid, Buildfarm, NativeLink, BuildBuddy, and EngFlow do.

  nubbin reduce crash.c --remote grpcs://farm.example.com --jobs 200 \\
      --same-failure -- clang -O2 -c crash.c

`--jobs 200` is the number of tests on the farm at the same time; with
`--jobs local:4,remote:200`, four more run on this machine. A farm makes a run
faster if one test takes half a second or more.

Flags for farms:
";

const NO_FARMS: &str = "\
This nubbin is built without farms, and refuses the flags below. The packages of
nubbin have them, and so has `cargo install` with `--features remote`.

";
