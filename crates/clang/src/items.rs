//! The items of a text: the declarations that libclang exposes, with all of their text.

use crate::cursor::Cursor;
use crate::draft::Draft;
use crate::facts::ItemKind;
use crate::lex::{TokenKind, is, is_marker, tokens};
use crate::parts::{Filled, Part, fill};
use crate::statements::with_statements;
use crate::unit::Unit;
use clang_sys::*;
use std::ops::Range;

/// Returns the items of a text, outer items before inner ones. The bodies around `places` are
/// divided into their statements.
pub(crate) fn items<'u>(unit: &'u Unit<'_>, text: &[u8], places: &[Range<u32>]) -> Vec<Draft<'u>> {
    let mut drafts = vec![];
    divide(
        unit,
        text,
        Cursor::of(unit),
        0..text.len(),
        None,
        &mut drafts,
    );
    with_statements(unit, text, places, drafts)
}

/// Adds the items of a container.
fn divide<'u>(
    unit: &'u Unit<'_>,
    text: &[u8],
    container: Cursor<'u>,
    inside: Range<usize>,
    parent: Option<u32>,
    drafts: &mut Vec<Draft<'u>>,
) {
    let mut parts: Vec<Part<Cursor<'u>>> = vec![];
    for child in container.children() {
        let Some(range) = child.range(unit).filter(|_| is_declaration(child.kind())) else {
            continue;
        };
        let range = range.start as usize..(range.end as usize).min(inside.end);
        if range.start >= inside.start && range.start < range.end {
            parts.push(Part {
                is_whole: is_whole(text, child, &range),
                range,
                values: vec![child],
            });
        }
    }
    for filled in fill(text, inside, parts) {
        match filled {
            Filled::Directive(range) => {
                let kind = match is_marker(&text[range.clone()]) {
                    true => ItemKind::Marker,
                    false => ItemKind::Pragma,
                };
                let flag = flag(text, range.clone());
                let at = add(drafts, range, parent, kind, String::new(), vec![]);
                if let (ItemKind::Marker, Some(flag)) = (kind, flag) {
                    add(
                        drafts,
                        flag,
                        Some(at),
                        ItemKind::Pragma,
                        String::new(),
                        vec![],
                    );
                }
            }
            Filled::Unknown(range) => {
                add(
                    drafts,
                    range,
                    parent,
                    ItemKind::Other,
                    String::new(),
                    vec![],
                );
            }
            Filled::Part(part) => add_part(unit, text, part, parent, drafts),
        }
    }
}

fn add<'u>(
    drafts: &mut Vec<Draft<'u>>,
    range: Range<usize>,
    parent: Option<u32>,
    kind: ItemKind,
    name: String,
    cursors: Vec<Cursor<'u>>,
) -> u32 {
    drafts.push(Draft {
        range: range.start as u32..range.end as u32,
        parent,
        kind,
        name,
        cursors,
    });
    drafts.len() as u32 - 1
}

fn add_part<'u>(
    unit: &'u Unit<'_>,
    text: &[u8],
    part: Part<Cursor<'u>>,
    parent: Option<u32>,
    drafts: &mut Vec<Draft<'u>>,
) {
    let mut cursors = part.values;
    add_nested(unit, text, &mut cursors);
    let inner: Vec<_> = cursors
        .iter()
        .filter_map(|&cursor| Some((cursor, inside(unit, text, cursor)?)))
        .collect();
    let first = match (cursors.as_slice(), inner.as_slice()) {
        (_, [(cursor, _)]) => *cursor,
        ([first, ..], _) if first.kind() == CXCursor_Namespace => *first,
        ([first, ..], _) => *first,
        _ => return,
    };
    let is_namespace = first.kind() == CXCursor_Namespace;
    let inner = if is_namespace {
        &inner[..1]
    } else {
        &inner[..]
    };
    let kind = match cursors.len() {
        1 => kind(text, first, &part.range),
        _ if is_namespace => ItemKind::Namespace,
        // An unnamed class with a member or a variable of its type.
        _ if cursors.iter().any(|one| one.kind() == CXCursor_FieldDecl) => ItemKind::Field,
        _ if inner.len() == 1 => ItemKind::Record,
        _ => cursors
            .last()
            .map_or(ItemKind::Other, |last| kind(text, *last, &part.range)),
    };
    if first.kind() == CXCursor_CXXAccessSpecifier {
        return;
    }
    let mut name = first.spelling();
    if name.starts_with('(') {
        name.clear();
    }
    let range = part.range.clone();
    let at = add(drafts, range, parent, kind, name, cursors.clone());
    if let [(container, inside)] = inner
        && kind != ItemKind::Field
    {
        divide(unit, text, *container, inside.clone(), Some(at), drafts);
    }
    if let (ItemKind::Function, [function]) = (kind, &cursors[..])
        && let Some(body) = body(unit, text, *function)
    {
        let cursors = vec![*function];
        add(
            drafts,
            body,
            Some(at),
            ItemKind::Body,
            String::new(),
            cursors,
        );
    }
}

