//! The statements of a text, and the occurrences of its names.

use super::fields::{has_field, part, rule_around};
use super::names::is_name;
use crate::tree::{NodeId, Outline, ROOT};
use nubbin_grammar::grammar::{Expr, NameId, SymbolKind};
use nubbin_grammar::tree::NodeKind;
use nubbin_view::tokens::is_word_byte;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// A part of a text that a list of such parts has, and that can be removed by itself.
#[derive(Debug)]
pub(in crate::tree_reducer) struct Statement {
    pub(in crate::tree_reducer) node: NodeId,
    /// Whether it is a body: it can be stubbed but is never removed as a whole.
    pub(in crate::tree_reducer) is_body: bool,
    /// Whether it is a scope, such as a function or a class: names assigned in it are local to it.
    pub(in crate::tree_reducer) is_scope: bool,
    /// Whether other statements may continue it: a namespace, but no class.
    pub(in crate::tree_reducer) is_namespace: bool,
    /// The first statement of the same namespace, or the statement itself.
    pub(super) same: u32,
    /// The first statement that is not within this one.
    pub(in crate::tree_reducer) end: u32,
    pub(in crate::tree_reducer) parent: Option<u32>,
    /// Whether the statements in it are read on a condition, such as those between `#if` and
    /// `#endif`.
    pub(in crate::tree_reducer) is_condition: bool,
    /// Whether it is an attribute of the statement after it.
    pub(in crate::tree_reducer) is_attribute: bool,
    /// The number of bytes that are in no statement within it.
    pub(in crate::tree_reducer) weight: u32,
    /// The entities that it defines.
    pub(in crate::tree_reducer) defines: Vec<u32>,
    /// The entities that it uses itself, not through a statement within it.
    pub(in crate::tree_reducer) uses: Vec<u32>,
}

/// The role of a name at one occurrence.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    /// The statement defines the name for the statements next to it.
    Outward,
    /// The name is assigned to, which defines it where nothing else does.
    Assigned,
    /// The name is assigned to as a part of something, which defines it everywhere.
    AssignedMember,
    /// The name is defined within the statement.
    Inward,
    Use,
    /// The name is used as a part of something; definitions of the same name around it do not
    /// count.
    UseOfMember,
}

/// One occurrence of a name.
pub(super) struct Occurrence {
    /// The innermost statement that contains the occurrence.
    pub(super) statement: Option<u32>,
    pub(super) role: Role,
}

impl Occurrence {
    /// Returns the role and the statement, if there is one.
    pub(super) fn placed(&self) -> Option<(Role, u32)> {
        Some((self.role, self.statement?))
    }
}

/// The occurrences of all names of a text, and its statements.
#[derive(Default)]
pub(super) struct Names<'a> {
    pub(super) statements: Vec<Statement>,
    pub(super) occurrences: FxHashMap<&'a [u8], Vec<Occurrence>>,
    /// The names in the order of their first occurrences, so that runs are deterministic.
    pub(super) order: Vec<&'a [u8]>,
    /// The statements that are namespaces, with their names.
    pub(super) namespaces: Vec<(u32, &'a [u8])>,
}

impl<'a> Names<'a> {
    pub(super) fn of(outline: &'a Outline) -> Self {
        let mut names = Names::default();
        let mut open: Vec<u32> = vec![];
        let mut next = 0;
        for id in 0..outline.len() {
            let statements = &names.statements;
            let is_over = |at: &mut u32| outline.node(statements[*at as usize].node).end <= id;
            while open.pop_if(is_over).is_some() {}
            let is_body = outline.stand_in(id).is_some();
            if is_body || is_statement(outline, id) {
                open.push(names.begin(outline, id, is_body, open.last().copied()));
            }
            if id >= next && names.read(outline, id, open.last().copied()) {
                next = outline.node(id).end;
            }
        }
        names
    }

    /// Adds a statement, and returns its number.
    fn begin(&mut self, outline: &Outline, id: u32, is_body: bool, parent: Option<u32>) -> u32 {
        let statements = &mut self.statements;
        let len = outline.node(id).span.len();
        if let Some(parent) = parent {
            let around = &mut statements[parent as usize].weight;
            *around = around.saturating_sub(len);
        }
        let at = statements.len() as u32;
        statements.push(Statement {
            node: id,
            is_body,
            is_scope: false,
            is_namespace: false,
            same: at,
            end: 0,
            parent,
            is_condition: is_condition(outline, id),
            is_attribute: false,
            weight: len,
            defines: vec![],
            uses: vec![],
        });
        at
    }

