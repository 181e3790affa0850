use super::names::is_name;
use crate::tree::{NodeId, Outline, ROOT};
use nubbin_grammar::grammar::{Expr, NameId, SymbolKind};
use nubbin_grammar::tree::NodeKind;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

/// Who uses what: the statements of a text, and the names that each defines and uses.
///
/// A *statement* is here an iteration of a repetition without commas, of two tokens or more: a
/// declaration, a statement, a member, a command. Names are found by their looks and told apart by the
/// fields of the grammar: what stands in a field such as `name` or `declarator` of a statement is defined
/// by it, for the list of statements it stands in; what is defined below a field such as `parameters` is the statement's own
/// business; the rest are uses, of the innermost definition around them. Where the grammar has no such
/// fields, a name is defined where it first stands. All of it is guessed, for any language at once: who
/// goes by it must be able to take being wrong.
#[derive(Debug, Default)]
pub(super) struct References {
    /// In the order of the text, outer before inner.
    pub(super) statements: Vec<Statement>,
    /// Things that have names.
    pub(super) entities: Vec<Entity>,
    /// Definitions of one name in several lists: of a member of a class in others, say.
    pub(super) namesakes: Vec<Vec<u32>>,
}

#[derive(Debug)]
pub(super) struct Statement {
    pub(super) node: NodeId,
    /// The first statement that is not within this one.
    pub(super) end: u32,
    pub(super) parent: Option<u32>,
    /// Bytes that are in no statement within it.
    pub(super) weight: u32,
    /// Entities that it is a definition of.
    pub(super) defines: Vec<u32>,
    /// Entities that it uses, itself and not through a statement within it.
    pub(super) uses: Vec<u32>,
}

/// Something with a name: its definitions stand in one list of statements.
#[derive(Debug, Default)]
pub(super) struct Entity {
    /// Statements: a declaration and a definition, say.
    pub(super) definitions: Vec<u32>,
    /// Statements, each once.
    pub(super) users: Vec<u32>,
    /// It is only assigned to: one definition may go without the others.
    pub(super) is_assigned: bool,
    /// It is called `main`: many languages begin there.
    pub(super) is_entry: bool,
}

/// What a name does where it stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    /// Is defined by the statement, for those beside it.
    Outward,
    /// Is assigned to: which defines it where nothing else does.
    Assigned,
    /// Is defined within the statement.
    Inward,
    Use,
}

/// Fields of what is defined.
const DEFINED: [&str; 4] = ["name", "declarator", "pattern", "alias"];

/// And of what is assigned to.
const ASSIGNED: &str = "left";

/// Fields that may lie between a statement and what it defines for others.
const BETWEEN: [&str; 4] = ["declaration", "definition", "declarators", "spec"];

/// Fields below which a definition is for the statement itself.
const INWARD: [&str; 7] = [
    "parameters",
    "parameter",
    "type_parameters",
    "body",
    "initializer",
    "captures",
    "receiver",
];

/// One name where it stands.
struct Occurrence {
    /// The innermost statement around it.
    statement: Option<u32>,
    role: Role,
}

impl References {
    pub(super) fn of(outline: &Outline) -> Self {
        let mut found = References::default();
        let mut names: FxHashMap<&[u8], Vec<Occurrence>> = FxHashMap::default();
        // In the order they were met, so that a run is like the next.
        let mut order: Vec<&[u8]> = vec![];
        let mut open: Vec<u32> = vec![];
        let mut next = 0;
        for id in 0..outline.len() {
            let is_over =
                |at: &mut u32| outline.node(found.statements[*at as usize].node).end <= id;
            while open.pop_if(is_over).is_some() {}
            if is_statement(outline, id) {
                let parent = open.last().copied();
                let len = outline.node(id).span.len();
                if let Some(parent) = parent {
                    let around = &mut found.statements[parent as usize].weight;
                    *around = around.saturating_sub(len);
                }
                open.push(found.statements.len() as u32);
                found.statements.push(Statement {
                    node: id,
                    end: 0,
                    parent,
                    weight: len,
                    defines: vec![],
                    uses: vec![],
                });
            }
            if id < next {
                continue;
            }
            let statement = open.last().copied();
            let around = statement.map_or(ROOT, |at| found.statements[at as usize].node);
            let (text, role) = if is_name(outline, id) {
                (outline.text_of(id), role(outline, id, around))
            } else if let Some(package) = imported(outline, id) {
                (package, Role::Outward)
            } else {
                continue;
            };
            next = outline.node(id).end;
            let all = names.entry(text).or_insert_with(|| {
                order.push(text);
                vec![]
            });
            all.push(Occurrence { statement, role });
        }
        found.close(outline);
        let has_fields = names
            .values()
            .flatten()
            .any(|occurrence| occurrence.role != Role::Use);
        for name in order {
            let first = found.entities.len();
            found.resolve(&names[name], has_fields);
            for entity in &mut found.entities[first..] {
                entity.is_entry = name == b"main";
            }
        }
        found.attach_attributes(outline);
        for statement in &mut found.statements {
            statement.uses.sort_unstable();
            statement.uses.dedup();
        }
        found
    }

    /// Says where each statement ends.
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

