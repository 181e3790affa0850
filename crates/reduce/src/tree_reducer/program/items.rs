use super::fields::has_field;
use super::references::References;
use super::signatures;
use crate::mentions::Mentions;
use crate::tree::{NodeId, Outline, ROOT};
use crate::tree_reducer::Program;
use rustc_hash::{FxHashMap, FxHashSet};

/// The declarations of a program, and what each of them needs.
///
/// An *item* is a statement that is not within a function: a declaration at the top level, in a
/// namespace, or in a class, or a statement of a script. An item needs the item around it, and
/// every item that defines a name that it has, whatever the name may mean there. That is more than
/// [`References`] guesses: nothing is missing if a name has another role than its place suggests.
///
/// Some items are needed on [conditions](Conditional) only. Many types have members of one name,
/// and what has the name mentions the type of the object as well, or something that does. So an
/// item that has the name of a member needs the member where its type is needed. In the same way,
/// several functions with one name differ in the types of their parameters, see [`signatures`].
#[derive(Debug, Default)]
pub(in crate::tree_reducer) struct Items {
    /// The items in the order of the text.
    pub(in crate::tree_reducer) all: Vec<Item>,
    /// The items that are needed on conditions.
    conditional: Vec<Conditional>,
    /// For each name in conditions: the numbers of the conditional items that wait for it.
    awaited: Vec<Vec<u32>>,
    /// The names that other files may have from this one, each with the items that define it.
    exports: Names,
    /// The names that this file may have from others, each with the items that have it.
    imports: Names,
}

#[derive(Debug)]
pub(in crate::tree_reducer) struct Item {
    /// The tree that it is in, of those of a program.
    pub(in crate::tree_reducer) tree: u32,
    pub(in crate::tree_reducer) node: NodeId,
    /// The bytes that are in no other item.
    pub(in crate::tree_reducer) weight: u32,
    /// The item around it.
    pub(in crate::tree_reducer) around: Option<u32>,
    /// The items that it needs, without those that need it because they are in it.
    pub(in crate::tree_reducer) needs: Vec<u32>,
    /// The names in conditions that it has.
    names: Vec<u32>,
    /// The numbers of the conditional items in it.
    members: Vec<u32>,
    /// Whether it is needed where the item around it is, since nothing refers to it by a name, or
    /// the language itself does, or the item around it implements an interface.
    pub(in crate::tree_reducer) is_root: bool,
    /// Whether it is a namespace: unnamed items in it are not needed because it is.
    is_namespace: bool,
    /// Whether the items in it are members: it has a name, and is no namespace.
    is_type: bool,
    /// Whether it may be a variable that a type needs although nothing names it.
    is_variable: bool,
    /// Whether it implements an interface, whose members it must have.
    implements: bool,
    /// The first node that is in an item within it, or behind it.
    header_end: NodeId,
}

/// An item that is needed where all of its conditions are met.
#[derive(Debug)]
struct Conditional {
    item: u32,
    /// The name by which others refer to it: a needed item must have it. If there is none, nothing
    /// refers to it by a name.
    name: Option<u32>,
    /// Whether the item around it must be needed: it is a member.
    is_member: bool,
    /// Other names that needed items must have.
    others: Vec<u32>,
}

/// The names, as numbers of [`References::declared`], that needed items must have for an item to be
/// needed.
#[derive(Default)]
struct Conditions {
    /// For definitions of a name that others define as well.
    named: FxHashMap<u32, Vec<u32>>,
    /// For items without a name.
    unnamed: Vec<(u32, Vec<u32>)>,
}

/// The numbers of declared names among those that conditional items wait for.
struct AwaitedNames {
    /// The items that have each declared name.
    users: Vec<Vec<u32>>,
    numbers: Vec<Option<u32>>,
}

impl AwaitedNames {
    fn number(&mut self, nth: u32, items: &mut Items) -> u32 {
        let number = &mut self.numbers[nth as usize];
        *number.get_or_insert_with(|| items.name(&self.users[nth as usize]))
    }
}

/// Names, each with the items that define it or have it.
type Names = Vec<(Box<[u8]>, Vec<u32>)>;

