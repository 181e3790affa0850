use crate::unit::{LATER, NOT_ELSEWHERE};

/// The warning that `-Wall` enables in GCC but not in Clang.
const SIGN_COMPARE: &str = "-Wsign-compare";

/// Returns the arguments with which clang parses a file as the compiler of a test does.
///
/// `words` are the words of the test: a command line, or a script. `extension` is the extension of
/// the file. The last `-std=…` and the last `-x LANGUAGE` count. Without a language, the extension
/// determines it. `-m32`, `-D…`, `-I…`, `-isystem DIR`, `-include FILE`, warnings, and some `-f…`
/// are all kept.
///
/// ```
/// use nubbin_clang::arguments;
///
/// let words = ["g++", "-std=c++20", "-O2", "-c", "input.ii"];
/// let found = arguments(words.iter().copied(), "ii");
/// assert_eq!(found[..2], ["-xc++", "-std=c++20"]);
/// ```
pub fn arguments<'a>(words: impl Iterator<Item = &'a str>, extension: &str) -> Vec<String> {
    let clean = |word: &'a str| word.trim_matches(['"', '\'', ';', ')', '(', '`']);
    let words: Vec<&str> = words.map(clean).collect();
    let mut language = match extension {
        "c" | "i" => "c",
        "m" | "mi" => "objective-c",
        "mm" | "mii" => "objective-c++",
        _ => "c++",
    };
    let is_clang = words.iter().any(|word| word.contains("clang"));
    let mut standard = None;
    let mut others: Vec<String> = vec![];
    for (at, &word) in words.iter().enumerate() {
        let next = words.get(at + 1).copied();
        let given = match (word.strip_prefix("-x"), next) {
            (Some(""), next) => next,
            (given, _) => given,
        };
        match given {
            Some("c" | "cpp-output") => language = "c",
            Some("c++" | "c++-cpp-output") => language = "c++",
            Some("objective-c") => language = "objective-c",
            Some("objective-c++") => language = "objective-c++",
            _ => {}
        }
        let is_warning =
            word.starts_with("-W") && !word.contains(',') && !word.starts_with("-Werror");
        if is_warning {
            others.push(word.to_owned());
            // Only GCC includes it, and only in C++.
            if word == "-Wall" {
                others.push(SIGN_COMPARE.to_owned());
            }
        } else if word.starts_with("-std=") || word == "-ansi" {
            standard = Some(word.to_owned());
        } else if let "-m32" | "-m64" | "-funsigned-char" | "-fshort-enums" | "-fopenmp"
        | "-fcoroutines" = word
        {
            others.push(word.to_owned());
        } else if word.len() > 2 && (word.starts_with("-D") || word.starts_with("-I")) {
            others.push(word.to_owned());
        } else if let ("-I" | "-D" | "-isystem" | "-include", Some(next)) = (word, next) {
            others.extend([word.to_owned(), next.to_owned()]);
        }
    }
    let is_of_cpp = |standard: &String| standard.contains("++");
    let standard = standard.filter(|it| is_of_cpp(it) == language.contains("++"));
    let standard = standard.unwrap_or_else(|| match language.contains("++") {
        true => "-std=gnu++17".to_owned(),
        false => "-std=gnu17".to_owned(),
    });
    if is_clang || !language.contains("++") {
        others.retain(|it| it != SIGN_COMPARE || words.contains(&SIGN_COMPARE));
    }
    let mut all = vec![format!("-x{language}"), standard];
    all.append(&mut others);
    let always = [
        "-Wsystem-headers",
        LATER,
        NOT_ELSEWHERE,
        "-ferror-limit=0",
        "-fno-spell-checking",
        "-ftemplate-backtrace-limit=16",
    ];
    all.extend(always.map(str::to_owned));
    all
}

