//! Words that are rarely names: a heuristic for all languages together.
//!
//! Keywords are the words for statements and declarations in the most common languages. A pass that
//! renames or replaces words need not try keywords. If a keyword is a name after all, the result
//! has a longer name. Words for types (`int`, `double`) are not included, since one type can often
//! replace another.
//!
//! ```
//! use nubbin_view::keywords::is_keyword;
//!
//! assert!(is_keyword(b"while") && !is_keyword(b"width") && !is_keyword(b"int"));
//! ```

/// The words, sorted.
const KEYWORDS: [&[u8]; 130] = [
    b"abstract",
    b"alignas",
    b"alignof",
    b"and",
    b"as",
    b"asm",
    b"assert",
    b"async",
    b"await",
    b"begin",
    b"break",
    b"case",
    b"catch",
    b"cdef",
    b"chan",
    b"class",
    b"co_await",
    b"co_return",
    b"co_yield",
    b"concept",
    b"const",
    b"const_cast",
    b"constexpr",
    b"continue",
    b"crate",
    b"decltype",
    b"def",
    b"default",
    b"defer",
    b"del",
    b"delete",
    b"do",
    b"done",
    b"dyn",
    b"dynamic_cast",
    b"elif",
    b"else",
    b"elsif",
    b"end",
    b"enum",
    b"esac",
    b"except",
    b"explicit",
    b"export",
    b"extends",
    b"extern",
    b"fallthrough",
    b"fi",
    b"finally",
    b"fn",
    b"for",
    b"foreach",
    b"friend",
    b"from",
    b"func",
    b"function",
    b"global",
    b"go",
    b"goto",
    b"if",
    b"impl",
    b"implements",
    b"import",
    b"in",
    b"inline",
    b"instanceof",
    b"interface",
    b"is",
    b"lambda",
    b"let",
    b"loop",
    b"match",
    b"mod",
    b"module",
    b"move",
    b"mut",
    b"namespace",
    b"new",
    b"noexcept",
    b"nonlocal",
    b"not",
    b"operator",
    b"or",
    b"package",
    b"pass",
    b"private",
    b"protected",
    b"pub",
    b"public",
    b"raise",
    b"ref",
    b"register",
    b"reinterpret_cast",
    b"require",
    b"requires",
    b"return",
    b"select",
    b"sizeof",
    b"static",
    b"static_assert",
    b"static_cast",
    b"struct",
    b"super",
    b"switch",
    b"synchronized",
    b"template",
    b"then",
    b"this",
    b"throw",
    b"throws",
    b"trait",
    b"try",
    b"typedef",
    b"typeid",
    b"typename",
    b"typeof",
    b"union",
    b"unless",
    b"unsafe",
    b"until",
    b"use",
    b"using",
    b"var",
    b"virtual",
    b"volatile",
    b"when",
    b"where",
    b"while",
    b"with",
    b"yield",
];

/// Returns whether a word is a keyword in common languages.
pub fn is_keyword(word: &[u8]) -> bool {
    KEYWORDS.binary_search(&word).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_are_sorted() {
        assert!(KEYWORDS.is_sorted());
        assert!(KEYWORDS.iter().all(|word| is_keyword(word)));
    }
}
