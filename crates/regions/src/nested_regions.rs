use super::on_view::on_view;
use nubbin_edit::{Edit, File, Span, Splice};
use nubbin_engine::work::{Alternatives, Context, Pass, PassInfo, Places, Work};
use std::collections::HashMap;

/// Replaces a region of a binary file with one of the same kind in it.
///
/// A value, a box, or a function that matters is often deep within others that do not. `regions`
/// deletes a region only with everything in it, so it keeps the regions around the one that
/// matters. In this pass, the inner region replaces the outer one, and lengths, counts, offsets,
/// and checksums are updated. Outer regions come first, and of the regions directly within a
/// region, the largest comes first. If the format is unknown, the pass does nothing.
///
/// Cost: at most eight tests per region that has others of its kind in it.
///
/// Source: nubbin. Perses (Sun et al., ICSE 2018) replaces nodes of syntax trees in this way.
///
/// ```
/// use nubbin_reduce::pass::{NestedRegions, preview};
///
/// // DER: a sequence of a number and a sequence of two numbers.
/// let der = b"\x30\x0b\x02\x01\x01\x30\x06\x02\x01\x02\x02\x01\x03";
/// let candidates = preview(&NestedRegions, der, 1);
/// assert_eq!(candidates, ["\x30\x06\x02\x01\x02\x02\x01\x03"]);
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct NestedRegions;

/// The maximum number of regions that are tried in the place of one.
const MAX_REPLACEMENTS: usize = 8;

impl Pass for NestedRegions {
    fn info(&self) -> PassInfo {
        PassInfo::new(
            "nested-regions",
            "replaces a region of a binary file with one of the same kind in it",
            "nubbin",
        )
    }

    fn open(&self, file: &File<'_>, context: &Context<'_>) -> Option<Work> {
        // Guessed regions have no kinds.
        on_view(
            file,
            context,
            |_| None,
            |file, view, _| {
                let lifts = lifts(&view.regions, file.span.start);
                (!lifts.is_empty()).then(|| Work::Machine(Box::new(Alternatives::new(lifts))))
            },
        )
    }
}

/// Returns the regions that have others of their kind next within them, with those.
fn lifts(regions: &[(nubbin_binary::Span, &'static str)], base: u32) -> Lifts {
    let place = |span: &nubbin_binary::Span| Span::new(base + span.start, base + span.end);
    let mut lifts: Vec<(Span, Vec<Span>)> = vec![];
    // The open regions of each kind, as positions in `lifts`.
    let mut open: HashMap<&str, Vec<usize>> = HashMap::new();
    for (span, kind) in regions {
        let span = place(span);
        let open = open.entry(kind).or_default();
        while open.last().is_some_and(|&at| lifts[at].0.end < span.end) {
            open.pop();
        }
        if let Some(&outer) = open.last()
            && lifts[outer].0 != span
            && !span.is_empty()
        {
            lifts[outer].1.push(span);
        }
        open.push(lifts.len());
        lifts.push((span, vec![]));
    }
    for (_, inner) in &mut lifts {
        inner.sort_by_key(|span| std::cmp::Reverse(span.len()));
        inner.truncate(MAX_REPLACEMENTS);
    }
    lifts.retain(|(_, inner)| !inner.is_empty());
    lifts.sort_by_key(|(outer, _)| std::cmp::Reverse(outer.len()));
    Lifts { lifts }
}

struct Lifts {
    lifts: Vec<(Span, Vec<Span>)>,
}

impl Lifts {
    fn is_empty(&self) -> bool {
        self.lifts.is_empty()
    }
}

impl Places for Lifts {
    fn count(&self) -> usize {
        self.lifts.len()
    }

    fn alternative(&self, place: usize, number: usize) -> Option<Edit> {
        let (outer, inner) = self.lifts.get(place)?;
        let inner = inner.get(number)?;
        let around = [
            Span::new(outer.start, inner.start),
            Span::new(inner.end, outer.end),
        ];
        let around = around.into_iter().filter(|span| !span.is_empty());
        Some(Edit::from_sorted(around.map(Splice::delete)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nubbin_engine::testing::{proposals, reduce_with};

    #[test]
    fn a_value_loses_all_lists_around_it() {
        // A list of nine numbers within six lists that have other members.
        let mut text = b"\x99\x01\x02\x03\x04\x05\x06\x07\x08\x09".to_vec();
        let wanted = text.clone();
        for _ in 0..6 {
            text = [&b"\x93\x01"[..], &text, b"\xa3abc"].concat();
        }
        let holds = |text: &[u8]| text.windows(wanted.len()).any(|within| within == wanted);
        assert_eq!(reduce_with(&NestedRegions, &text, holds), wanted);
    }

    #[test]
    fn an_unknown_format_is_left_alone() {
        assert!(proposals(&NestedRegions, b"some text").is_empty());
    }
}