/// Puts the namespaces of `namespace a::b { … }` into the order from the innermost, which has the
/// declarations.
fn add_nested<'u>(unit: &'u Unit<'_>, text: &[u8], cursors: &mut Vec<Cursor<'u>>) {
    while let [first, ..] = cursors[..]
        && first.kind() == CXCursor_Namespace
        && let Some(inside) = inside(unit, text, first)
        && let [only] = first.children()[..]
        && only.kind() == CXCursor_Namespace
        && only.at(unit).is_some_and(|at| (at as usize) < inside.start)
    {
        cursors.insert(0, only);
    }
}

fn is_declaration(kind: CXCursorKind) -> bool {
    matches!(
        kind,
        CXCursor_UnexposedDecl..=CXCursor_EnumDecl
            | CXCursor_FieldDecl
            | CXCursor_FunctionDecl
            | CXCursor_VarDecl
            | CXCursor_TypedefDecl..=CXCursor_ConversionFunction
            | CXCursor_FunctionTemplate..=CXCursor_TypeAliasDecl
            | CXCursor_CXXAccessSpecifier
            | FIRST_LATER..=LAST_LATER
    )
}

/// The kinds of declarations that newer versions of libclang added: templates of aliases, static
/// assertions, friends, and concepts.
pub(crate) const FIRST_LATER: CXCursorKind = 600;
const LAST_LATER: CXCursorKind = 699;
const STATIC_ASSERT: CXCursorKind = 602;
const FRIEND: CXCursorKind = 603;
const CONCEPT: CXCursorKind = 604;

/// Returns whether the text of a declaration ends without a semicolon.
fn is_whole(text: &[u8], cursor: Cursor<'_>, range: &Range<usize>) -> bool {
    let last = text[range.clone()].last();
    match cursor.kind() {
        CXCursor_Namespace | CXCursor_LinkageSpec => last == Some(&b'}'),
        CXCursor_CXXAccessSpecifier => true,
        CXCursor_FunctionDecl
        | CXCursor_CXXMethod
        | CXCursor_Constructor
        | CXCursor_Destructor
        | CXCursor_ConversionFunction
        | CXCursor_FunctionTemplate => cursor.is_definition() && last == Some(&b'}'),
        FRIEND => last == Some(&b'}'),
        _ => last == Some(&b';'),
    }
}

fn kind(text: &[u8], cursor: Cursor<'_>, range: &Range<usize>) -> ItemKind {
    match cursor.kind() {
        CXCursor_Namespace => ItemKind::Namespace,
        CXCursor_LinkageSpec => ItemKind::Linkage,
        _ if is_instantiation(text, range) => ItemKind::Instantiation,
        CXCursor_StructDecl
        | CXCursor_UnionDecl
        | CXCursor_ClassDecl
        | CXCursor_ClassTemplate
        | CXCursor_ClassTemplatePartialSpecialization => match cursor.is_anonymous() {
            true => ItemKind::Field,
            false => ItemKind::Record,
        },
        CXCursor_FunctionDecl | CXCursor_FunctionTemplate
            if cursor.spelling().starts_with("<deduction guide") =>
        {
            ItemKind::Guide
        }
        CXCursor_FunctionDecl
        | CXCursor_CXXMethod
        | CXCursor_Constructor
        | CXCursor_Destructor
        | CXCursor_ConversionFunction
        | CXCursor_FunctionTemplate => ItemKind::Function,
        CXCursor_VarDecl => ItemKind::Variable,
        CXCursor_FieldDecl => ItemKind::Field,
        CXCursor_EnumDecl
        | CXCursor_TypedefDecl
        | CXCursor_TypeAliasDecl
        | CXCursor_TypeAliasTemplateDecl
        | CXCursor_NamespaceAlias => ItemKind::Type,
        CXCursor_UsingDeclaration => ItemKind::Using,
        CXCursor_UsingDirective => ItemKind::Directive,
        FRIEND => ItemKind::Friend,
        STATIC_ASSERT => ItemKind::Assertion,
        CONCEPT => ItemKind::Concept,
        _ => match tokens(text, range.clone()).next() {
            Some(token)
                if matches!(
                    &text[token.range.clone()],
                    b"static_assert" | b"_Static_assert"
                ) =>
            {
                ItemKind::Assertion
            }
            Some(token) if &text[token.range.clone()] == b"friend" => ItemKind::Friend,
            _ => ItemKind::Other,
        },
    }
}

