//! Pairs of failures, as programs print them. Two bugs are two failures, even if they share the
//! text that the program prints for every bug. The same bug on two inputs is one failure.

use super::testing::run;
use super::{Signature, frames_match};
use crate::run::Exit;

fn signature(text: &str) -> Signature {
    Signature::of(&run(Exit::Code(1), text)).unwrap_or_else(|| panic!("no failure in {text}"))
}

/// Asserts that texts with `first` and `second` in the place of `WHICH` are two failures, and that
/// each is one with itself.
fn two(text: &str, first: &str, second: &str) {
    let [one, other] = [first, second].map(|bug| signature(&text.replace("WHICH", bug)));
    assert!(!one.matches(&other), "{one}\n{other}");
    assert!(!other.matches(&one), "{one}\n{other}");
    for (found, bug) in [(&one, first), (&other, second)] {
        assert!(!found.is_general(), "{found}");
        assert!(
            found.matches(&signature(&text.replace("WHICH", bug))),
            "{found}"
        );
    }
}

/// Asserts that texts with `first` and `second` in the place of `WAY` are one failure.
fn one(text: &str, first: &str, second: &str) {
    let [one, other] = [first, second].map(|way| signature(&text.replace("WAY", way)));
    assert!(one.matches(&other), "{one}\n{other}");
}

const LLVM: &str = "PLEASE submit a bug report to https://github.com/llvm/llvm-project/issues/ and \
     include the crash backtrace.\nStack dump:\n0.\tProgram arguments: clang-19 x.cpp\n";

#[test]
fn handlers_and_the_trampoline_are_no_frames() {
    // Only exported functions have symbols, as in the packages of distributions.
    let shared = " #0 0x00007f1 llvm::sys::PrintStackTrace(llvm::raw_ostream&, int) (/lib/x86_64-linux-gnu/libLLVM.so.19.1+0xdfd210)\n \
         #1 0x00007f2 llvm::sys::RunSignalHandlers() (/lib/x86_64-linux-gnu/libLLVM.so.19.1+0xdfb000)\n \
         #2 0x00007f3 (/lib/x86_64-linux-gnu/libLLVM.so.19.1+0xdfd8d0)\n \
         #3 0x00007f4 (/lib/x86_64-linux-gnu/libc.so.6+0x3c050)\n \
         #4 0x00007f5 clang::WHICH(clang::X) (/usr/lib/libclang-cpp.so.19.1+0x1)\n \
         #5 0x00007f6 clang::Same::frame() (/usr/lib/libclang-cpp.so.19.1+0x2)\n";
    two(
        &format!("{LLVM}{shared}"),
        "Sema::One",
        "Stmt::getSourceRange",
    );
    // After `abort`, functions of the C library come after the trampoline as well.
    let aborted = shared.replace(
        " #4",
        " #4 0x00007f4 (/lib/x86_64-linux-gnu/libc.so.6+0x8ae3c)\n \
         #4 0x00007f4 gsignal (/lib/x86_64-linux-gnu/libc.so.6+0x3bfb2)\n \
         #4 0x00007f4 abort (/lib/x86_64-linux-gnu/libc.so.6+0x26472)\n #4",
    );
    two(
        &format!("{LLVM}{aborted}"),
        "Sema::One",
        "Stmt::getSourceRange",
    );
    // All functions have symbols.
    let with_symbols = " #0 0x055d1 llvm::sys::PrintStackTrace(llvm::raw_ostream&, int) /b/llvm/lib/Support/Unix/Signals.inc:723:11\n \
         #1 0x055d2 llvm::sys::RunSignalHandlers() /b/llvm/lib/Support/Signals.cpp:106:5\n \
         #2 0x055d3 SignalHandler(int) /b/llvm/lib/Support/Unix/Signals.inc:413:1\n \
         #3 0x07f04 __restore_rt (/lib64/libpthread.so.0+0x12cf0)\n \
         #4 0x055d5 WHICH /b/llvm/lib/IR/Value.cpp:1:2\n #5 0x055d6 llvm::Same::frame() /b/x.cpp:3:4\n";
    two(
        &format!("{LLVM}{with_symbols}"),
        "llvm::One::f()",
        "llvm::Two::f()",
    );
    // The symbolizer is missing.
    let fallback = "Stack dump without symbol names (ensure you have llvm-symbolizer in your PATH):\n\
         /lib/libLLVM-14.so.1(_ZN4llvm3sys15PrintStackTraceERNS_11raw_ostreamEi+0x31)[0x7f9b9d8a5291]\n\
         /lib/libLLVM-14.so.1(_ZN4llvm3sys17RunSignalHandlersEv+0xee)[0x7f9b9d8a2fbe]\n\
         /lib/libLLVM-14.so.1(+0xea57c6)[0x7f9b9d8a57c6]\n\
         /lib/x86_64-linux-gnu/libc.so.6(+0x3c050)[0x7f9b9c85a050]\n\
         /lib/libLLVM-14.so.1(WHICH+0x9)[0x7f9b9d8a5292]\n";
    two(
        &format!("{LLVM}{fallback}"),
        "_ZN4llvm3OneEv",
        "_ZN4llvm3TwoEv",
    );
    two(
        &format!("{LLVM}{}", fallback.replace("WHICH+0x9", "+WHICH")),
        "0x100",
        "0x200",
    );
    // This is the output of macOS.
    let mac = "0  clang   0x0000000105c1 llvm::sys::PrintStackTrace(llvm::raw_ostream&, int) + 56\n\
         1  clang   0x0000000105c2 llvm::sys::RunSignalHandlers() + 112\n\
         2  clang   0x0000000105c3 SignalHandler(int, __siginfo*, void*) + 344\n\
         3  libsystem_platform.dylib 0x00000001a2c4 _sigtramp + 56\n\
         4  clang   0x0000000105c5 WHICH(clang::X*) + 12\n";
    two(&format!("{LLVM}{mac}"), "clang::One::f", "clang::Two::f");
    assert_eq!(
        signature(&format!("{LLVM}{mac}").replace("WHICH", "clang::One::f")).to_string(),
        "internal error: compiler crash in clang::One::f"
    );
}

