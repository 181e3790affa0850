//! libclang: loading it, and parsing texts with it.

#![allow(unsafe_code, reason = "libclang is a library in C")]

use crate::dialect::{
    PRELUDE, PRELUDE_NAME, for_clang, without_deallocators, without_system_headers,
};
use clang_sys::*;
use std::borrow::Cow;
use std::ffi::{CStr, CString};
use std::path::Path;
use std::ptr::null_mut;

/// A loaded libclang.
pub(crate) struct Library {
    index: CXIndex,
}

impl Library {
    /// Loads the newest installed libclang, or the libclang at `LIBCLANG_PATH`.
    pub(crate) fn load() -> Result<Self, String> {
        if !clang_sys::is_loaded() {
            clang_sys::load()?;
        }
        // SAFETY: the library is loaded on this thread, and the index is disposed of once.
        unsafe {
            Ok(Library {
                index: clang_createIndex(0, 0),
            })
        }
    }

    /// Parses a text as the contents of a file at `path`, which need not exist.
    pub(crate) fn parse(&self, path: &Path, text: &[u8], arguments: &[String]) -> Option<Unit<'_>> {
        let path = CString::new(path.as_os_str().as_encoded_bytes()).ok()?;
        let prelude = CString::new(PRELUDE_NAME).ok()?;
        let is_cpp = arguments.iter().any(|argument| argument == "-xc++");
        let text = without_deallocators(text);
        let runs = arguments.iter().any(|argument| argument == RUNS);
        let text = match runs {
            true => without_system_headers(&text),
            false => Cow::Borrowed(&*text),
        };
        let text = match is_cpp {
            true => for_clang(&text),
            false => Cow::Borrowed(&*text),
        };
        // The text uses forms that the prelude declares.
        let include = match text {
            Cow::Owned(_) => &["-include", PRELUDE_NAME][..],
            Cow::Borrowed(_) => &[],
        };
        let arguments = arguments.iter().map(String::as_str);
        let arguments: Vec<CString> = arguments
            .chain(include.iter().copied())
            .filter_map(|argument| CString::new(argument).ok())
            .collect();
        let pointers: Vec<_> = arguments.iter().map(|argument| argument.as_ptr()).collect();
        let file = |name: &CString, text: &[u8]| CXUnsavedFile {
            Filename: name.as_ptr(),
            Contents: text.as_ptr().cast(),
            Length: text.len() as _,
        };
        let mut files = [file(&path, &text), file(&prelude, PRELUDE.as_bytes())];
        let mut unit = null_mut();
        // SAFETY: all pointers are valid during the call; libclang copies what it keeps.
        let (code, file) = unsafe {
            let code = clang_parseTranslationUnit2(
                self.index,
                path.as_ptr(),
                pointers.as_ptr(),
                pointers.len() as _,
                files.as_mut_ptr(),
                files.len() as _,
                CXTranslationUnit_KeepGoing,
                &raw mut unit,
            );
            let file = match unit.is_null() {
                true => null_mut(),
                false => clang_getFile(unit, path.as_ptr()),
            };
            (code, file)
        };
        let is_parsed = code == CXError_Success && !unit.is_null();
        is_parsed.then_some(Unit {
            unit,
            file,
            runs,
            _library: self,
        })
    }
}

impl Drop for Library {
    fn drop(&mut self) {
        // SAFETY: all units borrow the library, so they are disposed of before.
        unsafe { clang_disposeIndex(self.index) }
    }
}

/// The argument for a program that has to run. With it, clang instantiates the functions that it
/// knows, such as `std::move`.
pub(crate) const RUNS: &str = "-fno-builtin";

/// The warnings about functions that a program calls and lacks. Clang does not print these warnings
/// if the text has an error.
pub(crate) const UNDEFINED: [&str; 4] = [
    "-Wundefined-func-template",
    "-Wundefined-inline",
    "-Wundefined-internal",
    NOT_ELSEWHERE,
];

