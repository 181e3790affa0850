use nubbin_binary::{Cut, Layout, PackedFile, View};
use nubbin_edit::{Edit, File, Span, Splice};
use nubbin_engine::work::{Complete, Completed, Context, OpenedBy, Pass, Work};
use std::path::Path;
use std::sync::Arc;

/// Returns a pass that works on the structure of binary files and of texts with encoded parts.
///
/// The pass is opened on the [view](Layout::view) of a file whose format is known: its bytes, with
/// all that is compressed or encoded decoded. Each proposal is [completed](Layout::rewrite):
/// lengths, counts, offsets, indices, and checksums are updated, and decoded parts are encoded
/// again. Any pass can therefore reduce any such file, and its candidates are files of the format.
///
/// A field depends on everything that was removed. Each edit is therefore the whole change since
/// the pass was opened, and its splices [outrank](Splice::rank) the splices of earlier edits. The
/// structure of a file of an unknown format is [guessed](nubbin_binary::guess). If none of the
/// first 32 proposals is adopted, the guess is considered wrong, and the pass ends.
pub fn on_its_view(pass: Arc<dyn Pass>) -> Arc<dyn Pass> {
    OpenedBy::wrap(pass, |pass, files, context| {
        let works = files.iter().filter_map(|file| {
            on_view(file, context, nubbin_binary::guess, |file, _, _| {
                pass.open(file, context)
            })
        });
        Work::joined(works, context.lists)
    })
}