#[test]
fn llvm_without_symbols_is_told_apart_by_its_pass() {
    let text = "3.\tRunning pass 'Function Pass Manager' on module 't.ll'.\n4.\tRunning pass 'WHICH' on function '@f'\n";
    two(
        &format!("{LLVM}{text}"),
        "X86 DAG->DAG Instruction Selection",
        "Machine Instruction Scheduler",
    );
    two(
        &format!("{LLVM}0.\tRunning pass \"WHICH<no-verify>\" on function \"f\"\n"),
        "instcombine",
        "sroa",
    );
    two(
        "LLVM ERROR: Cannot select: t12: v4i32 = WHICH t1, t2\n",
        "X86ISD::A",
        "fshl",
    );
    two(
        "WHICH\n  %x = add i32 %y, 1\nLLVM ERROR: Broken module found, compilation aborted!\n",
        "Instruction does not dominate all uses!",
        "PHI nodes not grouped at top of basic block!",
    );
}

#[test]
fn behind_a_request_for_a_bug_report_the_exception_counts() {
    let mypy = "a.py:3: error: INTERNAL ERROR -- Please try using mypy master on GitHub:\n\
         https://mypy.readthedocs.io/en/stable/common_issues.html#using-a-development-mypy-build\n\
         Please report a bug at https://github.com/python/mypy/issues\nversion: 1.19.1\n\
         Traceback (most recent call last):\n  File \"mypy/semanal.py\", line 7568, in accept\n  \
         File \"mypy/WHICH\na.py:3: note: use --pdb to drop into pdb\n";
    two(
        mypy,
        "semanal.py\", line 7214, in defer\nAssertionError: Must not defer",
        "checker.py\", line 99, in visit\nKeyError: 'x'",
    );
    let kotlin = "exception: org.jetbrains.kotlin.backend.common.BackendException: Backend Internal \
         error: Exception during IR lowering\nFile being compiled: a.kt\n\
         \tat org.jetbrains.kotlin.backend.common.CodegenUtil.rethrow(CodegenUtil.kt:239)\n\
         Caused by: WHICH\n\tat org.jetbrains.kotlin.ir.Same.lower(Same.kt:5)\n";
    two(
        kotlin,
        "java.lang.IllegalStateException: No mapping\n\tat org.jetbrains.kotlin.One.f(One.kt:3)",
        "java.lang.NullPointerException\n\tat org.jetbrains.kotlin.Two.g(Two.kt:4)",
    );
    let tool = "INTERNAL ERROR: this is a bug, please report it at https://example.org/bugs\n\
         thread 'main' panicked at src/WHICH:5:\nno entry\n";
    two(tool, "lex.rs:7", "parse.rs:9");
    two(
        "Internal error.\nWHICH\nPlease file a bug.\n",
        "no free register",
        "bad operand",
    );
}

