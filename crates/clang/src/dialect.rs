//! A translation of forms in GCC's own headers that clang does not know to forms that clang knows.

use crate::lex::is_word;
use std::borrow::Cow;

/// The built-in function of GCC that expands to the numbers below its argument, in a list of
/// template arguments.
const PACK: &[u8] = b"__integer_pack(";

/// The name of the file with [`PRELUDE`]. The file does not exist.
pub(crate) const PRELUDE_NAME: &str = "/nubbin-prelude.h";

/// Declarations for the output of [`for_clang`]: a template with the numbers below `N` as its
/// arguments.
pub(crate) const PRELUDE: &str = "\
template <typename T, T... I> struct __nubbin_s;
template <template <decltype(sizeof(0))...> class S, typename Q> struct __nubbin_o;
template <template <decltype(sizeof(0))...> class S, decltype(sizeof(0))... I>
struct __nubbin_o<S, __nubbin_s<decltype(sizeof(0)), I...>> { typedef S<I...> type; };
template <template <decltype(sizeof(0))...> class S, decltype(sizeof(0)) N>
using __nub = typename __nubbin_o<S, __make_integer_seq<__nubbin_s, decltype(sizeof(0)), N>>::type;
";

/// Returns a C++ text in a form that clang can read, with the same length.
/// `S<__integer_pack(N)...>` and `S<T, __integer_pack(N)...>` of libstdc++ are rewritten.
pub(crate) fn for_clang(text: &[u8]) -> Cow<'_, [u8]> {
    let mut text = Cow::Borrowed(text);
    let mut from = 0;
    while let Some(at) = text[from..].windows(PACK.len()).position(|it| it == PACK) {
        let at = from + at;
        from = at + PACK.len();
        if let Some((start, end, new)) = rewritten(&text, at) {
            let all = text.to_mut();
            all[start..end].fill(b' ');
            all[start..start + new.len()].copy_from_slice(&new);
        }
    }
    text
}

/// The attribute of a function that returns new memory.
const MALLOC: &[u8] = b"__malloc__";

/// Returns a text without the arguments that GCC's attribute `__malloc__` may have, with the same
/// length. If there is an error in a text, clang does not report which functions a program lacks.
pub(crate) fn without_deallocators(text: &[u8]) -> Cow<'_, [u8]> {
    let mut text = Cow::Borrowed(text);
    let mut from = 0;
    while let Some(at) = text[from..]
        .windows(MALLOC.len())
        .position(|it| it == MALLOC)
    {
        from += at + MALLOC.len();
        if let Some(arguments) = arguments(&text[from..]) {
            text.to_mut()[from..from + arguments].fill(b' ');
        }
    }
    text
}

/// Returns a text whose line markers name no system headers, with the same length. Clang does not
/// report which functions of system headers a program lacks.
pub(crate) fn without_system_headers(text: &[u8]) -> Cow<'_, [u8]> {
    let mut text = Cow::Borrowed(text);
    let mut end = 0;
    while end < text.len() {
        let start = end;
        let line = text[start..].iter().position(|byte| *byte == b'\n');
        end = line.map_or(text.len(), |len| start + len + 1);
        let line = &text[start..end];
        let is_marker =
            line.starts_with(b"# ") && line[2..].first().is_some_and(u8::is_ascii_digit);
        let name = line
            .iter()
            .rposition(|byte| *byte == b'"')
            .filter(|_| is_marker);
        let flag = name.and_then(|at| Some(at + line[at..].iter().position(|byte| *byte == b'3')?));
        // The flag for C code may follow this flag, and has no meaning without it.
        if let Some(flag) = flag {
            let len = line.trim_ascii_end().len();
            text.to_mut()[start + flag..start + len].fill(b' ');
        }
    }
    text
}

/// Returns the length of the arguments in parentheses that a text begins with.
fn arguments(text: &[u8]) -> Option<usize> {
    let space = text.iter().take_while(|byte| **byte == b' ').count();
    let mut depth = 0;
    for (at, byte) in text.iter().enumerate().skip(space) {
        match byte {
            b'(' => depth += 1,
            b')' if depth > 0 => depth -= 1,
            b';' | b'{' => return None,
            _ => {}
        }
        match depth {
            0 if at == space => return None,
            0 => return Some(at + 1),
            _ => {}
        }
    }
    None
}

