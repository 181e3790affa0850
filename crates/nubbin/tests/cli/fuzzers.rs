//! Campaigns that start AFL++ and libFuzzer.

use crate::skip::skipped;
use crate::stage::Stage;
use serde_json::Value;
use std::process::{Command, Stdio};

/// A program that is ended by a signal if its input begins with `bug`.
const READER: &str = "\
#include <stdlib.h>\n\
#include <unistd.h>\n\
void look(const unsigned char *text, long size) {\n\
  if (size > 2 && text[0] == 'b')\n\
    if (text[1] == 'u')\n\
      if (text[2] == 'g') abort();\n\
}\n";
const MAIN: &str = "\
#include <fcntl.h>\n\
int main(int count, char **words) {\n\
  unsigned char text[64];\n\
  int file = count > 1 ? open(words[1], O_RDONLY) : 0;\n\
  look(text, read(file, text, sizeof text));\n\
  return 0;\n\
}\n";
const TARGET: &str = "\
int LLVMFuzzerTestOneInput(const unsigned char *text, unsigned long size) {\n\
  look(text, size);\n\
  return 0;\n\
}\n";

/// Builds a program in the campaign's folder. Returns `false` if the compiler is missing.
fn built(stage: &Stage, compiler: &str, flags: &[&str], text: &str, name: &str) -> bool {
    let source = format!("c/{name}.c");
    stage.file(&source, text);
    let status = Command::new(compiler)
        .args(flags)
        .arg("-o")
        .args([stage.path(&format!("c/{name}")), stage.path(&source)])
        .env("AFL_QUIET", "1")
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    status.is_ok_and(|status| status.success())
}

/// Returns a campaign of a program that reads a file, with a generator.
fn campaign(generator: &str) -> Option<Stage> {
    let stage = Stage::new();
    std::fs::create_dir_all(stage.path("c/seeds")).unwrap();
    stage.file("c/seeds/first", "but");
    if !built(&stage, "cc", &["-O0"], &format!("{READER}{MAIN}"), "prog") {
        skipped("cc");
        return None;
    }
    let config = format!("[program.prog]\ncommand = [\"./prog\", \"{{}}\"]\n\n{generator}\n");
    stage.file("c/campaign.toml", config);
    Some(stage)
}

/// Runs the campaign until it has the issue, and looks at the figures of the fuzzer.
fn finds_the_bug(stage: &Stage) {
    let ran = stage.run(["campaign", "run", "c", "--max-issues", "1", "--time", "300"]);
    let ran = ran.ended(0);
    assert!(
        ran.stderr.contains("new issue 1: signal: SIGABRT"),
        "{}",
        ran.stderr
    );
    let json = |line: &str| -> Value {
        let ran = stage.run(line.split_whitespace()).ended(0);
        serde_json::from_str(&ran.stdout).unwrap()
    };
    let source = &json("campaign status c --json")["sources"][0];
    assert!(source["edges"].as_u64().unwrap() > 0, "{source}");
    assert!(source["runs"].as_u64().unwrap() > 0, "{source}");
    let issue = json("campaign show c 1 --json");
    assert_eq!(issue["test"], "bug");
    stage.assert_clean();
}

#[test]
#[cfg(target_os = "linux")]
fn a_campaign_starts_afl_and_reads_its_crashes() {
    let start = "AFL_SKIP_CPUFREQ=1 AFL_NO_AFFINITY=1 \
                 AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES=1 afl-fuzz -i seeds -o out -- ./target @@";
    let generator = format!("[generator.afl]\nafl = \"out\"\nstart = \"{start}\"");
    let Some(stage) = campaign(&generator) else {
        return;
    };
    let text = format!("{READER}{MAIN}");
    if !built(&stage, "afl-clang-fast", &["-O0"], &text, "target") {
        return skipped("afl");
    }
    finds_the_bug(&stage);
}

#[test]
#[cfg(target_os = "linux")]
fn a_campaign_starts_libfuzzer_again_and_reads_its_crashes() {
    // Each run of libFuzzer ends at its first crash.
    let start = "./target -seed=1 -artifact_prefix=found/ -print_final_stats=1 seeds";
    let generator = format!("[generator.lib]\nfolder = \"found\"\nstart = \"{start}\"");
    let Some(stage) = campaign(&generator) else {
        return;
    };
    std::fs::create_dir(stage.path("c/found")).unwrap();
    let flags = ["-fsanitize=fuzzer", "-g"];
    if !built(
        &stage,
        "clang",
        &flags,
        &format!("{READER}{TARGET}"),
        "target",
    ) {
        return skipped("libfuzzer");
    }
    finds_the_bug(&stage);
}