#[test]
fn a_compiler_of_go_is_told_apart_behind_the_panic() {
    let text = "./x.go:5:6: internal compiler error: 'f': panic during lower while compiling f:\n\n\
         runtime error: index out of range [5] with length 3\n\ngoroutine 12 [running]:\n\
         cmd/compile/internal/ssa.Compile.func1()\n\t/go/src/cmd/compile/internal/ssa/compile.go:49 +0x6c\n\
         panic({0xc0d2c0?, 0xc0005a4018?})\n\t/go/src/runtime/panic.go:770 +0x132\n\
         cmd/compile/internal/ssa.WHICH(...)\n\t/go/src/cmd/compile/internal/ssa/x.go:9 +0x1\n\
         cmd/compile/internal/ssa.Same(...)\n\t/go/src/cmd/compile/internal/ssa/x.go:19 +0x1\n\n\
         Please file a bug report including a short program that triggers the error.\n\
         https://go.dev/issue/new\n";
    two(text, "rewriteA", "rewriteB");
    let caught = "panic: runtime error: index out of range [5] with length 3 [recovered]\n\tpanic: again\n\n\
         goroutine 1 [running]:\nmain.main.func1()\n\t/src/main.go:9 +0x1\n\
         panic({0x1, 0x2})\n\t/go/src/runtime/panic.go:770 +0x132\nmain.WHICH()\n\t/src/WHICH.go:3 +0x1\n\
         created by main.start in goroutine WAY\n\t/src/main.go:5 +0x1\n";
    two(caught, "one", "two");
    one(&caught.replace("WHICH", "one"), "5", "77");
}

#[test]
fn bugs_of_rustc_are_told_apart_by_their_own_places() {
    let delayed = "error: internal compiler error: no errors encountered even though delayed bugs were \
         created\n\nnote: those delayed bugs will now be shown as internal compiler errors\n\n\
         error: internal compiler error: `Foo` is bad\n  |\nnote: delayed at compiler/WHICH:13 - disabled backtrace\n\n\
         thread 'rustc' panicked at compiler/rustc_errors/src/lib.rs:1535:17:\nno errors encountered\n\
         note: we would appreciate a bug report: https://github.com/rust-lang/rust/issues/new\n";
    two(delayed, "rustc_hir/src/x.rs:91", "rustc_ty/src/y.rs:5");
    let shared = "thread 'main' panicked at /rustc/9fc6b4312/library/alloc/src/raw_vec.rs:24:5:\n\
         capacity overflow\nstack backtrace:\n   0: rust_begin_unwind\n             at /rustc/9fc/library/std/src/panicking.rs:645:5\n   \
         1: core::panicking::panic_fmt\n   2: alloc::raw_vec::capacity_overflow\n   \
         3: app::WHICH::h0123456789abcdef\n             at /src/app.rs:12:5\n   4: app::main\n\
         note: Some details are omitted\n";
    two(shared, "one", "two");
    let unexpected = "error: internal compiler error: unexpected panic\n\nnote: the compiler \
         unexpectedly panicked. this is a bug.\n\nnote: we would appreciate a bug report: https://x\n\
         thread '<unnamed>' panicked at compiler/WHICH:5:\nno type\n";
    two(unexpected, "rustc_a/src/x.rs:7", "rustc_b/src/y.rs:9");
}