/// Returns the work on the texts that are packed in a file: the files of an archive, or a
/// compressed file.
///
/// `open` creates the work on each text, as on a separate file. The changes are applied to the file
/// in the same way as with [`on_its_view`].
pub fn on_texts(
    file: &File<'_>,
    context: &Context<'_>,
    open: impl Fn(&File<'_>) -> Option<Work>,
) -> Option<Work> {
    on_packed(file, context, |file, view| {
        let texts = view.files.iter().filter(|packed| packed.is_text);
        let works = texts.filter_map(|packed| open(&packed_file(file, packed)?));
        Work::joined(works, context.lists)
    })
}

/// Returns the work on the packed files that are not texts. There is no work if all packed files
/// are texts, since most tests need every byte around the texts.
pub fn beside_texts(
    file: &File<'_>,
    context: &Context<'_>,
    open: impl Fn(&File<'_>) -> Option<Work>,
) -> Option<Work> {
    on_packed(file, context, |file, view| {
        let others = view.files.iter().filter(|packed| !packed.is_text);
        let works = others.filter_map(|packed| open(&packed_file(file, packed)?));
        Work::joined(works, context.lists)
    })
}

/// Returns the work on the view of a file in which packed texts have no structure.
pub(super) fn on_packed(
    file: &File<'_>,
    context: &Context<'_>,
    open: impl Fn(&File<'_>, &View) -> Option<Work>,
) -> Option<Work> {
    let layout = nubbin_binary::read(file.text)?.with_whole_texts();
    on_layout(file, context, layout, None, |file, view| open(file, view))
}

/// Calls a function on each text that is packed in a file, until the first error.
pub fn each_text<E>(
    file: &File<'_>,
    mut each: impl FnMut(&File<'_>) -> Result<(), E>,
) -> Result<(), E> {
    let Some(layout) = nubbin_binary::read(file.text) else {
        return Ok(());
    };
    let view = layout.with_whole_texts().view();
    let on_view = File {
        text: &view.text,
        ..*file
    };
    let texts = view.files.iter().filter(|packed| packed.is_text);
    for text in texts.filter_map(|packed| packed_file(&on_view, packed)) {
        each(&text)?;
    }
    Ok(())
}

/// Returns whether a file contains packed texts.
pub fn has_texts(text: &[u8]) -> bool {
    let view = nubbin_binary::read(text).map(|layout| layout.with_whole_texts().view());
    view.is_some_and(|view| view.files.iter().any(|packed| packed.is_text))
}

/// Returns a file that is packed in another, by its name in the archive, or the name of the
/// compressed file without its extension.
fn packed_file<'a>(view: &File<'a>, packed: &'a PackedFile) -> Option<File<'a>> {
    let range = packed.span.start as usize..packed.span.end as usize;
    let span = Span::at(view.span.start, range.clone());
    let name = match &packed.name {
        Some(name) => Path::new(name),
        None => Path::new(view.name.file_stem()?),
    };
    Some(File {
        text: view.text.get(range)?,
        span,
        extent: span,
        name,
        name_span: None,
        ..*view
    })
}

/// Returns the work on the structure of a file. `open` creates the work on the view of the file.
///
/// For a file of an unknown format, the layout is `guessed`, or there is no work. `open` receives
/// whether it is a guess.
pub fn on_view(
    file: &File<'_>,
    context: &Context<'_>,
    guessed: fn(&[u8]) -> Option<Layout>,
    open: impl Fn(&File<'_>, &View, bool) -> Option<Work>,
) -> Option<Work> {
    let known = nubbin_binary::read(file.text).or_else(|| nubbin_binary::read_encoded(file.text));
    let patience = known.is_none().then_some(PATIENCE);
    let layout = known.or_else(|| guessed(file.text))?;
    on_layout(file, context, layout, patience, |file, view| {
        open(file, view, patience.is_some())
    })
}

fn on_layout(
    file: &File<'_>,
    context: &Context<'_>,
    layout: Layout,
    patience: Option<u32>,
    open: impl Fn(&File<'_>, &View) -> Option<Work>,
) -> Option<Work> {
    let view = layout.view();
    let start = file.span.start;
    let end = start.checked_add(u32::try_from(view.text.len()).ok()?)?;
    let on_view = File {
        text: &view.text,
        span: Span::new(start, end),
        ..*file
    };
    let machine = open(&on_view, &view)?.start(context.lists);
    let form = OnLayout { layout, start };
    let machine = Completed::new(machine, form, patience);
    Some(Work::Machine(Box::new(machine)))
}

/// The view of a file, whose changes are completed to changes of the file.
struct OnLayout {
    layout: Layout,
    /// The offset of the file in the input.
    start: u32,
}

/// The tests after which a guess is wrong, if none of them fails.
const PATIENCE: u32 = 32;

impl Complete for OnLayout {
    type Whole = Edit;

    fn complete(&self, all: &Edit, adopted: &Edit, rank: u32) -> Edit {
        let cuts: Vec<Cut> = all
            .splices()
            .iter()
            .map(|splice| Cut {
                span: splice.span.start - self.start..splice.span.end - self.start,
                text: splice.text().to_vec(),
            })
            .collect();
        let cuts = self.layout.rewrite(&cuts);
        let mut splices: Vec<Splice> = Vec::with_capacity(cuts.len());
        for cut in cuts {
            let mut span = Span::new(cut.span.start + self.start, cut.span.end + self.start);
            let mut text = cut.text;
            // An insertion cannot outrank another. So it replaces the byte before it as well.
            if span.is_empty() {
                match splices.last_mut() {
                    Some(last) if last.span.end == span.start => {
                        text.splice(0..0, last.text().iter().copied());
                        *last = Splice::replace(last.span, &text).ranked(rank);
                        continue;
                    }
                    _ if cut.span.start == 0 => continue,
                    _ => {
                        span.start -= 1;
                        text.insert(0, self.layout.text[cut.span.start as usize - 1]);
                    }
                }
            }
            splices.push(Splice::replace(span, &text).ranked(rank));
        }
        // A field may have its original value again.
        for old in adopted.splices() {
            let after = splices.partition_point(|new| new.span.end <= old.span.start);
            let is_met = splices
                .get(after)
                .is_some_and(|new| new.span.start < old.span.end);
            if !is_met && !old.span.is_empty() {
                let range =
                    (old.span.start - self.start) as usize..(old.span.end - self.start) as usize;
                let text = self.layout.text.get(range).unwrap_or_default();
                splices.insert(after, Splice::replace(old.span, text).ranked(rank));
            }
        }
        Edit::from_sorted(splices)
    }

    fn edit(whole: &Edit) -> &Edit {
        whole
    }
}
