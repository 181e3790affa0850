//! Arguments and variables of the test as parts of the input.

use crate::stage::{Ran, Stage, haystack};

/// A compiler that crashes on `crash` with optimization and `-Wall`, and on no other command line.
const COMPILER: &str = r#"
level= wall= file=
while [ $# -gt 0 ]; do
    case $1 in
    -O|-O[1-3]) level=1 ;;
    -Wall) wall=1 ;;
    -I) shift ;;
    -*) ;;
    @*) words=$(cat "${1#@}") && shift && set -- x $words "$@" ;;
    *) file=$1 ;;
    esac
    shift
done
[ -n "$level" ] && [ -n "$wall" ] && grep -q crash "$file""#;

const FLAGS: &str =
    "-g3 -O3 -pipe -Wall -Wextra -I dir -std=c++17 -DX=1 -DY='a b' -fPIC -o x -f=a,b";

fn stage() -> Stage {
    let stage = Stage::new();
    stage.file("input.txt", haystack(30, "crash"));
    stage.script("cc", COMPILER);
    stage
}

fn reduce(stage: &Stage, flags: &str, test: &[&str]) -> Ran {
    let args = format!("reduce input.txt {flags}");
    stage.run(
        args.split_whitespace()
            .chain(["--"])
            .chain(test.iter().copied()),
    )
}

#[test]
fn the_shortest_command_is_found_and_can_be_pasted() {
    let stage = stage();
    let marked = format!("{{args: {FLAGS}}}");
    let test = ["./cc", &marked, "{}"];
    let run = |jobs: &str| {
        let ran = reduce(
            &stage,
            &format!("--reduce-args --fresh -j {jobs} --stats -"),
            &test,
        )
        .ended(0);
        assert_eq!(stage.text("input.min.txt"), "crash");
        assert_eq!(stage.text("input.min.txt.args"), "-O\n-Wall\n");
        let stats: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
        let command = stats["test_command"].as_str().unwrap().to_owned();
        assert!(command.ends_with("/cc -O -Wall input.min.txt"), "{command}");
        ran.said(&[&format!("command: {command}"), "input.min.txt.args"]);
        stage.shell(&command, None).ended(0);
        stats["tests"].as_u64().unwrap()
    };
    let tests = run("1");
    assert!(tests < 120, "{tests}");
    assert_eq!(run("4"), tests);
}

#[test]
fn lists_and_values_of_arguments_are_shortened() {
    let stage = Stage::new();
    stage.file("input.txt", "one\ncrash\ntwo\n");
    stage.script(
        "t",
        r#"grep -q crash "$1" && pattern=$2 && shift 2 && printf '%s\n' "$*" | grep -qE -e "$pattern""#,
    );
    for (given, needed, left) in [
        (
            "-S -passes=sroa,gvn,codegen,dce",
            "-passes=.*codegen",
            "-passes=codegen",
        ),
        (
            "-S -passes sroa,gvn,codegen,dce",
            "-passes .*codegen",
            "-passes codegen",
        ),
        (
            "--passes=a,codegen",
            "--passes=.*codegen",
            "--passes=codegen",
        ),
        (
            "'-passes=function(sroa,codegen)'",
            "-passes=.*codegen",
            "-passes=codegen",
        ),
        (
            "-passes='default<O3>,function(codegen<x;y>,b)'",
            r"-passes=([^()]*,)?function\(codegen(<[^()]*>)?(,[^()]*)?\)$",
            "'-passes=function(codegen)'",
        ),
        (
            "'-passes=default<O3>'",
            "default<O[^0]>",
            "'-passes=default<O1>'",
        ),
        (
            "--flags='sroa dce codegen gvn'",
            "--flags=.*codegen",
            "--flags=codegen",
        ),
        (
            "-DNAME=\"a 'long' text\"",
            "-DNAME=.*'long'",
            r"'-DNAME='\''long'\'''",
        ),
        ("--x=key:codegen", "--x=.*codegen", "--x=codegen"),
        ("--x=a=1,b=2,c=3", "--x=.*b", "--x=b"),
        (
            "--path=a/b:/usr/lib/b",
            "--path=.*/usr/lib/b",
            "--path=/usr/lib/b",
        ),
        ("-Wl,-z,codegen", "-Wl,.*codegen", "-Wl,codegen"),
        ("-g -DX=1", "-DX", "-DX"),
        ("-unroll-count=4", "-unroll-count=[1-9]", "-unroll-count=1"),
        (
            "'--loop=unroll<count=64>'",
            "unroll<count=[1-9]+>",
            "'--loop=unroll<count=1>'",
        ),
    ] {
        let marked = format!("{{args: {given}}}");
        let test = ["./t", "{}", needed, &marked];
        let ran = reduce(&stage, "--reduce-args -f", &test).ended(0);
        let line = ran
            .stderr
            .lines()
            .find(|line| line.starts_with("command: "));
        let end = format!(" {left}");
        assert!(
            line.is_some_and(|line| line.ends_with(&end)),
            "{given}: {line:?}"
        );
    }
}