impl Items {
    pub(in crate::tree_reducer) fn of(outline: &Outline, references: &References) -> Self {
        let statements = &references.statements;
        let conventions = outline.grammar().conventions();
        let implemented = conventions.fields.implemented;
        let mut items = Items::default();
        // The innermost item of each statement, and whether that is a function.
        let mut item_of: Vec<Option<u32>> = Vec::with_capacity(statements.len());
        let mut is_within: Vec<bool> = Vec::with_capacity(statements.len());
        for (at, statement) in statements.iter().enumerate() {
            let around = statement.parent.and_then(|parent| item_of[parent as usize]);
            let in_function = statement.parent.is_some_and(|parent| {
                let around = statements[parent as usize].node;
                is_within[parent as usize] || is_in_expression(outline, statement.node, around)
            });
            if in_function || statement.is_body {
                if let Some(item) = around {
                    items.all[item as usize].weight += statement.weight;
                }
                item_of.push(around);
                is_within.push(true);
                continue;
            }
            let inner = statements
                .get(at + 1)
                .filter(|next| next.parent == Some(at as u32));
            let own_end = inner.map_or(outline.node(statement.node).end, |inner| inner.node);
            item_of.push(Some(items.all.len() as u32));
            let is_function = has_parameters(outline, statement.node, own_end);
            is_within.push(is_function);
            items.all.push(Item {
                tree: 0,
                node: statement.node,
                weight: statement.weight,
                around,
                needs: vec![],
                names: vec![],
                members: vec![],
                is_root: !statement.is_attribute,
                is_namespace: statement.is_namespace,
                is_type: statement.is_scope && !statement.is_namespace,
                is_variable: conventions.by_position
                    && !is_function
                    && !defines_type(outline, statement.node),
                implements: (statement.node..own_end).any(|id| has_field(outline, id, implemented)),
                header_end: own_end,
            });
        }
        items.connect(outline, references, &item_of);
        items
    }

    /// Returns the items of several files, each with what it needs in other files.
    ///
    /// A name that a file does not define is that of the files that it names, or else of any file.
    /// A statement that names a file, such as an import, needs what the file defines by its names.
    /// The member of a type in another file is needed with its type.
    pub(in crate::tree_reducer) fn of_program(program: &Program<'_>) -> Self {
        let mut items = Items::default();
        let (mut exports, mut imports) = (vec![], vec![]);
        let mut first = vec![0];
        for (tree, (_, outline)) in (0..).zip(program.trees) {
            let (at, first_name) = (items.all.len() as u32, items.awaited.len() as u32);
            let first_conditional = items.conditional.len() as u32;
            let mut part = Items::of(outline, &References::of(outline));
            for item in &mut part.all {
                item.tree = tree;
                item.around = item.around.map(|around| at + around);
                item.needs.iter_mut().for_each(|need| *need += at);
                item.names.iter_mut().for_each(|name| *name += first_name);
                let members = item.members.iter_mut();
                members.for_each(|member| *member += first_conditional);
            }
            for one in &mut part.conditional {
                one.item += at;
                let names = one.name.iter_mut().chain(&mut one.others);
                names.for_each(|name| *name += first_name);
            }
            let awaited = part.awaited.iter_mut().flatten();
            awaited.for_each(|one| *one += first_conditional);
            items.conditional.append(&mut part.conditional);
            items.awaited.append(&mut part.awaited);
            for (_, of) in part.exports.iter_mut().chain(&mut part.imports) {
                of.iter_mut().for_each(|item| *item += at);
            }
            items.all.append(&mut part.all);
            first.push(items.all.len() as u32);
            exports.push(part.exports);
            imports.push(part.imports);
        }
        if program.trees.len() > 1 {
            items.link(program, &first, &exports, &imports);
        }
        items
    }

    /// Finds what the items need in other trees. `first` has the first item of each tree.
    fn link(&mut self, program: &Program<'_>, first: &[u32], exports: &[Names], imports: &[Names]) {
        let mut defined: FxHashMap<&[u8], Vec<(u32, u32)>> = FxHashMap::default();
        for (tree, exports) in (0..).zip(exports) {
            for (name, items) in exports {
                let one = items.first().map(|&item| (tree, item));
                defined.entry(name).or_default().extend(one);
            }
        }
        let mentions = Mentions::of(program.input);
        let mut tree_of: Vec<Option<u32>> = vec![None; program.input.file_count()];
        for (tree, (file, _)) in (0..).zip(program.trees) {
            tree_of[*file] = Some(tree);
        }
        let mut named: Vec<Vec<u32>> = vec![vec![]; program.trees.len()];
        let mut needs: Vec<(u32, u32)> = vec![];
        for statement in &mentions.statements {
            let Some(from) = tree_of[statement.file] else {
                continue;
            };
            let targets = statement
                .names
                .iter()
                .filter_map(|name| tree_of[name.target]);
            let targets: Vec<u32> = targets.collect();
            named[from as usize].extend(&targets);
            // What the statement defines is what the file that it names defines.
            let outline = &program.trees[from as usize].1;
            let own = first[from as usize]..first[from as usize + 1];
            let is_in = |&item: &u32| {
                let span = outline.node(self.all[item as usize].node).span;
                span.start < statement.span.end && statement.span.start < span.end
            };
            let importing: Vec<u32> = own.filter(is_in).collect();
            for (name, items) in &exports[from as usize] {
                let users = items.iter().filter(|item| importing.contains(item));
                for (user, &(tree, used)) in
                    users.flat_map(|user| defined[&**name].iter().map(move |one| (user, one)))
                {
                    if targets.contains(&tree) {
                        needs.push((*user, used));
                    }
                }
            }
        }
        for (tree, imports) in imports.iter().enumerate() {
            for (name, users) in imports {
                let Some(all) = defined.get(&**name) else {
                    continue;
                };
                let is_named = all.iter().any(|(from, _)| named[tree].contains(from));
                for &(from, used) in all {
                    if !is_named || named[tree].contains(&from) {
                        needs.extend(users.iter().map(|&user| (user, used)));
                    }
                }
            }
        }
        needs.sort_unstable();
        needs.dedup();
        for (user, used) in needs {
            self.all[user as usize].needs.push(used);
        }
    }

