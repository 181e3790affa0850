use super::fields::{has_field, part, rule_around};
use super::names::is_name;
use crate::tree::{NodeId, Outline, ROOT};
use nubbin_grammar::grammar::{Expr, NameId, SymbolKind};
use nubbin_grammar::tree::NodeKind;
use nubbin_view::tokens::is_word_byte;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

/// The statements of a text, and the names that each defines and uses.
///
/// A *statement* here is an iteration of a repetition without commas, of two tokens or more: a
/// declaration, a statement, a member, a command. A body, that is, a node that has a
/// [stand-in](Outline::stand_in), is a statement as well.
///
/// Names are found by their shape, and their roles by the fields of the grammar. A name in a field
/// such as `name` or `declarator` of a statement is defined by it, for the list of statements that
/// it stands in. A name that is defined below a field such as `parameters` is local to the
/// statement. All other names are uses of the innermost definition around them. Where the grammar
/// has no such fields, a name is defined at its first occurrence. All of this is guessed, for every
/// language in the same way, so callers must tolerate wrong guesses.
#[derive(Debug, Default)]
pub(in crate::tree_reducer) struct References {
    /// The statements in the order of the text, outer before inner.
    pub(in crate::tree_reducer) statements: Vec<Statement>,
    /// The named things.
    pub(in crate::tree_reducer) entities: Vec<Entity>,
    /// Definitions of one name in several lists, such as members of several classes.
    pub(in crate::tree_reducer) namesakes: Vec<Vec<u32>>,
    /// The names that some statement defines for others, whichever of them a use may mean.
    pub(in crate::tree_reducer) declared: Vec<Declared>,
    /// The names that no statement defines for others, and the statements that have them: names of
    /// other files, among others.
    pub(in crate::tree_reducer) undeclared: Vec<(Box<[u8]>, Vec<u32>)>,
}

/// A name that statements define for others, and the statements that have it.
#[derive(Debug)]
pub(in crate::tree_reducer) struct Declared {
    pub(in crate::tree_reducer) name: Box<[u8]>,
    pub(in crate::tree_reducer) definitions: Vec<u32>,
    pub(in crate::tree_reducer) mentions: Vec<u32>,
    /// Whether text in no statement has it.
    pub(in crate::tree_reducer) is_mentioned_outside: bool,
}

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
    same: u32,
    /// The first statement that is not within this one.
    pub(in crate::tree_reducer) end: u32,
    pub(in crate::tree_reducer) parent: Option<u32>,
    /// Whether the statements in it are read on a condition, such as those between `#if` and
    /// `#endif`.
    pub(in crate::tree_reducer) is_condition: bool,
    /// Whether it is an attribute of the statement behind it.
    pub(in crate::tree_reducer) is_attribute: bool,
    /// The number of bytes that are in no statement within it.
    pub(in crate::tree_reducer) weight: u32,
    /// The entities that it defines.
    pub(in crate::tree_reducer) defines: Vec<u32>,
    /// The entities that it uses itself, not through a statement within it.
    pub(in crate::tree_reducer) uses: Vec<u32>,
}

/// A named thing. Its definitions stand in one list of statements.
#[derive(Debug, Default)]
pub(in crate::tree_reducer) struct Entity {
    /// The defining statements, such as a declaration and a definition.
    pub(in crate::tree_reducer) definitions: Vec<u32>,
    /// The using statements, each once.
    pub(in crate::tree_reducer) users: Vec<u32>,
    /// The definitions that its users need.
    pub(in crate::tree_reducer) needs: Needs,
    /// Whether the language itself calls it, see
    /// [`LanguageWords`](nubbin_grammar::conventions::LanguageWords).
    pub(in crate::tree_reducer) is_entry: bool,
}

/// The definitions of an entity that its users need.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::tree_reducer) enum Needs {
    /// All of them, such as a declaration and a definition.
    #[default]
    All,
    /// The first remaining one of those that assign to it.
    First,
}

/// The role of a name at one occurrence.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    /// The statement defines the name for the statements beside it.
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
struct Occurrence {
    /// The innermost statement around it.
    statement: Option<u32>,
    role: Role,
}