/// The warning about a function that has no definition, and cannot have one in another text: a type
/// of it is local to a function, such as that of a lambda expression. Other compilers reject it.
pub(crate) const NOT_ELSEWHERE: &str = "-Wundefined-internal-type";

/// The warning about a template that is called before its declaration, which other compilers
/// reject.
pub(crate) const LATER: &str = "-Wc++20-extensions";

/// A parsed text.
pub(crate) struct Unit<'l> {
    pub(crate) unit: CXTranslationUnit,
    pub(crate) file: CXFile,
    /// Whether the program has to run.
    runs: bool,
    _library: &'l Library,
}

/// An error or a warning of the compiler.
#[derive(Clone, Debug)]
pub(crate) struct Complaint {
    pub(crate) message: String,
    pub(crate) is_error: bool,
    /// The option that enables the warning, such as `-Wunused-value`; empty if no option enables
    /// the warning.
    pub(crate) option: String,
    /// The offset in the text, if the location is in the text.
    pub(crate) at: Option<u32>,
    /// The notes of the diagnostic.
    pub(crate) notes: Vec<Complaint>,
}

impl Unit<'_> {
    /// Returns the offset of a location in the text.
    pub(crate) fn offset(&self, location: CXSourceLocation) -> Option<u32> {
        let (mut file, mut offset) = (null_mut(), 0);
        // SAFETY: the pointers are valid, and the function accepts null for the others.
        unsafe {
            clang_getFileLocation(
                location,
                &raw mut file,
                null_mut(),
                null_mut(),
                &raw mut offset,
            );
        }
        (file == self.file && !file.is_null()).then_some(offset)
    }

    /// Returns the errors and warnings.
    pub(crate) fn complaints(&self) -> Vec<Complaint> {
        // SAFETY: each diagnostic is disposed of after its last use.
        unsafe {
            let all = clang_getNumDiagnostics(self.unit);
            let mut found = vec![];
            for number in 0..all {
                let diagnostic = clang_getDiagnostic(self.unit, number);
                let severity = clang_getDiagnosticSeverity(diagnostic);
                if severity >= CXDiagnostic_Warning {
                    let notes = clang_getChildDiagnostics(diagnostic);
                    let notes = (0..clang_getNumDiagnosticsInSet(notes)).map(|number| {
                        let note = clang_getDiagnosticInSet(notes, number);
                        Complaint {
                            message: string(clang_getDiagnosticSpelling(note)),
                            is_error: false,
                            option: String::new(),
                            at: self.offset(clang_getDiagnosticLocation(note)),
                            notes: vec![],
                        }
                    });
                    let option = string(clang_getDiagnosticOption(diagnostic, null_mut()));
                    let is_undefined = self.runs && UNDEFINED.contains(&option.as_str());
                    let is_strict = is_undefined || option == LATER || option == NOT_ELSEWHERE;
                    found.push(Complaint {
                        message: string(clang_getDiagnosticSpelling(diagnostic)),
                        is_error: severity >= CXDiagnostic_Error || is_strict,
                        option,
                        at: self.offset(clang_getDiagnosticLocation(diagnostic)),
                        notes: notes.collect(),
                    });
                }
                clang_disposeDiagnostic(diagnostic);
            }
            found
        }
    }
}

impl Drop for Unit<'_> {
    fn drop(&mut self) {
        // SAFETY: cursors borrow the unit, so none is left.
        unsafe { clang_disposeTranslationUnit(self.unit) }
    }
}

/// Copies a string of libclang and disposes of the original.
pub(crate) fn string(string: CXString) -> String {
    // SAFETY: the string is valid until it is disposed of, which is done once.
    unsafe {
        let text = clang_getCString(string);
        let copy = match text.is_null() {
            true => String::new(),
            false => CStr::from_ptr(text).to_string_lossy().into_owned(),
        };
        clang_disposeString(string);
        copy
    }
}
