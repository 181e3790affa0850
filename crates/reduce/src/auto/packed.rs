use super::marks::Marks;
use super::only::only_on;
use super::rows::{Entry, TEXT};
use super::together::{insert_first, where_they_fit};
use crate::pass::by_id;
use nubbin_edit::{Edit, File, Span};
use nubbin_engine::plan::{Plan, Repeat, Tier};
use nubbin_engine::work::{Context, OneByOne, OpenedBy, Pass, Work};
use nubbin_regions::Regions;
use nubbin_text::Ends;
use std::sync::Arc;

/// Passes for text that are about files, their names, and the parts of binary files, and not about
/// the text of a packed file.
const OF_FILES: [&str; 4] = ["files", "trivial", "includes", "inline-files"];

/// Passes on the bytes of a file that an archive does not need: its checksums are known, and
/// [`halves`] shows whether it needs its ends.
const OF_BYTES: [&str; 2] = ["ends", "checked-chunks"];

/// Extends the passes of a plan for text to texts that are packed in marked files. Passes on bytes
/// then run only on the rest of these files.
///
/// Whole members of an archive are removed first. Their texts are then reduced as each would be by
/// itself. Of the bytes around them, the regions of the format are removed and nothing else: the
/// headers of archives and compressed files have little that is not needed or does not follow. Only
/// if a half of the file is not needed, it is not an archive for the test, and all its bytes are
/// tried.
pub(super) fn begin_with_texts(mut plan: Plan, texts: &Marks, packed: &Marks) -> Plan {
    let of_texts = || TEXT.iter().flat_map(|row| row.passes);
    for tier in &mut plan.tiers {
        let mut passes: Vec<Arc<dyn Pass>> = vec![];
        if tier.name == "opening" {
            passes.push(regions(packed));
        }
        for pass in std::mem::take(&mut tier.passes) {
            let id = pass.id();
            if id == "regions" {
                // The regions of an archive come first and last.
                let is_packed = is_in(packed);
                passes.push(only_on(pass, move |file| !is_packed(file)));
                passes.push(on_texts_of(Arc::new(Regions), &Marks::default(), packed));
                continue;
            }
            if matches!(id, "bytes" | "zero-fill") {
                passes.push(beside_texts(pass, packed));
                continue;
            }
            if OF_BYTES.contains(&id) {
                let is_packed = is_in(packed);
                passes.push(only_on(pass, move |file| !is_packed(file)));
                continue;
            }
            let entry = of_texts().find(|entry| entry.id == id && !OF_FILES.contains(&id));
            let of_text = entry.and_then(Entry::pass);
            passes.push(of_text.map_or(pass, |pass| on_texts_of(pass, texts, packed)));
        }
        if tier.name == "opening" {
            let together = where_they_fit(&["line-pairs", "shared-words"]).into_iter();
            let together = together.map(|pass| on_texts_of(pass, &Marks::default(), packed));
            insert_first(&mut passes, together.collect());
        }
        tier.passes = passes;
    }
    let is_polish = |tier: &Tier| tier.repeat == Repeat::Polish;
    let behind = plan.tiers.iter().position(is_polish);
    let tier = Tier {
        name: "around texts",
        passes: vec![regions(packed), halves(packed)],
        repeat: Repeat::Fixpoint,
    };
    plan.tiers.insert(behind.unwrap_or(plan.tiers.len()), tier);
    plan
}

