use super::occurrences::{Names, Occurrence, Role, Statement};
use crate::tree::Outline;
use rustc_hash::{FxHashMap, FxHashSet};

/// The statements of a text, and the names that each defines and uses.
///
/// A *statement* is an iteration of a repetition without commas, of two tokens or more: a
/// declaration, a statement, a member, a command. A body, that is, a node that has a
/// [stand-in](Outline::stand_in), is a statement as well.
///
/// Names are found by their shape, and their roles by the fields of the grammar. A name in a field
/// such as `name` or `declarator` of a statement is defined by it, for the list of statements that
/// it is in. A name that is defined below a field such as `parameters` is local to the
/// statement. All other names are uses of the innermost definition around them. Where the grammar
/// has no such fields, a name is defined at its first occurrence. All of this is guessed, for every
/// language in the same way, so callers must tolerate wrong guesses.
#[derive(Debug, Default)]
pub(in crate::tree_reducer) struct References {
    /// The statements in the order of the text, outer before inner.
    pub(in crate::tree_reducer) statements: Vec<Statement>,
    /// The named entities, such as functions, types, and variables.
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

/// A named entity, such as a function, a type, or a variable.
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

/// The definitions of a name.
struct Named {
    /// Whether a statement defines the name for the statements next to it.
    is_declared: bool,
    /// The first entity of the name.
    first: u32,
    /// The entities by the lists whose statements define them.
    outward: FxHashMap<Option<u32>, u32>,
    /// The statements that define it within themselves.
    inward: FxHashSet<u32>,
    /// The statements that assign to it as a part of something, if it is not declared.
    members: Vec<u32>,
}

impl References {
    pub(in crate::tree_reducer) fn of(outline: &Outline) -> Self {
        let Names {
            statements,
            occurrences,
            order,
            namespaces,
        } = Names::of(outline);
        let mut found = References {
            statements,
            ..References::default()
        };
        found.close(outline);
        found.join(&namespaces);
        let all = occurrences.values().flatten();
        let has_fields = all.into_iter().any(|one| one.role != Role::Use);
        for name in order {
            let first = found.entities.len();
            found.resolve(&occurrences[name], has_fields);
            found.declare(name, &occurrences[name]);
            found.set_entries(outline, name, first);
        }
        found.attach_attributes(outline);
        for statement in &mut found.statements {
            statement.uses.sort_unstable();
            statement.uses.dedup();
        }
        found
    }

    /// Sets which entities with a name, from this one on, the language itself calls.
    fn set_entries(&mut self, outline: &Outline, name: &[u8], first: usize) {
        let words = outline.grammar().conventions().words;
        // Only names inside a class are special. Elsewhere, they are ordinary names.
        let is_special = words.special_names.is_some_and(|(before, behind)| {
            name.len() > before.len() + behind.len()
                && name.starts_with(before.as_bytes())
                && name.ends_with(behind.as_bytes())
        });
        let is_entry = |entry: &&str| entry.as_bytes() == name;
        let is_entry = words.entry_points.iter().any(is_entry);
        let statements = &self.statements;
        let in_body = |at: &u32| {
            let list = statements[*at as usize].parent;
            list.is_some_and(|list| statements[list as usize].is_body)
        };
        for entity in &mut self.entities[first..] {
            entity.is_entry = is_entry || is_special && entity.definitions.iter().all(in_body);
        }
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

    /// Returns whether the list that a statement is in belongs to a statement that is not a scope.
    fn is_in_branch(&self, statement: u32) -> bool {
        let mut list = self.statements[statement as usize].parent;
        if let Some(body) = list.map(|at| &self.statements[at as usize])
            && body.is_body
        {
            list = body.parent;
        }
        list.is_some_and(|at| !self.statements[at as usize].is_scope)
    }

    /// Makes an attribute a user of the statement after it, if that statement does not contain it.
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
            // An attribute depends on the next attribute, and therefore on the statement after
            // both.
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
        let mut named = self.named(occurrences);
        let mut used: Vec<u32> = vec![];
        let mut used_as_member: Vec<u32> = vec![];
        let mut assigned: Vec<(u32, Option<u32>)> = vec![];
        for (role, at) in occurrences.iter().filter_map(Occurrence::placed) {
            match role {
                Role::Assigned => match self.around(at, &named.outward, &named.inward) {
                    Some(_) => used.push(at),
                    None => assigned.push((at, self.scope(at))),
                },
                Role::Use => used.push(at),
                Role::UseOfMember => used_as_member.push(at),
                Role::AssignedMember if named.is_declared => used_as_member.push(at),
                _ => {}
            }
        }
        for (at, list) in assigned {
            let entity = *named
                .outward
                .entry(list)
                .or_insert_with(|| self.add([], Needs::First));
            self.define(entity, at);
        }
        if named.outward.len() > 1 {
            let mut all = self.definitions_from(named.first);
            all.sort_unstable();
            self.namesakes.push(all);
        }
        let everywhere = self.everywhere(&named, occurrences, has_fields);
        let member = match (named.is_declared, named.members.is_empty()) {
            (true, _) => everywhere,
            (false, false) => Some(self.add(named.members, Needs::First)),
            // A name that is only assigned as a plain name is not a member.
            (false, true) if named.outward.is_empty() => everywhere,
            (false, true) => None,
        };
        for at in used {
            let around = self.around(at, &named.outward, &named.inward);
            if let Some(entity) = around.unwrap_or(everywhere) {
                self.use_of(entity, at);
            }
        }
        // Parameters and variables are not members.
        let none = FxHashSet::default();
        for at in used_as_member {
            let around = match named.is_declared {
                true => self.around(at, &named.outward, &none),
                false => None,
            };
            if let Some(entity) = around.unwrap_or(member) {
                self.use_of(entity, at);
            }
        }
    }

