//! Programs that version managers put before the real ones.

use crate::stage::Stage;

#[test]
fn a_shim_is_resolved_once_where_the_user_stands() {
    let stage = Stage::new();
    let log = stage.path("log");
    stage.script("real/tool", "grep -q crash \"$1\"");
    let manager = format!(
        "echo \"$1\" >> {}; [ \"$1\" = which ] && [ -f here ] && echo {}/real/tool",
        log.display(),
        stage.folder().display()
    );
    stage.script("mgr/pyenv", &manager);
    let shim = format!(
        "exec \"{}/mgr/pyenv\" exec \"${{0##*/}}\" \"$@\"",
        stage.folder().display()
    );
    stage.script("shims/tool", &shim);
    stage.file("here", "");
    stage.file("in.txt", "a\ncrash\nb\n");
    let ran = stage.run("reduce in.txt -o out -j 1 -- ./shims/tool {}".split_whitespace());
    ran.ended(0)
        .said(&["`tool` is a shim of pyenv", "real/tool"]);
    assert_eq!(stage.text("out").trim(), "crash");
    assert_eq!(stage.text("log"), "which\n", "it is asked once");
    // What the user gives to the manager counts in the test.
    let args = "reduce in.txt -o out --force -j 1 --env PYENV_VERSION=3 -- ./shims/tool {}";
    stage.run(args.split_whitespace()).ended(3);
    assert!(stage.text("log").contains("exec"));
    // A script decides by itself what it calls.
    let line = format!(
        "PATH={}/shims:$PATH nubbin reduce in.txt -o out --force -j 1 -- sh -c 'tool {{}}; grep -q crash {{}}'",
        stage.folder().display()
    );
    let ran = stage.shell(&line, None).ended(0);
    ran.said(&["the test calls `tool`, a shim of pyenv"]);
}
