//! An input in its project, its names, and a command without an input.

use crate::stage::Stage;

#[test]
fn an_input_keeps_its_place_beside_files_given_with_it() {
    let stage = Stage::new();
    stage.file("src/lib/x.txt", "data");
    stage.file("src/main.txt", "one\nlib/x.txt\ntwo\n");
    let test = "cd src && grep -q data \"$(grep lib main.txt)\"";
    let args = ["reduce", "src/main.txt", "-o", "m.txt", "--with", "src/lib"];
    stage
        .run(args.iter().chain(&["--", "sh", "-c", test]))
        .ended(0);
    assert_eq!(stage.text("m.txt").trim_end(), "lib/x.txt");
}

#[test]
fn only_some_files_of_a_project_are_reduced() {
    let stage = Stage::new();
    stage.file("pj/src/main.txt", "one\ncrash\ntwo\n");
    stage.file("pj/src/other.txt", "three\nfour\n");
    stage.file("pj/package.json", "{ \"name\": \"pj\" }\n");
    let test = "cd pj && grep -q name package.json && grep -q crash src/main.txt";
    let args = ["reduce", "pj", "--only", "src/main.txt", "-o", "out"];
    stage
        .run(args.iter().chain(&["--", "sh", "-c", test]))
        .ended(0)
        .said(&["1 file to reduce, 2 files as it is"]);
    assert_eq!(stage.text("out/src/main.txt").trim_end(), "crash");
    assert_eq!(stage.text("out/src/other.txt"), "three\nfour\n");

    let args = [
        "reduce", "pj", "--only", "absent", "-o", "none", "--", "true",
    ];
    stage.run(args).ended(5).said(&["--only PATTERN"]);
    let args = ["reduce", "pj/package.json", "--only", "x", "--", "true"];
    stage.run(args).ended(2).said(&["need a folder as input"]);
}

#[test]
fn arguments_and_variables_are_reduced_without_an_input() {
    let stage = Stage::new();
    let args = ["reduce", "--reduce-args", "--stdout", "^b$"];
    let test = ["--", "printf", "%s\\n", "{args: a b c}"];
    let ran = stage.run(args.iter().chain(&test)).ended(0);
    assert_eq!(ran.stdout, "b\n");

    let args = ["reduce", "--reduce-env", "--env", "WANTED=1"];
    let test = ["--", "sh", "-c", "test \"$WANTED\" = 1"];
    let ran = stage.run(args.iter().chain(&test)).ended(0);
    assert_eq!(ran.stdout, "WANTED\n");

    let args = ["reduce", "--reduce-args", "-o", "x"];
    let test = ["--", "true", "{args: a}"];
    stage
        .run(args.iter().chain(&test))
        .ended(2)
        .said(&["needs an INPUT"]);
    assert!(
        stage.names().iter().all(|name| name.starts_with('.')),
        "{:?}",
        stage.names()
    );
}

#[test]
fn names_are_kept_where_strings_and_numbers_shrink() {
    let stage = Stage::new();
    let text = "int counter = 123456;\nint unused;\nvoid crash_here(int counter, char *text);\n\
                void run(void) { crash_here(counter, \"a long text\"); }\n";
    stage.file("a.c", text);
    let test = ["--", "grep", "-Eq", "[a-z]+er = [0-9]+;", "{}"];
    let args = ["reduce", "a.c", "--keep-names", "-o", "b.c"];
    stage.run(args.iter().chain(&test)).ended(0);
    assert_eq!(stage.text("b.c").trim_end(), "counter = 0;");
}
