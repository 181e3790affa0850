use super::coupled::coupled;
use crate::edit::Edit;
use crate::input::File;
use crate::pass::{Chain, Context, Forest, Nested, Pass};
use crate::span::Span;
use crate::work::{Proposals, Spans, Work, all_or_some};

/// Deletes regions of a file whose binary format is known, with all that follows from it.
///
/// A region is what the format calls a section, a chunk, an entry, a record, an instruction, or the
/// data of one. All lengths, counts, offsets, indices, and checksums around it are written anew, and
/// regions that only make sense together, such as an entry and its place in a directory, are
/// deleted together. Content that is compressed has regions as well, and is compressed again. So
/// the candidate is as well-formed as the file, where every plain deletion would break the frame.
///
/// Regions are visited from the outside in, the heaviest first. Then numbers that are longer than
/// they must be are written in short form, which linkers never do. Where no format is known, the pass
/// does nothing; see `nubbin_binary` for the formats.
///
/// Cost: the tests of the list minimizer over all regions whose surroundings are kept.
///
/// Source: nubbin. Tree reducers (Misherghi, Su: HDD, ICSE 2006) do the same for texts.
///
/// ```
/// use nubbin_reduce::pass::{Regions, preview};
///
/// let wav = b"RIFF\x16\0\0\0WAVEabcd\x01\0\0\0x\0data\0\0\0\0";
/// let candidates = preview(&Regions, wav, 3);
/// assert!(candidates.contains(&"RIFF\x0c\0\0\0WAVEdata\0\0\0\0".into()));
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Regions;

impl Pass for Regions {
    fn id(&self) -> &'static str {
        "regions"
    }

    fn about(&self) -> &'static str {
        "deletes regions of a binary file, and updates the fields that depend on them"
    }

    fn source(&self) -> &'static str {
        "nubbin"
    }

    fn open(&self, file: &File<'_>, context: &Context<'_>) -> Option<Work> {
        coupled(file, context, |file, view| {
            let place = |span: &nubbin_binary::Span| {
                Span::at(file.span.start, span.start as usize..span.end as usize)
            };
            let nested = Nested::of(view.regions.iter().map(|(span, _)| place(span)));
            let regions = Forest::new(Spans::new(nested.spans), &nested.parents);
            let shorter = view.fields.iter().filter_map(|(span, number)| {
                let old = view.text.get(span.start as usize..span.end as usize)?;
                let new = number.write(number.read(old)?.0, &old[..1.min(old.len())])?;
                (new.len() < old.len()).then(|| Edit::replace(place(span), &new))
            });
            let shorter = all_or_some(Proposals::new(shorter.collect::<Vec<_>>()));
            Chain::work(
                regions.walk(context.lists).into_iter().chain([shorter]),
                context.lists,
            )
        })
    }
}