#[test]
fn assertions_of_shared_headers_are_told_apart_by_their_stacks() {
    let cast = format!(
        "clang: /b/llvm/include/llvm/Support/Casting.h:578: decltype(auto) llvm::cast(From*): Assertion \
         `isa<To>(Val) && \"cast<Ty>() argument of incompatible type!\"' failed.\n{LLVM} \
         #0 0x1 llvm::sys::PrintStackTrace(int) (/b/clang+0x1)\n #1 0x2 SignalHandler(int) (/b/clang+0x2)\n \
         #2 0x3 (/lib/libc.so.6+0x3c050)\n #3 0x4 __assert_fail (/lib/libc.so.6+0x1)\n \
         #4 0x5 clang::WHICH() (/b/clang+0x3)\n"
    );
    two(&cast, "One::f", "Two::g");
    let gcc = "t.c:3:5: internal compiler error: in operator[], at vec.h:910\n0x1 WHICH(int)\n\t../../gcc/x.cc:9\n\
         Please submit a full bug report, with preprocessed source.\n";
    two(gcc, "expand_call", "fold_stmt");
    let javac = "An exception has occurred in the compiler (17.0.1). Please file a bug against the Java compiler\n\
         java.lang.AssertionError: Cannot get here\n\
         \tat jdk.compiler/com.sun.tools.javac.util.Assert.error(Assert.java:155)\n\
         \tat jdk.compiler/com.sun.tools.javac.util.Assert.check(Assert.java:46)\n\
         \tat jdk.compiler/com.sun.tools.javac.code.WHICH(Types.java:9)\n";
    two(javac, "Types.one", "Attr.two");
    let scala = "  An unhandled exception was thrown in the compiler.\n  Please file a crash report here:\n\
         Exception in thread \"main\" java.lang.AssertionError: assertion failed\n\
         \tat scala.runtime.Scala3RunTime$.assertFailed(Scala3RunTime.scala:8)\n\
         \tat dotty.tools.dotc.WHICH(Types.scala:5)\n\tat dotty.tools.dotc.Run(Run.scala:9)\n";
    two(scala, "core.One", "core.Two");
    let ghc = "ghc: panic! (the 'impossible' happened)\n  GHC version 9.4.7:\n\texpectJust\n  Call stack:\n      \
         CallStack (from HasCallStack):\n        panic, called at compiler/GHC/Utils/Panic.hs:181:37 in ghc:GHC.Utils.Panic\n        \
         expectJust, called at compiler/GHC/WHICH:12:3 in ghc:GHC.X\n\nPlease report this as a GHC bug:  https://x\n";
    two(ghc, "Core/One.hs", "Stg/Two.hs");
}

#[test]
fn interpreters_engines_and_solvers_are_told_apart() {
    let ruby = "t.rb:1: [BUG] Segmentation fault at 0x0000000000000000\nruby 3.1.2p20\n\n\
         -- C level backtrace information -------------------------------------------\n\
         /usr/lib/libruby-3.1.so.3.1(rb_vm_bugreport+0x66e) [0x7f1] vm_dump.c:769\n\
         /usr/lib/libruby-3.1.so.3.1(rb_bug_for_fatal_signal+0xec) [0x7f2] error.c:821\n\
         /usr/lib/libruby-3.1.so.3.1(0x7f3) [0x7f3]\n\
         /lib/x86_64-linux-gnu/libc.so.6(__restore_rt+0x0) [0x7f4]\n\
         /usr/lib/libruby-3.1.so.3.1(WHICH+0x14) [0x7f5] string.c:9\n[NOTE]\n\
         You may have encountered a bug in the Ruby interpreter or extension libraries.\n\
         Bug reports are welcome.\nFor details: https://www.ruby-lang.org/bugreport.html\n";
    two(
        &ruby.replace("(0x7f3)", "(+0x7f3)"),
        "rb_str_one",
        "rb_ary_two",
    );
    let v8 = "#\n# Fatal error in ../../src/WHICH, line 12\n# unreachable code\n#\n#\n#FailureMessage Object: 0x7ffd\n";
    two(v8, "codegen/x.cc", "compiler/y.cc");
    two(
        "#\n# Fatal error in , line 0\n# WHICH\n#\n",
        "Unimplemented opcode",
        "Invalid map",
    );
    two(
        "SHOULD NEVER BE REACHED\n/b/Source/JavaScriptCore/WHICH : void f()\n1   0x7f01 WTFCrash\n",
        "dfg/A.cpp(12)",
        "b3/B.cpp(7)",
    );
    two(
        "Hit MOZ_CRASH(bad WHICH) at /js/src/jit/A.cpp:12\n",
        "opcode",
        "register",
    );
    two(
        "ASSERTION VIOLATION\nFile: ../src/ast/WHICH\nLine: 12\nUNEXPECTED CODE WAS REACHED.\nZ3 4.12.2.0\n\
         Please file an issue with this message at https://github.com/Z3Prover/z3/issues/new\n",
        "ast.cpp",
        "rewriter.cpp",
    );
    two(
        "Fatal failure within void cvc5::f() at /b/src/WHICH:12\nCheck failure\n\n  x != y\n",
        "a.cpp",
        "b.cpp",
    );
    two(
        "Fatal error: exception Assert_failure(\"typing/WHICH\", 3)\n",
        "ctype.ml\", 12",
        "env.ml\", 12",
    );
    two(
        "terminate called after throwing an instance of 'std::logic_error'\n  what():  WHICH\n",
        "no token",
        "bad state",
    );
    two(
        "Fatal Python error: Segmentation fault\n\nCurrent thread 0x00007f (most recent call first):\n  \
         File \"/opt/tool/WHICH in f\n  File \"/opt/tool/main.py\", line 3 in <module>\n",
        "a.py\", line 1",
        "b.py\", line 2",
    );
    two(
        "error: something went wrong, please report this\nerror: WHICH\n",
        "no such register",
        "cycle in graph",
    );
}

