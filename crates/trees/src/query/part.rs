use std::sync::Arc;

/// The roles of a part in a query, see [`Queries`](nubbin_grammar::conventions::Queries).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Roles(u32);

impl Roles {
    pub(super) const SELECT: Roles = Roles(1);
    pub(super) const COMBINED: Roles = Roles(1 << 1);
    pub(super) const OPERATOR: Roles = Roles(1 << 2);
    pub(super) const RESULTS: Roles = Roles(1 << 3);
    pub(super) const CLAUSE: Roles = Roles(1 << 4);
    pub(super) const SEPARATOR: Roles = Roles(1 << 5);
    pub(super) const OPERATION: Roles = Roles(1 << 6);
    pub(super) const EXPRESSION: Roles = Roles(1 << 7);
    pub(super) const RELATION: Roles = Roles(1 << 8);
    pub(super) const REFERENCE: Roles = Roles(1 << 9);
    pub(super) const WORD: Roles = Roles(1 << 10);
    pub(super) const COLUMN: Roles = Roles(1 << 11);
    pub(super) const NAMED: Roles = Roles(1 << 12);
    pub(super) const TABLE: Roles = Roles(1 << 13);
    pub(super) const TABLE_COLUMNS: Roles = Roles(1 << 14);
    pub(super) const TABLE_COLUMN: Roles = Roles(1 << 15);
    pub(super) const INSERT: Roles = Roles(1 << 16);
    pub(super) const ROW: Roles = Roles(1 << 17);
    pub(super) const CLAUSE_WORD: Roles = Roles(1 << 18);
    /// The separator that binds least.
    pub(super) const WEAK: Roles = Roles(1 << 19);

    pub(super) fn with(self, other: Roles) -> Roles {
        Roles(self.0 | other.0)
    }

    /// Returns whether there is one of the given roles.
    pub(super) fn any(self, other: Roles) -> bool {
        self.0 & other.0 != 0
    }
}

/// The white space before a token, and its text.
pub(super) type Token = (Arc<[u8]>, Arc<[u8]>);

/// A part of a statement. A change makes new parts of those around it and shares the others.
#[derive(Debug)]
pub(super) struct Part {
    /// The number of the part, which it keeps when something within it is changed.
    pub(super) id: u32,
    pub(super) roles: Roles,
    pub(super) token: Option<Token>,
    pub(super) children: Vec<Arc<Part>>,
}

impl Part {
    /// Makes a token that is not a part of the text.
    pub(super) fn token(id: u32, roles: Roles, text: &str) -> Arc<Part> {
        Arc::new(Part {
            id,
            roles,
            token: Some((Arc::from(&b" "[..]), Arc::from(text.as_bytes()))),
            children: vec![],
        })
    }

    /// Returns the part with other parts in it.
    pub(super) fn around(&self, children: Vec<Arc<Part>>) -> Arc<Part> {
        Arc::new(Part {
            id: self.id,
            roles: self.roles,
            token: None,
            children,
        })
    }

    pub(super) fn is(&self, roles: Roles) -> bool {
        self.roles.any(roles)
    }

    /// Returns the text, without white space around it.
    pub(super) fn text(&self) -> Vec<u8> {
        let mut text = vec![];
        self.each(&mut |part| {
            if let Some((gap, token)) = &part.token {
                put(&mut text, gap, token);
            }
        });
        text
    }

    /// Returns the length of the text.
    pub(super) fn len(&self) -> usize {
        let mut len = 0;
        self.each(&mut |part| {
            len += part
                .token
                .as_ref()
                .map_or(0, |(gap, text)| gap.len() + text.len());
        });
        len
    }

    /// Visits this part and all within it, parents first.
    pub(super) fn each<'p>(&'p self, visit: &mut impl FnMut(&'p Part)) {
        let mut todo = vec![self];
        while let Some(part) = todo.pop() {
            visit(part);
            todo.extend(part.children.iter().rev().map(|child| &**child));
        }
    }

    /// Returns this part and all within it that have one of some roles, parents first.
    pub(super) fn all(&self, roles: Roles) -> Vec<&Part> {
        let mut found = vec![];
        self.each(&mut |part| {
            if part.is(roles) {
                found.push(part);
            }
        });
        found
    }

    /// Returns the text of the last token within a part of some role.
    pub(super) fn last_word(&self) -> Option<Vec<u8>> {
        let words = self.all(Roles::WORD);
        words.last().map(|word| folded(&word.text()))
    }
}

/// Returns a name as it is compared: quotes are left out, and letters have one case.
fn folded(name: &[u8]) -> Vec<u8> {
    let quotes = |byte: &&u8| !matches!(byte, b'"' | b'`' | b'[' | b']');
    let bytes = name.iter().filter(quotes);
    bytes.map(u8::to_ascii_lowercase).collect()
}

/// Appends a token, with a space where it would run into the one before.
fn put(text: &mut Vec<u8>, gap: &[u8], token: &[u8]) {
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | 0x80..);
    if text.is_empty() {
        text.extend(token);
        return;
    }
    let runs_into = text.last().is_some_and(is_word) && token.first().is_some_and(is_word);
    if gap.is_empty() && runs_into {
        text.push(b' ');
    }
    text.extend(gap);
    text.extend(token);
}
