//! Folders that become links to files of the user while a run writes in them.

use crate::stage::{Stage, haystack};
use std::os::unix::fs::PermissionsExt;

/// Returns lines of a script that put a link to `mine` in the place of a folder, once.
fn swap(stage: &Stage, folder: &str) -> String {
    let here = stage.path("").display().to_string();
    let from = format!("{here}/{folder}");
    format!(
        "if [ ! -L {from} ]; then\n\
           if [ -d {from} ]; then mv {from} {here}/moved; fi\n\
           ln -s {here}/mine {from}\n\
         fi"
    )
}

/// Returns the number of entries of a folder.
fn count(stage: &Stage, folder: &str) -> usize {
    std::fs::read_dir(stage.path(folder)).unwrap().count()
}

#[test]
fn a_folder_that_becomes_a_link_during_the_run_is_not_followed() {
    let other = haystack(20, "nothing");
    for (replaced, output, args, code) in [
        // The file that is needed gets a name outside of the folder, so that the end is written.
        ("out/d", "out", "proj", 0),
        ("out", "out", "proj", 6),
        ("out/d", "out/d/file", "proj/d/needed.txt", 6),
        ("out", "out/d/file", "proj/d/needed.txt", 6),
    ] {
        let stage = Stage::new();
        stage.file("proj/d/needed.txt", haystack(20, "crash"));
        stage.file("proj/d/other.txt", &other);
        let mine = match replaced {
            "out" => "mine/d",
            _ => "mine",
        };
        for name in ["needed.txt", "file"] {
            stage.file(&format!("{mine}/{name}"), "mine");
        }
        // As nubbin has written it, so that its content alone does not protect it.
        stage.file(&format!("{mine}/other.txt"), &other);
        let here = stage.path("").display().to_string();
        let (from, to) = (format!("{here}/{replaced}"), format!("{here}/mine"));
        let swap = format!(
            "if [ -d {from} ] && [ ! -L {from} ]; then mv {from} {here}/moved; ln -s {to} {from}; fi"
        );
        let find = "f=$(find . -name needed.txt); grep -q crash \"$f\" || exit 1";
        stage.script("test.sh", &format!("{find}; {swap}"));
        stage.file("out/d/keep", "");
        // In the folder of the user, the test would find the other `needed.txt`.
        let line = format!(
            "reduce -j1 --sandbox off --private-failure --force {args} -o {output} --test ./test.sh"
        );
        let ran = stage.start(line.split(' ')).wait();
        for name in ["needed.txt", "file"] {
            assert_eq!(stage.text(&format!("{mine}/{name}")), "mine", "{line}");
        }
        assert_eq!(stage.text(&format!("{mine}/other.txt")), other, "{line}");
        let names = |folder: &str| std::fs::read_dir(stage.path(folder)).unwrap().count();
        assert_eq!(names(mine), 3, "{line}");
        // The result is in the temporary folder then.
        let ran = ran.ended(code);
        let rescued = ran.stderr.contains("hint: the result is in `");
        assert_eq!(rescued, code == 6, "{}", ran.stderr);
        ran.said(&["has replaced the folder"]);
    }
}

#[test]
fn the_state_of_nubbin_is_not_written_where_a_link_leads() {
    let stage = Stage::new();
    stage.file("input.txt", haystack(20, "crash"));
    stage.file("out/keep", "");
    // As nubbin itself begins its files, so that their beginning does not protect them.
    let names = ["file.lock", "file.written", "file.written.new"];
    for name in names {
        stage.file(&format!("mine/.nubbin/{name}"), "nubbin mine");
    }
    // One that nubbin would use.
    let mode = PermissionsExt::from_mode(0o700);
    std::fs::set_permissions(stage.path("mine/.nubbin"), mode).unwrap();
    let swap = swap(&stage, "out");
    stage.script(
        "test.sh",
        &format!("grep -q crash input.txt || exit 1; {swap}"),
    );
    let line = "reduce -j1 --sandbox off --private-failure input.txt -o out/file --test ./test.sh";
    // The result is in the temporary folder then.
    let ran = stage.start(line.split(' ')).wait().ended(6);
    ran.said(&["has replaced the folder"]);
    for name in names {
        assert_eq!(stage.text(&format!("mine/.nubbin/{name}")), "nubbin mine");
    }
    let counts = (count(&stage, "mine"), count(&stage, "mine/.nubbin"));
    assert_eq!(counts, (1, names.len()));
}

