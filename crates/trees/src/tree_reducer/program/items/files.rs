use super::item::{Items, Names};
use crate::tree::Outline;
use crate::tree_reducer::Program;
use crate::tree_reducer::program::references::References;
use nubbin_view::mentions::Mentions;
use rustc_hash::FxHashMap;
use std::sync::Arc;

impl Items {
    /// Returns the items of several files, each with the items that it needs in other files.
    ///
    /// A name that a file does not define belongs to the files that it names, or else to any file.
    /// A statement that names a file, such as an import, needs the definitions of its names in that
    /// file. The member of a type in another file is needed with its type.
    pub(in crate::tree_reducer) fn of_program(program: &Program<'_>) -> Self {
        Items::of_references(program, |_, outline| outline.fact(References::of))
    }

    /// Returns the same, where `references` makes the references of each tree by its number.
    pub(in crate::tree_reducer) fn of_references(
        program: &Program<'_>,
        references: impl Fn(u32, &Outline) -> Arc<References>,
    ) -> Self {
        let mut items = Items::default();
        let (mut exports, mut imports) = (vec![], vec![]);
        let mut first = vec![0];
        for (tree, (_, outline)) in (0..).zip(program.trees) {
            let (at, first_name) = (items.all.len() as u32, items.awaited.len() as u32);
            let first_conditional = items.conditional.len() as u32;
            let mut part = Items::of(outline, &references(tree, outline));
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
            // The statement defines everything that the named file defines.
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
}

#[cfg(test)]
mod tests {
    use super::super::item::Item;
    use super::*;
    use crate::tree::Outline;
    use nubbin_edit::Input;
    use std::sync::Arc;

    #[test]
    fn an_item_needs_definitions_of_other_files() {
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
        let tree = |file: nubbin_edit::File<'_>| {
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
        // The first file imports the second file, so `two` refers to the second file.
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
}
