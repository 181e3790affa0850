use super::change::{placeholder, put, put_one, without};
use super::find::{find, operands, outermost};
use super::named::{inlined, used, used_once, without_needless};
use super::part::{Part, Roles};
use super::read::Unit;
use super::relations::{with_one_relation, without_relation};
use super::tables::{Column, without_columns, without_table};
use super::whole::wholes;
use crate::tree_reducer::search::Search;
use nubbin_edit::{Edit, Splice};
use nubbin_grammar::conventions::Queries;
use rustc_hash::FxHashSet;
use std::sync::Arc;

/// The tests before the first one that is adopted, after which nothing more is tried.
const PATIENCE: u32 = 16;

/// A change that is tried, or a place for which changes are looked for.
#[derive(Clone, Debug)]
enum Task {
    Statements(Vec<usize>),
    Table(Vec<u8>),
    Columns(Vec<Column>),
    Unit(usize),
    /// The statement that a part makes, by its number.
    Whole(usize, usize),
    /// Clauses and parts of lists within some parts, or within the whole statement.
    Removable(usize, Vec<u32>),
    Remove(usize, Vec<u32>),
    Relations(usize),
    /// One relation of a list, and no other, or all but it.
    Relation(usize, u32, bool),
    Expressions(usize, Vec<u32>),
    Literals(usize, Vec<u32>),
    /// Another text of an expression, by its number.
    Expression(usize, u32, usize),
    /// Queries with names in the places of their only uses.
    Inline(usize, Vec<Vec<u8>>),
}

/// The search for a smaller script.
#[derive(Clone)]
pub(super) struct Reduction {
    rules: &'static Queries,
    literal: &'static str,
    original: Arc<[Unit]>,
    units: Arc<[Unit]>,
    todo: Vec<Task>,
    asked: Option<(Task, Arc<[Unit]>)>,
    rank: u32,
    /// The number of tests before the first one that is adopted; `None` after that.
    patience: Option<u32>,
}

impl Reduction {
    pub(super) fn new(units: Vec<Unit>, rules: &'static Queries) -> Self {
        let units: Arc<[Unit]> = units.into();
        let mut sizes: Vec<(u32, usize)> = (0..units.len())
            .map(|at| (units[at].span.len(), at))
            .collect();
        // Tasks are taken from the end, so the first task comes last.
        sizes.sort_unstable();
        let mut todo: Vec<Task> = sizes.into_iter().map(|(_, at)| Task::Unit(at)).collect();
        if units.len() > 1 {
            let tables = super::tables::tables(&units);
            todo.push(Task::Columns(super::tables::columns(&units)));
            todo.extend(tables.into_iter().rev().map(Task::Table));
            todo.push(Task::Statements((0..units.len()).collect()));
        }
        Reduction {
            rules,
            literal: rules.literals.first().copied().unwrap_or("0"),
            original: Arc::clone(&units),
            units,
            todo,
            asked: None,
            rank: 1,
            patience: Some(PATIENCE),
        }
    }

    fn part(&self, unit: usize) -> Option<&Arc<Part>> {
        self.units[unit].part.as_ref()
    }

    /// Returns the statements with another part in the place of one.
    fn with(&self, unit: usize, part: Option<Arc<Part>>) -> Arc<[Unit]> {
        let mut units = self.units.to_vec();
        units[unit].part = part;
        units.into()
    }

