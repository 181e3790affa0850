//! The items with a name that a slice lacks.

use crate::closure::Closure;
use crate::facts::ItemKind;
use crate::graph::Condition;
use crate::names::plain;
use crate::repair::Finder;

impl Finder<'_> {
    /// Returns the members with a name in the classes or namespaces with another name, or
    /// specializations that may have such members.
    pub(crate) fn in_scope(&self, closure: &Closure<'_>, name: &str, scope: &str) -> Vec<u32> {
        let missing = self.by_name.get(plain(name)).into_iter().flatten().copied();
        let missing = missing.filter(|at| !closure.kept[*at as usize]);
        let found: Vec<u32> = missing
            .filter(|at| {
                let parent = self.graph.nodes[*at as usize].parent;
                parent.is_some_and(|parent| {
                    let parent = &self.graph.nodes[parent as usize];
                    parent.name == scope || parent.name.is_empty()
                })
            })
            .collect();
        if !found.is_empty() {
            return found;
        }
        let kept = self.by_name.get(scope).into_iter().flatten();
        let kept = kept.filter(|at| closure.kept[**at as usize]);
        let waiting = kept
            .filter_map(|at| self.waiting.get(at))
            .flatten()
            .copied();
        waiting
            .filter(|at| !closure.kept[*at as usize])
            .filter(|at| self.graph.nodes[*at as usize].kind == ItemKind::Record)
            .collect()
    }

    /// Returns the items with a name that an item can see: in a class around the item, otherwise
    /// outside of classes, otherwise in any kept class.
    pub(crate) fn in_sight(
        &self,
        closure: &Closure<'_>,
        name: &str,
        item: Option<u32>,
    ) -> Vec<u32> {
        let missing = self.by_name.get(plain(name)).into_iter().flatten().copied();
        let missing: Vec<u32> = missing.filter(|at| !closure.kept[*at as usize]).collect();
        let parent = |at: &u32| self.graph.nodes[*at as usize].parent;
        let is_member = |at: &u32| self.graph.is_in(*at, ItemKind::Record);
        let of = |found: Vec<u32>| (!found.is_empty()).then_some(found);
        let free = missing.iter().copied().filter(|at| !is_member(at));
        let kept = missing.iter().copied();
        let kept = kept.filter(|at| parent(at).is_some_and(|it| closure.kept[it as usize]));
        of(self.members_around(closure, name, item))
            .or_else(|| of(free.collect()))
            .or_else(|| of(kept.collect()))
            .unwrap_or_default()
    }

    /// Returns the missing members with a name of the classes around an item.
    pub(crate) fn members_around(
        &self,
        closure: &Closure<'_>,
        name: &str,
        item: Option<u32>,
    ) -> Vec<u32> {
        let parent = |at: &u32| self.graph.nodes[*at as usize].parent;
        let around: Vec<u32> = std::iter::successors(item, parent).collect();
        let all = self.by_name.get(plain(name)).into_iter().flatten().copied();
        all.filter(|at| !closure.kept[*at as usize] && self.graph.is_in(*at, ItemKind::Record))
            .filter(|at| parent(at).is_some_and(|it| around.contains(&it)))
            .collect()
    }

    /// Returns the functions of the classes that some items name, without templates. A class
    /// without a function that nothing names, such as a deleted function, has another meaning for
    /// templates.
    pub(crate) fn members_of_named(&self, items: &[u32], whole: &[u8]) -> Vec<u32> {
        let kind = |at: &u32| self.graph.nodes[*at as usize].kind;
        let is_plain = |at: &u32| {
            let start = self.graph.nodes[*at as usize].range.start as usize;
            kind(at) == ItemKind::Record && !whole[start..].starts_with(b"template")
        };
        let named = items
            .iter()
            .flat_map(|at| &self.graph.nodes[*at as usize].needs);
        let named = named.copied().filter(is_plain);
        let members = named
            .filter_map(|at| self.children.get(&at))
            .flatten()
            .copied();
        members
            .filter(|at| matches!(kind(at), ItemKind::Function | ItemKind::Friend))
            .collect()
    }

    /// Returns the missing parts of the kept classes with a name.
    pub(crate) fn children_of<'a>(
        &'a self,
        closure: &'a Closure<'_>,
        name: &'a str,
    ) -> impl Iterator<Item = u32> + 'a {
        let all = self.by_name.get(name).into_iter().flatten().copied();
        let records = all.filter(|at| {
            closure.kept[*at as usize] && self.graph.nodes[*at as usize].kind == ItemKind::Record
        });
        let children = records
            .filter_map(|at| self.children.get(&at))
            .flatten()
            .copied();
        children.filter(|at| !closure.kept[*at as usize])
    }

    /// Returns the items with a name that are not kept, and the bodies of the items with the name
    /// that are kept.
    pub(crate) fn named(&self, closure: &Closure<'_>, name: &str) -> Vec<u32> {
        let all = || self.by_name.get(plain(name)).into_iter().flatten().copied();
        let is_kept = |at: u32| closure.kept[at as usize];
        let missing = || all().filter(|at| !is_kept(*at));
        let near = |at: &u32| {
            let parent = self.graph.nodes[*at as usize].parent;
            let is_member = self.graph.is_in(*at, ItemKind::Record);
            parent.is_none_or(|parent| !is_member || is_kept(parent))
        };
        let mut found: Vec<u32> = missing().filter(near).collect();
        if found.is_empty() {
            let bodies = all()
                .filter(|at| is_kept(*at))
                .filter_map(|at| self.graph.body(at));
            found.extend(bodies.filter(|at| !is_kept(*at)));
        }
        if found.is_empty() {
            let definitions = all().filter(|at| is_kept(*at));
            let definitions = definitions.flat_map(|at| &self.graph.nodes[at as usize].to_run);
            found.extend(definitions.copied().filter(|at| !is_kept(*at)));
            let waiting = all()
                .filter(|at| is_kept(*at))
                .filter_map(|at| self.waiting.get(&at));
            found.extend(waiting.flatten().copied().filter(|at| !is_kept(*at)));
        }
        if found.is_empty() {
            found.extend(missing());
        }
        found
    }

    /// Returns the functions that create, convert, assign, and destroy objects of a class, if they
    /// are not kept. If they are kept, it returns all members of the class.
    pub(crate) fn members(&self, closure: &Closure<'_>, name: &str) -> Vec<u32> {
        let members: Vec<u32> = self
            .children_of(closure, name)
            .filter(|at| {
                let kind = self.graph.nodes[*at as usize].kind;
                !matches!(
                    kind,
                    ItemKind::Marker | ItemKind::Pragma | ItemKind::Assertion
                )
            })
            .collect();
        let is_special = |at: &u32| {
            let of = &self.graph.nodes[*at as usize].name;
            of == name || of.starts_with('~') || of.starts_with("operator")
        };
        let special: Vec<u32> = members.iter().copied().filter(is_special).collect();
        match special.is_empty() {
            true => members,
            false => special,
        }
    }

    /// Returns the operators with which a text begins, for values of the given types.
    pub(crate) fn operators(&self, closure: &Closure<'_>, text: &[u8], types: &[&str]) -> Vec<u32> {
        // The errors of a range-based `for` loop have the location of its colon.
        if text.first() == Some(&b':') {
            let all = ["operator!=", "operator==", "operator*", "operator++"];
            return all
                .iter()
                .flat_map(|name| self.near(closure, name, types))
                .collect();
        }
        let len = text
            .iter()
            .take(3)
            .take_while(|byte| byte.is_ascii_punctuation())
            .count();
        let mut found = vec![];
        for len in (1..=len).rev() {
            let token = std::str::from_utf8(&text[..len]).unwrap_or_default();
            let name = match token {
                "(" | "[" => continue,
                token => format!("operator{token}"),
            };
            found.extend(self.near(closure, &name, types));
            if !found.is_empty() {
                break;
            }
        }
        found
    }

    /// Returns the functions of a name that are missing, and that something kept may be an argument
    /// of, those for one of the `types` alone if there are any.
    fn near(&self, closure: &Closure<'_>, name: &str, types: &[&str]) -> Vec<u32> {
        let all = self.by_name.get(name).into_iter().flatten().copied();
        let is_near = |at: &u32| match &self.graph.nodes[*at as usize].condition {
            Condition::Mentioned(_, when) | Condition::All(when) => {
                when.iter().any(|of| closure.kept[*of as usize])
            }
            _ => true,
        };
        let found: Vec<u32> = all
            .filter(|at| !closure.kept[*at as usize])
            .filter(is_near)
            .collect();
        let is_typed = |at: &u32| {
            let is_one = |of: &u32| types.contains(&&*self.graph.nodes[*of as usize].name);
            match &self.graph.nodes[*at as usize].condition {
                Condition::Mentioned(_, when) | Condition::All(when) => when.iter().any(is_one),
                _ => false,
            }
        };
        let typed: Vec<u32> = found.iter().copied().filter(is_typed).collect();
        if typed.is_empty() { found } else { typed }
    }
}
