//! Functions and files of run-time libraries. These functions are on the stacks of all failures of
//! a program, since they detect and report failures and abort the program.

/// Beginnings of functions that notice or report failures, or start a program.
const BEGINNINGS: &[&str] = &[
    "__interceptor_",
    "___interceptor_",
    "__asan",
    "__hwasan",
    "__ubsan",
    "__tsan",
    "__msan",
    "__lsan",
    "__sanitizer",
    "__libc_",
    "_IO_",
    "__GI_",
    "__mem",
    "__str",
    "__stack_chk_fail",
    "__fortify_fail",
    "__chk_fail",
    "__assert",
    "_assert",
    "__pthread_kill",
    "__restore_rt",
    "__cxa_",
    "__cxxabiv1::",
    "__gnu_cxx::",
    "__gnu_debug::",
    "__rust_",
    "__rustc::",
    "rust_begin_unwind",
    "rust_panic",
    "panic_unwind::",
    "std::terminate",
    "std::__throw_",
    "std::__glibcxx_assert",
    "std::panicking",
    "core::panicking",
    "core::option::unwrap_failed",
    "core::option::expect_failed",
    "core::result::unwrap_failed",
    "core::slice::index::slice_",
    "core::cell::panic_already",
    "alloc::alloc::handle_alloc_error",
    "std::rt::",
    "std::sys",
    "fuzzer::",
    "llvm::sys::",
    "llvm::llvm_unreachable_internal",
    "llvm::report_fatal_error",
    "llvm::report_bad_alloc_error",
    "_ZN4llvm3sys",
    "_ZN4llvm18report_fatal_error",
    "_ZN4llvm25llvm_unreachable_internal",
    "_ZSt9terminate",
    "_ZN10__cxxabiv1",
    "operator new",
    "operator delete",
    "_swift_runtime_on_report",
    "_swift_stdlib_reportFatalError",
    "_assertionFailure",
    "_fatalErrorMessage",
    "v8::base::debug::StackTrace",
    "v8::base::OS::Abort",
    "v8::base::FatalOOM",
    "V8_Fatal",
    "V8_Dcheck",
    "WTFCrash",
    "WTFReport",
    "WTF::StackTrace",
    "base::debug::StackTrace",
    "logging::LogMessage",
    "logging::CheckError",
    "google::LogMessage",
    "MOZ_Crash",
    "MOZ_Assert",
    "g_assertion_message",
    "g_log",
    "rb_vm_bugreport",
    "rb_bug",
    "rb_print_backtrace",
    "rb_assert_failure",
];

/// Functions of the same kind, and those of the C library that fail when they are called wrongly.
const WHOLE: &[&str] = &[
    "_start",
    "start",
    "start_thread",
    "clone",
    "clone3",
    "raise",
    "gsignal",
    "abort",
    "pthread_kill",
    "malloc",
    "free",
    "calloc",
    "realloc",
    "malloc_printerr",
    "malloc_consolidate",
    "unlink_chunk",
    "_int_malloc",
    "_int_free",
    "_int_realloc",
    "memcpy",
    "memmove",
    "memset",
    "memcmp",
    "strlen",
    "strcpy",
    "strncpy",
    "strcmp",
    "strdup",
    "crash_signal",
    "internal_error",
    "internal_error_no_backtrace",
    "fancy_abort",
    "???",
    "backtrace",
    "<null>",
    "??",
    "<unknown>",
];

/// Pieces of the names of functions that print a stack when a signal arrives.
const HANDLERS: &[&str] = &[
    "llvm::sys::",
    "_ZN4llvm3sys",
    "PrintStackTrace",
    "SignalHandler",
    "signal_handler",
    "sighandler",
    "crash_signal",
    "StackDumpSignal",
    "rb_vm_bugreport",
    "rb_bug_for_fatal_signal",
    "v8::base::debug::",
    "base::debug::",
];

/// Functions by which a system calls a handler. In names that are found by position,
/// `__restore_rt` is `killpg`, the function before it.
const TRAMPOLINES: &[&str] = &[
    "__restore_rt",
    "__kernel_rt_sigreturn",
    "__kernel_sigreturn",
    "_sigtramp",
    "killpg",
    "<signal handler called>",
    "KiUserExceptionDispatcher",
];

/// Beginnings of the files of libraries of C and C++ and of sanitizers.
const FILES: &[&str] = &[
    "libpthread",
    "libm.so",
    "libm-",
    "ld-linux",
    "ld-musl",
    "ld-2.",
    "linux-vdso",
    "libgcc_s",
    "libstdc++",
    "libc++",
    "libasan",
    "libubsan",
    "libtsan",
    "liblsan",
    "libclang_rt",
    "libsystem_",
    "libdyld",
    "dyld",
    "ntdll",
    "KERNEL32",
    "ucrtbase",
];

/// Pieces of the paths of their source files.
const SOURCES: &[&str] = &[
    "/sysdeps/",
    "libsanitizer/",
    "compiler-rt/lib/",
    "nptl/",
    "libio/",
    "./stdlib/abort.c",
    "./signal/",
    "/libstdc++-v3/src/",
    "/library/core/src/",
    "/library/alloc/src/",
    "/library/std/src/",
];

/// Returns whether a function detects or reports failures of any kind.
pub(super) fn is_function(name: &str) -> bool {
    let begins = |beginning: &&str| name.starts_with(beginning);
    BEGINNINGS.iter().any(begins) || WHOLE.contains(&name) || is_signal_handler(name)
}

/// Returns whether a function is one of a standard library, which is called from everywhere.
pub(super) fn is_library(name: &str) -> bool {
    [
        "std::", "core::", "alloc::", "<core::", "<alloc::", "<std::",
    ]
    .iter()
    .any(|space| {
        name.strip_prefix("void ")
            .unwrap_or(name)
            .starts_with(space)
    })
}

/// Returns whether a function prints a stack when a signal arrives.
pub(super) fn is_signal_handler(name: &str) -> bool {
    HANDLERS.iter().any(|handler| name.contains(handler))
}

/// Returns whether a system calls signal handlers through the given function.
pub(super) fn is_trampoline(name: &str) -> bool {
    TRAMPOLINES.contains(&name)
}

/// Returns whether a file is the C library.
pub(super) fn is_c_library(file: &str) -> bool {
    [
        "libc.so",
        "libc-2.",
        "libc.musl",
        "libpthread",
        "libsystem_platform",
        "ld-musl",
    ]
    .iter()
    .any(|beginning| file.starts_with(beginning))
}

/// Returns whether a file is one of the libraries with which every program runs.
pub(super) fn is_library_file(file: &str) -> bool {
    is_c_library(file) || FILES.iter().any(|beginning| file.starts_with(beginning))
}

/// Returns whether a source file belongs to these libraries.
pub(super) fn is_source_file(path: &str) -> bool {
    SOURCES.iter().any(|piece| path.contains(piece))
}