#[test]
fn a_text_of_nothing_but_general_words_is_a_general_signature() {
    for text in [
        "gcc: internal compiler error: Segmentation fault signal terminated program\n\
         Please submit a full bug report, with preprocessed source.\n",
        "INTERNAL ERROR: please report this at https://example.org\n",
        "Oops, something went wrong\n",
        "Error: unexpected error\n",
        "",
    ] {
        let found = signature(text);
        assert!(found.is_general(), "{text}: {found}");
    }
    assert!(
        Signature::of(&run(Exit::Signal(11), ""))
            .unwrap()
            .is_general()
    );
    let reason = Signature::of(&run(Exit::Signal(6), "free(): invalid pointer\n")).unwrap();
    assert!(!reason.is_general(), "{reason}");
}

/// Returns a stack of `depth` functions, of which each is called by the next one in the cycle.
fn recursion(
    first: &str,
    cycle: &[&str],
    depth: usize,
    frame: impl Fn(usize, &str) -> String,
) -> String {
    let calls = cycle.iter().cycle().take(depth).enumerate();
    let calls: String = calls.map(|(at, name)| frame(at + 1, name)).collect();
    format!("{}{calls}", frame(0, first))
}

#[test]
fn an_exhausted_stack_is_its_recursion() {
    let asan = |first: &str, cycle: &[&str]| {
        let stack = recursion(first, cycle, 250, |at, name| {
            format!("    #{at} 0x5{at:x} in {name} /src/p.c:{at}\n")
        });
        format!(
            "==1==ERROR: AddressSanitizer: stack-overflow on address 0x7ff (pc 0x1 bp 0x2)\n{stack}\n"
        )
    };
    let found = signature(&asan("lex", &["expr", "term", "factor"]));
    assert_eq!(
        found.to_string(),
        "sanitizer: AddressSanitizer: stack-overflow in recursion of expr ↔ factor ↔ term"
    );
    for (first, cycle) in [
        ("__interceptor_malloc", &["term", "factor", "expr"][..]),
        ("expr", &["expr", "unary"]),
        ("intern", &["expr"]),
    ] {
        assert!(found.matches(&signature(&asan(first, cycle))), "{first}");
    }
    assert!(!found.matches(&signature(&asan("lex", &["stmt", "block"]))));

    let python = |first: &str, cycle: &[&str], said: &str| {
        let frame = |at: usize, name: &str| format!("  File \"/opt/p.py\", line {at}, in {name}\n");
        let mut calls: Vec<String> = vec![frame(0, first)];
        calls.extend((1..90).map(|at| frame(at, cycle[at % cycle.len()])));
        calls.reverse();
        format!(
            "Traceback (most recent call last):\n{}RecursionError: maximum recursion depth exceeded{said}\n",
            calls.concat()
        )
    };
    let found = signature(&python("lex", &["expr", "term"], ""));
    assert!(found.matches(&signature(&python(
        "next",
        &["term", "expr", "unary"],
        " in comparison"
    ))));
    assert!(!found.matches(&signature(&python("lex", &["stmt"], ""))));

    let node = |cycle: &[&str]| {
        let stack = recursion(cycle[0], cycle, 9, |at, name| {
            format!("    at {name} (/opt/p.js:{at}:3)\n")
        });
        format!(
            "/opt/p.js:1\n^\n\nRangeError: Maximum call stack size exceeded\n{stack}\nNode.js v20.20.2\n"
        )
    };
    let found = signature(&node(&["expr", "term"]));
    assert!(
        found.matches(&signature(&node(&["term", "expr", "unary"]))),
        "{found}"
    );
    assert!(!found.matches(&signature(&node(&["walk"]))));

    let java = |cycle: &[&str]| {
        let stack = recursion(cycle[0], cycle, 99, |at, name| {
            format!("\tat app.P.{name}(P.java:{at})\n")
        });
        format!("Exception in thread \"main\" java.lang.StackOverflowError\n{stack}")
    };
    let found = signature(&java(&["expr", "term"]));
    assert!(
        found.matches(&signature(&java(&["term", "expr"]))),
        "{found}"
    );
    assert!(!found.matches(&signature(&java(&["walk"]))));

    let go = |cycle: &[&str]| {
        let stack = recursion(cycle[0], cycle, 49, |at, name| {
            format!("main.{name}(0xc000)\n\t/src/p.go:{at} +0x1\n")
        });
        format!(
            "runtime: goroutine stack exceeds 1000000000-byte limit\nfatal error: stack overflow\n\n\
             runtime stack:\nruntime.throw({{0x1, 0x2}})\n\t/go/src/runtime/panic.go:1 +0x1\n\ngoroutine 1 [running]:\n{stack}\n"
        )
    };
    let found = signature(&go(&["expr", "term"]));
    assert!(
        found.matches(&signature(&go(&["term", "expr", "x"]))),
        "{found}"
    );
    assert!(!found.matches(&signature(&go(&["walk"]))));

    one(
        "Stack overflow.\nRepeat 240WAY times:\n--------------------------------\n   at App.P.Expr()\n   at App.P.Term()\n\
         --------------------------------\n   at App.P.Main()\n",
        "1",
        "2",
    );
    one(
        "\nthread 'main' has overflowed its stack\nfatal runtime error: stack overflow\nWAY",
        "",
        "x",
    );
}