    /// Adds the entities of a name that statements define for the statements next to them.
    fn named(&mut self, occurrences: &[Occurrence]) -> Named {
        let mut named = Named {
            is_declared: occurrences.iter().any(|one| one.role == Role::Outward),
            first: self.entities.len() as u32,
            outward: FxHashMap::default(),
            inward: FxHashSet::default(),
            members: vec![],
        };
        for (role, at) in occurrences.iter().filter_map(Occurrence::placed) {
            match role {
                Role::Outward => {
                    let list = self.list(at);
                    let entity = *named
                        .outward
                        .entry(list)
                        .or_insert_with(|| self.add([], Needs::All));
                    self.define(entity, at);
                }
                Role::Inward => {
                    named.inward.insert(at);
                }
                Role::AssignedMember if !named.is_declared => named.members.push(at),
                _ => {}
            }
        }
        named
    }

    /// Returns the entity of a name that uses outside of all its lists refer to.
    fn everywhere(
        &mut self,
        named: &Named,
        occurrences: &[Occurrence],
        has_fields: bool,
    ) -> Option<u32> {
        let definitions = self.definitions_from(named.first);
        let inward = &named.inward;
        match (named.outward.len(), inward.len()) {
            // A single outward definition may be a member: uses elsewhere refer to it.
            (1, _) => Some(named.first),
            // A constant of an enumeration belongs to the statement with its list.
            (0, 1) if named.members.is_empty() => {
                Some(self.add(inward.iter().copied(), Needs::All))
            }
            (0, 0) if !has_fields => {
                let first = occurrences.iter().find_map(|first| first.statement);
                first.map(|first| self.add([first], Needs::All))
            }
            (0, _) => None,
            // Definitions in branches that are not scopes, such as an import in each branch, are
            // one entity. So are assignments at several positions.
            _ if !named.is_declared || definitions.iter().all(|&at| self.is_in_branch(at)) => {
                Some(self.add(definitions, Needs::First))
            }
            _ => None,
        }
    }

    /// Returns the definitions of the entities from this one on.
    fn definitions_from(&self, first: u32) -> Vec<u32> {
        let entities = self.entities[first as usize..].iter();
        let definitions = entities.flat_map(|entity| entity.definitions.iter().copied());
        definitions.collect()
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
        // A use in a statement after a list of statements, such as the value of a block, sees the
        // definitions of the list.
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

    /// Adds an entity that the given statements define.
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
        // The member defines both names.
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
