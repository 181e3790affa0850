//! The failure of the original in the user's folder, compared with that in the folder of the test.

use crate::stage::{Stage, haystack};

/// Makes a stage with a program that fails in another way as long as it lacks a file.
fn lacking() -> Stage {
    let stage = Stage::new();
    stage.file("in.txt", haystack(20, "crash"));
    for name in ["a.conf", "b.conf", "d/c.conf", "unused.conf"] {
        stage.file(name, "x");
    }
    stage.script(
        "app.sh",
        "for f in a.conf b.conf d/c.conf; do cat $f >/dev/null || exit 9; done
         grep -q crash \"$1\" && { echo 'prog: a.c:1: f: Assertion `crash failed.' >&2; exit 7; }
         exit 0",
    );
    stage
}

const REDUCE: &str = "reduce -q in.txt --same-failure";

#[test]
fn all_files_that_the_test_lacks_are_named_at_once() {
    let stage = lacking();
    for condition in ["--same-failure", "--exit 7,9"] {
        let line = format!("reduce -q in.txt {condition} -- ./app.sh {{}}");
        let ran = stage.run(line.split(' ')).ended(3);
        let ran = ran.said(&[
            "--with a.conf --with b.conf --with d/c.conf",
            "--with-siblings",
        ]);
        assert!(!ran.stderr.contains("unused.conf"), "{}", ran.stderr);
    }
    assert!(!stage.path("in.min.txt").exists());
    let with = "--with a.conf --with b.conf --with d/c.conf -- ./app.sh {}";
    stage.run(format!("{REDUCE} {with}").split(' ')).ended(0);
    assert_eq!(stage.text("in.min.txt"), "crash");
}

#[test]
fn a_file_that_the_test_lacks_in_silence_is_found_by_trying() {
    let stage = lacking();
    stage.script(
        "app.sh",
        "[ -e b.conf ] && [ -e d/c.conf ] || exit 9; grep -q crash \"$1\" && exit 7; exit 0",
    );
    stage
        .run(format!("{REDUCE} -- ./app.sh {{}}").split(' '))
        .ended(3)
        .said(&["--with b.conf --with d`"]);
}

#[test]
fn all_siblings_are_given_without_results() {
    let stage = lacking();
    // A result of an earlier run is not a sibling.
    let body = "[ -e in.min.txt ] || [ -e .nubbin ] && exit 3; exec sh ./app.sh \"$1\"";
    stage.script("run.sh", body);
    for _ in 0..2 {
        let line = format!("{REDUCE} --fresh --with-siblings -- ./run.sh {{}}");
        stage.run(line.split(' ')).ended(0);
        assert_eq!(stage.text("in.min.txt"), "crash");
    }
    // The siblings are those of the input.
    std::fs::create_dir(stage.path("sub")).unwrap();
    for name in ["in.txt", "a.conf", "b.conf", "d"] {
        std::fs::rename(stage.path(name), stage.path("sub").join(name)).unwrap();
    }
    let line = "reduce -q sub/in.txt --same-failure --with-siblings -- ./app.sh {}";
    stage.run(line.split(' ')).ended(0);
    assert_eq!(stage.text("sub/in.min.txt"), "crash");
}

#[test]
fn a_file_of_another_folder_is_named_so_that_the_flag_finds_it() {
    let stage = lacking();
    std::fs::create_dir(stage.path("sub")).unwrap();
    for name in ["in.txt", "a.conf", "b.conf", "d"] {
        std::fs::rename(stage.path(name), stage.path("sub").join(name)).unwrap();
    }
    let run = |with: &str| {
        let line = format!("reduce sub/in.txt --same-failure {with} -- ./app.sh {{}}");
        stage.run(line.split_whitespace())
    };
    let ran = run("").ended(3);
    let (_, flags) = ran.stderr.split_once("add `").unwrap();
    let (flags, _) = flags.split_once('`').unwrap();
    run(flags).ended(0);
    assert_eq!(stage.text("sub/in.min.txt"), "crash");
}

#[test]
fn the_failure_without_the_files_may_be_the_wanted_one() {
    let stage = lacking();
    let line = "reduce -q in.txt --exit 9 --private-failure --allow-empty -- ./app.sh {}";
    stage.run(line.split(' ')).ended(0);
    assert_eq!(stage.text("in.min.txt"), "");
}

