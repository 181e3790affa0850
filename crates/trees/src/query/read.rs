use super::part::{Part, Roles};
use crate::tree::{NodeId, Outline, ROOT};
use nubbin_edit::Span;
use nubbin_grammar::conventions::Queries;
use nubbin_grammar::tree::NodeKind;
use std::ops::Range;
use std::sync::Arc;

/// A statement of a script.
#[derive(Clone, Debug)]
pub(super) struct Unit {
    /// The text in the input, up to the next statement.
    pub(super) span: Span,
    /// The sign at its end, and the white space after it.
    pub(super) tail: Arc<[u8]>,
    /// `None` if the statement was removed.
    pub(super) part: Option<Arc<Part>>,
}

/// The deepest level of a tree that is read.
const DEEPEST: u32 = 400;

/// Returns the statements of a text. Parts that the grammar does not know belong to the statement
/// around them, so a text with errors has statements as well.
pub(super) fn units(outline: &Outline, rules: &'static Queries) -> Vec<Unit> {
    let mut reader = Reader {
        outline,
        rules,
        next: 0,
        end: outline.node(ROOT).span.start,
    };
    let mut parts = vec![];
    reader.children(ROOT, 0, &mut parts);
    let mut units = vec![];
    let mut now: Vec<(Arc<Part>, Span)> = vec![];
    let mut parts = parts.into_iter().peekable();
    while let Some((part, span)) = parts.next() {
        if part.token.as_ref().is_some_and(|(_, text)| **text == *b";") {
            let next = parts
                .peek()
                .map_or(outline.node(ROOT).span.end, |next| next.1.start);
            units.extend(unit(&mut reader, std::mem::take(&mut now), span.end..next));
        } else {
            now.push((part, span));
        }
    }
    let end = now.last().map_or(0, |last| last.1.end);
    units.extend(unit(&mut reader, now, end..end));
    units
}

/// Makes a statement of its parts. The range `behind` has the white space or the comment after the
/// statement.
fn unit(
    reader: &mut Reader<'_>,
    parts: Vec<(Arc<Part>, Span)>,
    behind: Range<u32>,
) -> Option<Unit> {
    let (first, last) = (parts.first()?.1, parts.last()?.1);
    let children = parts.into_iter().map(|(part, _)| part).collect();
    let root = reader.outline.node(ROOT).span.start;
    let whole = reader.outline.text_of(ROOT);
    let text =
        |range: Range<u32>| &whole[(range.start - root) as usize..(range.end - root) as usize];
    let is_blank = text(behind.clone()).trim_ascii().is_empty();
    let end = if is_blank { behind.end } else { behind.start };
    Some(Unit {
        span: Span::new(first.start, end),
        tail: text(last.end..end).into(),
        part: Some(reader.part(Roles::default(), children)),
    })
}

struct Reader<'o> {
    outline: &'o Outline,
    rules: &'static Queries,
    next: u32,
    /// The end of the last token.
    end: u32,
}

