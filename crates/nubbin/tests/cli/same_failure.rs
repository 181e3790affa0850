//! `--same-failure` on what programs print.

use crate::stage::Stage;

/// Returns what is left of an input whose failure has both words, and of which each alone causes
/// another failure.
fn kept(body: &str) -> (String, String) {
    let stage = Stage::new();
    let body = format!(
        "f=$1; is_both=; grep -q first \"$f\" && grep -q second \"$f\" && is_both=1\n\
         grep -q -e first -e second \"$f\" || exit 0\n{body}"
    );
    stage.script("tool", &body);
    stage.file("in.txt", "one\nfirst\ntwo\nsecond\nthree\n");
    let ran = stage.run("reduce in.txt -o out --same-failure -j 1 -- ./tool {}".split_whitespace());
    let ran = ran.ended(0);
    (stage.text("out"), ran.stderr.clone())
}

const LLVM: &str = "echo \"PLEASE submit a bug report to https://github.com/llvm/llvm-project/issues/ and \
     include the crash backtrace.\nStack dump:\n0.\tProgram arguments: clang-19 x.cpp\n \
     #0 0x00007f0000000001 llvm::sys::PrintStackTrace(llvm::raw_ostream&, int) (/lib/x86_64-linux-gnu/libLLVM.so.19.1+0xdfd210)\n \
     #1 0x00007f0000000002 llvm::sys::RunSignalHandlers() (/lib/x86_64-linux-gnu/libLLVM.so.19.1+0xdfb000)\n \
     #2 0x00007f0000000003 (/lib/x86_64-linux-gnu/libLLVM.so.19.1+0xdfd8d0)\n \
     #3 0x00007f0000000004 (/lib/x86_64-linux-gnu/libc.so.6+0x3c050)\n \
     #4 0x00007f0000000005 clang::${is_both:+One}Frame(clang::X) (/usr/lib/libclang-cpp.so.19.1+0x1)\n \
     #5 0x00007f0000000006 clang::Same::frame() (/usr/lib/libclang-cpp.so.19.1+0x2)\" >&2; exit 139";

#[test]
fn two_crashes_of_a_program_with_a_signal_handler_are_two_failures() {
    let (kept, said) = kept(LLVM);
    assert_eq!(kept, "firstsecond", "{said}");
}

#[test]
fn two_exceptions_behind_a_request_for_a_bug_report_are_two_failures() {
    let body = "echo 'a.py:3: error: INTERNAL ERROR -- Please try using mypy master on GitHub:\n\
         Please report a bug at https://github.com/python/mypy/issues\nTraceback (most recent call last):\n  \
         File \"mypy/semanal.py\", line 7568, in accept' >&2\n\
         case $is_both in 1) echo '  File \"mypy/semanal.py\", line 7214, in defer\nAssertionError: Must not defer' ;;\n\
         *) echo '  File \"mypy/checker.py\", line 99, in visit\nKeyError: 1' ;; esac >&2; exit 2";
    let (kept, said) = kept(body);
    assert_eq!(kept, "firstsecond", "{said}");
    assert!(
        !said.contains("nothing that distinguishes this failure"),
        "{said}"
    );
}

#[test]
fn an_exhausted_stack_is_reduced_while_its_recursion_is_the_same() {
    let stage = Stage::new();
    // The innermost function of an exhausted stack depends on the number of lines, and there is
    // another recursion without `deep`.
    let body = "n=$(wc -l < \"$1\"); test -s \"$1\" || exit 0\n\
         echo '==1==ERROR: AddressSanitizer: stack-overflow on address 0x7ff (pc 0x1)' >&2\n\
         echo \"    #0 0x1 in leaf$n /src/p.c:3\" >&2\n\
         for i in 1 2 3 4 5 6; do\n\
         if grep -q deep \"$1\"; then echo '    #1 0x1 in expr /src/p.c:9\n    #2 0x2 in term /src/p.c:9'\n\
         else echo '    #1 0x1 in walk /src/p.c:9'; fi; done >&2; exit 1";
    stage.script("tool", body);
    stage.file("in.txt", "a\nb\nc\ndeep\ne\nf\n");
    let ran = stage.run("reduce in.txt -o out --same-failure -j 1 -- ./tool {}".split_whitespace());
    ran.ended(0)
        .said(&["stack-overflow in recursion of expr ↔ term"]);
    assert_eq!(stage.text("out").trim(), "deep");
}