    /// Finds what the items need.
    fn connect(&mut self, outline: &Outline, references: &References, item_of: &[Option<u32>]) {
        let mut needs: Vec<(u32, u32)> = vec![];
        let item = |&at: &u32| item_of[at as usize];
        // Only what defines a name by itself, and not in a function within it.
        let is_item = |&&at: &&u32| {
            let parent = references.statements[at as usize].parent;
            parent.and_then(|parent| item_of[parent as usize]) != item_of[at as usize]
        };
        let items_of = |definitions: &[u32]| -> Vec<u32> {
            let of_items = definitions.iter().filter(is_item);
            of_items.filter_map(item).collect()
        };
        let declared = references
            .declared
            .iter()
            .map(|name| items_of(&name.definitions));
        let declared: Vec<Vec<u32>> = declared.collect();
        let entities = references.entities.iter();
        let entities: Vec<Vec<u32>> = entities
            .map(|entity| items_of(&entity.definitions))
            .collect();
        for &definition in declared.iter().chain(&entities).flatten() {
            self.all[definition as usize].is_root = false;
        }
        let users = |all: &[u32]| all.iter().filter_map(item).collect::<Vec<_>>();
        let mut names = AwaitedNames {
            users: references
                .declared
                .iter()
                .map(|name| users(&name.mentions))
                .collect(),
            numbers: vec![None; declared.len()],
        };
        let mut conditions = match outline.grammar().conventions().overloads {
            true => self.conditions(outline, references, &declared, &names.users),
            false => Conditions::default(),
        };
        let unnamed = std::mem::take(&mut conditions.unnamed);
        let conditions = conditions.named;
        for (nth, definitions) in (0..).zip(&declared) {
            let (some, others) = self.divide(definitions, &conditions);
            self.link_all(&others, &names.users[nth as usize], &mut needs);
            if !some.is_empty() {
                let name = names.number(nth, self);
                self.await_name(name, &some, &conditions, &mut names);
            }
        }
        for (entity, definitions) in references.entities.iter().zip(entities) {
            let users = users(&entity.users);
            let (some, others) = self.divide(&definitions, &conditions);
            self.link_all(&others, &users, &mut needs);
            if !some.is_empty() {
                let name = self.name(&users);
                self.await_name(name, &some, &conditions, &mut names);
            }
        }
        for (name, definitions) in references.declared.iter().zip(declared) {
            if !definitions.is_empty() {
                self.exports.push((name.name.clone(), definitions));
            }
        }
        for (name, mentions) in &references.undeclared {
            let mut users = users(mentions);
            users.dedup();
            if !users.is_empty() {
                self.imports.push((name.clone(), users));
            }
        }
        // An entry point may define other names as well, such as that of a parameter.
        for entity in references.entities.iter().filter(|entity| entity.is_entry) {
            for definition in items_of(&entity.definitions) {
                self.all[definition as usize].is_root = true;
            }
        }
        for at in 0..self.all.len() {
            let around = self.all[at].around;
            self.all[at].is_root |=
                around.is_some_and(|around| self.all[around as usize].implements);
        }
        for (item, others) in unnamed {
            let around = self.all[item as usize].around;
            let is_required = around.is_some_and(|around| self.all[around as usize].implements);
            self.all[item as usize].is_root = is_required || others.is_empty();
            if self.all[item as usize].is_root {
                continue;
            }
            let others = others.into_iter().map(|nth| names.number(nth, self));
            let others = others.collect();
            self.add_conditional(Conditional {
                item,
                name: None,
                is_member: self.is_member(item),
                others,
            });
        }
        // An attribute is needed by what it stands before.
        for (at, statement) in references.statements.iter().enumerate() {
            let behind = item_of.get(statement.end as usize).copied().flatten();
            if let (true, Some(item), Some(behind)) = (statement.is_attribute, item_of[at], behind)
            {
                needs.push((behind, item));
            }
        }
        let ends = self.ends();
        let is_around = |outer: u32, inner: u32| (outer..ends[outer as usize]).contains(&inner);
        needs.retain(|&(user, used)| !is_around(used, user));
        needs.sort_unstable();
        needs.dedup();
        for (user, used) in needs {
            self.all[user as usize].needs.push(used);
        }
        for item in &mut self.all {
            item.needs.extend(item.around);
        }
    }

