use super::{Context, Facts, Pass};
use crate::work::{Lists, Views};
use nubbin_edit::Input;
use rustc_hash::FxHashSet;

/// Returns the first distinct candidates that a pass proposes for a text while none of them is
/// adopted. The function is for documentation and for authors of passes.
///
/// Bytes that are not UTF-8 are shown as replacement characters.
///
/// ```
/// use nubbin_reduce::pass::{Trivial, preview};
///
/// assert_eq!(preview(&Trivial, b"int x;", 3), ["", "\n", "0"]);
/// ```
pub fn preview(pass: &dyn Pass, text: &[u8], count: usize) -> Vec<String> {
    preview_with(pass, &Facts::default(), text, count)
}

/// Returns the first distinct candidates that a pass proposes for a text, with facts about
/// languages. See [`preview`].
pub fn preview_with(pass: &dyn Pass, facts: &Facts, text: &[u8], count: usize) -> Vec<String> {
    let Ok(input) = Input::single("preview", text) else {
        return Vec::new();
    };
    let lists = Lists::default();
    let views = Views::default();
    let context = Context::new(&input, &lists, facts, &views);
    let work = input.file(0).and_then(|file| pass.open(&file, &context));
    let Some(mut machine) = work.map(|work| work.start(&lists)) else {
        return Vec::new();
    };
    let mut seen = FxHashSet::from_iter([text.to_vec()]);
    std::iter::from_fn(|| {
        let edit = machine.next()?;
        machine.record(false);
        Some(edit.render(text))
    })
    .filter(|proposal| seen.insert(proposal.clone()))
    .map(|proposal| String::from_utf8_lossy(&proposal).into_owned())
    .take(count)
    .collect()
}