#[test]
fn a_failure_that_others_look_like_is_told() {
    let stage = Stage::new();
    stage.script(
        "tool",
        "grep -q x \"$1\" && { echo 'Internal error, please report this.' >&2; exit 3; }; exit 0",
    );
    stage.file("in.txt", "a\nx\nb\n");
    let reduce = |flags: &str| {
        let args = format!("reduce in.txt -o out --same-failure {flags} -- ./tool {{}}");
        stage.run(args.split_whitespace())
    };
    let told = [
        "nothing that distinguishes this failure from others",
        "`--stderr RE`",
    ];
    reduce("").ended(0).said(&told);
    for flags in ["-q", "--stderr report"] {
        let ran = reduce(flags).ended(0);
        assert!(!ran.stderr.contains(told[0]), "{flags}");
    }
}

/// A program that prints one failure for an input with both words, another for the first alone, and
/// ends with this code.
fn with_two_failures(code: u8) -> Stage {
    let stage = Stage::new();
    let told = "import sys\ntext = open(sys.argv[1]).read()\nif 'first' not in text: sys.exit(9)\n\
                def both(): raise KeyError('price')\ndef one(): raise KeyError('items')\n\
                both() if 'second' in text else one()\n";
    stage.file("tool.py", told);
    stage.script(
        "tool",
        &format!("python3 tool.py \"$1\" && exit 0; test $? = 1 && exit {code}; exit 7"),
    );
    stage.file("in.txt", "one\nfirst\ntwo\nsecond\nthree\n");
    stage
}

#[test]
fn a_folder_of_modules_of_node_keeps_its_own_failure() {
    let stage = Stage::new();
    stage.file(
        "app/main.js",
        "const { start } = require('./lib/server');\nconst log = require('./lib/log');\n\
         log('one');\nstart({});\nlog('two');\n",
    );
    stage.file(
        "app/lib/server.js",
        "exports.start = (config) => {\n  const options = config.options;\n  \
         return options.timeout + options.retries;\n};\n",
    );
    stage.file(
        "app/lib/log.js",
        "module.exports = (x) => console.log(x);\n",
    );
    let args =
        "reduce app -o out -j 1 --max-tests 300 --stats s.json --same-failure -- node {}/main.js";
    stage.run(args.split(' ')).ended(0);
    let stats: serde_json::Value = serde_json::from_str(&stage.text("s.json")).unwrap();
    assert_eq!(
        stats["failure"],
        "the failure is exception: JavaScript TypeError: Cannot read properties of undefined \
         (reading 'timeout')"
    );
    let kept = ["out/main.js", "out/lib/server.js"]
        .map(|file| std::fs::read_to_string(stage.path(file)).unwrap_or_default());
    assert!(kept.concat().contains("timeout"), "{kept:?}");
}

#[test]
fn a_value_in_a_message_above_a_stack_is_told() {
    let stage = Stage::new();
    stage.file(
        "tool.js",
        "const text = require('fs').readFileSync(process.argv[2], 'utf8');\n\
         if (!text.includes('first')) process.exit(9);\nconst none = {};\n\
         const key = text.includes('second') ? 'zip' : 'address';\nnone.of[key];\n",
    );
    stage.file("in.txt", "one\nfirst\ntwo\nsecond\nthree\n");
    let args = "reduce in.txt -o out --with tool.js -j 1 --same-failure -- node tool.js {}";
    stage.run(args.split(' ')).ended(0).said(&[
        "warning: the result shows another failure than the original",
        "undefined (reading 'zip')",
        "undefined (reading 'address')",
    ]);
}