    /// Finds what definitions with one name differ in, and what items without a name are about.
    fn conditions(
        &self,
        outline: &Outline,
        references: &References,
        declared: &[Vec<u32>],
        users: &[Vec<u32>],
    ) -> Conditions {
        let headers = self.all.iter().map(|item| item.node..item.header_end);
        let signatures: Vec<_> = headers
            .map(|header| signatures::of(outline, header))
            .collect();
        let names = references.declared.iter().map(|name| &*name.name);
        let numbers: FxHashMap<&[u8], u32> = names.zip(0..).collect();
        let is_type = |nth: &u32| {
            let mut definitions = declared[*nth as usize].iter();
            definitions.any(|&at| signatures[at as usize].is_type && !self.is_member(at))
        };
        let mut sorted = declared.to_vec();
        sorted
            .iter_mut()
            .for_each(|definitions| definitions.sort_unstable());
        let defines = |item: u32, nth: u32| sorted[nth as usize].binary_search(&item).is_ok();
        let is_other =
            |item: u32, nth: &u32| !sorted[*nth as usize].is_empty() && !defines(item, *nth);
        let known = |item: u32, names: &[&[u8]]| -> Vec<u32> {
            let known = names.iter().filter_map(|name| numbers.get(name).copied());
            let mut known: Vec<u32> = known.filter(|nth| is_other(item, nth)).collect();
            known.sort_unstable();
            known.dedup();
            known
        };
        // A type that only parameters have is made by a conversion, and no other name says so.
        let mut is_elsewhere = vec![false; declared.len()];
        for (nth, name) in (0..).zip(&references.declared) {
            let mut users = users[nth as usize].clone();
            users.dedup();
            users.retain(|&user| !defines(user, nth));
            is_elsewhere[nth as usize] = users
                .iter()
                .any(|&user| !signatures[user as usize].names.contains(&&*name.name));
        }
        let types = |item: u32| -> Vec<u32> {
            let mut known = known(item, &signatures[item as usize].names);
            known.retain(|nth| is_type(nth) && is_elsewhere[*nth as usize]);
            known
        };
        // Such a name may be defined by a statement that the parser does not know.
        let mut unknown: FxHashSet<&[u8]> = FxHashSet::default();
        for (name, mentions) in &references.undeclared {
            if mentions.iter().any(|at| at != &mentions[0]) {
                unknown.insert(name);
            }
        }
        let mut has_name = vec![false; self.all.len()];
        for &definition in declared.iter().flatten() {
            has_name[definition as usize] = true;
        }
        let mut conditions = Conditions::default();
        for definitions in declared.iter().filter(|all| all.len() > 1) {
            let is_one = |&&at: &&u32| {
                let signature = &signatures[at as usize];
                signature.has_parameters || signature.is_type
            };
            let all = definitions.iter().filter(is_one).map(|&at| (at, types(at)));
            let all: Vec<(u32, Vec<u32>)> = all.collect();
            if all.iter().any(|one| one.1 != all[0].1) {
                conditions
                    .named
                    .extend(all.into_iter().filter(|one| !one.1.is_empty()));
            }
        }
        for (at, item) in (0..).zip(&self.all) {
            let signature = &signatures[at as usize];
            // A parameter is no name of a function.
            let has_no_name = item.is_root || signature.has_parameters && !has_name[at as usize];
            let Some(around) = item.around.filter(|_| has_no_name) else {
                continue;
            };
            let around = &self.all[around as usize];
            let all = match signature.has_parameters {
                true if around.is_namespace || around.is_type => types(at),
                false if around.is_namespace => {
                    let mut names = signature.all.iter();
                    match names.any(|name| unknown.contains(name)) {
                        true => vec![],
                        false => known(at, &signature.all),
                    }
                }
                _ => vec![],
            };
            conditions.unnamed.push((at, all));
        }
        conditions
    }

    /// Divides the definitions of a name into those that are needed on conditions, and others.
    fn divide(
        &self,
        definitions: &[u32],
        conditions: &FxHashMap<u32, Vec<u32>>,
    ) -> (Vec<u32>, Vec<u32>) {
        let is_conditional =
            |at: &u32| self.is_member(*at) || conditions.get(at).is_some_and(|all| !all.is_empty());
        definitions.iter().copied().partition(is_conditional)
    }

    /// Records that what has a name needs all of its definitions.
    fn link_all(&self, definitions: &[u32], users: &[u32], needs: &mut Vec<(u32, u32)>) {
        // All definitions of a name need each other, so a use of the first is one of all. A cycle
        // says that without an edge for each pair, of which a large text would have too many.
        if let Some(&first) = definitions.first() {
            let next = definitions.iter().skip(1).chain([&first]);
            needs.extend(definitions.iter().copied().zip(next.copied()));
            needs.extend(users.iter().map(|&user| (user, first)));
        }
    }