    /// Adds the names that a node is, or has in it. Returns whether it has any.
    fn read(&mut self, outline: &'a Outline, id: u32, statement: Option<u32>) -> bool {
        let around = statement.map(|at| &self.statements[at as usize]);
        let is_in_condition = around.is_some_and(|around| around.is_condition);
        let around = around.map_or(ROOT, |around| around.node);
        if is_undivided(outline, id) {
            for word in words(outline.text_of(id)) {
                self.add(word, statement, Role::Use);
            }
            return true;
        }
        let (name, text, role) = if is_name(outline, id) {
            let name = innermost(outline, id);
            let role = match is_in_condition {
                true => Role::Use,
                false => role(outline, name, around),
            };
            (name, outline.text_of(id), role)
        } else if let Some(package) = imported(outline, id) {
            (id, package, Role::Outward)
        } else {
            return false;
        };
        let named = outline.grammar().conventions().fields.named;
        if let (Role::Outward, Some(at)) = (role, statement)
            && has_field(outline, name, named)
        {
            let is_namespace = is_namespace(outline, around, id);
            let statement = &mut self.statements[at as usize];
            statement.is_scope = true;
            statement.is_namespace = is_namespace;
            if is_namespace {
                self.namespaces.push((at, text));
            }
        }
        self.add(text, statement, role);
        true
    }

    fn add(&mut self, name: &'a [u8], statement: Option<u32>, role: Role) {
        let all = self.occurrences.entry(name).or_insert_with(|| {
            self.order.push(name);
            vec![]
        });
        all.push(Occurrence { statement, role });
    }
}

/// The number of nodes at the beginning of a statement among which is the word for a namespace.
const NEAR: usize = 16;

/// Returns whether the name of a statement comes after a word for namespaces.
fn is_namespace(outline: &Outline, statement: NodeId, name: NodeId) -> bool {
    let words = outline.grammar().conventions().words.namespaces;
    let is_word = |id| {
        words
            .iter()
            .any(|word| word.as_bytes() == outline.text_of(id))
    };
    (statement..name).take(NEAR).any(is_word)
}

fn is_statement(outline: &Outline, id: NodeId) -> bool {
    let node = outline.node(id);
    if node.kind != NodeKind::Iteration || outline.tokens(id) < 2 {
        return false;
    }
    let grammar = outline.grammar();
    let repeat = outline
        .node(node.parent)
        .place
        .map(|place| grammar.expr(place));
    let is_comma = match repeat {
        Some(Expr::Repeat(repeat)) => match repeat.separator.map(|expr| grammar.expr(expr)) {
            Some(Expr::Symbol { symbol, .. }) => {
                matches!(&grammar.symbol(symbol).kind, SymbolKind::Literal(text) if &**text == b",")
            }
            _ => false,
        },
        _ => false,
    };
    let is_comma_at = |child: Option<NodeId>| {
        child.is_some_and(|child| outline.text_of(child).trim_ascii() == b",")
    };
    // `(a ',')*` is a list with commas as well, such as the constants of an enumeration in C.
    !is_comma
        && outline.text_of(id).trim_ascii_start().first() != Some(&b',')
        && !is_comma_at(outline.children(id).last())
}

/// Returns whether the statements in a statement are read on a condition.
fn is_condition(outline: &Outline, statement: NodeId) -> bool {
    let Some((sign, word)) = outline.grammar().conventions().words.conditions else {
        return false;
    };
    let text = outline.text_of(statement);
    let behind = text.strip_prefix(sign.as_bytes());
    behind.is_some_and(|behind| behind.trim_ascii_start().starts_with(word.as_bytes()))
}

/// Returns whether a node is of a rule whose text the grammar does not divide.
fn is_undivided(outline: &Outline, id: NodeId) -> bool {
    let undivided = outline.grammar().conventions().words.undivided;
    let name = |symbol| &*outline.grammar().symbol(symbol).name;
    !undivided.is_empty()
        && outline
            .names(id)
            .any(|one| undivided.contains(&name(one.symbol)))
}

/// Returns the words of a text that may be names.
fn words(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    let words = text.split(|&byte| !is_word_byte(byte));
    words.filter(|word| word.first().is_some_and(|byte| !byte.is_ascii_digit()))
}

/// Returns the name of an import in quotes: the last part of its path.
fn imported(outline: &Outline, id: NodeId) -> Option<&[u8]> {
    let import_path = outline.grammar().conventions().fields.import_path;
    if !has_field(outline, id, import_path) {
        return None;
    }
    let path = outline
        .text_of(id)
        .strip_prefix(b"\"")?
        .strip_suffix(b"\"")?;
    path.rsplit(|&byte| byte == b'/').next()
}