#[test]
fn a_module_beside_the_input_is_not_missing() {
    let stage = Stage::new();
    stage.file("pkg/__init__.py", "");
    stage.file(
        "pkg/helper.py",
        "import other\n\ndef f():\n    return other.one + None\n",
    );
    stage.file("other.py", "one = 1\n");
    stage.file(
        "in.py",
        "import os\nfrom pkg import helper\nx = 1\nhelper.f()\n",
    );
    let ran = stage.run("reduce -q in.py --same-failure -- python3 {}".split(' '));
    ran.ended(3).said(&[
        "in your folder: exit code 1, exception: Python TypeError",
        "in the folder of the test: exit code 1, exception: Python ModuleNotFoundError",
        "--with pkg --with other.py",
    ]);
    assert!(!stage.path("in.min.py").exists());
}

#[cfg(target_os = "linux")]
#[test]
fn a_folder_of_many_files_is_run_in_but_not_written_to() {
    let stage = lacking();
    for number in 0..1100 {
        stage.file(&format!("many/{number}"), "");
    }
    let here = std::fs::canonicalize(stage.folder()).unwrap();
    // In its own folder, the test writes to its input and next to it.
    let app = stage.text("app.sh").replace(
        "exit 7",
        "{ echo gone >\"$1\"; rm -f \"$1\"; echo gone >a.conf; echo x >new; } 2>/dev/null; exit 7",
    );
    stage.script("app.sh", &app);
    let before = stage.names();
    let run =
        |with: &str| stage.run(format!("{REDUCE} {with} -- ./app.sh {{}}").split_whitespace());
    run("")
        .ended(3)
        .said(&["--with a.conf --with b.conf --with d/c.conf"]);
    assert_eq!(stage.text("in.txt"), haystack(20, "crash"));
    assert_eq!(stage.text("a.conf"), "x");
    assert_eq!(stage.names(), before, "{}", here.display());
}

/// Returns the command line after `try`, without the name of the program.
fn tried(stderr: &str) -> Vec<String> {
    let (_, line) = stderr
        .split_once("try `nubbin ")
        .unwrap_or_else(|| panic!("{stderr}"));
    let (line, _) = line.split_once("`\n").unwrap_or_else(|| panic!("{stderr}"));
    shlex::split(line).unwrap()
}

#[test]
fn a_script_of_the_current_folder_is_found_for_an_input_of_another_one() {
    let stage = Stage::new();
    let tool = "grep -q crash \"$1\" && { echo broken >&2; exit 7; }\nexit 0\n";
    stage.file("tool.sh", tool);
    stage.file("crashes/1.txt", "a\ncrash\nb\n");
    let ran = stage
        .run("reduce crashes/1.txt -- sh tool.sh {}".split(' '))
        .ended(3)
        .said(&["--with tool.sh", "--exit 7"]);
    let line = tried(&ran.stderr);
    stage.run(&line).ended(0);
    assert_eq!(stage.text("crashes/1.min.txt"), "crash");
}

#[test]
fn the_command_to_try_removes_all_reasons() {
    let stage = Stage::new();
    stage.file("tool.py", "import sys, helper\nhelper.load(sys.argv[1])\n");
    stage.file(
        "helper.py",
        "def load(path):\n    if 'crash' in open(path).read(): raise ValueError('broken')\n",
    );
    stage.file("in.txt", "a\ncrash\nb\n");
    stage.script("test.sh", "exec python3 tool.py \"$1\"");
    for (command, reasons) in [
        ("reduce in.txt -- python3 tool.py", 3),
        ("reduce in.txt -- ./test.sh", 3),
        ("reduce in.txt --test ./test.sh", 3),
        ("reduce in.txt -- python3 tool.py {}", 2),
    ] {
        let all = if reasons == 2 { "both" } else { "all" };
        let ran = stage.run(command.split(' ')).ended(3);
        let ran = ran.said(&[&format!("most likely {all}: try")]);
        let line = tried(&ran.stderr);
        stage
            .run(line.iter().map(String::as_str).chain(["--force"]))
            .ended(0);
        assert_eq!(stage.text("in.min.txt"), "crash", "{line:?}");
        std::fs::remove_file(stage.path("in.min.txt")).unwrap();
    }
}