impl References {
    pub(in crate::tree_reducer) fn of(outline: &Outline) -> Self {
        let conventions = outline.grammar().conventions();
        let mut found = References::default();
        let mut names: FxHashMap<&[u8], Vec<Occurrence>> = FxHashMap::default();
        // In the order of the first occurrences, so that runs are deterministic.
        let mut order: Vec<&[u8]> = vec![];
        let mut open: Vec<u32> = vec![];
        let mut namespaces: Vec<(u32, &[u8])> = vec![];
        let mut next = 0;
        for id in 0..outline.len() {
            let is_over =
                |at: &mut u32| outline.node(found.statements[*at as usize].node).end <= id;
            while open.pop_if(is_over).is_some() {}
            let is_body = outline.stand_in(id).is_some();
            if is_body || is_statement(outline, id) {
                let parent = open.last().copied();
                let len = outline.node(id).span.len();
                if let Some(parent) = parent {
                    let around = &mut found.statements[parent as usize].weight;
                    *around = around.saturating_sub(len);
                }
                let at = found.statements.len() as u32;
                open.push(at);
                found.statements.push(Statement {
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
            }
            if id < next {
                continue;
            }
            let statement = open.last().copied();
            let is_in_condition =
                statement.is_some_and(|at| found.statements[at as usize].is_condition);
            let around = statement.map_or(ROOT, |at| found.statements[at as usize].node);
            if is_undivided(outline, id) {
                next = outline.node(id).end;
                for word in words(outline.text_of(id)) {
                    let all = names.entry(word).or_insert_with(|| {
                        order.push(word);
                        vec![]
                    });
                    let role = Role::Use;
                    all.push(Occurrence { statement, role });
                }
                continue;
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
                continue;
            };
            next = outline.node(id).end;
            if let (Role::Outward, Some(at)) = (role, statement)
                && has_field(outline, name, conventions.fields.named)
            {
                let is_namespace = is_namespace(outline, around, id);
                let statement = &mut found.statements[at as usize];
                statement.is_scope = true;
                statement.is_namespace = is_namespace;
                if is_namespace {
                    namespaces.push((at, text));
                }
            }
            let all = names.entry(text).or_insert_with(|| {
                order.push(text);
                vec![]
            });
            all.push(Occurrence { statement, role });
        }
        found.close(outline);
        found.join(&namespaces);
        let has_fields = names
            .values()
            .flatten()
            .any(|occurrence| occurrence.role != Role::Use);
        for name in order {
            let first = found.entities.len();
            found.resolve(&names[name], has_fields);
            found.declare(name, &names[name]);
            for entity in &mut found.entities[first..] {
                // Only within a class; elsewhere such a name is an ordinary one.
                let is_special = conventions
                    .words
                    .special_names
                    .is_some_and(|(before, behind)| {
                        name.len() > before.len() + behind.len()
                            && name.starts_with(before.as_bytes())
                            && name.ends_with(behind.as_bytes())
                    });
                let in_body = |at: &u32| {
                    let list = found.statements[*at as usize].parent;
                    list.is_some_and(|list| found.statements[list as usize].is_body)
                };
                let entry_points = conventions.words.entry_points;
                entity.is_entry = entry_points.iter().any(|entry| entry.as_bytes() == name)
                    || is_special && entity.definitions.iter().all(in_body);
            }
        }
        found.attach_attributes(outline);
        for statement in &mut found.statements {
            statement.uses.sort_unstable();
            statement.uses.dedup();
        }
        found
    }

    /// Records the occurrences of a name.
    fn declare(&mut self, name: &[u8], occurrences: &[Occurrence]) {
        let is_definition = |one: &&Occurrence| {
            matches!(
                one.role,
                Role::Outward | Role::Assigned | Role::AssignedMember
            )
        };
        let definitions = occurrences.iter().filter(is_definition);
        let definitions: Vec<u32> = definitions.filter_map(|one| one.statement).collect();
        let mentions = occurrences.iter().filter_map(|one| one.statement).collect();
        match definitions.is_empty() {
            true => self.undeclared.push((name.into(), mentions)),
            false => self.declared.push(Declared {
                name: name.into(),
                definitions,
                mentions,
                is_mentioned_outside: occurrences.iter().any(|one| one.statement.is_none()),
            }),
        }
    }

    /// Sets where each statement ends.
    fn close(&mut self, outline: &Outline) {
        for at in (0..self.statements.len()).rev() {
            let node_end = outline.node(self.statements[at].node).end;
            let mut end = at + 1;
            while let Some(inner) = self.statements.get(end)
                && inner.node < node_end
            {
                end = inner.end as usize;
            }
            self.statements[at].end = end as u32;
        }
    }

    /// Finds the namespaces that are the same. Outer ones come before inner ones.
    fn join(&mut self, namespaces: &[(u32, &[u8])]) {
        let mut first: FxHashMap<(Option<u32>, &[u8]), u32> = FxHashMap::default();
        for &(at, name) in namespaces {
            self.statements[at as usize].same = *first.entry((self.list(at), name)).or_insert(at);
        }
    }

    /// Returns the statement around a statement, the first of its namespace where that is one.
    fn list(&self, statement: u32) -> Option<u32> {
        let around = self.statements[statement as usize].parent?;
        Some(self.statements[around as usize].same)
    }

    /// Whether the list that a statement is in belongs to a statement that is not a scope.
    fn is_in_branch(&self, statement: u32) -> bool {
        let mut list = self.statements[statement as usize].parent;
        if let Some(body) = list.map(|at| &self.statements[at as usize])
            && body.is_body
        {
            list = body.parent;
        }
        list.is_some_and(|at| !self.statements[at as usize].is_scope)
    }

    /// Makes an attribute that stands before a statement and not in it a user of that statement.
    fn attach_attributes(&mut self, outline: &Outline) {
        let beginnings = outline.grammar().conventions().words.attributes;
        let is_attribute = |statement: &Statement| {
            let text = outline.text_of(statement.node);
            let begins = |beginning: &&str| text.starts_with(beginning.as_bytes());
            beginnings.iter().any(begins)
        };
        for at in 0..self.statements.len() {
            let behind = self.statements[at].end as usize;
            let parent = self.statements[at].parent;
            let target = self
                .statements
                .get(behind)
                .filter(|next| next.parent == parent);
            if !is_attribute(&self.statements[at]) || target.is_none() {
                continue;
            }
            self.statements[at].is_attribute = true;
            // An attribute before another one depends on it, and so on the statement after both.
            let entity = self.entities.len() as u32;
            self.entities.push(Entity::default());
            self.define(entity, behind as u32);
            self.use_of(entity, at as u32);
        }
    }

    fn covers(&self, outer: u32, inner: u32) -> bool {
        (outer..self.statements[outer as usize].end).contains(&inner)
    }

    /// Finds the entity for each occurrence of one name.
    fn resolve(&mut self, occurrences: &[Occurrence], has_fields: bool) {
        let is_declared = occurrences.iter().any(|one| one.role == Role::Outward);
        let mut outward: FxHashMap<Option<u32>, u32> = FxHashMap::default();
        let mut inward: FxHashSet<u32> = FxHashSet::default();
        let mut members: Vec<u32> = vec![];
        let first_new = self.entities.len() as u32;
        let stands = |occurrence: &Occurrence| Some((occurrence.role, occurrence.statement?));
        for (role, at) in occurrences.iter().filter_map(stands) {
            match role {
                Role::Outward => {
                    let list = self.list(at);
                    let entity = *outward
                        .entry(list)
                        .or_insert_with(|| self.add([], Needs::All));
                    self.define(entity, at);
                }
                Role::Inward => {
                    inward.insert(at);
                }
                Role::AssignedMember if !is_declared => members.push(at),
                _ => {}
            }
        }
        let mut used: Vec<u32> = vec![];
        let mut used_as_member: Vec<u32> = vec![];
        let mut assigned: Vec<(u32, Option<u32>)> = vec![];
        for (role, at) in occurrences.iter().filter_map(stands) {
            match role {
                Role::Assigned => match self.around(at, &outward, &inward) {
                    Some(_) => used.push(at),
                    None => assigned.push((at, self.scope(at))),
                },
                Role::Use => used.push(at),
                Role::UseOfMember => used_as_member.push(at),
                Role::AssignedMember if is_declared => used_as_member.push(at),
                _ => {}
            }
        }
        for (at, list) in assigned {
            let entity = *outward
                .entry(list)
                .or_insert_with(|| self.add([], Needs::First));
            self.define(entity, at);
        }
        if outward.len() > 1 {
            let mut all: Vec<u32> = (first_new..self.entities.len() as u32)
                .flat_map(|entity| self.entities[entity as usize].definitions.clone())
                .collect();
            all.sort_unstable();
            self.namesakes.push(all);
        }
        let definitions: Vec<u32> = self.entities[first_new as usize..]
            .iter()
            .flat_map(|entity| entity.definitions.iter().copied())
            .collect();
        let everywhere = match (outward.len(), inward.len()) {
            // For example a member: uses elsewhere refer to this one.
            (1, _) => Some(first_new),
            // A constant of an enumeration belongs to the statement that has it in a list.
            (0, 1) if members.is_empty() => Some(self.add(inward.iter().copied(), Needs::All)),
            (0, 0) if !has_fields => {
                let first = occurrences.iter().find_map(|first| first.statement);
                first.map(|first| self.add([first], Needs::All))
            }
            (0, _) => None,
            // Definitions in the branches of a statement that is not a scope, such as an import in
            // each branch, are one entity, and so are assignments in several places.
            _ if !is_declared || definitions.iter().all(|&at| self.is_in_branch(at)) => {
                Some(self.add(definitions, Needs::First))
            }
            _ => None,
        };
        let member = match (is_declared, members.is_empty()) {
            (true, _) => everywhere,
            (false, false) => Some(self.add(members, Needs::First)),
            // A name that is only assigned to by itself is not a member.
            (false, true) if outward.is_empty() => everywhere,
            (false, true) => None,
        };
        for at in used {
            if let Some(entity) = self.around(at, &outward, &inward).unwrap_or(everywhere) {
                self.use_of(entity, at);
            }
        }
        // Parameters and variables are not members.
        let none = FxHashSet::default();
        for at in used_as_member {
            let around = match is_declared {
                true => self.around(at, &outward, &none),
                false => None,
            };
            if let Some(entity) = around.unwrap_or(member) {
                self.use_of(entity, at);
            }
        }
    }

    /// Returns the list of statements in which a statement assigns: that of the innermost scope
    /// around it.
    fn scope(&self, statement: u32) -> Option<u32> {
        let mut list = self.statements[statement as usize].parent;
        while let Some(at) = list {
            let body = &self.statements[at as usize];
            let owner = match body.is_body {
                true => body.parent?,
                false => at,
            };
            if self.statements[owner as usize].is_scope {
                return Some(body.same);
            }
            list = self.statements[owner as usize].parent;
        }
        list
    }

    /// Returns the entity of a name by the definitions around a statement. `Some(None)` means that
    /// the name is local to one of the statements around; `None` means that there is no definition
    /// around.
    fn around(
        &self,
        statement: u32,
        outward: &FxHashMap<Option<u32>, u32>,
        inward: &FxHashSet<u32>,
    ) -> Option<Option<u32>> {
        // A use in a statement after a list of others, such as the value of a block, sees their
        // definitions.
        let list = self.statements[statement as usize].same;
        if let Some(&within) = outward.get(&Some(list)) {
            return Some(Some(within));
        }
        let mut around = Some(statement);
        while let Some(here) = around {
            if inward.contains(&here) {
                return Some(None);
            }
            let list = self.list(here);
            if let Some(&entity) = outward.get(&list) {
                return Some(Some(entity));
            }
            around = list;
        }
        None
    }

    /// Adds an entity that these statements define.
    fn add(&mut self, definitions: impl IntoIterator<Item = u32>, needs: Needs) -> u32 {
        let entity = self.entities.len() as u32;
        self.entities.push(Entity {
            needs,
            ..Entity::default()
        });
        for at in definitions {
            self.define(entity, at);
        }
        entity
    }

    fn define(&mut self, entity: u32, statement: u32) {
        let definitions = &mut self.entities[entity as usize].definitions;
        if definitions.last() != Some(&statement) {
            definitions.push(statement);
            self.statements[statement as usize].defines.push(entity);
        }
    }

    fn use_of(&mut self, entity: u32, statement: u32) {
        let Entity {
            definitions, users, ..
        } = &self.entities[entity as usize];
        let is_within = |&definition: &u32| self.covers(definition, statement);
        if users.last() == Some(&statement) || definitions.iter().any(is_within) {
            return;
        }
        self.entities[entity as usize].users.push(statement);
        self.statements[statement as usize].uses.push(entity);
    }
}

/// The number of nodes at the beginning of a statement among which is the word for a namespace.
const NEAR: usize = 16;

/// Whether the name of a statement stands behind a word for namespaces.
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

/// Whether the statements in a statement are read on a condition.
fn is_condition(outline: &Outline, statement: NodeId) -> bool {
    let Some((sign, word)) = outline.grammar().conventions().words.conditions else {
        return false;
    };
    let text = outline.text_of(statement);
    let behind = text.strip_prefix(sign.as_bytes());
    behind.is_some_and(|behind| behind.trim_ascii_start().starts_with(word.as_bytes()))
}

/// Whether a node is of a rule whose text the grammar does not divide.
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

/// Whether the sign for a definition stands behind a name.
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
    // For example in C, where the type of a variable may be a structure that is defined there.
    let mut is_type = false;
    let plain_use = |is_member: bool| match is_member {
        true => Role::UseOfMember,
        false => Role::Use,
    };
    let mut at = name;
    while at != statement && at != ROOT {
        // Where several nodes were merged into one, the innermost field comes first.
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

/// Whether the rule around a node has another part with one of these fields that begins like this.
fn is_beside(outline: &Outline, id: NodeId, roles: &[&str], beginning: &[u8]) -> bool {
    let mut children = outline.children(rule_around(outline, id));
    children.any(|child| {
        child != id
            && has_field(outline, child, roles)
            && outline.text_of(child).starts_with(beginning)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of_cpp(text: &str) -> (Outline, References) {
        let language = nubbin_languages::catalogue::named("cpp").unwrap();
        let outline = Outline::of(&*language.syntax().unwrap(), text.as_bytes(), 0).unwrap();
        let references = References::of(&outline);
        (outline, references)
    }

    fn definitions_of<'r>(references: &'r References, name: &str) -> &'r [u32] {
        let is_it = |one: &&Declared| &*one.name == name.as_bytes();
        let declared = references.declared.iter().find(is_it);
        declared.map_or(&[], |one| &one.definitions)
    }

    #[test]
    fn a_type_is_defined_in_the_declaration_that_has_its_body() {
        let text =
            "typedef struct a { int m; } b;\nstruct c { enum class d { e } f; };\nstruct g h;\n";
        let (_, references) = of_cpp(text);
        assert_eq!(definitions_of(&references, "a"), [0]);
        assert_eq!(definitions_of(&references, "b"), [0]);
        assert_eq!(definitions_of(&references, "c"), [2]);
        // Both are defined by the member.
        assert_eq!(definitions_of(&references, "d"), [3]);
        assert_eq!(definitions_of(&references, "f"), [3]);
        assert_eq!(definitions_of(&references, "g"), [0; 0]);
    }

    #[test]
    fn a_constant_of_an_enumeration_is_defined_by_all_of_it() {
        for text in [
            "enum { a = 1, b, };\nint c = b;\n",
            "enum { a, b };\nint c = b;\n",
        ] {
            let (_, references) = of_cpp(text);
            assert_eq!(references.statements.len(), 2, "{text}");
            let is_b = |entity: &&Entity| entity.definitions == [0] && entity.users == [1];
            assert_eq!(references.entities.iter().filter(is_b).count(), 1, "{text}");
        }
    }

    #[test]
    fn a_name_in_a_continued_namespace_is_that_of_its_first_part() {
        let text =
            "namespace a { struct b {}; }\nnamespace c { struct b {}; }\nnamespace a { b d; }\n";
        let (outline, references) = of_cpp(text);
        let start = |at: u32| {
            outline
                .node(references.statements[at as usize].node)
                .span
                .start
        };
        let is_use = |at: &u32| start(*at) == text.find("b d;").unwrap() as u32;
        let user = (0..references.statements.len() as u32)
            .find(is_use)
            .unwrap();
        let uses = &references.statements[user as usize].uses;
        let definitions = uses
            .iter()
            .flat_map(|&of| &references.entities[of as usize].definitions);
        let starts: Vec<u32> = definitions.map(|&at| start(at)).collect();
        assert_eq!(starts, [text.find("struct b").unwrap() as u32]);
    }
}
