//! `--restarts`: again from the original, in another order.

use crate::stage::Stage;

/// From the end of the lines one comes to the first two, from the front to the last.
fn stage() -> Stage {
    let stage = Stage::new();
    stage.file("input.txt", "filler\nfirst\nsecond\nfiller\nlast\nfiller\n");
    stage.script(
        "test.sh",
        "grep -qx last input.txt || { grep -qx first input.txt && grep -qx second input.txt; }",
    );
    stage
}

const ARGS: &str = "reduce --plain --passes lines --test ./test.sh input.txt";

#[test]
fn the_smallest_result_of_all_is_kept_and_said() {
    let stage = stage();
    stage.run(ARGS.split(' ')).ended(0);
    assert_eq!(stage.text("input.min.txt"), "first\nsecond\n");
    let args = format!("{ARGS} --restarts 2 --json-events events --report page.html");
    let ran = stage.run(args.split(' ')).ended(0);
    assert_eq!(stage.text("input.min.txt"), "last\n");
    ran.said(&[
        "nothing more is found at 13 bytes; beginning again in another order (1 of 2)",
        "nothing more is found at 5 bytes; beginning again in another order (2 of 2)",
        "began again with the original 2 times",
    ]);
    assert!(stage.text("events").contains(r#""event":"restarted""#));
    assert!(
        stage
            .text("page.html")
            .contains("began again with the original")
    );
}

#[test]
fn a_run_that_was_cut_short_in_a_later_round_goes_on() {
    let stage = stage();
    let whole = stage.run(format!("{ARGS} --restarts 1 --stats whole").split(' '));
    whole.ended(0);
    let tests: u64 =
        serde_json::from_str::<serde_json::Value>(&stage.text("whole")).unwrap()["tests"]
            .as_u64()
            .unwrap();
    std::fs::remove_file(stage.path("input.min.txt")).unwrap();
    for most in 2..tests {
        stage
            .run(format!("{ARGS} --restarts 1 --max-tests {most}").split(' '))
            .ended(0);
        stage
            .run(format!("{ARGS} --restarts 1 --resume").split(' '))
            .ended(0);
        assert_eq!(stage.text("input.min.txt"), "last\n", "{most}");
        std::fs::remove_file(stage.path("input.min.txt")).unwrap();
    }
}
