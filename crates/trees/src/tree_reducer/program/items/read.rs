use super::conditional::AwaitedNames;
use super::item::{Conditional, Item, Items};
use super::overloads::Conditions;
use crate::tree::{NodeId, Outline, ROOT};
use crate::tree_reducer::program::fields::has_field;
use crate::tree_reducer::program::references::References;

impl Items {
    pub(in crate::tree_reducer) fn of(outline: &Outline, references: &References) -> Self {
        let statements = &references.statements;
        let conventions = outline.grammar().conventions();
        let implemented = conventions.fields.implemented;
        let mut items = Items::default();
        // For each statement, its innermost item, and whether this item is a function.
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
                is_root: !statement.is_attribute && !statement.is_condition,
                is_namespace: statement.is_namespace || statement.is_condition,
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

    /// Finds what the items need.
    fn connect(&mut self, outline: &Outline, references: &References, item_of: &[Option<u32>]) {
        let mut needs: Vec<(u32, u32)> = vec![];
        let item = |&at: &u32| item_of[at as usize];
        // Only a definition in the item itself counts, and not one in a function inside the item.
        let is_item = |&&at: &&u32| {
            let parent = references.statements[at as usize].parent;
            parent.and_then(|parent| item_of[parent as usize]) != item_of[at as usize]
        };
        let items_of = |definitions: &[u32]| -> Vec<u32> {
            let of_items = definitions.iter().filter(is_item);
            of_items.filter_map(item).collect()
        };
        let declared = references.declared.iter();
        let declared = declared.map(|name| items_of(&name.definitions));
        let declared: Vec<Vec<u32>> = declared.collect();
        let entities = references.entities.iter();
        let entities = entities.map(|entity| items_of(&entity.definitions));
        let entities: Vec<Vec<u32>> = entities.collect();
        for &definition in declared.iter().chain(&entities).flatten() {
            self.all[definition as usize].is_root = false;
        }
        let users = |all: &[u32]| all.iter().filter_map(item).collect::<Vec<_>>();
        let mentions = references.declared.iter().map(|name| users(&name.mentions));
        let mut names = AwaitedNames {
            users: mentions.collect(),
            numbers: vec![None; declared.len()],
        };
        let Conditions { named, unnamed } = match outline.grammar().conventions().overloads {
            true => self.conditions(outline, references, &declared, &names.users),
            false => Conditions::default(),
        };
        for (nth, definitions) in (0..).zip(&declared) {
            let (some, others) = self.divide(definitions, &named);
            self.link_all(&others, &names.users[nth as usize], &mut needs);
            if !some.is_empty() {
                let name = names.number(nth, self);
                self.await_name(name, &some, &named, &mut names);
            }
        }
        for (entity, definitions) in references.entities.iter().zip(entities) {
            let users = users(&entity.users);
            let (some, others) = self.divide(&definitions, &named);
            self.link_all(&others, &users, &mut needs);
            if !some.is_empty() {
                let name = self.name(&users);
                self.await_name(name, &some, &named, &mut names);
            }
        }
        self.share(references, declared, users);
        // An entry point may define further names, such as the name of a parameter.
        for entity in references.entities.iter().filter(|entity| entity.is_entry) {
            for definition in items_of(&entity.definitions) {
                self.all[definition as usize].is_root = true;
            }
        }
        for at in 0..self.all.len() {
            self.all[at].is_root |= self.is_implementation(at);
        }
        self.add_unnamed(unnamed, &mut names);
        // An attribute is needed together with the item after it.
        for (at, statement) in references.statements.iter().enumerate() {
            let behind = item_of.get(statement.end as usize).copied().flatten();
            if let (true, Some(item), Some(behind)) = (statement.is_attribute, item_of[at], behind)
            {
                needs.push((behind, item));
            }
        }
        self.set_needs(needs);
    }

    /// Records the names that other texts may have in common with this one. `users` returns the
    /// items of statements.
    fn share(
        &mut self,
        references: &References,
        declared: Vec<Vec<u32>>,
        users: impl Fn(&[u32]) -> Vec<u32>,
    ) {
        for (name, definitions) in references.declared.iter().zip(declared) {
            // Text outside of items is kept.
            if name.is_mentioned_outside {
                for &definition in &definitions {
                    self.all[definition as usize].is_root = true;
                }
            }
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
    }

    /// Returns whether an item is in an item that implements something.
    fn is_implementation(&self, at: usize) -> bool {
        let around = self.all[at].around;
        around.is_some_and(|around| self.all[around as usize].implements)
    }

    /// Adds the items that are needed where all names of a list are.
    fn add_unnamed(&mut self, unnamed: Vec<(u32, Vec<u32>)>, names: &mut AwaitedNames) {
        for (item, others) in unnamed {
            let is_required = self.is_implementation(item as usize);
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
    }

    /// Sets the needs of all items: the needs in the given pairs, and the items around each item.
    fn set_needs(&mut self, mut needs: Vec<(u32, u32)>) {
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

    /// Records that what has a name needs all of its definitions.
    fn link_all(&self, definitions: &[u32], users: &[u32], needs: &mut Vec<(u32, u32)>) {
        // All definitions of a name need each other, so a use of the first one needs all of them. A
        // cycle expresses this without an edge for each pair, of which a large text would have too
        // many.
        if let Some(&first) = definitions.first() {
            let next = definitions.iter().skip(1).chain([&first]);
            needs.extend(definitions.iter().copied().zip(next.copied()));
            needs.extend(users.iter().map(|&user| (user, first)));
        }
    }

    /// Returns whether an item is a member of a type.
    pub(super) fn is_member(&self, at: u32) -> bool {
        let around = self.all[at as usize].around;
        around.is_some_and(|around| self.all[around as usize].is_type)
    }

    /// Returns the first item after each item that is not in it.
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
}

/// Returns whether a part of a statement before `end` is a list of parameters. Parameters of a
/// template do not count, since a class may have them.
fn has_parameters(outline: &Outline, node: NodeId, end: NodeId) -> bool {
    let fields = &outline.grammar().conventions().fields;
    (node..end).any(|id| {
        has_field(outline, id, fields.parameter_list) && !outline.text_of(id).starts_with(b"<")
    })
}

/// Returns whether a statement begins with a word for the definition of a type.
fn defines_type(outline: &Outline, statement: NodeId) -> bool {
    let words = outline.grammar().conventions().words.type_definitions;
    let text = outline.text_of(statement);
    let word = text
        .split(|byte| !byte.is_ascii_alphabetic())
        .find(|word| !word.is_empty());
    words.iter().any(|known| word == Some(known.as_bytes()))
}

/// Returns whether a statement is in an expression of the statement around it, such as a
/// requirement of a concept in C++.
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
pub(super) mod tests {
    use super::*;
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

    pub(in super::super) fn cpp(text: &str) -> (Outline, Items) {
        let language = nubbin_languages::catalogue::named("cpp").unwrap();
        let outline = Outline::of(&*language.syntax().unwrap(), text.as_bytes(), 0).unwrap();
        let items = Items::of(&outline, &References::of(&outline));
        (outline, items)
    }

    #[test]
    fn an_item_needs_the_definitions_of_its_names_and_the_item_around_it() {
        let items = items("def a{}def b{use a;def c{}}use c;");
        let needs: Vec<_> = items.all.iter().map(|item| item.needs.clone()).collect();
        assert_eq!(needs, [vec![], vec![], vec![0, 1], vec![1], vec![3]]);
        let mut reached = vec![false; 5];
        items.reach([4], &mut reached);
        // The statement in `b` is kept whenever `b` is kept.
        assert_eq!(reached, [true; 5]);
    }

    #[test]
    fn a_name_with_many_definitions_has_no_edge_for_each_pair() {
        let items = items(&"def a{}use a;".repeat(500));
        let edges: usize = items.all.iter().map(|item| item.needs.len()).sum();
        assert!(edges < 3000, "{edges}");
    }

    /// Returns the texts of an item and of those that it needs, without namespaces.
    pub(in super::super) fn kept_from(outline: &Outline, items: &Items, from: u32) -> Vec<String> {
        let mut reached = vec![false; items.all.len()];
        items.reach([from], &mut reached);
        let is_kept = |(item, reached): &(&Item, &bool)| **reached && !item.is_namespace;
        let kept = items.all.iter().zip(&reached).filter(is_kept);
        let text = |item: &Item| String::from_utf8_lossy(outline.text_of(item.node)).into_owned();
        kept.map(|(item, _)| text(item)).collect()
    }

    #[test]
    fn a_member_is_needed_where_its_type_is() {
        let text = "struct a { int m; int n; }; struct b { int m; }; struct c { int m; };\n\
                    int d(b *e) { return e->m; }\nint f(a *g) { return d(0); }\n";
        let (outline, items) = cpp(text);
        let kept_from = |from| kept_from(&outline, &items, from);
        let (d, f) = (
            "int d(b *e) { return e->m; }",
            "int f(a *g) { return d(0); }",
        );
        let (last, b) = (items.all.len() as u32 - 1, "struct b { int m; };");
        assert_eq!(kept_from(last - 1), [b, "int m;", d]);
        let a = "struct a { int m; int n; };";
        assert_eq!(kept_from(last), [a, "int m;", b, "int m;", d, f]);
    }

    /// Returns the texts that the first proposal keeps.
    fn kept_from_main(text: &str) -> Vec<String> {
        let language = nubbin_languages::catalogue::named("c").unwrap();
        let outline = Outline::of(&*language.syntax().unwrap(), text.as_bytes(), 0).unwrap();
        let items = Items::of(&outline, &References::of(&outline));
        let is_assumed = |item: &&Item| item.is_root && items.is_outer(item);
        let roots: Vec<u32> = (0..)
            .zip(&items.all)
            .filter(|(_, item)| is_assumed(item))
            .map(|(at, _)| at)
            .collect();
        let mut reached = vec![false; items.all.len()];
        items.reach(roots, &mut reached);
        let kept = items.all.iter().zip(reached);
        let kept = kept.filter(|(item, reached)| *reached && !item.is_namespace);
        let text = |item: &Item| {
            String::from_utf8_lossy(outline.text_of(item.node).trim_ascii()).into_owned()
        };
        kept.map(|(item, _)| text(item)).collect()
    }

    #[test]
    fn a_condition_of_the_preprocessor_defines_no_name() {
        let text = "#ifndef A\n#define A\n#include <b.h>\n#define C 1\n#define D C\n#define E 2\n\
                    struct f { int g[D]; };\nstruct h { int i; };\n#endif\n#if E\nint j;\n#endif\n\
                    int main(void) { struct f k; return k.g[0]; }\n";
        let kept = kept_from_main(text);
        assert_eq!(
            kept,
            [
                "#define A",
                "#include <b.h>",
                "#define C 1",
                "#define D C",
                "struct f { int g[D]; };",
                "int g[D];",
                "int main(void) { struct f k; return k.g[0]; }",
            ]
        );
    }

    #[test]
    fn a_function_is_defined_within_a_macro_around_its_name() {
        let text = "#define API(a) a\n#define B(c) (c)\nint API(d)(int e);\nint API(f)(int g);\n\
                    int API(d)(int e) { return B(e); }\nint API(f)(int g) { return (int)(g); }\n\
                    int main(void) { return d(0); }\n";
        let kept = kept_from_main(text);
        assert_eq!(
            kept,
            [
                "#define API(a) a",
                "#define B(c) (c)",
                "int API(d)(int e);",
                "int API(d)(int e) { return B(e); }",
                "int main(void) { return d(0); }",
            ]
        );
    }

    #[test]
    fn mentions_outside_of_items_are_kept() {
        let text = "#define A\n#define B\nint c(void) {\n#ifdef A\n  if (0) {\n#else\n  if (1) {\n#endif\n  }\n}\n\
                    int main(void) { return 0; }\n";
        let kept = kept_from_main(text);
        assert!(kept.contains(&"#define A".into()), "{kept:?}");
        assert!(!kept.contains(&"#define B".into()), "{kept:?}");
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
    fn unnamed_items_are_not_needed_where_their_namespace_is() {
        let text =
            "namespace a {\nstruct b {};\nstatic_assert(sizeof(b));\nstruct c {};\n}\na::c d;";
        let (outline, items) = cpp(text);
        let kept = kept_from(&outline, &items, items.all.len() as u32 - 1);
        assert_eq!(kept, ["struct c {};", "a::c d;"]);
        assert!(items.all.iter().all(|item| items.is_outer(item)));
    }
}