/// Returns the other form of the template whose last argument is a pack at an offset, and its
/// place.
fn rewritten(text: &[u8], at: usize) -> Option<(usize, usize, Vec<u8>)> {
    let number = word(&text[at + PACK.len()..]);
    let end = at + PACK.len() + number.len();
    let end = text[end..].starts_with(b")...>").then_some(end + 5)?;
    let (before, argument) = match text[..at].strip_suffix(b", ") {
        Some(before) => {
            let argument = last_word(before);
            (&before[..before.len() - argument.len()], Some(argument))
        }
        None => (&text[..at], None),
    };
    let before = before.strip_suffix(b"<")?;
    let template = last_word(before);
    let start = before.len() - template.len();
    let new = match argument {
        Some(argument) => [
            b"__make_integer_seq<",
            template,
            b",",
            argument,
            b",",
            number,
            b">",
        ]
        .concat(),
        None => [b"__nub<", template, b",", number, b">"].concat(),
    };
    let is_whole = !template.is_empty() && !number.is_empty() && argument != Some(b"");
    (is_whole && new.len() <= end - start).then_some((start, end, new))
}

fn word(text: &[u8]) -> &[u8] {
    let len = text.iter().take_while(|byte| is_word(**byte)).count();
    &text[..len]
}

fn last_word(text: &[u8]) -> &[u8] {
    let len = text.iter().rev().take_while(|byte| is_word(**byte)).count();
    &text[text.len() - len..]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_attribute_of_gcc_has_no_arguments_for_clang() {
        let gcc = "void *a() __attribute__ ((__malloc__ (__builtin_free, f(1)))); int __malloc__ ;";
        let clang = without_deallocators(gcc.as_bytes());
        let clang = std::str::from_utf8(&clang).unwrap();
        assert_eq!(clang.len(), gcc.len());
        let words: Vec<_> = clang.split_whitespace().collect();
        let expected = "void *a() __attribute__ ((__malloc__ )); int __malloc__ ;";
        assert_eq!(words.join(" "), expected);
        for other in ["__malloc__ (", "__malloc__", "__malloc__ ( { )"] {
            assert_eq!(&*without_deallocators(other.as_bytes()), other.as_bytes());
        }
    }

    #[test]
    fn markers_name_no_headers_of_the_system() {
        let text = "# 3 \"a 3.h\" 1 3 4\nint a3;\n# 33 \"b.h\" 3\n#define c \"\" 3\n# 3 \"d.h\" 2";
        let new = without_system_headers(text.as_bytes());
        let expected =
            "# 3 \"a 3.h\" 1    \nint a3;\n# 33 \"b.h\"  \n#define c \"\" 3\n# 3 \"d.h\" 2";
        assert_eq!(std::str::from_utf8(&new), Ok(expected));
    }

    #[test]
    fn packs_of_gcc_are_written_as_clang_knows_them_in_the_same_length() {
        for (gcc, clang) in [
            (
                "using t = _Index_tuple<__integer_pack(_Num)...>;",
                "using t = __nub<_Index_tuple,_Num>",
            ),
            (
                "= integer_sequence<_Tp, __integer_pack(_Num)...>;",
                "= __make_integer_seq<integer_sequence,_Tp,_Num>",
            ),
        ] {
            let new = for_clang(gcc.as_bytes());
            let new = std::str::from_utf8(&new).unwrap();
            assert_eq!(new.len(), gcc.len());
            assert_eq!(new.trim_end_matches(';').trim_end(), clang);
        }
        for other in [
            "f<__integer_pack(1 + n)...>",
            "<__integer_pack(n)...>",
            "__integer_pack(",
            "f<a, b, __integer_pack(n)...",
        ] {
            assert_eq!(&*for_clang(other.as_bytes()), other.as_bytes());
        }
    }
}
