//! Help on topics, manual pages, and completions.

use crate::stage::Stage;

fn printed(args: &[&str]) -> String {
    Stage::new().run(args).ended(0).stdout
}

#[test]
fn exit_codes_and_farms_are_described_in_one_place() {
    assert!(printed(&["help", "exit-codes"]).contains("  130  stopped"));
    assert!(printed(&["help", "farm"]).contains("--remote-token-file <FILE>"));
    for command in ["reduce", "reduce-all", "isolate", "explain"] {
        for flag in ["-h", "--help"] {
            let help = printed(&[command, flag]);
            assert!(!help.contains("--remote-"), "{help}");
            assert!(!help.contains("  130  stopped"), "{help}");
            assert!(help.contains("`nubbin help exit-codes`"), "{help}");
        }
    }
}

#[test]
fn the_help_of_a_command_is_a_topic_as_well() {
    for words in ["reduce", "campaign run"] {
        let words: Vec<&str> = words.split(' ').collect();
        let by_flag = printed(&[&words[..], &["--help"]].concat());
        assert_eq!(printed(&[&["help"], &words[..]].concat()), by_flag);
    }
    Stage::new().run(["help", "nothing"]).ended(2);
}

#[test]
fn the_synopsis_of_a_manual_page_is_one_line() {
    for (command, usage) in [
        (
            "reduce",
            "nubbin reduce [OPTIONS] [INPUT]... [\\-\\- <COMMAND>...]",
        ),
        ("campaign", "nubbin campaign <COMMAND>"),
    ] {
        let page = printed(&["man", command]);
        let (_, after) = page.split_once(".SH SYNOPSIS\n").unwrap();
        let (synopsis, _) = after.split_once("\n.SH ").unwrap();
        // Each section begins with requests that have nothing to do with the one before.
        let lines: Vec<&str> = synopsis.lines().filter(|it| !it.starts_with('.')).collect();
        assert_eq!(lines, [format!("\\fB{usage}\\fR")]);
    }
    // Also flags that the short help leaves out have their texts.
    let page = printed(&["man", "reduce"]);
    assert!(page.contains("Put the result into the clipboard"), "{page}");
}

#[test]
fn each_shell_has_a_script_with_the_flags_of_commands() {
    for shell in ["bash", "elvish", "fish", "nushell", "powershell", "zsh"] {
        let script = printed(&["completions", shell]);
        for word in ["reduce-all", "same-failure"] {
            assert!(script.contains(word), "{shell}: {word}");
        }
    }
}
