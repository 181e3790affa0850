//! Runs that read the input from standard input and print the result to standard output, and runs
//! without an input.

use crate::exit::Exit;
use crate::parameters::ParameterFiles;
use crate::print::print_bytes;
use crate::problem::Problem;
use crate::settings::ReduceSettings;
use nubbin_oracle::PrivateFolder;
use nubbin_reduce::input::Input;
use std::io::{self, IsTerminal as _, Read as _};
use std::path::Path;

/// The name of the candidate in the folder of the test.
const NAME: &str = "stdin";

/// The text of the file that stands for an input where only the command is reduced.
const NO_INPUT: &[u8] = b"\n";

/// The folder that has the input and the result during a run. The folder is removed with the run,
/// so such a run cannot be resumed.
#[derive(Debug)]
pub(super) struct Streams {
    /// `None` if both are files.
    _folder: Option<PrivateFolder>,
    pub(super) is_output: bool,
    /// Whether only arguments or variables of the test are reduced.
    has_no_input: bool,
}

impl Streams {
    /// Replaces `-` with files.
    pub(super) fn of(args: &mut ReduceSettings) -> Result<Self, Problem> {
        if args.inputs.is_empty() && (args.reduce_args || args.reduce_env) {
            return Streams::without_input(args);
        }
        let is_dash = |path: &Path| path == Path::new("-");
        let is_input = args.inputs.iter().any(|path| is_dash(path));
        let is_output = match &args.output {
            Some(path) => is_dash(path),
            None => is_input,
        };
        if !is_input && !is_output {
            return Ok(Streams {
                _folder: None,
                is_output,
                has_no_input: false,
            });
        }
        check(args, is_input, is_output)?;
        let text = if is_input { read()? } else { vec![] };
        let cannot =
            |error| Problem::new(Exit::Input, "cannot make a private folder").because(&error);
        let folder = PrivateFolder::new(2 * text.len() as u64).map_err(cannot)?;
        if is_input {
            args.inputs = vec![folder.write(Path::new(NAME), &text).map_err(cannot)?];
        }
        if is_output {
            args.output = Some(folder.path().join("result"));
        }
        Ok(Streams {
            _folder: Some(folder),
            is_output,
            has_no_input: false,
        })
    }

    /// Creates a file that replaces the input, and makes the run print the result.
    fn without_input(args: &mut ReduceSettings) -> Result<Self, Problem> {
        let refuse = |flag: &str| {
            let what = format!("`{flag}` needs an INPUT");
            let hint = "without one, the arguments or variables that are left are printed";
            Err(Problem::new(Exit::Usage, what).hint(hint))
        };
        if args
            .output
            .as_ref()
            .is_some_and(|path| path != Path::new("-"))
        {
            return refuse("-o PATH");
        }
        if args.in_place {
            return refuse("--in-place");
        }
        let cannot =
            |error| Problem::new(Exit::Input, "cannot make a private folder").because(&error);
        let folder = PrivateFolder::new(NO_INPUT.len() as u64).map_err(cannot)?;
        args.inputs = vec![folder.write(Path::new("input"), NO_INPUT).map_err(cannot)?];
        args.output = Some(folder.path().join("result"));
        Ok(Streams {
            _folder: Some(folder),
            is_output: true,
            has_no_input: true,
        })
    }

    /// Prints the result: its file or, without an input, its arguments and variables.
    pub(super) fn print(&self, result: &Input, parameters: &ParameterFiles) -> Result<(), Problem> {
        let is_printed =
            |number: usize| self.is_output && parameters.has(number) == self.has_no_input;
        let mut files = result.present().filter(|file| is_printed(file.number));
        files.try_for_each(|file| print_bytes(file.text).map(drop))
    }
}

fn check(args: &ReduceSettings, is_input: bool, is_output: bool) -> Result<(), Problem> {
    let refuse = |what: &str, hint: &str| Err(Problem::new(Exit::Usage, what).hint(hint));
    if is_input && args.inputs.len() > 1 {
        return refuse(
            "standard input (`-`) and other inputs cannot be reduced together",
            "write it to a file first",
        );
    }
    if is_input && io::stdin().is_terminal() {
        return refuse(
            "standard input (`-`) is a terminal",
            "name a file, or redirect one: `nubbin reduce - … <FILE`",
        );
    }
    let is_single = matches!(&args.inputs[..], [path] if !path.is_dir());
    if is_output && !is_single {
        return refuse(
            "standard output (`-o -`) takes the result of one file",
            "give a path: `-o PATH`",
        );
    }
    let flags = &args.output_flags;
    let others = [&flags.json_events, &flags.stats].into_iter().flatten();
    if is_output && others.into_iter().any(|path| path == Path::new("-")) {
        return refuse(
            "standard output has the result (`-o -`)",
            "give `--json-events` and `--stats` the path of a file",
        );
    }
    Ok(())
}

fn read() -> Result<Vec<u8>, Problem> {
    let mut text = vec![];
    // Longer inputs are refused, and a stream may be endless.
    let most = u64::from(u32::MAX);
    let read = io::stdin().lock().take(most + 1).read_to_end(&mut text);
    let cannot = Problem::new(Exit::Input, "cannot read standard input");
    match read {
        Err(error) => Err(cannot.because(&error)),
        Ok(length) if length as u64 > most => Err(Problem::new(
            Exit::Input,
            "standard input has 4 GiB or more",
        )),
        Ok(0) => {
            let what = "standard input (`-`) is empty: there is nothing to reduce";
            Err(Problem::new(Exit::Input, what)
                .hint("the program before it may have failed, or redirect a file: `<FILE`"))
        }
        Ok(_) => Ok(text),
    }
}