    /// Returns the number of a name that conditional items wait for.
    fn name(&mut self, users: &[u32]) -> u32 {
        let name = self.awaited.len() as u32;
        self.awaited.push(vec![]);
        for &user in users {
            let names = &mut self.all[user as usize].names;
            if names.last() != Some(&name) {
                names.push(name);
            }
        }
        name
    }

    /// Records definitions of a name that are needed on conditions.
    fn await_name(
        &mut self,
        name: u32,
        definitions: &[u32],
        conditions: &FxHashMap<u32, Vec<u32>>,
        names: &mut AwaitedNames,
    ) {
        for &item in definitions {
            let others = conditions.get(&item).into_iter().flatten();
            let others = others.map(|&nth| names.number(nth, self)).collect();
            self.add_conditional(Conditional {
                item,
                name: Some(name),
                is_member: self.is_member(item),
                others,
            });
        }
    }

    fn add_conditional(&mut self, one: Conditional) {
        let number = self.conditional.len() as u32;
        for &name in one.name.iter().chain(&one.others) {
            self.awaited[name as usize].push(number);
        }
        if let (true, Some(around)) = (one.is_member, self.all[one.item as usize].around) {
            self.all[around as usize].members.push(number);
        }
        self.conditional.push(one);
    }

    /// Whether an item is a member of a type.
    fn is_member(&self, at: u32) -> bool {
        let around = self.all[at as usize].around;
        around.is_some_and(|around| self.all[around as usize].is_type)
    }

    /// Returns the first item behind each item that is not in it.
    fn ends(&self) -> Vec<u32> {
        let count = self.all.len();
        let mut ends = vec![0; count];
        for at in (0..count).rev() {
            let mut end = at + 1;
            while end < count && self.all[end].around == Some(at as u32) {
                end = ends[end] as usize;
            }
            ends[at] = end as u32;
        }
        ends
    }

    /// Whether an item is in none but namespaces.
    pub(in crate::tree_reducer) fn is_outer(&self, item: &Item) -> bool {
        let around = |item: &Item| item.around.map(|around| &self.all[around as usize]);
        std::iter::successors(around(item), |&outer| around(outer)).all(|outer| outer.is_namespace)
    }

    /// Returns the items that are needed where the item around them is, with that item.
    fn roots_inside(&self) -> impl Iterator<Item = (u32, u32)> {
        (0..).zip(&self.all).filter_map(|(at, item)| {
            let around = item.around.filter(|_| item.is_root)?;
            (!self.all[around as usize].is_namespace).then_some((at, around))
        })
    }

    /// Adds to a set of items all items that they need.
    pub(in crate::tree_reducer) fn reach(
        &self,
        from: impl IntoIterator<Item = u32>,
        reached: &mut [bool],
    ) {
        let mut inside: FxHashMap<u32, Vec<u32>> = FxHashMap::default();
        for (at, around) in self.roots_inside() {
            inside.entry(around).or_default().push(at);
        }
        self.reach_with(&inside, from, reached);
    }

    /// Returns a set of items with all items that they need, where a type needs all its variables.
    pub(in crate::tree_reducer) fn with_variables(&self, set: &[bool]) -> Vec<bool> {
        let mut inside: FxHashMap<u32, Vec<u32>> = FxHashMap::default();
        for (at, item) in (0..).zip(&self.all) {
            if let Some(around) = item.around
                && (item.is_root || item.is_variable)
                && !self.all[around as usize].is_namespace
            {
                inside.entry(around).or_default().push(at);
            }
        }
        let mut reached = vec![false; set.len()];
        let from = (0..).zip(set).filter(|(_, is_in)| **is_in);
        self.reach_with(&inside, from.map(|(at, _)| at), &mut reached);
        reached
    }