#[test]
fn a_result_with_another_value_of_the_program_is_told() {
    let stage = Stage::new();
    let told = "import sys\ntext = open(sys.argv[1]).read()\n\
                if 'first' not in text: sys.exit(9)\n\
                def need(name): raise KeyError(name)\n\
                need('zip' if 'second' in text else 'address')\n";
    stage.file("tool.py", told);
    stage.file("in.txt", "one\nfirst\ntwo\nsecond\nthree\n");
    let run = |flags: &str| {
        let args = format!(
            "reduce in.txt -o out --with tool.py -j 1 --stats s.json --same-failure {flags} -- \
             python3 tool.py {{}}"
        );
        stage.run(args.split_whitespace()).ended(0)
    };
    run("").said(&[
        "warning: the result shows another failure than the original",
        "the original: KeyError: 'zip'",
        "the result:   KeyError: 'address'",
        "--same-failure --stderr \"KeyError: 'zip'\" -- python3 tool.py",
    ]);
    let stats: serde_json::Value = serde_json::from_str(&stage.text("s.json")).unwrap();
    let expected = serde_json::json!({
        "original": "KeyError: 'zip'",
        "result": "KeyError: 'address'",
        "values_differ": true,
    });
    assert_eq!(stats["changed_failure"], expected);
    // The original has the value, and the result has no value like the new one.
    stage.file("in.txt", "one\nfirst\ntwo\nsecond\nthree\nzip\naddress\n");
    run("--force").said(&["the result:   KeyError: 'address'"]);
    // A value of the input may change.
    stage.file(
        "tool.py",
        "import sys\ntext = open(sys.argv[1]).read()\nraise KeyError(text.split()[-1])\n",
    );
    let ran = run("--force");
    assert!(!ran.stderr.contains("another failure"), "{}", ran.stderr);
}

#[test]
fn a_result_with_another_message_of_the_same_words_is_told() {
    let stage = Stage::new();
    let tool = "grep -q one \"$1\" || exit 1\n\
                what='null string'; grep -q two \"$1\" && what=\"'%d' writing 8 bytes\"\n\
                echo \"in.c:3:5: warning: $what of $(tail -n 1 \"$1\") [-Wformat]\" >&2";
    stage.script("tool", tool);
    stage.file("in.c", "zero\none\ntwo\nlast\n");
    stage
        .run("reduce in.c -o out -j 1 --stderr Wformat -- ./tool {}".split(' '))
        .ended(0)
        .said(&[
            "warning: the result shows another failure than the original",
            "the original: in.c:3:5: warning: '%d' writing 8 bytes of last [-Wformat]",
            "the result:   in.c:3:5: warning: null string of one [-Wformat]",
            r#"--stderr "warning: '%d' writing [0-9]+ bytes of last \\[-Wformat\\]" -- ./tool"#,
        ]);
    // Words of the input may change.
    let line = "reduce in.c -o out --force -j 1 --stderr Wformat --stderr writing -- ./tool {}";
    let ran = stage.run(line.split(' ')).ended(0);
    assert!(!ran.stderr.contains("another failure"), "{}", ran.stderr);
}

const CHANGED: [&str; 4] = [
    "warning: the result shows another failure than the original",
    "the original: exception: Python KeyError in both",
    "the result:   exception: Python KeyError in one",
    "hint: this command keeps the failure of the original",
];

#[test]
fn a_result_with_another_failure_is_told() {
    for (code, conditions, is_loose, repeated) in [
        (
            1,
            "--stderr KeyError",
            true,
            "--stderr KeyError --same-failure -- ./tool",
        ),
        (1, "--exit 1", true, "--exit 1 --same-failure -- ./tool"),
        (0, "", false, "--exit 0 --same-failure -- ./tool"),
    ] {
        let stage = with_two_failures(code);
        let run = |flags: &str| {
            let line = format!(
                "reduce in.txt -o out --with tool.py -j 1 --stats s.json {conditions} {flags} -- ./tool {{}}"
            );
            stage.run(line.split_whitespace()).ended(0)
        };
        let ran = run("");
        assert_eq!(stage.text("out"), "first", "{}", ran.stderr);
        let ran = ran.said(&CHANGED).said(&[repeated]);
        let told = ran
            .stderr
            .contains("other failures that meet these conditions count as well");
        assert_eq!(told, is_loose, "{conditions}: {}", ran.stderr);
        assert!(stage.text("s.json").contains("\"changed_failure\""));
        let flags = match code {
            0 => "--exit 0 --same-failure",
            _ => "--same-failure",
        };
        let ran = run(flags);
        assert_eq!(stage.text("out"), "firstsecond", "{}", ran.stderr);
        assert!(!ran.stderr.contains("another failure"), "{}", ran.stderr);
        assert!(!stage.text("s.json").contains("\"changed_failure\""));
    }
}