    /// An attribute that stands before a statement and not in it, as in Rust, goes with it.
    fn attach_attributes(&mut self, outline: &Outline) {
        let is_attribute =
            |statement: &Statement| outline.text_of(statement.node).starts_with(b"#[");
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
            // One attribute goes with the next, and so with what is behind both.
            let entity = self.entities.len() as u32;
            self.entities.push(Entity::default());
            self.define(entity, behind as u32);
            self.use_of(entity, at as u32);
        }
    }

    fn covers(&self, outer: u32, inner: u32) -> bool {
        (outer..self.statements[outer as usize].end).contains(&inner)
    }

    /// Finds out what each occurrence of one name stands for.
    fn resolve(&mut self, occurrences: &[Occurrence], has_fields: bool) {
        let is_declared = |one: &Occurrence| matches!(one.role, Role::Outward | Role::Inward);
        let assigning = match occurrences.iter().any(is_declared) {
            true => Role::Use,
            false => Role::Outward,
        };
        let role = |occurrence: &Occurrence| match occurrence.role {
            Role::Assigned => assigning,
            role => role,
        };
        let mut outward: FxHashMap<Option<u32>, u32> = FxHashMap::default();
        let mut inward: FxHashSet<u32> = FxHashSet::default();
        let first_new = self.entities.len() as u32;
        for occurrence in occurrences {
            let Some(at) = occurrence.statement else {
                continue;
            };
            match role(occurrence) {
                Role::Outward => {
                    let list = self.statements[at as usize].parent;
                    let is_assigned = occurrence.role == Role::Assigned;
                    let entity = *outward.entry(list).or_insert_with(|| {
                        self.entities.push(Entity {
                            is_assigned,
                            ..Entity::default()
                        });
                        self.entities.len() as u32 - 1
                    });
                    self.define(entity, at);
                }
                Role::Inward => {
                    inward.insert(at);
                }
                Role::Use | Role::Assigned => {}
            }
        }
        if outward.len() > 1 {
            let mut all: Vec<u32> = (first_new..self.entities.len() as u32)
                .flat_map(|entity| self.entities[entity as usize].definitions.clone())
                .collect();
            all.sort_unstable();
            self.namesakes.push(all);
        }
        let everywhere = match (outward.len(), inward.len()) {
            // A member, say: whoever names it from elsewhere means this one.
            (1, _) => Some(first_new),
            // A constant of an enumeration is one of the statement that has it in a list.
            (0, 1) => {
                self.entities.push(Entity::default());
                inward.iter().for_each(|&at| self.define(first_new, at));
                Some(first_new)
            }
            (0, 0) if !has_fields => {
                occurrences
                    .iter()
                    .find_map(|first| first.statement)
                    .map(|at| {
                        self.entities.push(Entity::default());
                        self.define(first_new, at);
                        first_new
                    })
            }
            _ => None,
        };
        for occurrence in occurrences {
            let (Some(at), Role::Use) = (occurrence.statement, role(occurrence)) else {
                continue;
            };
            // What stands in a statement behind a list of others, such as the value of a block, sees them.
            let within = outward.get(&Some(at)).copied();
            let mut around = Some(at);
            let entity = loop {
                if within.is_some() {
                    break within;
                }
                let Some(here) = around else {
                    break everywhere;
                };
                if inward.contains(&here) {
                    break None;
                }
                let list = self.statements[here as usize].parent;
                if let Some(&entity) = outward.get(&list) {
                    break Some(entity);
                }
                around = list;
            };
            if let Some(entity) = entity {
                self.use_of(entity, at);
            }
        }
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
    !is_comma && outline.text_of(id).trim_ascii_start().first() != Some(&b',')
}

/// What an import in quotes is called: the last part of its path, as in Go.
fn imported(outline: &Outline, id: NodeId) -> Option<&[u8]> {
    let mut fields = outline.names(id).filter_map(|name| name.field);
    if !fields.any(|field| outline.grammar().text_of(field) == "path") {
        return None;
    }
    let path = outline
        .text_of(id)
        .strip_prefix(b"\"")?
        .strip_suffix(b"\"")?;
    path.rsplit(|&byte| byte == b'/').next()
}

fn role(outline: &Outline, name: NodeId, statement: NodeId) -> Role {
    let (mut is_defined, mut is_assigned) = (false, false);
    let mut at = name;
    while at != statement && at != ROOT {
        // Of what was made one, the innermost first.
        let fields: SmallVec<[NameId; 2]> =
            outline.names(at).filter_map(|name| name.field).collect();
        for field in fields.into_iter().rev() {
            let field = outline.grammar().text_of(field);
            if DEFINED.contains(&field) {
                is_defined = true;
            } else if field == ASSIGNED {
                (is_defined, is_assigned) = (true, true);
            } else if INWARD.contains(&field) && is_defined {
                return match is_assigned {
                    true => Role::Assigned,
                    false => Role::Inward,
                };
            } else if !BETWEEN.contains(&field) {
                return Role::Use;
            }
        }
        at = outline.node(at).parent;
    }
    match (is_defined, is_assigned) {
        (false, _) => Role::Use,
        (true, false) => Role::Outward,
        (true, true) => Role::Assigned,
    }
}