    /// Adds to a set of items all items that they need, and the items inside them.
    fn reach_with(
        &self,
        inside: &FxHashMap<u32, Vec<u32>>,
        from: impl IntoIterator<Item = u32>,
        reached: &mut [bool],
    ) {
        let missing = |one: &Conditional| {
            one.others.len() + usize::from(one.name.is_some()) + usize::from(one.is_member)
        };
        let mut missing: Vec<usize> = self.conditional.iter().map(missing).collect();
        let mut is_mentioned = vec![false; self.awaited.len()];
        let mut todo: Vec<u32> = from.into_iter().collect();
        // What is needed already meets conditions as well.
        let before = (0..).zip(&*reached).filter(|(_, is_in)| **is_in);
        let before: Vec<u32> = before.map(|(at, _)| at).collect();
        let mut meet = |at: u32, todo: &mut Vec<u32>| {
            let mut count = |number: u32, todo: &mut Vec<u32>| {
                let missing = &mut missing[number as usize];
                *missing -= 1;
                if *missing == 0 {
                    todo.push(self.conditional[number as usize].item);
                }
            };
            let item = &self.all[at as usize];
            for &name in &item.names {
                if std::mem::replace(&mut is_mentioned[name as usize], true) {
                    continue;
                }
                let awaited = self.awaited[name as usize].iter();
                awaited.for_each(|&number| count(number, todo));
            }
            item.members.iter().for_each(|&number| count(number, todo));
        };
        before.into_iter().for_each(|at| meet(at, &mut todo));
        while let Some(at) = todo.pop() {
            if std::mem::replace(&mut reached[at as usize], true) {
                continue;
            }
            let item = &self.all[at as usize];
            todo.extend(&item.needs);
            todo.extend(inside.get(&at).into_iter().flatten());
            meet(at, &mut todo);
        }
    }

    /// Returns the items in groups, users before what they use; items that need each other are in
    /// one group. What has the name of a member is not always before it.
    pub(in crate::tree_reducer) fn groups(&self) -> Vec<Vec<u32>> {
        // R. Tarjan: Depth-first search and linear graph algorithms, 1972, without recursion. A
        // group is found after all groups that it needs.
        const UNSEEN: u32 = u32::MAX;
        let count = self.all.len();
        let mut inside: Vec<Vec<u32>> = vec![vec![]; count];
        for (at, around) in self.roots_inside() {
            inside[around as usize].push(at);
        }
        let mut number = vec![UNSEEN; count];
        let mut lowest = vec![0; count];
        let mut is_open = vec![false; count];
        let (mut open, mut groups) = (vec![], vec![]);
        let mut next = 0;
        for start in 0..count as u32 {
            if number[start as usize] != UNSEEN {
                continue;
            }
            let mut path: Vec<(u32, usize)> = vec![(start, 0)];
            while let Some(&mut (at, ref mut edge)) = path.last_mut() {
                let index = at as usize;
                if *edge == 0 {
                    number[index] = next;
                    lowest[index] = next;
                    next += 1;
                    open.push(at);
                    is_open[index] = true;
                }
                let needs = &self.all[index].needs;
                let target = needs
                    .get(*edge)
                    .or_else(|| inside[index].get(*edge - needs.len()));
                *edge += 1;
                if let Some(&target) = target {
                    let target_at = target as usize;
                    if number[target_at] == UNSEEN {
                        path.push((target, 0));
                    } else if is_open[target_at] {
                        lowest[index] = lowest[index].min(number[target_at]);
                    }
                    continue;
                }
                path.pop();
                if let Some(&(parent, _)) = path.last() {
                    lowest[parent as usize] = lowest[parent as usize].min(lowest[index]);
                }
                if lowest[index] == number[index] {
                    let mut group = vec![];
                    while let Some(member) = open.pop() {
                        is_open[member as usize] = false;
                        group.push(member);
                        if member == at {
                            break;
                        }
                    }
                    groups.push(group);
                }
            }
        }
        groups.reverse();
        groups
    }
}

/// Whether a part of a statement before `end` is a list of parameters. Those of a template do not
/// count, since a class may have them.
fn has_parameters(outline: &Outline, node: NodeId, end: NodeId) -> bool {
    let fields = &outline.grammar().conventions().fields;
    (node..end).any(|id| {
        has_field(outline, id, fields.parameter_list) && !outline.text_of(id).starts_with(b"<")
    })
}

/// Whether a statement begins with a word for the definition of a type.
fn defines_type(outline: &Outline, statement: NodeId) -> bool {
    let words = outline.grammar().conventions().words.type_definitions;
    let text = outline.text_of(statement);
    let word = text
        .split(|byte| !byte.is_ascii_alphabetic())
        .find(|word| !word.is_empty());
    words.iter().any(|known| word == Some(known.as_bytes()))
}

