/// Returns the arguments with which clang parses a file as the compiler of a test does.
///
/// `words` are those of the test: a command line, or a script. `extension` is that of the file.
/// `-std=…`, `-m32`, `-x LANGUAGE`, `-D…`, `-I…`, and `-include FILE` count, the last of each kind;
/// without a language, the extension says which.
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
    let mut all = vec![format!("-x{language}"), standard];
    all.append(&mut others);
    // Others refuse a template that is called before its declaration.
    let always = [
        "-Wsystem-headers",
        "-Werror=c++20-extensions",
        "-ferror-limit=0",
        "-fno-spell-checking",
        "-ftemplate-backtrace-limit=4",
    ];
    all.extend(always.map(str::to_owned));
    all
}

/// Whether a test runs what it compiles, as far as its words say: it has no option to compile only.
///
/// ```
/// use nubbin_clang::runs;
///
/// assert!(runs(["g++", "-O2", "a.cpp", "&&", "./a.out"].iter().copied()));
/// assert!(!runs(["g++", "-fsyntax-only", "a.cpp"].iter().copied()));
/// ```
pub fn runs<'a>(mut words: impl Iterator<Item = &'a str>) -> bool {
    let compiles_only = |word: &str| {
        let word = word.trim_matches(['"', '\'', ';', ')', '(', '`']);
        matches!(
            word,
            "-fsyntax-only" | "-S" | "-c" | "-emit-llvm" | "cc1plus" | "cc1" | "-cc1"
        ) || word.starts_with("-print-prog-name=cc1")
    };
    !words.any(compiles_only)
}