fn is_instantiation(text: &[u8], range: &Range<usize>) -> bool {
    let words: Vec<_> = tokens(text, range.clone()).take(3).collect();
    let word = |at: usize| words.get(at).map(|token| &text[token.range.clone()]);
    let at = usize::from(word(0) == Some(b"extern"));
    word(at) == Some(b"template") && word(at + 1) != Some(b"<")
}

/// Returns the bytes between the braces of a container.
fn inside(unit: &Unit<'_>, text: &[u8], cursor: Cursor<'_>) -> Option<Range<usize>> {
    let range = cursor.range(unit)?;
    let range = range.start as usize..range.end as usize;
    let from = match cursor.kind() {
        CXCursor_Namespace | CXCursor_LinkageSpec => range.start,
        CXCursor_StructDecl
        | CXCursor_UnionDecl
        | CXCursor_ClassDecl
        | CXCursor_ClassTemplate
        | CXCursor_ClassTemplatePartialSpecialization
            if cursor.is_definition() =>
        {
            cursor.at(unit)? as usize
        }
        _ => return None,
    };
    let mut depth = 0;
    let is_linkage = cursor.kind() == CXCursor_LinkageSpec;
    let open = tokens(text, from..range.end).find(|token| {
        match (token.kind, text[token.range.start]) {
            (TokenKind::Punctuation, b'(') => depth += 1,
            (TokenKind::Punctuation, b')') => depth -= 1,
            // A declaration behind `extern "C"` without braces.
            (TokenKind::Word, _) if is_linkage => {
                return &text[token.range.clone()] != b"extern";
            }
            _ => {}
        }
        depth == 0 && is(text, token, b'{')
    })?;
    let is_closed = text[range.clone()].last() == Some(&b'}');
    (is(text, &open, b'{') && is_closed && open.range.end < range.end)
        .then(|| open.range.end..range.end - 1)
}

/// Returns the body of a function, with the initializers of a constructor.
fn body(unit: &Unit<'_>, text: &[u8], function: Cursor<'_>) -> Option<Range<usize>> {
    let last = function.children().into_iter().next_back()?;
    let whole = function.range(unit)?;
    let body = last.range(unit)?;
    let has_brace = text[body.start as usize] == b'{';
    if last.kind() != CXCursor_CompoundStmt || body.end != whole.end || !has_brace {
        return None;
    }
    let body = body.start as usize..body.end as usize;
    let head = function.at(unit)? as usize..body.start;
    let mut depth = 0;
    let mut after_colon = None;
    let mut parameters = false;
    for token in tokens(text, head) {
        if token.kind != TokenKind::Punctuation {
            continue;
        }
        let at = token.range.start;
        match text[at] {
            b'(' => depth += 1,
            b')' => {
                depth -= 1;
                parameters = true;
            }
            b':' if depth == 0 && parameters => {
                let is_double = text.get(at + 1) == Some(&b':') || text[at - 1] == b':';
                if !is_double {
                    after_colon = Some(at);
                    break;
                }
            }
            _ => {}
        }
    }
    Some(after_colon.unwrap_or(body.start)..body.end)
}

/// Returns the flag of a line marker by which a file begins or ends. It means nothing where other
/// markers are missing.
fn flag(text: &[u8], line: Range<usize>) -> Option<Range<usize>> {
    let literals = tokens(text, line.start + 1..line.end);
    let mut flags = literals
        .skip_while(|token| text[token.range.start] != b'"')
        .skip(1);
    let flag = flags.next()?.range;
    matches!(&text[flag.clone()], b"1" | b"2").then(|| flag.start - 1..flag.end)
}
