//! Laws of the edit algebra on random edits.

use super::*;
use crate::Span;
use proptest::prelude::*;

const LEN: u32 = 40;

fn base() -> Vec<u8> {
    (0..LEN as u8)
        .map(|i| b'A' + i % 26 + if i >= 26 { 6 } else { 0 })
        .collect()
}

fn splice() -> impl Strategy<Value = Splice> {
    (
        0..=LEN,
        0u32..12,
        prop_oneof![3 => Just(""), 2 => Just("x"), 1 => Just("yz"), 1 => Just("longer text")],
        // An insertion cannot outrank another insertion at the same offset.
        prop_oneof![3 => Just(0), 1 => 1u32..4],
    )
        .prop_map(|(start, len, text, rank)| {
            let span = Span::new(start, (start + len).min(LEN));
            let rank = if span.is_empty() { 0 } else { rank };
            Splice::replace(span, text.as_bytes()).ranked(rank)
        })
}

fn edit() -> impl Strategy<Value = Edit> {
    prop::collection::vec(splice(), 0..8).prop_map(|splices| {
        let mut edit = Edit::none();
        for splice in splices {
            if let Ok(more) = edit.combine(&Edit::from_sorted([splice])) {
                edit = more;
            }
        }
        edit
    })
}

/// Renders splice by splice from the back: slow, and obviously correct.
fn render_plainly(edit: &Edit, base: &[u8]) -> Vec<u8> {
    let mut out = base.to_vec();
    for splice in edit.splices().iter().rev() {
        out.splice(splice.span.range(), splice.text().iter().copied());
    }
    out
}

fn in_normal_form(edit: &Edit) -> bool {
    edit.splices()
        .iter()
        .all(|s| !(s.span.is_empty() && s.is_deletion()))
        && edit.splices().windows(2).all(|pair| {
            pair[0].span.end <= pair[1].span.start
                && (pair[0].span.end < pair[1].span.start
                    || !(pair[0].is_deletion() && pair[1].is_deletion()))
        })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(20_000))]

    #[test]
    fn rebasing_and_combining_render_the_same(applied in edit(), e in edit()) {
        let base = base();
        match applied.combine(&e) {
            Ok(both) => {
                prop_assert!(in_normal_form(&both), "{both:?}");
                let moved = e.rebase(&applied);
                prop_assert!(moved.is_ok(), "combines but does not rebase");
                let moved = moved.unwrap_or_default();
                prop_assert!(in_normal_form(&moved), "{moved:?}");
                let now = applied.render(&base);
                prop_assert_eq!(moved.render(&now), both.render(&base), "{:?}", both);
                prop_assert_eq!(both.render(&base), render_plainly(&both, &base));
                // A change that has already been made is not tested again.
                if moved.is_none() {
                    prop_assert_eq!(both.render(&base), now);
                }
            }
            Err(_) => prop_assert!(e.rebase(&applied).is_err(), "rebases but does not combine"),
        }
    }

    #[test]
    fn one_edit_after_another_is_one_edit(a in edit(), b in edit()) {
        let base = base();
        let between = a.render(&base);
        let len = between.len() as u32;
        let fits = |splice: &&Splice| splice.span.end <= len;
        let b = Edit::from_sorted(b.splices().iter().filter(fits).cloned());
        let both = a.then(&b);
        prop_assert!(in_normal_form(&both), "{both:?}");
        prop_assert_eq!(both.render(&base), b.render(&between), "{:?}", both);
    }

    #[test]
    fn combining_is_commutative(a in edit(), b in edit()) {
        prop_assert_eq!(a.combine(&b).ok(), b.combine(&a).ok());
    }

    #[test]
    fn deletions_never_conflict_and_are_idempotent(
        a in prop::collection::vec((0..LEN, 0u32..9), 0..8),
        b in prop::collection::vec((0..LEN, 0u32..9), 0..8),
    ) {
        let make = |spans: &[(u32, u32)]| {
            Edit::delete_all(spans.iter().map(|&(s, l)| Span::new(s, (s + l).min(LEN))))
        };
        let (a, b) = (make(&a), make(&b));
        let both = a.combine(&b).unwrap();
        prop_assert!(both.only_deletes());
        prop_assert_eq!(&both.combine(&b).unwrap(), &both);
        prop_assert!(b.rebase(&both).unwrap().is_none());
        let base = base();
        let kept: Vec<u8> = (0..LEN)
            .filter(|&i| ![&a, &b].iter().any(|e| e.splices().iter().any(|s| s.span.range().contains(&(i as usize)))))
            .map(|i| base[i as usize])
            .collect();
        prop_assert_eq!(both.render(&base), kept);
    }

    #[test]
    fn a_chain_of_rebases_equals_one_combined_edit(edits in prop::collection::vec(edit(), 1..6)) {
        let base = base();
        let mut applied = Applied::default();
        let mut now = base.clone();
        for e in &edits {
            if let Ok(moved) = applied.rebase(e) {
                now = moved.render(&now);
                applied.apply(e).unwrap();
                prop_assert_eq!(&now, &applied.edit().render(&base));
            }
        }
    }
}
