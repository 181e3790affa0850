//! `--ub-free`: candidates with undefined behavior are not adopted, since a compiler may do
//! anything with them.

use crate::exit::Exit;
use crate::output::Access;
use crate::problem::{Problem, warn};
use crate::settings::FailureSettings;
use nubbin_oracle::{CommandOracle, Predicate, TestCommand};
use nubbin_reduce::engine::Stop;
use nubbin_reduce::input::Input;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The script that checks a candidate, after its variables.
const CHECK: &str = include_str!("check.sh");
/// The beginning of the line with which the script reports that it ran the candidate.
const RAN: &str = "ran with ";
/// The line with which the script reports that the compiler has no sanitizers.
const BARE: &str = "without sanitizers";
const ENDINGS_OF_C: [&str; 2] = ["c", "i"];
const ENDINGS_OF_CXX: [&str; 7] = ["cc", "cpp", "cxx", "c++", "cp", "C", "ii"];

/// Adds the `--ub-free` check to the conditions.
pub fn guard(
    predicate: Predicate,
    flags: &FailureSettings,
    names: &[PathBuf],
) -> Result<Predicate, Problem> {
    let Some(extra) = &flags.ub_free else {
        return Ok(predicate);
    };
    let has_ending = |path: &&PathBuf, endings: &[&str]| {
        let ending = path.extension().and_then(|ending| ending.to_str());
        ending.is_some_and(|ending| endings.contains(&ending))
    };
    let of_c = |path: &&PathBuf| has_ending(path, &ENDINGS_OF_C);
    let of_cxx = |path: &&PathBuf| has_ending(path, &ENDINGS_OF_CXX);
    let sources = names.iter().filter(|path| of_c(path) || of_cxx(path));
    let sources: Vec<&PathBuf> = sources.collect();
    if sources.is_empty() {
        let what = "`--ub-free` checks C and C++ sources, and the input has none";
        return Err(
            Problem::new(Exit::Usage, what).hint("their names end in `.c`, `.i`, `.cpp`, …")
        );
    }
    let compilers = Compilers::find(sources.iter().any(of_cxx));
    let compilers = compilers.ok_or_else(|| {
        Problem::new(
            Exit::Usage,
            "`--ub-free` needs clang or gcc, and PATH has neither",
        )
        .hint("for C++, it needs clang++ or g++")
    })?;
    let line = compilers.check(extra, sources);
    // Braces in a name do not stand for the candidate.
    let command = TestCommand::shell(line.replace("{}", "{{}}"));
    let command = command
        .map_err(|error| Problem::new(Exit::Usage, "`--ub-free` needs a shell").because(&error))?;
    let with = match &**extra {
        "" => String::new(),
        extra => format!(" with {extra}"),
    };
    let name = format!("no undefined behavior that {}{with} sees", compilers.kind);
    Ok(predicate.guarded_by(command, name))
}

/// Checks the original, which must have no undefined behavior either.
pub fn settle(
    oracle: &CommandOracle,
    input: &Input,
    is_quiet: bool,
    stop: &Stop,
) -> Result<(), Problem> {
    let Some(guard) = oracle.predicate().guard() else {
        return Ok(());
    };
    let run = input
        .with_candidate(|candidate| oracle.observe_other(guard, candidate, 0, stop.token()))
        .map_err(|error| {
            Problem::new(Exit::Test, "the `--ub-free` check cannot be run").because(&error)
        })?;
    if stop.is_requested() {
        return Ok(());
    }
    if let Some(reason) = &run.cut_short {
        let what = format!("the `--ub-free` check did not finish on the original: {reason}");
        return Err(Problem::new(Exit::NotFailing, what));
    }
    if run.exit.code() != Some(0) {
        let said = String::from_utf8_lossy(run.stderr());
        let said = said.lines().next().unwrap_or_default().trim().to_owned();
        let what = format!("the original has undefined behavior: `{said}`");
        return Err(Problem::new(Exit::NotFailing, what).hint(
            "a compiler may do anything with undefined behavior: correct the input first; \
             `--ub-free=FLAGS` gives the \
             compiler flags, such as `-I DIR`, or `-Wno-error=NAME` for a warning that is wrong",
        ));
    }
    if is_quiet || run.stdout().starts_with(RAN.as_bytes()) {
        return Ok(());
    }
    warn(match run.stdout().starts_with(BARE.as_bytes()) {
        true => {
            "the compiler used by `--ub-free` has no sanitizer libraries, so undefined behavior \
             that only a run shows may get into the result: install them, or gcc"
        }
        false => {
            "the sources are not a program by themselves, so `--ub-free` compiles them and does \
             not run them: undefined behavior that only a run shows may get into the result"
        }
    });
    Ok(())
}

/// The compilers of a check.
struct Compilers {
    kind: &'static str,
    c: PathBuf,
    cxx: PathBuf,
}

impl Compilers {
    /// Finds compilers in PATH. Clang is preferred, since it detects more, such as uninitialized
    /// memory; a compiler without sanitizers is the last choice.
    fn find(needs_cxx: bool) -> Option<Self> {
        let mut all: Vec<Self> = Compilers::all(needs_cxx).collect();
        let best = all.iter().position(Compilers::has_sanitizers);
        (!all.is_empty()).then(|| all.swap_remove(best.unwrap_or(0)))
    }

