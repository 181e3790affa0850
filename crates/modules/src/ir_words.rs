use super::completed::completed;
use super::read::module_of;
use super::step::{Step, Steps};
use nubbin_edit::File;
use nubbin_engine::work::{Context, Pass, PassInfo, Spans, Work, all_or_some, optional};
use nubbin_ir::{ItemKind, WordKind};
use std::collections::BTreeMap;

/// Deletes flags, attributes, and alignments of a module. Words with the same text are first
/// deleted together, and then one by one.
///
/// Cost: the tests of the list minimizer over all texts, and over all words.
///
/// Source: LLVM: `llvm-reduce`, passes `attributes`, `instruction-flags`, and
/// `instruction-metadata`.
///
/// ```
/// use nubbin_reduce::pass::{IrWords, preview};
///
/// let text = b"define void @f(i32 %x) {\n  %a = add nsw i32 %x, 1\n  %b = add nsw i32 %x, 2\n  ret void\n}\n";
/// let candidates = preview(&IrWords, text, 9);
/// let wanted = "define void @f(i32 %x) {\n  %a = add i32 %x, 1\n  %b = add i32 %x, 2\n  ret void\n}\n";
/// assert!(candidates.contains(&wanted.into()));
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct IrWords;

impl Pass for IrWords {
    fn info(&self) -> PassInfo {
        PassInfo::new(
            "ir-words",
            "deletes flags and attributes, each wherever it is",
            "LLVM: llvm-reduce",
        )
    }

    fn open(&self, file: &File<'_>, context: &Context<'_>) -> Option<Work> {
        let module = module_of(file, context)?;
        let mut steps = Steps::default();
        let mut texts: BTreeMap<&[u8], Vec<Step>> = BTreeMap::new();
        // A call in a function with debug information must have a location, so all locations of an
        // item are one unit.
        let mut places: BTreeMap<usize, Vec<Step>> = BTreeMap::new();
        let mut each = vec![];
        for (at, word) in (0..).zip(&module.words) {
            if word.kind == WordKind::Debug {
                let items = &module.items;
                let item = items.partition_point(|item| item.span.end <= word.span.start);
                places.entry(item).or_default().push(Step::Word(at));
                continue;
            }
            let text = module.bytes(&word.span).trim_ascii();
            texts.entry(text).or_default().push(Step::Word(at));
            each.push((Step::Word(at), 1));
        }
        // A decoration is the same for all its targets.
        for (at, item) in (0..).zip(&module.items) {
            if item.kind == ItemKind::Decoration {
                let end = module
                    .uses
                    .get(item.uses.start as usize)
                    .map(|of| of.span.end);
                let rest = end.unwrap_or(item.core.start)..item.core.end;
                texts
                    .entry(module.bytes(&rest))
                    .or_default()
                    .push(Step::Item(at));
                each.push((Step::Item(at), 1));
            }
        }
        let groups = places.into_values().chain(texts.into_values());
        let texts = groups.map(|all| (Step::All(all), 1));
        let texts = steps.extend(texts);
        let each = steps.extend(each);
        let works = vec![all_or_some(Spans::new(texts)), optional(Spans::new(each))];
        completed(file, context, module, steps, works)
    }
}
