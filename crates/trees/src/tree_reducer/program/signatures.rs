use super::fields::has_field;
use super::names::is_name;
use crate::tree::{NodeId, Outline};
use std::ops::Range;

/// Finds the names that tell a definition from others of its name.
///
/// In C++, several functions have one name and differ in the types of their parameters, a class
/// template is specialized for certain arguments, and a function outside of its class has a
/// qualified name. A program that mentions none of these types does not use that definition. A
/// definition without a name of its own, such as an operator, is used by programs that mention all
/// of its types.
///
/// Words of template parameters do not count, and neither do bodies, default members, and results.
pub(super) fn of(outline: &Outline, header: Range<NodeId>) -> Signature<'_> {
    let fields = &outline.grammar().conventions().fields;
    let text = outline.text_of(header.start);
    let start = outline.node(header.start).span.start;
    let mut signature = Signature {
        is_type: begins_type(outline, text),
        ..Signature::default()
    };
    // The parts of a qualified name, and the end of the last part with its arguments.
    let mut qualified: Vec<&[u8]> = vec![];
    let mut of_arguments: Vec<&[u8]> = vec![];
    let mut qualified_end = start;
    let mut parameters_end = header.start;
    let mut is_named = false;
    let mut next = header.start;
    for id in header {
        if id < next {
            continue;
        }
        let node = outline.node(id);
        let behind = &text[(node.span.end - start) as usize..];
        if has_field(outline, id, fields.parameter_list) {
            if outline.text_of(id).starts_with(b"<") {
                next = node.end;
                signature.is_type = begins_type(outline, behind);
                continue;
            }
            signature.has_parameters = true;
            parameters_end = parameters_end.max(node.end);
        }
        if !is_name(outline, id) {
            continue;
        }
        next = node.end;
        let name = outline.text_of(id);
        signature.all.push(name);
        if signature.has_parameters {
            if id < parameters_end {
                signature.names.push(name);
            }
            continue;
        }
        if node.span.start < qualified_end {
            of_arguments.push(name);
            continue;
        }
        // The name of a type is followed by the names of its base types.
        if signature.is_type && is_named {
            continue;
        }
        let before = text[..(node.span.start - start) as usize].trim_ascii_end();
        if !before.ends_with(b"::") {
            qualified.clear();
            of_arguments.clear();
        }
        let arguments = arguments(behind);
        qualified_end = node.span.end + arguments as u32;
        match behind[arguments..].trim_ascii_start().starts_with(b"::") {
            true => qualified.push(name),
            false => is_named = true,
        }
    }
    signature.names.append(&mut qualified);
    signature.is_type &= !signature.has_parameters;
    if signature.is_type {
        signature.names.append(&mut of_arguments);
    }
    signature
}

/// Returns whether a text begins with a word for types.
fn begins_type(outline: &Outline, text: &[u8]) -> bool {
    let words = outline.grammar().conventions().words.types;
    let text = text.trim_ascii_start();
    let len = text
        .iter()
        .take_while(|byte| byte.is_ascii_alphabetic())
        .count();
    words.iter().any(|word| word.as_bytes() == &text[..len])
}

/// The names in the header of a definition.
#[derive(Default)]
pub(super) struct Signature<'t> {
    /// The names that distinguish it from others of its name.
    pub(super) names: Vec<&'t [u8]>,
    /// All names, except those of template parameters.
    pub(super) all: Vec<&'t [u8]>,
    /// Whether there are parameters, so that it is a function.
    pub(super) has_parameters: bool,
    /// Whether it is the definition of a type.
    pub(super) is_type: bool,
}

/// The maximum number of bytes of arguments. Without a bound, signs for *less* would take quadratic
/// time.
const LONGEST_ARGUMENTS: usize = 1 << 12;

/// Returns the length of arguments in angle brackets at the beginning of a text.
fn arguments(text: &[u8]) -> usize {
    if !text.starts_with(b"<") {
        return 0;
    }
    let mut depth = 0;
    for (at, byte) in text.iter().take(LONGEST_ARGUMENTS).enumerate() {
        match byte {
            b'<' | b'(' => depth += 1,
            b'>' | b')' => depth -= 1,
            b';' | b'{' => return 0,
            _ => {}
        }
        if depth == 0 {
            return at + 1;
        }
    }
    0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree_reducer::program::references::References;

    #[test]
    fn the_names_of_a_signature_are_those_of_parameters_arguments_and_qualifiers() {
        let language = nubbin_languages::catalogue::named("cpp").unwrap();
        let syntax = language.syntax().unwrap();
        for (text, names) in [
            (
                "bool f(const a &x, b<c> y);",
                &["a", "x", "b", "c", "y"][..],
            ),
            ("bool operator<(a, b);", &["a", "b"]),
            (
                "template<class t, class u> void n::v<t>::f(u x) {}",
                &["u", "x", "n", "v"],
            ),
            ("typename r<q>::s v::f() {}", &["v"]),
            (
                "template<> struct h<a, b<c>> : d<e>::f {};",
                &["a", "b", "c"],
            ),
            ("template<class t> struct h : d<t>::f {};", &[]),
            ("a<b> c;", &[]),
        ] {
            let outline = Outline::of(&*syntax, text.as_bytes(), 0).unwrap();
            let first = References::of(&outline).statements[0].node;
            let body = outline
                .subtree(first)
                .find(|&id| outline.text_of(id).starts_with(b"{"));
            let signature = of(&outline, first..body.unwrap_or(outline.node(first).end));
            let found = signature
                .names
                .iter()
                .map(|name| str::from_utf8(name).unwrap());
            assert_eq!(found.collect::<Vec<_>>(), names, "{text}");
        }
    }
}