    /// Returns the statements after the change of a task, or `None` if nothing changes, and adds
    /// the tasks of a place.
    fn candidate(&mut self, task: &Task) -> Option<Arc<[Unit]>> {
        match task {
            Task::Statements(going) => {
                let mut units = self.units.to_vec();
                going.iter().for_each(|&at| units[at].part = None);
                let is_left = units.iter().any(|unit| unit.part.is_some());
                is_left.then(|| units.into())
            }
            Task::Table(name) => without_table(&self.units, name, self.literal),
            Task::Columns(columns) => without_columns(&self.units, columns, self.literal),
            &Task::Whole(unit, number) => {
                let whole = wholes(self.part(unit)?, self.rules)
                    .into_iter()
                    .nth(number)?;
                Some(self.with(unit, Some(whole)))
            }
            Task::Remove(unit, going) => {
                let going: FxHashSet<u32> = going.iter().copied().collect();
                let part = self.part(*unit)?;
                let part = without(part, self.literal, &|part| going.contains(&part.id))?;
                Some(self.with(*unit, Some(part)))
            }
            &Task::Relation(unit, id, only) => {
                let part = self.part(unit)?;
                let part = match only {
                    true => with_one_relation(part, id, self.literal)?,
                    false => without_relation(part, id, self.literal)?,
                };
                Some(self.with(unit, Some(part)))
            }
            Task::Literals(unit, places) => {
                let places: FxHashSet<u32> = places.iter().copied().collect();
                let part = put(self.part(*unit)?, &|part| {
                    let is_place = places.contains(&part.id);
                    is_place.then(|| placeholder(part, self.literal))
                });
                Some(self.with(*unit, Some(part)))
            }
            &Task::Expression(unit, id, number) => {
                let part = self.part(unit)?;
                let place = find(part, id)?;
                let text = self.texts_of(place).into_iter().nth(number);
                let has_parts = !place.children.is_empty();
                let found = text.map(|text| self.with(unit, Some(put_one(part, id, &text))));
                if found.is_none() && has_parts {
                    self.todo.push(Task::Expressions(unit, vec![id]));
                }
                found
            }
            Task::Inline(unit, names) => {
                let part = inlined(self.part(*unit)?, names, self.literal)?;
                Some(self.with(*unit, Some(part)))
            }
            Task::Unit(_) | Task::Removable(..) | Task::Relations(_) | Task::Expressions(..) => {
                self.look(task);
                None
            }
        }
    }

    /// Returns statements after a change without the queries with names that it has made needless.
    fn without_needless(&self, units: &[Unit]) -> Arc<[Unit]> {
        let mut units = units.to_vec();
        for (unit, before) in units.iter_mut().zip(&*self.units) {
            if let (Some(after), Some(before)) = (unit.part.take(), &before.part) {
                let changed = !Arc::ptr_eq(&after, before);
                unit.part = Some(match changed {
                    true => without_needless(before, after, self.literal),
                    false => after,
                });
            }
        }
        units.into()
    }

    /// Adds the tasks of a place.
    fn look(&mut self, task: &Task) {
        let part = |unit: usize| self.units[unit].part.clone();
        match task {
            &Task::Unit(unit) => {
                self.todo.push(Task::Expressions(unit, vec![]));
                self.todo.push(Task::Relations(unit));
                self.todo.push(Task::Removable(unit, vec![]));
                let names = part(unit).map_or(vec![], |part| used_once(&part));
                if !names.is_empty() {
                    self.todo.push(Task::Inline(unit, names));
                }
                self.todo.push(Task::Whole(unit, 0));
            }
            Task::Removable(unit, within) => {
                let Some(part) = part(*unit) else { return };
                let is_removable = |part: &Part, is_member: bool| {
                    let is_result =
                        part.is(Roles::RESULTS) && part.text() != self.literal.as_bytes();
                    is_member || is_result || part.is(Roles::CLAUSE)
                };
                let found = outermost(&part, within, &is_removable);
                if !found.is_empty() {
                    let used = used(&part);
                    let free = found.iter().filter(|id| !used.contains(id));
                    let free: Vec<u32> = free.copied().collect();
                    self.todo.push(Task::Removable(*unit, found));
                    self.todo.push(Task::Remove(*unit, free));
                }
            }
            &Task::Relations(unit) => {
                let part = part(unit);
                let relations = part.iter().flat_map(|part| part.all(Roles::RELATION));
                let relations: Vec<u32> = relations.map(|part| part.id).collect();
                if relations.len() > 1 {
                    let each = relations.iter().rev();
                    let tasks = |only| each.clone().map(move |&id| Task::Relation(unit, id, only));
                    self.todo.extend(tasks(false).chain(tasks(true)));
                }
            }
            Task::Expressions(unit, within) => {
                let literals = self.rules.literals;
                let is_long = |part: &Part, _: bool| {
                    let text = part.text();
                    let is_literal = literals.iter().any(|literal| *literal.as_bytes() == *text);
                    part.is(Roles::EXPRESSION) && text.len() > 1 && !is_literal
                };
                let found = part(*unit).map(|part| outermost(&part, within, &is_long));
                if let Some(found) = found.filter(|found| !found.is_empty()) {
                    let each = found.iter().rev();
                    self.todo
                        .extend(each.map(|&id| Task::Expression(*unit, id, 0)));
                    self.todo.push(Task::Literals(*unit, found));
                }
            }
            _ => {}
        }
    }

