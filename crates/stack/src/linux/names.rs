//! Names of functions in the form in which people write them.

use cpp_demangle::{DemangleOptions, Symbol};

/// Beginnings of the marks that compilers put after the names of copies and parts of functions.
const MARKS: [&str; 8] = [
    ".part.",
    ".constprop.",
    ".isra.",
    ".cold",
    ".llvm.",
    ".lto_priv.",
    ".localalias",
    ".clone.",
];

/// Returns the name of a symbol without types of parameters, template arguments, and marks of
/// compilers.
pub(super) fn bare(symbol: &str) -> String {
    let cut = MARKS.iter().filter_map(|mark| symbol.find(mark)).min();
    let symbol = cut.filter(|&at| at > 0).map_or(symbol, |at| &symbol[..at]);
    // The name of a versioned symbol ends with `@` and its version.
    let symbol = symbol.split('@').next().unwrap_or(symbol);
    if let Ok(name) = rustc_demangle::try_demangle(symbol) {
        return format!("{name:#}");
    }
    let options = DemangleOptions::new().no_params().no_return_type();
    let demangled = Symbol::new(symbol)
        .ok()
        .and_then(|name| name.demangle_with_options(&options).ok());
    match demangled {
        Some(name) => without_templates(&name),
        None => symbol.to_owned(),
    }
}

/// Returns a C++ name without template arguments. Operators keep their signs.
fn without_templates(name: &str) -> String {
    const OPERATOR: &str = "operator";
    let mut kept = String::with_capacity(name.len());
    let (mut depth, mut at) = (0_usize, 0);
    while let Some(char) = name[at..].chars().next() {
        let is_operator = depth == 0 && kept.ends_with(OPERATOR);
        let signs = [
            "<=>", "<<=", ">>=", "->*", "<<", ">>", "<=", ">=", "->", "<", ">",
        ];
        if is_operator && let Some(sign) = signs.iter().find(|sign| name[at..].starts_with(**sign))
        {
            kept.push_str(sign);
            at += sign.len();
            continue;
        }
        match char {
            '<' => depth += 1,
            '>' if depth > 0 => depth -= 1,
            _ if depth == 0 => kept.push(char),
            _ => {}
        }
        at += char.len_utf8();
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_lose_parameters_template_arguments_and_marks() {
        for (symbol, expected) in [
            ("parse", "parse"),
            ("parse.part.0.cold", "parse"),
            ("memcpy@@GLIBC_2.14", "memcpy"),
            ("_Z5parsePKc", "parse"),
            ("_ZN2ns1fEi.constprop.0", "ns::f"),
            ("_Z3maxIiET_S0_S0_", "max"),
            (
                "_ZNSt6vectorIiSaIiEE9push_backERKi",
                "std::vector::push_back",
            ),
            ("_ZlsRSoRK1A", "operator<<"),
            ("_ZN12_GLOBAL__N_11fEv", "(anonymous namespace)::f"),
            (
                "_ZN4core6option13expect_failed17h0123456789abcdefE",
                "core::option::expect_failed",
            ),
            (".hidden", ".hidden"),
        ] {
            assert_eq!(bare(symbol), expected, "{symbol}");
        }
    }
}
