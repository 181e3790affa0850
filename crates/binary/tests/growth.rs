//! Readers look at a number of places that is linear in the file, however often a part comes.

use nubbin_binary::{Bounds, Cut, Layout, Means, Span, read, read_within};
use std::collections::BTreeSet;
use std::path::Path;

const SIZE: usize = 1 << 17;

/// Repeats a region up to about so many bytes, with the lengths around it and the numbers of its
/// items. Encoded parts stay as they are.
fn grown(layout: &Layout, span: &Span) -> Vec<u8> {
    let bytes = |span: &Span| &layout.text[span.start as usize..span.end as usize];
    let times = SIZE.saturating_sub(layout.text.len()) / bytes(span).len();
    let counted = layout.fields.iter().filter_map(|field| {
        let Means::Count { list, each } = field.means else {
            return None;
        };
        let is_outside = field.span.end <= span.start || span.end <= field.span.start;
        let items = layout.lists[list].iter();
        let within = items.filter(|item| span.start <= item.start && item.end <= span.end);
        let more = (within.count() * times) as u64 * u64::from(each);
        let old = bytes(&field.span);
        let text = field.number.write(field.number.read(old)?.0 + more, old)?;
        let span = field.span.clone();
        (is_outside && more > 0).then_some(Cut { span, text })
    });
    let copies = Cut {
        span: span.end..span.end,
        text: bytes(span).repeat(times),
    };
    let mut cuts: Vec<Cut> = counted.chain([copies]).collect();
    cuts.sort_by_key(|cut| (cut.span.start, cut.span.end));
    let plain = Layout {
        inner: vec![],
        ..layout.clone()
    };
    Cut::render(&plain.rewrite(&cuts), &layout.text)
}

#[test]
fn readers_look_at_places_linear_in_the_file() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/samples");
    let files = std::fs::read_dir(folder).unwrap().map(Result::unwrap);
    let mut grew = 0;
    for file in files.filter(|file| file.file_name() != "make") {
        let layout = read(&std::fs::read(file.path()).unwrap()).unwrap();
        let mut kinds = BTreeSet::new();
        // The last one of a kind, since the first is often another than the others.
        for region in layout.regions.iter().rev() {
            if !kinds.insert(region.kind) {
                continue;
            }
            let large = grown(&layout, &region.span);
            let bounds = Bounds::of(large.len());
            let looks = 2 * large.len();
            let (all, few) = (
                read_within(&large, bounds),
                read_within(&large, Bounds { looks, ..bounds }),
            );
            let name = file.file_name();
            assert!(all == few, "{name:?}, {}: more than {looks}", region.kind);
            grew += usize::from(all.is_some_and(|all| all.regions.len() > 1_000));
        }
    }
    assert!(grew > 100, "{grew}");
}
