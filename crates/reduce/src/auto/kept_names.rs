use nubbin_edit::Edit;
use nubbin_engine::plan::Plan;
use nubbin_engine::work::{Machine, OpenedBy, Taken};
use nubbin_view::keywords::is_keyword;
use nubbin_view::tokens::{TokenKind, code};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Returns the plan with passes that keep names: no pass changes a name, replaces a name with
/// another name, or copies a name from another position.
///
/// A candidate in which a word of the code occurs more often than before is not proposed. Words are
/// therefore only removed with their surroundings, while strings, numbers, and
/// [keywords](nubbin_view::keywords) may still change.
///
/// Prefer it if people compare the result with the original. The restriction costs no tests, only
/// the time to read each candidate once.
///
/// ```
/// use nubbin_reduce::{auto, input::Input};
///
/// let input = Input::single("a.c", "int counter = 0;").unwrap();
/// let plan = auto::keeping_names(auto::plan(&input));
/// assert!(plan.passes().any(|pass| pass.id() == "lines"));
/// assert!(plan.passes().all(|pass| pass.id() != "names"));
/// ```
#[must_use]
pub fn keeping_names(mut plan: Plan) -> Plan {
    plan.without(&RENAMING);
    for pass in plan.tiers.iter_mut().flat_map(|tier| &mut tier.passes) {
        *pass = OpenedBy::wrap(Arc::clone(pass), |pass, files, context| {
            let work = match files {
                [file] => pass.open(file, context),
                files => pass.open_all(files, context),
            };
            let bytes = context.input.bytes();
            let end = context.input.files_end().min(bytes.len());
            let text: Arc<[u8]> = bytes.get(..end).unwrap_or_default().into();
            let machine = KeptNames {
                machine: work?.start(context.lists),
                words: Arc::new(words(&text).into_iter().map(owned).collect()),
                text,
                adopted: Edit::none(),
                asked: None,
            };
            Some(nubbin_engine::work::Work::Machine(Box::new(machine)))
        });
    }
    plan
}

/// Passes that propose nothing but other names.
const RENAMING: [&str; 5] = [
    "names",
    "merge-names",
    "scoped-names",
    "identifiers",
    "token-interiors",
];

fn owned((word, count): (&[u8], u32)) -> (Box<[u8]>, u32) {
    (word.into(), count)
}

/// Returns how often each word of the code occurs that may be a name.
fn words(text: &[u8]) -> BTreeMap<&[u8], u32> {
    let mut counts: BTreeMap<&[u8], u32> = BTreeMap::default();
    for token in code(text).filter(|token| token.kind == TokenKind::Word) {
        let word = token.text(text);
        if !is_keyword(word) {
            *counts.entry(word).or_default() += 1;
        }
    }
    counts
}

/// A machine without the proposals that have other names.
struct KeptNames {
    machine: Box<dyn Machine>,
    text: Arc<[u8]>,
    words: Arc<BTreeMap<Box<[u8]>, u32>>,
    /// All changes since the pass was opened.
    adopted: Edit,
    /// The current proposal, with the changes before it.
    asked: Option<Edit>,
}

impl KeptNames {
    fn keeps_names(&self, all: &Edit) -> bool {
        let is_known = |(word, count): (&[u8], u32)| {
            let before = self.words.get(word);
            before.is_some_and(|&before| count <= before)
        };
        words(&all.render(&self.text)).into_iter().all(is_known)
    }
}

impl Machine for KeptNames {
    fn next(&mut self) -> Option<Edit> {
        loop {
            let edit = self.machine.next()?;
            if self.asked.is_some() {
                return Some(edit);
            }
            let all = self.adopted.combine(&edit).ok();
            match all.filter(|all| self.keeps_names(all)) {
                Some(all) => {
                    self.asked = Some(all);
                    return Some(edit);
                }
                None => self.machine.record(false),
            }
        }
    }

    fn record(&mut self, adopted: bool) {
        if let Some(all) = self.asked.take()
            && adopted
        {
            self.adopted = all;
        }
        self.machine.record(adopted);
    }

    fn fork(&self) -> Box<dyn Machine> {
        Box::new(KeptNames {
            machine: self.machine.fork(),
            text: Arc::clone(&self.text),
            words: Arc::clone(&self.words),
            adopted: self.adopted.clone(),
            asked: self.asked.clone(),
        })
    }

    fn taken(&self) -> Option<Taken<'_>> {
        self.machine.taken()
    }

    fn configurations(&self) -> Option<u64> {
        self.machine.configurations()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nubbin_edit::{Input, Span};
    use nubbin_engine::testing::proposals;
    use nubbin_engine::work::OneByOne;

    #[test]
    fn every_candidate_has_words_of_the_original_only() {
        let text = b"long first = second + 1000; /* a */ call(\"some text\", first);\n";
        let input = Input::single("a.c", text).unwrap();
        let before = words(text);
        let mut count = 0;
        for pass in keeping_names(super::super::plan(&input)).passes() {
            for candidate in proposals(pass.as_ref(), text) {
                count += 1;
                for (word, _) in words(&candidate) {
                    assert!(
                        before.contains_key(&word),
                        "{}: {}",
                        pass.id(),
                        candidate.escape_ascii()
                    );
                }
            }
        }
        assert!(count > 50, "{count}");
    }

    #[test]
    fn two_changes_do_not_join_words() {
        let edits = [(1, 2), (2, 3), (3, 4)].map(|(from, to)| Edit::delete(Span::new(from, to)));
        let mut machine = KeptNames {
            machine: Box::new(OneByOne::new(edits.to_vec())),
            text: b"a + b".as_slice().into(),
            words: Arc::new(words(b"a + b").into_iter().map(owned).collect()),
            adopted: Edit::none(),
            asked: None,
        };
        for _ in 0..2 {
            assert!(machine.next().is_some());
            machine.record(true);
        }
        assert!(machine.next().is_none());
    }
}