fn is_in(marks: &Marks) -> impl Fn(&File<'_>) -> bool + Send + Sync + 'static {
    let marks = Arc::clone(marks);
    move |file| marks.get(file.number) == Some(&true)
}

/// Returns a pass on the files that are `texts`, and on the texts that are packed in others.
fn on_texts_of(pass: Arc<dyn Pass>, texts: &Marks, packed: &Marks) -> Arc<dyn Pass> {
    let is_text = is_in(texts);
    opened(pass, packed, is_text, |pass, file, context| {
        nubbin_regions::on_texts(file, context, |text| pass.open(text, context))
    })
}

/// Returns a pass that is opened on packed files without their texts, and on other files unchanged.
fn beside_texts(pass: Arc<dyn Pass>, packed: &Marks) -> Arc<dyn Pass> {
    let on_bytes = by_id(pass.id());
    opened(
        pass,
        packed,
        |_| true,
        move |_, file, context| {
            let on_bytes = on_bytes.as_ref()?;
            nubbin_regions::beside_texts(file, context, |other| on_bytes.open(other, context))
        },
    )
}

/// Returns the pass `regions` for packed files without their texts.
fn regions(packed: &Marks) -> Arc<dyn Pass> {
    opened(
        Arc::new(Regions),
        packed,
        |_| false,
        |_, file, context| nubbin_regions::regions_beside_texts(file, context),
    )
}

/// Returns the pass `ends` on packed files: only one half and the other, with two tests.
///
/// Nearly all programs need both. Where one is not needed, the rest is not an archive any more, and
/// the passes for unknown formats reduce it.
fn halves(packed: &Marks) -> Arc<dyn Pass> {
    opened(
        Arc::new(Ends),
        packed,
        |_| false,
        |_, file, _| {
            let middle = file.span.start + file.span.len() / 2;
            let halves = [
                Span::new(middle, file.span.end),
                Span::new(file.span.start, middle),
            ];
            let edits = halves.into_iter().filter(|half| !half.is_empty());
            let edits: Vec<Edit> = edits.map(Edit::delete).collect();
            Some(Work::Machine(Box::new(OneByOne::new(edits).first_only())))
        },
    )
}

/// Returns a pass that is opened on packed files by a function, and on others that fit as it is.
fn opened(
    pass: Arc<dyn Pass>,
    packed: &Marks,
    fits: impl Fn(&File<'_>) -> bool + Send + Sync + 'static,
    open: impl Fn(&dyn Pass, &File<'_>, &Context<'_>) -> Option<Work> + Send + Sync + 'static,
) -> Arc<dyn Pass> {
    let is_packed = is_in(packed);
    OpenedBy::wrap(pass, move |pass, files, context| {
        let (packed, others): (Vec<File<'_>>, Vec<_>) =
            files.iter().partition(|file| is_packed(file));
        let others: Vec<File<'_>> = others.into_iter().filter(|file| fits(file)).collect();
        let of_others = match others.as_slice() {
            [] => None,
            [file] => pass.open(file, context),
            files => pass.open_all(files, context),
        };
        let of_packed = packed.iter().filter_map(|file| open(pass, file, context));
        Work::joined(of_others.into_iter().chain(of_packed), context.lists)
    })
}

#[cfg(test)]
mod tests {
    use super::super::plan;
    use crate::auto::marks::with_texts;
    use nubbin_binary::Codec;
    use nubbin_edit::Input;
    use nubbin_engine::work::Context;

    #[test]
    #[cfg_attr(not(feature = "trees"), ignore = "needs the feature `trees`")]
    fn texts_in_files_and_beside_them_get_the_passes_for_text() {
        let binary: Vec<u8> = (0..=255).collect();
        let input = Input::files([
            ("a.c", b"int x = 17;".to_vec()),
            ("b.c.gz", Codec::Zlib.encode(b"int y = 18;\nint z;\n")),
            ("c.bin", binary.clone()),
            ("d.gz", Codec::Zlib.encode(&binary)),
        ]);
        let input = input.unwrap();
        assert_eq!(with_texts(&input)[..], [false, true, false, false]);
        let plan = plan(&input);
        let views = nubbin_engine::work::Views::default();
        let context = Context::of(&input, &views);
        let opens = |id: &str| {
            let on = |number: usize| {
                let file = input.file(number).unwrap();
                let mut passes = plan.passes().filter(|pass| pass.id() == id);
                passes.any(|pass| pass.open(&file, &context).is_some())
            };
            [on(0), on(1), on(2), on(3)]
        };
        assert_eq!(opens("tokens"), [true, true, false, false]);
        assert_eq!(opens("lines"), [true, true, false, false]);
        assert_eq!(opens("bytes"), [false, false, true, true]);
        assert_eq!(opens("ends"), [false, true, true, false]);
        assert_eq!(plan.order, nubbin_engine::order::Order::packed());
    }
}