/// Whether a statement is in an expression of the statement around it, such as a requirement of a
/// concept in C++.
fn is_in_expression(outline: &Outline, statement: NodeId, around: NodeId) -> bool {
    let requirements = outline.grammar().conventions().fields.requirements;
    let mut at = statement;
    while at != around && at != ROOT {
        if has_field(outline, at, requirements) {
            return true;
        }
        at = outline.node(at).parent;
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::Input;
    use nubbin_grammar::{parse::Parser, read};
    use std::sync::Arc;

    const PROGRAM: &str =
        "<p> ::= <s>*\n<s> ::= 'use ' <n> ';' | 'def ' <n> '{' <s>* '}'\n<n> ::= [a-z]+\n";

    fn items(text: &str) -> Items {
        let grammar = read::read(PROGRAM, None, "program").unwrap();
        let parser = Parser::new(Arc::new(grammar)).unwrap();
        let outline = Outline::of(&parser, text.as_bytes(), 0).unwrap();
        Items::of(&outline, &References::of(&outline))
    }

    #[test]
    fn an_item_needs_the_definitions_of_its_names_and_the_item_around_it() {
        let items = items("def a{}def b{use a;def c{}}use c;");
        let needs: Vec<_> = items.all.iter().map(|item| item.needs.clone()).collect();
        assert_eq!(needs, [vec![], vec![], vec![0, 1], vec![1], vec![3]]);
        let mut reached = vec![false; 5];
        items.reach([4], &mut reached);
        // The statement in `b` is there wherever `b` is.
        assert_eq!(reached, [true; 5]);
    }

    #[test]
    fn a_name_with_many_definitions_has_no_edge_for_each_pair() {
        let items = items(&"def a{}use a;".repeat(500));
        let edges: usize = items.all.iter().map(|item| item.needs.len()).sum();
        assert!(edges < 3000, "{edges}");
    }

    #[test]
    fn an_item_needs_what_other_files_define() {
        let files = [
            (
                "a.py",
                "from b import two\ndef main():\n    two()\nmain()\n",
            ),
            ("b.py", "def two():\n    three()\ndef other():\n    pass\n"),
            (
                "c.py",
                "def three():\n    pass\ndef two():\n    pass\ndef four():\n    two()\n",
            ),
        ];
        let input = Input::files(files.map(|(name, text)| (name, text.into()))).unwrap();
        let python = nubbin_languages::catalogue::named("python").unwrap();
        let syntax = python.syntax().unwrap();
        let tree = |file: crate::input::File<'_>| {
            let outline = Outline::of(&*syntax, file.text, file.span.start)?;
            Some((file.number, Arc::new(outline)))
        };
        let trees: Vec<_> = input.present().filter_map(tree).collect();
        let items = Items::of_program(&Program {
            input: &input,
            trees: &trees,
        });
        let first_line = |item: &Item| {
            let outline = &trees[item.tree as usize].1;
            let text = String::from_utf8_lossy(outline.text_of(item.node)).into_owned();
            text.lines().next().unwrap_or_default().to_owned()
        };
        let mut reached = vec![false; items.all.len()];
        let main = items
            .all
            .iter()
            .position(|item| first_line(item) == "main()");
        items.reach([main.unwrap() as u32], &mut reached);
        let kept = items
            .all
            .iter()
            .zip(&reached)
            .filter(|(_, reached)| **reached);
        let mut kept: Vec<_> = kept.map(|(item, _)| first_line(item)).collect();
        kept.dedup();
        // The first file imports the second one, so its `two` is that of the second file.
        assert_eq!(
            kept,
            [
                "from b import two",
                "def main():",
                "main()",
                "def two():",
                "def three():"
            ]
        );
    }

    fn cpp(text: &str) -> (Outline, Items) {
        let language = nubbin_languages::catalogue::named("cpp").unwrap();
        let outline = Outline::of(&*language.syntax().unwrap(), text.as_bytes(), 0).unwrap();
        let items = Items::of(&outline, &References::of(&outline));
        (outline, items)
    }

    /// Returns the texts of the items that the last one of a text in C++ needs, with itself.
    fn kept_from_the_last(text: &str) -> Vec<String> {
        let (outline, items) = cpp(text);
        let outer = |at: &u32| items.all[*at as usize].around.is_none();
        let last = (0..items.all.len() as u32).rev().find(outer).unwrap();
        let mut reached = vec![false; items.all.len()];
        items.reach([last], &mut reached);
        let kept = items
            .all
            .iter()
            .zip(&reached)
            .filter(|(item, reached)| **reached && !item.is_namespace);
        kept.map(|(item, _)| String::from_utf8_lossy(outline.text_of(item.node)).into_owned())
            .collect()
    }

    #[test]
    fn of_functions_with_one_name_those_are_needed_whose_types_are() {
        let of_a = "int f(a *x) { return 1; }";
        let text = format!(
            "struct a {{}};\nstruct b {{}};\n{of_a}\nint f(b *x) {{ return 2; }}\n\
             int g(int x) {{ return 3; }}\nint g(b *x, int y) {{ return 4; }}\nb h;\n\
             int last(a *x) {{ return f(x) + g(1); }}\n"
        );
        let last = "int last(a *x) { return f(x) + g(1); }";
        let g = "int g(int x) { return 3; }";
        assert_eq!(kept_from_the_last(&text), ["struct a {};", of_a, g, last]);
        // It needs the variable, and so the other type.
        let text = text.replace("f(x) + g(1)", "f(&h)");
        assert_eq!(kept_from_the_last(&text).len(), 6);
    }

    #[test]
    fn a_specialization_is_needed_where_its_argument_is() {
        let text = "struct a {};\nstruct b {};\ntemplate<class t> struct h {};\n\
                    template<> struct h<a> {};\ntemplate<> struct h<b> {};\n\
                    template<class t> struct c : h<t>::d {};\nb e;\nc<a> last;\n";
        let kept = [
            "struct a {};",
            "template<class t> struct h {};",
            "template<> struct h<a> {};",
            "template<class t> struct c : h<t>::d {};",
            "c<a> last;",
        ];
        assert_eq!(kept_from_the_last(text), kept);
    }

    #[test]
    fn operators_are_needed_where_all_types_of_their_parameters_are() {
        let text = "namespace n {\nstruct a { bool operator()(a *x) { return true; } };\nstruct b {};\n\
                    bool operator<(const a &x, const a &y) { return true; }\n\
                    bool operator<(const a &x, const b &z) { return true; }\nextern b e;\n}\n\
                    n::a last;\n";
        let a = "struct a { bool operator()(a *x) { return true; } };";
        let kept = [
            a,
            "bool operator()(a *x) { return true; }",
            "bool operator<(const a &x, const a &y) { return true; }",
            "n::a last;",
        ];
        assert_eq!(kept_from_the_last(text), kept);
    }

    #[test]
    fn a_member_outside_of_its_class_is_needed_where_the_class_is() {
        let text = "template<class t> struct a { void f(); };\nstruct b { void f(); };\n\
                    template<class t> void a<t>::f() {}\nvoid b::f() {}\nvoid f(int) {}\n\
                    b e;\na<int> g;\nvoid last() { e.f(); }\n";
        let kept = [
            "struct b { void f(); };",
            "void f();",
            "void b::f() {}",
            "void f(int) {}",
            "b e;",
            "void last() { e.f(); }",
        ];
        assert_eq!(kept_from_the_last(text), kept);
    }

    #[test]
    fn a_member_is_needed_where_its_type_is() {
        let text = "struct a { int m; int n; }; struct b { int m; }; struct c { int m; };\n\
                    int d(b *e) { return e->m; }\nint f(a *g) { return d(0); }\n";
        let (outline, items) = cpp(text);
        let kept_from = |from: u32| -> Vec<&str> {
            let mut reached = vec![false; items.all.len()];
            items.reach([from], &mut reached);
            let kept = items
                .all
                .iter()
                .zip(&reached)
                .filter(|(_, reached)| **reached);
            kept.map(|(item, _)| str::from_utf8(outline.text_of(item.node)).unwrap())
                .collect()
        };
        let (d, f) = (
            "int d(b *e) { return e->m; }",
            "int f(a *g) { return d(0); }",
        );
        let (last, b) = (items.all.len() as u32 - 1, "struct b { int m; };");
        assert_eq!(kept_from(last - 1), [b, "int m;", d]);
        let a = "struct a { int m; int n; };";
        assert_eq!(kept_from(last), [a, "int m;", b, "int m;", d, f]);
    }

    #[test]
    fn a_constant_of_a_type_within_a_type_needs_it() {
        let (_, items) = cpp("struct a { enum b { c }; enum d { e }; };\nint f = a::c;\n");
        let mut reached = vec![false; items.all.len()];
        items.reach([3], &mut reached);
        assert_eq!(reached, [true, true, false, true]);
    }

    #[test]
    fn the_requirements_of_a_concept_are_no_items() {
        let (outline, items) =
            cpp("template<class a> concept b = requires { typename a::c; a(); };");
        let all: Vec<_> = items
            .all
            .iter()
            .map(|item| outline.text_of(item.node))
            .collect();
        assert_eq!(all.len(), 1, "{all:?}");
    }

    #[test]
    fn an_entry_point_with_parameters_is_a_root() {
        let (_, items) =
            cpp("int a(int b) { return b; }\nint main(int c, char **) { return c; }\n");
        let roots: Vec<_> = items.all.iter().map(|item| item.is_root).collect();
        assert_eq!(roots, [false, true]);
    }

    #[test]
    fn what_is_unnamed_in_a_namespace_is_not_needed_where_the_namespace_is() {
        let text =
            "namespace a {\nstruct b {};\nstatic_assert(sizeof(b));\nstruct c {};\n}\na::c d;";
        let (outline, items) = cpp(text);
        let mut reached = vec![false; items.all.len()];
        items.reach([items.all.len() as u32 - 1], &mut reached);
        let kept = items
            .all
            .iter()
            .zip(&reached)
            .filter(|(_, reached)| **reached);
        let kept: Vec<_> = kept.map(|(item, _)| outline.text_of(item.node)).collect();
        assert_eq!(kept[1..], [b"struct c {};".as_slice(), b"a::c d;"]);
        assert!(items.all.iter().all(|item| items.is_outer(item)));
    }
}