/// Returns the token that is all of a node, or the node. The fields of a name are those of the
/// token where a rule has nothing else, such as a constant of an enumeration without a value.
fn innermost(outline: &Outline, id: NodeId) -> NodeId {
    let text = outline.text_of(id);
    let is_all = |&below: &NodeId| {
        outline.node(below).kind == NodeKind::Token && outline.text_of(below) == text
    };
    outline.subtree(id).find(is_all).unwrap_or(id)
}

/// Returns whether the sign for a definition comes after a name.
fn is_defined_by_sign(outline: &Outline, name: NodeId, statement: NodeId) -> bool {
    let Some(sign) = outline.grammar().conventions().words.defining else {
        return false;
    };
    let name_len = outline.node(name).span.end - outline.node(statement).span.start;
    let behind = outline.text_of(statement).get(name_len as usize..);
    behind.is_some_and(|behind| behind.trim_ascii_start().starts_with(sign.as_bytes()))
}

/// Returns the role of a name in a header of a function that has a macro around the name of the
/// function, such as `f` and `EXPORT` in `int EXPORT(f)(int a)`. The grammar takes `f` for a
/// parameter of a function `EXPORT`.
fn role_beside_macro(outline: &Outline, name: NodeId, statement: NodeId) -> Option<Role> {
    let (sign, _) = outline.grammar().conventions().words.conditions?;
    let text = outline.text_of(statement);
    if text.starts_with(sign.as_bytes()) {
        return None;
    }
    let (name, first) = (outline.node(name).span, outline.node(statement).span.start);
    let before = text[..(name.start - first) as usize].trim_ascii_end();
    let behind = text[(name.end - first) as usize..].trim_ascii_start();
    let is_word = |&byte: &u8| is_word_byte(byte);
    let is_call = |behind: &[u8]| {
        let behind = behind.strip_prefix(b")").map(<[u8]>::trim_ascii_start);
        behind.is_some_and(|behind| behind.starts_with(b"("))
    };
    if let Some(before) = before.strip_suffix(b"(")
        && before.trim_ascii_end().last().is_some_and(is_word)
        && is_call(behind)
    {
        return Some(Role::Outward);
    }
    let inside = behind.strip_prefix(b"(")?.trim_ascii_start();
    let end = inside.iter().position(|byte| !is_word(byte))?;
    (end > 0 && is_call(inside[end..].trim_ascii_start())).then_some(Role::Use)
}

fn role(outline: &Outline, name: NodeId, statement: NodeId) -> Role {
    if is_defined_by_sign(outline, name, statement) {
        return Role::Outward;
    }
    if let Some(role) = role_beside_macro(outline, name, statement) {
        return role;
    }
    let known = &outline.grammar().conventions().fields;
    let (mut is_defined, mut is_assigned, mut is_member) = (false, false, false);
    // The type may also be defined in the same declaration, as in C, where a variable may have a
    // structure as its type.
    let mut is_type = false;
    let plain_use = |is_member: bool| match is_member {
        true => Role::UseOfMember,
        false => Role::Use,
    };
    let mut at = name;
    while at != statement && at != ROOT {
        // If several nodes were merged into one, the innermost field comes first.
        let fields: SmallVec<[NameId; 2]> =
            outline.names(at).filter_map(|name| name.field).collect();
        for field in fields.into_iter().rev() {
            let field = outline.grammar().text_of(field);
            if known.defined.contains(&field) {
                if at == name && is_beside(outline, at, known.object, b"") {
                    return Role::UseOfMember;
                }
                if at == name && is_beside(outline, at, known.arguments, b"(") {
                    return Role::Use;
                }
                is_defined = true;
                is_type =
                    at == name && part(outline, rule_around(outline, at), known.body).is_some();
            } else if known.assigned.contains(&field) {
                (is_defined, is_assigned) = (true, true);
            } else if at == name && known.member.contains(&field) {
                is_member = true;
            } else if known.local.contains(&field) && is_defined && !is_member {
                return match is_assigned {
                    true => Role::Assigned,
                    false => Role::Inward,
                };
            } else if !(known.declaration.contains(&field)
                || is_type && known.result.contains(&field))
            {
                return plain_use(is_member);
            }
        }
        at = outline.node(at).parent;
    }
    match (is_defined, is_assigned) {
        (true, true) if is_member => Role::AssignedMember,
        (true, _) if is_member => Role::UseOfMember,
        (false, _) => plain_use(is_member),
        (true, false) => Role::Outward,
        (true, true) => Role::Assigned,
    }
}

/// Returns whether the rule around a node has another part with one of the given fields that begins
/// like this.
fn is_beside(outline: &Outline, id: NodeId, roles: &[&str], beginning: &[u8]) -> bool {
    let mut children = outline.children(rule_around(outline, id));
    children.any(|child| {
        child != id
            && has_field(outline, child, roles)
            && outline.text_of(child).starts_with(beginning)
    })
}