#[test]
fn a_command_without_any_argument_has_no_file_of_arguments() {
    let stage = stage();
    let test = ["grep", "{args: -i -h}", "crash", "{}"];
    reduce(&stage, "--reduce-args", &test).ended(0).said(&[
        "grep crash input.min.txt",
        "input.min.txt.args (removed: not needed)",
    ]);
    assert!(!stage.path("input.min.txt.args").exists());
}

#[test]
fn a_response_file_is_reduced_by_its_words() {
    for (flags, input) in [("--reduce-args", "opts.txt"), ("", "@opts.txt")] {
        let stage = stage();
        stage.file("opts.txt", FLAGS.replace("-DY='a b' ", ""));
        let flags = format!("{input} {flags}");
        reduce(&stage, &flags, &["./cc", "@opts.txt", "input.txt"]).ended(0);
        assert_eq!(stage.text("input.min.txt"), "crash");
        assert_eq!(stage.text("opts.min.txt").trim(), "-O -Wall");
    }
}

#[test]
fn the_same_arguments_have_several_places() {
    let stage = stage();
    let build = "test 'x{args}' != x && echo {args} >flags";
    let test =
        "grep -q -e -a flags && set -- {args: -a -b c} && test $1 = -a && grep -q crash input.txt";
    let args = [
        "reduce",
        "input.txt",
        "-q",
        "--reduce-args",
        "--build",
        build,
    ];
    stage
        .run(args.into_iter().chain(["--", "sh", "-c", test]))
        .ended(0);
    assert_eq!(stage.text("input.min.txt.args"), "-a\n");
    assert_eq!(stage.text("input.min.txt"), "crash");
}

#[test]
fn a_span_of_the_build_is_reduced() {
    let stage = stage();
    for nth in 0..3 {
        stage.file(&format!("proj/f{nth}.txt"), haystack(5, "nothing"));
    }
    stage.file("proj/main", "one\nlib\ntwo\n");
    let build = "sh ./cc {args: -O3 -fPIC -Wall -I dir} {}/main";
    stage.script("proj/cc", &COMPILER.replace("crash", "lib"));
    let args = [
        "reduce",
        "proj",
        "--fixed",
        "cc",
        "--reduce-args",
        "--build",
        &format!("cd {{}} && {}", build.replace("{}/", "")),
    ];
    let test = ["--", "grep", "-q", "two", "{}/main"];
    let ran = stage.run(args.into_iter().chain(test)).ended(0);
    ran.said(&[
        "build: cd proj.min && sh ./cc -O -Wall main",
        "did not build",
    ]);
    assert_eq!(stage.text("proj.min.args"), "-O\n-Wall\n");
}