fn only_entry(stage: &Stage, folder: &str) -> String {
    let mut entries = std::fs::read_dir(stage.path(folder)).unwrap();
    let only = entries.next().unwrap().unwrap().file_name();
    assert!(entries.next().is_none());
    only.into_string().unwrap()
}

#[test]
fn other_failures_are_not_written_where_a_link_leads() {
    for is_there in [true, false] {
        let stage = Stage::new();
        let program = "case $(cat \"$1\") in\n\
            *one*) echo \"prog: a.c:1: f: Assertion \\`one' failed.\" >&2; exit 134 ;;\n\
            *two*) echo \"prog: a.c:2: g: Assertion \\`two' failed.\" >&2; exit 134 ;;\n\
            esac";
        stage.script("prog", program);
        stage.file("x.txt", "two\nalpha\nbeta\none\n");
        let line = |output: &str| {
            format!(
                "reduce x.txt --algorithm ddmin -o {output} --sandbox off --private-failure \
                 --same-failure --other-failures others/all -j 1 -- ./prog {{}}"
            )
        };
        stage.run(line("first").split_whitespace()).ended(0);
        let name = only_entry(&stage, "others/all");
        // A witness that is larger than that of the next run, which would replace it.
        std::fs::rename(stage.path("others"), stage.path("mine")).unwrap();
        let witness = format!("mine/all/{name}/x.txt");
        stage.file(&witness, haystack(20, "mine"));
        if is_there {
            std::fs::create_dir_all(stage.path("others/all")).unwrap();
        }
        stage.script("prog", &format!("{}\n{program}", swap(&stage, "others")));
        let ran = stage.run(line("second").split_whitespace()).ended(6);
        ran.said(&["has replaced the folder"]);
        assert_eq!(stage.text(&witness), haystack(20, "mine"));
        assert_eq!(count(&stage, "mine/all"), 1);
    }
}

#[test]
fn reports_of_a_campaign_are_not_written_where_a_link_leads() {
    for is_there in [true, false] {
        let stage = Stage::new();
        stage.file("c/tests/0", "boom");
        stage.file("mine/0001-signal-sigsegv/report.md", "mine");
        // As the report of an issue that was deleted.
        stage.file("mine/0099-mine/test.txt", "mine");
        if is_there {
            std::fs::create_dir(stage.path("c/issues")).unwrap();
        }
        let swap = swap(&stage, "c/issues");
        stage.script(
            "prog.sh",
            &format!("{swap}\nif grep -q boom \"$1\"; then kill -SEGV $$; fi"),
        );
        let script = stage.path("prog.sh").display().to_string();
        stage.file(
            "c/campaign.toml",
            format!(
                "[program.prog]\ncommand = [\"{script}\", \"{{}}\"]\nsandbox = \"off\"\n\
                 [generator.files]\nfolder = \"tests\"\n"
            ),
        );
        let ran = stage.run(["campaign", "run", "c"]).ended(6);
        ran.said(&["has replaced the folder"]);
        assert_eq!(stage.text("mine/0001-signal-sigsegv/report.md"), "mine");
        assert_eq!(stage.text("mine/0099-mine/test.txt"), "mine");
        let counts = (
            count(&stage, "mine"),
            count(&stage, "mine/0001-signal-sigsegv"),
        );
        assert_eq!(counts, (2, 1));
    }
}

#[test]
fn results_of_a_folder_of_files_are_not_written_where_a_link_leads() {
    // The program first runs where the user stands and in a folder of its own, before the run has
    // anything to write.
    for (first, said) in [(1, "cannot use"), (4, "has replaced the folder")] {
        let stage = Stage::new();
        stage.file("crashes/1.txt", "some text\nwith boom in it\n");
        stage.file("mine/keep", "mine");
        let (swap, here) = (swap(&stage, "crashes.min"), stage.path(""));
        let here = here.display();
        stage.script(
            "prog.sh",
            &format!(
                "if grep -q boom \"$1\"; then echo >>{here}/runs\n\
                 if [ $(wc -l <{here}/runs) -ge {first} ]; then {swap}; fi; kill -SEGV $$; fi"
            ),
        );
        let line = "reduce-all crashes --sandbox off -- ./prog.sh {}";
        let ran = stage.run(line.split(' ')).ended(6);
        ran.said(&[said]);
        assert_eq!(count(&stage, "mine"), 1, "{first}");
    }
}
