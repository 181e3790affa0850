//! The kinds of bracket groups.

use super::node::Kind;
use nubbin_view::brackets::{Bracket, Brackets, Group};
use nubbin_view::tokens::Token;

/// The separators directly in a bracket group.
#[derive(Clone, Copy, Default)]
struct Separators {
    commas: u32,
    /// The number of commas at line ends.
    last_commas: u32,
    semicolons: u32,
}

/// Returns the kind of each bracket group of a text with the given tokens.
pub(super) fn group_kinds(text: &[u8], tokens: &[Token], brackets: &Brackets) -> Vec<Kind> {
    let groups = brackets.groups();
    let mut separators = vec![Separators::default(); groups.len()];
    let mut inside: Vec<usize> = vec![];
    let mut next = 0;
    for (nth, token) in tokens.iter().enumerate() {
        let at = token.span.start;
        if groups.get(next).is_some_and(|group| group.open == at) {
            inside.push(next);
            next += 1;
            continue;
        }
        if inside.pop_if(|group| groups[*group].close == at).is_some() {
            continue;
        }
        let Some(found) = inside.last().map(|&group| &mut separators[group]) else {
            continue;
        };
        match token.text(text) {
            b"," => {
                let behind = tokens
                    .get(nth + 1)
                    .map_or(text.len() as u32, |next| next.span.start);
                let gap = text
                    .get(token.span.end as usize..behind as usize)
                    .unwrap_or_default();
                found.commas += 1;
                found.last_commas += u32::from(gap.contains(&b'\n'));
            }
            b";" => found.semicolons += 1,
            _ => {}
        }
    }
    let groups = groups.iter().zip(separators);
    groups
        .map(|(group, found)| kind(text, group, found))
        .collect()
}

fn kind(text: &[u8], group: &Group, found: Separators) -> Kind {
    let is_list = found.commas > 0 && found.semicolons == 0;
    // Commas inside lines do not separate the lines. They belong to the statements of the lines.
    let has_lines = || {
        let inside = text.get(group.inside().range()).unwrap_or_default();
        found.last_commas * 2 < found.commas && inside.contains(&b'\n')
    };
    match group.kind {
        Bracket::Curly if !is_list || has_lines() => Kind::Block,
        _ if is_list => Kind::List,
        _ => Kind::Plain,
    }
}