impl Reader<'_> {
    fn part(&mut self, roles: Roles, children: Vec<Arc<Part>>) -> Arc<Part> {
        self.next += 1;
        Arc::new(Part {
            id: self.next,
            roles,
            token: None,
            children,
        })
    }

    /// Appends the parts directly below a node. The nodes of quantifiers and errors are no parts,
    /// so what is below them is taken.
    fn children(&mut self, id: NodeId, depth: u32, found: &mut Vec<(Arc<Part>, Span)>) {
        let outline = self.outline;
        for child in outline.children(id) {
            let node = outline.node(child);
            if node.span.is_empty() || outline.text_of(child).trim_ascii().is_empty() {
                continue;
            }
            let has_parts = outline.children(child).next().is_some();
            match node.kind {
                NodeKind::Rule | NodeKind::Token => {
                    let part = self.read(child, depth + 1);
                    found.push((part, node.span));
                }
                _ if has_parts && depth < DEEPEST => self.children(child, depth + 1, found),
                _ => found.push((self.token(child, Roles::default()), node.span)),
            }
        }
    }

    fn token(&mut self, id: NodeId, roles: Roles) -> Arc<Part> {
        let span = self.outline.node(id).span;
        let whole = self.outline.text_of(ROOT);
        let start = self.outline.node(ROOT).span.start;
        let gap = &whole[(self.end - start) as usize..(span.start.max(self.end) - start) as usize];
        let gap = match gap.trim_ascii().is_empty() {
            true if gap.contains(&b'\n') => &b"\n"[..],
            true if !gap.is_empty() => b" ",
            _ => gap,
        };
        self.end = span.end;
        self.next += 1;
        Arc::new(Part {
            id: self.next,
            roles,
            token: Some((gap.into(), self.outline.text_of(id).into())),
            children: vec![],
        })
    }

    fn read(&mut self, id: NodeId, depth: u32) -> Arc<Part> {
        let outline = self.outline;
        let names = outline.names(id).map(|name| {
            let symbol = outline.grammar().symbol(name.symbol);
            roles(self.rules, &symbol.name)
        });
        let mut names: Vec<Roles> = names.collect();
        let own = names.pop().unwrap_or_default();
        let has_parts = outline.children(id).next().is_some();
        let is_short = own.any(Roles::WORD.with(Roles::SEPARATOR));
        let mut part = if !has_parts || is_short || depth >= DEEPEST {
            self.token(id, own)
        } else {
            let mut children = vec![];
            self.children(id, depth, &mut children);
            let children = children.into_iter().map(|(part, _)| part).collect();
            let children = match own.any(Roles::COMBINED) {
                true => self.sides(children),
                false => self.with_clauses(own, children),
            };
            match own.any(Roles::OPERATION) {
                true => {
                    let operands = children.into_iter().flat_map(operands).collect();
                    self.operation(own, operands)
                }
                false => self.part(own, children),
            }
        };
        for roles in names
            .into_iter()
            .rev()
            .filter(|&roles| roles != Roles::default())
        {
            part = self.part(roles, vec![part]);
        }
        part
    }

    /// Makes lists of the operands between the words that bind least. The grammar of a language
    /// with many dialects seldom knows how operators bind.
    fn operation(&mut self, own: Roles, parts: Vec<Arc<Part>>) -> Arc<Part> {
        let is_weak = parts.iter().any(|part| part.is(Roles::WEAK));
        let splits = |part: &Arc<Part>| {
            part.is(if is_weak {
                Roles::WEAK
            } else {
                Roles::SEPARATOR
            })
        };
        if !parts.iter().any(splits) {
            return self.part(own, parts);
        }
        let (mut list, mut now) = (vec![], vec![]);
        for part in parts {
            if splits(&part) {
                list.extend(self.operand(own, std::mem::take(&mut now)));
                list.push(part);
            } else {
                now.push(part);
            }
        }
        list.extend(self.operand(own, now));
        self.part(own, list)
    }

    fn operand(&mut self, own: Roles, mut parts: Vec<Arc<Part>>) -> Option<Arc<Part>> {
        match parts.len() {
            0 | 1 => parts.pop(),
            _ => Some(self.operation(own, parts)),
        }
    }

    /// Makes a list of the queries that are combined: the words between two of them are one sign.
    fn sides(&mut self, children: Vec<Arc<Part>>) -> Vec<Arc<Part>> {
        let mut list: Vec<Arc<Part>> = vec![];
        let mut children = children.into_iter().peekable();
        while let Some(first) = children.next() {
            let roles = match first.is(Roles::OPERATOR) {
                true => Roles::SEPARATOR,
                false => Roles::default(),
            };
            let is_word = first.is(Roles::OPERATOR);
            let mut within = vec![first];
            // The words of an operator are tokens, and each query has parts.
            let more = |next: &Arc<Part>| match is_word {
                true => next.children.is_empty(),
                false => !next.is(Roles::OPERATOR),
            };
            while let Some(next) = children.next_if(more) {
                within.push(next);
            }
            list.push(self.part(roles, within));
        }
        list
    }

    /// Makes clauses of the words that begin one, and takes the role of a separator from signs
    /// within expressions and rows, whose parts are all needed.
    fn with_clauses(&mut self, own: Roles, children: Vec<Arc<Part>>) -> Vec<Arc<Part>> {
        let fixed = Roles::ROW.with(Roles::EXPRESSION);
        let is_fixed = own.any(fixed) && !own.any(Roles::OPERATION);
        let mut found: Vec<Arc<Part>> = vec![];
        let mut children = children.into_iter().peekable();
        while let Some(child) = children.next() {
            if is_fixed && child.is(Roles::SEPARATOR) {
                let mut plain = Part {
                    id: child.id,
                    roles: Roles::default(),
                    token: child.token.clone(),
                    children: vec![],
                };
                plain.children.clone_from(&child.children);
                found.push(Arc::new(plain));
                continue;
            }
            if !child.is(Roles::CLAUSE_WORD) {
                found.push(child);
                continue;
            }
            let mut within = vec![child];
            while let Some(member) = children.next_if(|next| !next.is(Roles::SEPARATOR)) {
                let is_word = member.is(Roles::CLAUSE);
                within.push(member);
                if is_word {
                    continue;
                }
                match children.next_if(|next| next.is(Roles::SEPARATOR)) {
                    Some(separator) => within.push(separator),
                    None => break,
                }
            }
            found.push(self.part(Roles::CLAUSE, within));
        }
        found
    }
}

/// Returns the operands and signs of an operation, or the part itself if it is none.
fn operands(part: Arc<Part>) -> Vec<Arc<Part>> {
    match part.is(Roles::OPERATION) {
        true => part.children.iter().cloned().flat_map(operands).collect(),
        false => vec![part],
    }
}

/// Returns the roles of a rule or token by its name.
fn roles(rules: &Queries, name: &str) -> Roles {
    let table: [(&[&str], Roles); 19] = [
        (rules.select, Roles::SELECT),
        (rules.combined, Roles::COMBINED),
        (rules.operators, Roles::OPERATOR),
        (rules.results, Roles::RESULTS),
        (rules.clauses, Roles::CLAUSE),
        (rules.clause_words, Roles::CLAUSE_WORD),
        (rules.separators, Roles::SEPARATOR),
        (rules.operations, Roles::OPERATION),
        (rules.expressions, Roles::EXPRESSION),
        (rules.relation, Roles::RELATION),
        (rules.reference, Roles::REFERENCE),
        (rules.word, Roles::WORD),
        (rules.column, Roles::COLUMN),
        (rules.named, Roles::NAMED),
        (rules.table, Roles::TABLE),
        (rules.table_columns, Roles::TABLE_COLUMNS),
        (rules.table_column, Roles::TABLE_COLUMN),
        (rules.insert, Roles::INSERT),
        (rules.row, Roles::ROW),
    ];
    let fitting = table.iter().filter(|(names, _)| names.contains(&name));
    let roles = fitting.fold(Roles::default(), |all, &(_, roles)| all.with(roles));
    match rules.separators.last() == Some(&name) {
        true => roles.with(Roles::WEAK),
        false => roles,
    }
}