    /// Returns what may stand for an expression: a literal, or an expression directly within it.
    fn texts_of(&self, place: &Part) -> Vec<Arc<Part>> {
        let others = self.rules.literals.iter().skip(1);
        let others = others.filter(|literal| *literal.as_bytes() != *place.text());
        let mut texts: Vec<Arc<Part>> = others.map(|literal| placeholder(place, literal)).collect();
        let mut within: Vec<Arc<Part>> = vec![];
        operands(place, &mut within);
        within.sort_by_key(|part| part.len());
        texts.extend(within);
        texts
    }

    /// Adds the tasks that follow from a verdict.
    fn follow(&mut self, task: Task, adopted: bool) {
        match task {
            Task::Whole(unit, _) if adopted => self.todo.push(Task::Whole(unit, 0)),
            Task::Whole(unit, number) => self.todo.push(Task::Whole(unit, number + 1)),
            Task::Expression(unit, id, _) if adopted => {
                // The replacement may be reduced further.
                self.todo.push(Task::Expressions(unit, vec![id]));
            }
            Task::Expression(unit, id, number) => {
                self.todo.push(Task::Expression(unit, id, number + 1));
            }
            // Clauses of an inlined query may be removed with the clauses around it.
            Task::Inline(unit, _) if adopted => self.todo.push(Task::Whole(unit, 0)),
            Task::Inline(unit, all) => self.halves(all, |half| Task::Inline(unit, half)),
            _ if adopted => {}
            Task::Statements(all) => self.halves(all, Task::Statements),
            Task::Columns(all) => self.halves(all, Task::Columns),
            Task::Remove(unit, all) => self.halves(all, |half| Task::Remove(unit, half)),
            Task::Literals(unit, all) => self.halves(all, |half| Task::Literals(unit, half)),
            _ => {}
        }
    }

    fn halves<T: Clone>(&mut self, all: Vec<T>, task: impl Fn(Vec<T>) -> Task) {
        if all.len() > 1 {
            let (one, other) = all.split_at(all.len() / 2);
            self.todo.push(task(one.to_vec()));
            self.todo.push(task(other.to_vec()));
        }
    }

    /// Returns the change of the input since the beginning.
    fn edit(&self, units: &[Unit]) -> Edit {
        let changed = units.iter().zip(&*self.original).filter(|(now, before)| {
            let same = |now: &Arc<Part>, before: &Arc<Part>| Arc::ptr_eq(now, before);
            match (&now.part, &before.part) {
                (Some(now), Some(before)) => !same(now, before),
                (now, before) => now.is_some() != before.is_some(),
            }
        });
        let splices = changed.map(|(unit, _)| {
            let text = match &unit.part {
                Some(part) => [&part.text(), &*unit.tail].concat(),
                None => vec![],
            };
            Splice::replace(unit.span, &text).ranked(self.rank)
        });
        Edit::new(splices).unwrap_or_default()
    }
}

impl Search for Reduction {
    fn propose(&mut self) -> Option<Edit> {
        if self.patience == Some(0) {
            return None;
        }
        loop {
            let task = self.todo.pop()?;
            let Some(units) = self
                .candidate(&task)
                .map(|units| self.without_needless(&units))
            else {
                match task {
                    Task::Statements(_)
                    | Task::Columns(_)
                    | Task::Remove(..)
                    | Task::Inline(..) => {
                        self.follow(task, false);
                    }
                    _ => {}
                }
                continue;
            };
            let edit = self.edit(&units);
            if edit == self.edit(&self.units) {
                self.follow(task, false);
                continue;
            }
            self.asked = Some((task, units));
            return Some(edit);
        }
    }

    fn settle(&mut self, adopted: bool) {
        let Some((task, units)) = self.asked.take() else {
            return;
        };
        if adopted {
            self.units = units;
            self.rank += 1;
            self.patience = None;
        }
        self.patience = self.patience.map(|left| left.saturating_sub(1));
        self.follow(task, adopted);
    }
}