    /// Returns whether the compiler builds a program with sanitizers. Debian has their libraries
    /// for clang in a package of its own.
    fn has_sanitizers(&self) -> bool {
        let built = || -> std::io::Result<bool> {
            let folder = tempfile::tempdir()?;
            let source = folder.path().join("a.c");
            let mut file = Access::OWNER.create(&source)?;
            file.write_all(b"int main(void) { return 0; }\n")?;
            let mut build = Command::new(&self.c);
            build.args(["-fsanitize=undefined,address", "-o"]);
            build.arg(folder.path().join("a")).arg(source);
            build.stdin(Stdio::null()).stdout(Stdio::null());
            Ok(build.stderr(Stdio::null()).status()?.success())
        };
        built().unwrap_or(false)
    }

    fn all(needs_cxx: bool) -> impl Iterator<Item = Self> {
        [("clang", "clang", "clang++"), ("gcc", "gcc", "g++")]
            .into_iter()
            .filter_map(move |(kind, c, cxx)| {
                let c = find(c)?;
                let cxx = match find(cxx) {
                    None if needs_cxx => return None,
                    None => c.clone(),
                    Some(cxx) => cxx,
                };
                Some(Compilers { kind, c, cxx })
            })
    }

    /// Returns the script that checks sources, with further flags.
    fn check<'a>(&self, extra: &str, sources: impl IntoIterator<Item = &'a PathBuf>) -> String {
        let path = |path: &Path| quoted(&path.display().to_string());
        let mut script = format!(
            "kind={}\ncc={}\ncxx={}\nextra={}\nset --",
            self.kind,
            path(&self.c),
            path(&self.cxx),
            quoted(extra)
        );
        for source in sources {
            script += &format!(" {}", path(source));
        }
        script + &format!("\n{CHECK}")
    }
}

/// Finds a program in PATH.
fn find(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut all = std::env::split_paths(&path).map(|folder| folder.join(name));
    all.find(|path| path.is_file())
}

/// Returns a text as one word of a shell.
fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::skip::skipped;

    /// Returns the exit code and the output of the check of a program by these compilers.
    fn checked(compilers: &Compilers, body: &str, extra: &str) -> (Option<i32>, String) {
        let folder = tempfile::tempdir().unwrap();
        let text =
            format!("int printf(const char *, ...);\nint main(void) {{ {body} return 0; }}\n");
        std::fs::write(folder.path().join("a.c"), text).unwrap();
        let ran = Command::new("sh")
            .args(["-c", &compilers.check(extra, [&PathBuf::from("a.c")])])
            .current_dir(folder.path())
            .output()
            .unwrap();
        let said = [ran.stdout, ran.stderr].concat();
        (
            ran.status.code(),
            String::from_utf8_lossy(&said).into_owned(),
        )
    }

    const CLEAN: &str = "int sum = 0; for (int i = 0; i < 3; i++) sum += i; printf(\"%d\", sum);";

    #[test]
    #[cfg(unix)]
    fn a_compiler_without_sanitizers_is_told_from_one_that_has_them() {
        use std::os::unix::fs::PermissionsExt as _;
        let folder = tempfile::tempdir().unwrap();
        let c = folder.path().join("cc");
        let script = "#!/bin/sh\ncase $* in *-fsanitize=*) exit 1 ;; esac\nexec cc \"$@\"\n";
        std::fs::write(&c, script).unwrap();
        let mode = std::fs::Permissions::from_mode(0o700);
        std::fs::set_permissions(&c, mode).unwrap();
        let compilers = Compilers {
            kind: "gcc",
            cxx: c.clone(),
            c,
        };
        assert!(!compilers.has_sanitizers());
        let (code, said) = checked(&compilers, CLEAN, "");
        assert_eq!((code, said.lines().next()), (Some(0), Some(BARE)));
    }

    #[test]
    fn each_compiler_refuses_undefined_behavior_and_nothing_else() {
        for (kind, need) in [("clang", "clang"), ("gcc", "sanitizers")] {
            let mut found = Compilers::all(false).filter(|compilers| compilers.kind == kind);
            let Some(compilers) = found.find(Compilers::has_sanitizers) else {
                skipped(need);
                continue;
            };
            let (code, said) = checked(&compilers, CLEAN, "");
            assert_eq!(
                (code, &*said),
                (Some(0), "ran with sanitizers\n"),
                "{}",
                compilers.kind
            );
            let read = "int k; printf(\"%d\", k);";
            for (body, extra, why) in [
                (read, "", "uninitialized"),
                // Running the program detects this behavior as well.
                (
                    read,
                    "-Wno-error=uninitialized -Wno-error=maybe-uninitialized",
                    "initialized",
                ),
                (
                    "volatile int big = 2147483647; printf(\"%d\", big + 1);",
                    "",
                    "signed integer overflow",
                ),
            ] {
                let (code, said) = checked(&compilers, body, extra);
                assert!(
                    code == Some(1) && said.contains(why),
                    "{}: {body}: {said}",
                    compilers.kind
                );
            }
        }
    }
}