#[test]
fn a_line_that_the_condition_holds_is_no_other_failure() {
    let stage = Stage::new();
    let body = "grep -q first \"$1\" || exit 0; grep -q second \"$1\" && echo 'error: too many parts' >&2\n\
                echo 'error: first is wrong' >&2; exit 1";
    stage.script("tool", body);
    stage.file("in.txt", "one\nfirst\ntwo\nsecond\nthree\n");
    let line = "reduce in.txt -o out -j 1 --stderr is.wrong -- ./tool {}";
    let ran = stage.run(line.split_whitespace()).ended(0);
    assert_eq!(stage.text("out"), "first");
    assert!(!ran.stderr.contains("another failure"), "{}", ran.stderr);
}

#[test]
fn values_that_may_change_are_told_at_the_start_with_the_flag_that_keeps_them() {
    let stage = Stage::new();
    stage.file("in.txt", "alpha\nbeta\n");
    let program = "line=$(head -n 1 \"$1\"); [ -n \"$line\" ] || exit 0\n\
                   printf 'Traceback (most recent call last):\\n  File \"/p/a.py\", line 1, in f\\n' >&2\n\
                   echo \"KeyError: '$line'\" >&2; exit 1";
    stage.script("prog.sh", program);
    let run = |flags: &str| {
        let args = format!("reduce in.txt --force {flags} -- ./prog.sh {{}}");
        stage.run(args.split(' ')).ended(0)
    };
    let told = "lets values in the message change: `alpha`";
    let ran = run("--same-failure").said(&[told, "`--stderr \"KeyError: 'alpha'\"` keeps them"]);
    assert!(!ran.stderr.contains("warning: `--same"), "{}", ran.stderr);
    // The flag keeps the value.
    let args = [
        "reduce",
        "in.txt",
        "--fresh",
        "--force",
        "--stderr",
        "KeyError: 'alpha'",
    ];
    let ran = stage
        .run(args.into_iter().chain(["--", "./prog.sh", "{}"]))
        .ended(0);
    assert!(!ran.stderr.contains(told), "{}", ran.stderr);
    assert_eq!(stage.text("in.min.txt").trim(), "alpha");
}

#[test]
fn a_function_of_the_input_that_may_change_is_told_with_the_flag_that_keeps_it() {
    let stage = Stage::new();
    stage.file(
        "app/main.py",
        "import helper\nhelper.lookup({}, 'missing')\n",
    );
    stage.file(
        "app/helper.py",
        "def lookup(table, key):\n    return table[key]\n",
    );
    let run = |flags: &[&str]| {
        let args = ["reduce", "app", "--inside", "--force", "--fresh", "-j", "1"];
        let args = args.iter().chain(flags);
        stage
            .run(args.chain(&["--", "python3", "main.py"]))
            .ended(0)
    };
    run(&["--same-failure"]).said(&[
        "lets the failure move to another function, since `lookup` is in the input",
        "`--stderr 'in lookup'` keeps it there",
    ]);
    let ran = run(&["--same-failure", "--stderr", "in lookup"]);
    assert!(!ran.stderr.contains("another function"), "{}", ran.stderr);
    let kept = stage.shell("cat app.min/*", None).stdout;
    assert!(kept.contains("def lookup"), "{kept}");
}

#[test]
fn a_result_with_the_wanted_one_of_several_messages_shows_the_same_failure() {
    let stage = Stage::new();
    stage.script(
        "app",
        "awk '/odd/ {print \"error: odd thing in line \" NR} \
         /bad/ {print \"error: bad value in line \" NR} {print > \"/dev/null\"} \
         /odd|bad/ {is = 1} END {exit is}' $1 >&2",
    );
    let lines = (0..9)
        .map(|number| format!("line {number}\n"))
        .collect::<String>();
    stage.file("in.txt", format!("{lines}an odd one\n{lines}a bad one\n"));
    let reduce = |condition: &[&str]| {
        let args = ["reduce", "in.txt", "--force"].iter().chain(condition);
        stage.run(args.chain(&["--", "./app", "{}"])).ended(0)
    };
    // The first error of the original is another one than the wanted one, whose line moves.
    let ran = reduce(&["--stderr", "bad value"]);
    assert_eq!(stage.text("in.min.txt").trim(), "bad");
    assert!(!ran.stderr.contains("another failure"), "{}", ran.stderr);
    // Without the message, the result may be of either failure.
    let ran = reduce(&["--exit", "1"]);
    assert_ne!(
        stage.text("in.min.txt").contains("odd"),
        ran.stderr.contains("another failure"),
        "{}",
        ran.stderr
    );
}