/// Returns whether a test runs the program that it compiles. By its words, it does unless it has an
/// option to compile only.
///
/// ```
/// use nubbin_clang::runs;
///
/// assert!(runs(["g++", "-O2", "a.cpp", "&&", "./a.out"].iter().copied()));
/// assert!(!runs(["g++", "-fsyntax-only", "a.cpp"].iter().copied()));
/// assert!(runs(["g++", "a.cpp", "&&", "./a.out", "|", "grep", "-c", "7"].iter().copied()));
/// ```
pub fn runs<'a>(words: impl Iterator<Item = &'a str>) -> bool {
    // Other programs have options with the same names: `sh -c`, `grep -c`, `head -c`.
    let mut is_compiler = false;
    let mut compiles_only = |word: &str| {
        let ends = word.ends_with([';', '|', '&']);
        let word = word.trim_matches(['"', '\'', ';', ')', '(', '`', '|', '&', '$']);
        let is_option = word.starts_with('-');
        if !is_option && is_named_as_compiler(word) {
            is_compiler = true;
        }
        let found = match word {
            "-fsyntax-only" | "-emit-llvm" | "cc1plus" | "cc1" | "-cc1" => true,
            "-S" | "-c" => is_compiler,
            _ => word.starts_with("-print-prog-name=cc1"),
        };
        is_compiler &= !ends && !word.is_empty();
        found
    };
    let mut words = words;
    !words.any(&mut compiles_only)
}

/// Returns whether a test looks at the code that a compiler makes, or has it made. By its words, it
/// does unless it has an option to stop before that.
///
/// ```
/// use nubbin_clang::makes_code;
///
/// assert!(makes_code(["g++", "-O2", "-S", "a.cpp", ";", "grep", "x", "a.s"].iter().copied()));
/// assert!(makes_code(["g++", "a.cpp", "&&", "./a.out"].iter().copied()));
/// assert!(!makes_code(["g++", "-fsyntax-only", "a.cpp"].iter().copied()));
/// ```
pub fn makes_code<'a>(words: impl Iterator<Item = &'a str>) -> bool {
    // A compiler that crashes is often called as these programs.
    let ends = ["-fsyntax-only", "cc1plus", "cc1", "-cc1"];
    let clean = |word: &'a str| word.trim_matches(['"', '\'', ';', ')', '(', '`', '|', '&', '$']);
    let mut words = words.map(clean);
    !words.any(|word| ends.contains(&word) || word.starts_with("-print-prog-name=cc1"))
}

/// Returns whether a word is the name of a compiler: `gcc`, `x86_64-linux-gnu-g++-12`, `clang++`,
/// `$CC`.
fn is_named_as_compiler(word: &str) -> bool {
    let name = word.rsplit('/').next().unwrap_or(word);
    let name = name
        .trim_matches(['{', '}'])
        .trim_end_matches(|byte: char| byte.is_ascii_digit() || byte == '-' || byte == '.');
    ["cc", "++", "clang", "CC", "CXX"]
        .iter()
        .any(|end| name.ends_with(end))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_warnings_of_gcc_include_signs_in_cpp_only() {
        let has = |words: &[&str], extension| {
            let found = arguments(words.iter().copied(), extension);
            found.iter().any(|it| it == SIGN_COMPARE)
        };
        assert!(has(&["g++", "-Wall", "a.cpp"], "cpp"));
        assert!(!has(&["g++", "a.cpp"], "cpp"));
        assert!(!has(&["gcc", "-Wall", "a.c"], "c"));
        assert!(!has(&["clang++", "-Wall", "a.cpp"], "cpp"));
        assert!(has(&["clang++", "-Wall", SIGN_COMPARE, "a.cpp"], "cpp"));
        // A later word of the test counts.
        let found = arguments(["g++", "-Wall", "-Wno-sign-compare"].into_iter(), "cpp");
        let at = |word| found.iter().position(|it| it == word);
        assert!(at(SIGN_COMPARE) < at("-Wno-sign-compare"));
    }
}