#[test]
fn a_deep_crash_is_its_recursion_or_its_innermost_functions() {
    let crash = |first: &str, cycle: &[&str], depth: usize| {
        let stack = recursion(first, cycle, depth, |at, name| {
            format!(
                " #{} 0x7f{at:x} llvm::LLParser::{name}(int) (/lib/libLLVM-14.so.1+0x{at:x})\n",
                at + 2
            )
        });
        format!(
            "{LLVM} #0 0x7f9 llvm::sys::PrintStackTrace(int) (/lib/libLLVM-14.so.1+0xea5291)\n \
             #1 0x7f8 (/lib/x86_64-linux-gnu/libc.so.6+0x3c050)\n{stack}"
        )
    };
    let deep = signature(&crash("lex", &["parseValID", "parseGlobalValue"], 250));
    assert!(
        deep.matches(&signature(&crash(
            "alloc",
            &["parseGlobalValue", "parseValID"],
            250
        ))),
        "{deep}"
    );
    assert!(!deep.matches(&signature(&crash("lex", &["parseType"], 250))));
    // The same crash with a smaller input has fewer frames.
    assert!(deep.matches(&signature(&crash(
        "lex",
        &["parseValID", "parseGlobalValue"],
        9
    ))));
    assert!(!deep.matches(&signature(&crash("alloc", &["parseType"], 9))));
    let [one, other] = [&["f"][..], &[]].map(|frames| {
        frames
            .iter()
            .map(|&frame| frame.to_owned())
            .collect::<Vec<String>>()
    });
    assert!(!frames_match(&one, &other));
}
