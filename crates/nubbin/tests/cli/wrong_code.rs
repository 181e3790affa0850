//! Differences between two commands, and candidates that may differ for no reason.

use crate::skip::skipped;
use crate::stage::Stage;
use std::process::Command;

/// Prints the same in each run for an input with the word, and something else in each run for any
/// other that is not empty.
fn noisy(name: &str) -> String {
    format!("grep -q real \"$1\" && echo {name} || {{ test -s \"$1\" && date +%N; }}; true")
}

#[test]
fn a_difference_that_is_another_one_in_each_run_does_not_count() {
    let stage = Stage::new();
    stage.script("one", &noisy("one"));
    stage.script("two", &noisy("two"));
    stage.file("in.txt", "a\nreal\nb\nc\n");
    let args = [
        "reduce",
        "in.txt",
        "-o",
        "out",
        "-j",
        "1",
        "--differs-from",
        "./two {}",
    ];
    let ran = stage.run(args.into_iter().chain(["--", "./one", "{}"]));
    ran.ended(0)
        .said(&["unresolved: a command gave another result when it was run again"]);
    assert_eq!(stage.text("out").trim(), "real");
    // Also if the second command alone changes.
    stage.script("one", "test -s \"$1\" && echo one; true");
    stage
        .run(args.into_iter().chain(["--fresh", "--", "./one", "{}"]))
        .ended(0);
    assert_eq!(stage.text("out").trim(), "real");
}

#[test]
fn an_original_that_differs_from_itself_is_no_difference() {
    let stage = Stage::new();
    stage.script("one", "date +%N");
    stage.file("in.txt", "a\nb\n");
    let args = [
        "reduce",
        "in.txt",
        "--differs-from",
        "cat {}",
        "--",
        "./one",
        "{}",
    ];
    stage.run(args).ended(3).said(&[
        "a command gave another result when it was run again",
        "a command gives a different result in each run on this input",
    ]);
}

/// Whether gcc and its sanitizers are there. If not, reports that the test is skipped.
fn has_gcc() -> bool {
    let stage = Stage::new();
    stage.file("a.c", "int main(void) { return 0; }\n");
    let built = Command::new("gcc")
        .args(["-fsanitize=undefined,address", "a.c", "-o", "a"])
        .current_dir(stage.folder())
        .output();
    let has = built.is_ok_and(|built| built.status.success());
    if !has {
        skipped("sanitizers");
    }
    has
}

const SIGNED: &str = "int printf(const char *, ...);\nstatic char low = -1;\nint unused;\n\
     int main(void)\n{\n    int values[3] = {1, 2, 3};\n    printf(\"%d\\n\", values[1]);\n    \
     printf(\"%d\\n\", low);\n    return 0;\n}\n";

/// Reduces a difference between signed and unsigned `char`, and returns the result.
fn wrong_code(text: &str, flags: &[&str]) -> (Stage, Result<String, String>) {
    let stage = Stage::new();
    stage.file("wc.c", text);
    let other = "gcc -w -funsigned-char wc.c -o b && ./b";
    let test = "gcc -w -fsigned-char wc.c -o a && ./a";
    let mut args = vec![
        "reduce",
        "wc.c",
        "-o",
        "out.c",
        "-j",
        "1",
        "--differs-from",
        other,
    ];
    args.extend(flags);
    args.extend(["--", "sh", "-c", test]);
    let ran = stage.run(args);
    let result = match ran.code {
        Some(0) => Ok(stage.text("out.c")),
        _ => Err(ran.stderr),
    };
    (stage, result)
}

#[test]
fn the_result_of_wrong_code_prints_the_same_in_each_run() {
    if !has_gcc() {
        return;
    }
    let (stage, result) = wrong_code(SIGNED, &[]);
    let result = result.unwrap();
    let line = "gcc -w -fsigned-char out.c -o a && ./a; echo; ./a; echo; ./a";
    let shown = stage.shell(line, None).stdout;
    let mut runs = shown.split('\n').filter(|run| !run.is_empty());
    let first = runs.next().unwrap_or_default();
    assert!(runs.all(|run| run == first), "{result}: {shown}");
}

#[test]
fn a_guarded_result_has_no_undefined_behavior() {
    if !has_gcc() {
        return;
    }
    let (stage, result) = wrong_code(SIGNED, &["--ub-free"]);
    let result = result.unwrap();
    let strict = "gcc -Wall -O2 -Werror=uninitialized -Werror=maybe-uninitialized -Werror=format \
         -Werror=return-type -Werror=implicit-function-declaration out.c -o a && ./a";
    stage.shell(strict, None).ended(0);
    assert!(result.contains("low") || result.contains("-1"), "{result}");
    assert!(
        !result.contains("unused") && !result.contains("values"),
        "{result}"
    );
}

#[test]
fn a_guard_refuses_an_original_with_undefined_behavior() {
    if !has_gcc() {
        return;
    }
    for (bad, said) in [
        ("int k; printf(\"%d\\n\", k);", "uninitialized"),
        (
            "int a[2] = {1, 2}; volatile int at = 2; printf(\"%d\\n\", a[at]);",
            "out of bounds",
        ),
        (
            "int big = 2147483647; volatile int one = 1; printf(\"%d\\n\", big + one);",
            "signed integer overflow",
        ),
        ("printf(\"%d\");", "format"),
    ] {
        let text = SIGNED.replace("return 0;", &format!("{bad} return 0;"));
        let (_, result) = wrong_code(&text, &["--ub-free"]);
        let told = result.unwrap_err();
        assert!(
            told.contains("the original has undefined behavior"),
            "{bad}: {told}"
        );
        assert!(told.contains(said), "{bad}: {told}");
    }
    let text = SIGNED.replace("return 0;", "int k; printf(\"%d\\n\", k); return 0;");
    let (_, result) = wrong_code(&text, &["--ub-free=-Wno-error=uninitialized"]);
    let told = result.unwrap_err();
    // A run sees it as well: with zeros and with a pattern it prints something else.
    assert!(
        told.contains("not initialized") || told.contains("Sanitizer"),
        "{told}"
    );
}

#[test]
fn a_guard_of_sources_that_are_no_program_compiles_them() {
    if !has_gcc() {
        return;
    }
    let stage = Stage::new();
    stage.file(
        "lib.c",
        "int f(int a)\n{\n    int crash = a;\n    return crash;\n}\nint g;\n",
    );
    let args = "reduce lib.c -o out.c -j 1 --max-tests 20 --ub-free -- sh -c";
    let test = "gcc -w -c lib.c -o l.o && grep -q crash lib.c";
    let ran = stage.run(args.split_whitespace().chain([test]));
    ran.ended(0)
        .said(&["not a program by themselves", "no undefined behavior that"]);
    stage.file("t.txt", "crash\n");
    let ran = stage.run("reduce t.txt --ub-free -- grep -q crash t.txt".split_whitespace());
    ran.ended(2).said(&["the input has none"]);
}