#[test]
fn each_marked_span_is_reduced_by_itself() {
    let stage = stage();
    let test = ["./cc", "{args: -O2 -a}", "{}", "{args: -Wall -b}"];
    reduce(&stage, "--reduce-args -o out", &test)
        .ended(0)
        .said(&["cc -O out -Wall"]);
    assert_eq!(stage.text("out.args"), "-O\n");
    assert_eq!(stage.text("out.args2"), "-Wall\n");
}

#[test]
fn any_algorithm_reduces_the_arguments_as_well() {
    for algorithm in ["ddmin", "probdd --atom char", "hdd --language json"] {
        let stage = stage();
        stage.file("input.txt", r#"["a", ["crash"], {"b": 1}]"#);
        let flags = format!("--reduce-args -q --algorithm {algorithm}");
        reduce(&stage, &flags, &["./cc", "{args: -O2 -g -Wall}", "{}"]).ended(0);
        assert_eq!(
            stage.text("input.min.txt.args"),
            "-O\n-Wall\n",
            "{algorithm}"
        );
        assert!(stage.text("input.min.txt").contains("crash"));
    }
}

#[test]
fn a_folder_is_reduced_with_its_command() {
    let stage = stage();
    for nth in 0..5 {
        stage.file(&format!("proj/f{nth}"), haystack(5, "nothing"));
    }
    stage.file("proj/main", haystack(9, "crash"));
    let args = [
        "reduce",
        "proj",
        "--reduce-args",
        "--",
        "./cc",
        "{args: -O1 -g -Wall}",
        "{}/main",
    ];
    stage
        .run(args)
        .ended(0)
        .said(&["proj.min/ (1 of 6 files)", "cc -O -Wall proj.min/main"]);
    assert_eq!(stage.text("proj.min/main"), "crash");
    assert_eq!(stage.text("proj.min.args"), "-O\n-Wall\n");
}

#[test]
fn a_run_that_was_stopped_goes_on_with_its_command() {
    let stage = stage();
    let test = ["./cc", "{args: -O2 -pipe -Wall -g}", "{}"];
    reduce(&stage, "--reduce-args -j 1 --max-tests 12", &test).ended(0);
    let ran = reduce(&stage, "--reduce-args -j 1", &test).ended(0);
    ran.said(&["resuming: ", "cc -O -Wall input.min.txt"]);
    assert_eq!(stage.text("input.min.txt.args"), "-O\n-Wall\n");
    assert_eq!(stage.text("input.min.txt"), "crash");
}

#[test]
fn the_result_on_standard_output_and_a_formatted_one_have_no_arguments() {
    let stage = stage();
    let test = ["./cc", "{args: -O2 -Wall -g}", "{}"];
    let ran = reduce(&stage, "--reduce-args -o -", &test).ended(0);
    assert_eq!(ran.stdout, "crash");
    ran.said(&["cc -O -Wall"]);
    let args = [
        "reduce",
        "input.txt",
        "--reduce-args",
        "--format",
        "sed s/^/_/",
        "--",
    ];
    stage.run(args.iter().chain(&test)).ended(0);
    assert_eq!(stage.text("input.min.txt"), "_crash");
    assert_eq!(stage.text("input.min.txt.args"), "-O\n-Wall\n");
}

#[test]
fn a_command_without_marks_is_answered_with_one() {
    let stage = stage();
    reduce(&stage, "--reduce-args", &["./cc", "-O2", "-Wall", "{}"])
        .ended(2)
        .said(&["--reduce-args", "./cc '{args: -O2 -Wall}' {}"]);
    reduce(&stage, "", &["./cc", "{args: -O2}", "{}"])
        .ended(2)
        .said(&["--reduce-args"]);
    for word in ["{args: -O2", "{args: 'a}"] {
        reduce(&stage, "--reduce-args", &["./cc", word, "{}"])
            .ended(2)
            .said(&["{args:"]);
    }
    let args = ["reduce", "input.txt", "--reduce-args", "--test", "./cc"];
    stage.run(args).ended(2).said(&["after `--`"]);
    let persistent = "--reduce-args --persistent";
    reduce(&stage, persistent, &["./cc", "{args: -a}"])
        .ended(2)
        .said(&["--persistent"]);
}

#[test]
fn variables_that_are_not_needed_are_removed_and_no_value_is_shown() {
    let stage = stage();
    stage.script(
        "test.sh",
        r#"[ "$A:$B" = hidden-1:hidden-2 ] && [ -z "$OUT" ] && [ -n "$TMPDIR" ]"#,
    );
    let none = "--clean-env --unset-env PATH --unset-env HOME --unset-env LANG";
    let given = "--env A=hidden-1 --env B=hidden-2 --env C=hidden-3 --env D=hidden-4";
    let flags = format!(
        "--reduce-env {none} {given} --stats stats --json-events events --log-texts --report page"
    );
    let ran = reduce(&stage, &flags, &["./test.sh"]).ended(0);
    let ran = ran.said(&["environment: A, B (2 of 4 variables)"]);
    assert_eq!(stage.text("input.min.txt.env"), "A\nB\n");
    let stats: serde_json::Value = serde_json::from_str(&stage.text("stats")).unwrap();
    assert_eq!(stats["variables"], serde_json::json!(["A", "B"]));
    let secret = "hidden-";
    assert!(!ran.stderr.contains(secret) && !ran.stdout.contains(secret));
    for name in ["stats", "input.min.txt.env"] {
        assert!(!stage.text(name).contains(secret), "{name}");
    }
}

#[test]
fn lists_in_variables_lose_the_items_that_are_not_needed() {
    let stage = stage();
    stage.script(
        "test.sh",
        r#"[ "$LIST" = "${LIST#*no}" ] && case "$LIST:$FLAGS" in *hidden-3*:*hidden-b*) exit 0 ;; esac; exit 1"#,
    );
    let given = "--env LIST=hidden-1:hidden-2:hidden-3:hidden-4 --env FLAGS=hidden-a,hidden-b \
                 --env OTHER=x:y";
    let flags = format!("--reduce-env --clean-env {given} --stats stats --json-events events");
    let ran = reduce(&stage, &flags, &["./test.sh"]).ended(0);
    let ran = ran.said(&["environment: FLAGS:2, LIST:3 (2 of "]);
    assert_eq!(stage.text("input.min.txt.env"), "FLAGS:2\nLIST:3\n");
    assert!(!ran.stderr.contains("hidden") && !stage.text("stats").contains("hidden-3"));
}

#[test]
fn variables_of_the_user_are_reduced_as_well() {
    let stage = stage();
    let args = [
        "reduce",
        "input.txt",
        "-o",
        "out",
        "--reduce-env",
        "--",
        "sh",
        "-c",
    ];
    let mut command = stage.nubbin(
        args.iter()
            .chain(&[r#"[ "$FROM_USER" = yes ] && grep -q crash input.txt"#]),
    );
    let ran = command.env("FROM_USER", "yes").output().unwrap();
    let ran = Ran::from(ran).ended(0);
    // The shell has a path of its own for `grep`.
    assert_eq!(stage.text("out.env"), "FROM_USER\n");
    assert_eq!(stage.text("out"), "crash");
    ran.said(&["environment: FROM_USER (1 of "]);
}

#[test]
fn a_flag_of_nubbin_behind_the_dashes_is_told() {
    let stage = Stage::with_crash(&haystack(4, "crash"));
    let args = "reduce input.txt --max-tests 9 -- ./test.sh --same-failure";
    stage.run(args.split(' ')).said(&[
        "warning: `--same-failure` behind `--` is a word of the test",
        " input.txt --max-tests 9 --same-failure -- ./test.sh`",
    ]);
    let ran = stage.run([
        "reduce",
        "input.txt",
        "--force",
        "--",
        "./test.sh",
        "--json",
    ]);
    assert!(!ran.stderr.contains("word of the test"), "{}", ran.stderr);
}
