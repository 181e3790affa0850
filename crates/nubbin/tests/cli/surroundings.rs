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

/// Makes a project whose test writes beside the file that is reduced, and changes another file.
fn project(stage: &Stage) {
    stage.file("pj/src/main.txt", "one\ncrash\ntwo\n");
    stage.file("pj/src/other.txt", "three\nfour\n");
    stage.file("pj/lib/deep/part.txt", "part");
    stage.file("pj/.git/HEAD", "ref");
    let test = "test ! -e cache && test ! -e .git && grep -qx part lib/deep/part.txt &&\n\
                grep -q three src/other.txt && mkdir cache && echo x >cache/x &&\n\
                echo changed >lib/deep/part.txt && rm src/other.txt && grep -q crash src/main.txt";
    stage.file("pj/test.sh", test);
}

#[test]
fn a_file_is_reduced_in_a_copy_of_its_project() {
    let stage = Stage::new();
    project(&stage);
    let args = ["reduce", "--in", "pj", "--only", "main.txt"];
    let test = ["--", "sh", "test.sh"];
    stage
        .run(args.iter().chain(&test))
        .ended(0)
        .said(&["pj: 1 file to reduce, 3 files as it is", "`.git`"]);
    assert_eq!(stage.text("pj/src/main.min.txt").trim_end(), "crash");
    assert_eq!(stage.text("pj/src/main.txt"), "one\ncrash\ntwo\n");
    assert_eq!(stage.text("pj/src/other.txt"), "three\nfour\n");
    assert_eq!(stage.text("pj/lib/deep/part.txt"), "part");
    assert!(!stage.path("pj/cache").exists() && !stage.path("pj.min").exists());

    // The project lacks the result, and the same command finds that all is done.
    stage
        .run(args.iter().chain(&test))
        .ended(0)
        .said(&["3 files as it is", "0 tests"]);
}

#[test]
fn several_files_of_a_project_keep_their_folders_in_the_result() {
    let stage = Stage::new();
    for name in ["pj/a/x.txt", "pj/b/x.txt", "pj/c/x.txt"] {
        stage.file(name, "one\ncrash\ntwo\n");
    }
    stage.file("pj/rest", "rest");
    let test = "grep -q rest rest && grep -q crash a/x.txt && grep -q crash b/x.txt && \
                grep -q two c/x.txt";
    let args = [
        "reduce",
        "pj/b/x.txt",
        "--in",
        "pj",
        "--only",
        "a/*",
        "-o",
        "out",
    ];
    stage
        .run(args.iter().chain(&["--", "sh", "-c", test]))
        .ended(0)
        .said(&["2 files to reduce, 2 files as it is"]);
    for name in ["out/a/x.txt", "out/b/x.txt"] {
        assert_eq!(stage.text(name).trim_end(), "crash");
    }
    assert!(!stage.path("out/rest").exists() && !stage.path("out/c").exists());
}

#[test]
fn a_project_without_files_to_reduce_is_refused_with_help() {
    let stage = Stage::new();
    project(&stage);
    stage.file("beside.txt", "text");
    let reduce = |args: &[&str]| {
        let all = ["reduce", "--in"].iter().chain(args);
        stage.run(all.chain(&["--", "true"]))
    };
    reduce(&["pj"]).ended(2).said(&["`--only GLOB` names"]);
    reduce(&["pj", "--only", "absent.txt"])
        .ended(5)
        .said(&["`--only absent.txt` matches no file of `pj`"]);
    reduce(&["none", "--only", "x"])
        .ended(5)
        .said(&["`--in none` is not a folder"]);
    reduce(&["pj", "beside.txt"])
        .ended(5)
        .said(&["`beside.txt` is not in `pj`"]);
    reduce(&["pj", "pj/src/mian.txt"])
        .ended(5)
        .said(&["cannot read `pj/src/mian.txt`"]);
    reduce(&["pj", "pj/src"])
        .ended(2)
        .said(&["--only 'src/**'"]);
}
