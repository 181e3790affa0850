use super::budget::Budget;
use super::text;
use crate::layout::{Field, Inner, Layout, List, Means, Piece, Region, Span};
use crate::{Codec, Number, Sum};
use std::ops::Range;

/// A layout that is being read, with a position in the text.
pub(super) struct Builder<'a> {
    pub(super) text: &'a [u8],
    /// The position of the next number.
    pub(super) at: usize,
    layout: Layout,
    budget: &'a mut Budget,
}

fn span(range: Range<usize>) -> Span {
    range.start as u32..range.end as u32
}

impl<'a> Builder<'a> {
    pub(super) fn new(format: &'static str, text: &'a [u8], budget: &'a mut Budget) -> Self {
        Builder {
            text,
            at: 0,
            layout: Layout {
                format,
                text: text.into(),
                ..Layout::default()
            },
            budget,
        }
    }

    /// Returns the bytes of a range, or `None` if a limit is reached. Readers therefore also end
    /// for parts that overlap.
    pub(super) fn bytes(&self, range: Range<usize>) -> Option<&'a [u8]> {
        let looks = self.budget.looks.get().checked_sub(1)?;
        self.budget.looks.set(looks);
        self.text.get(range).filter(|_| self.budget.structure > 0)
    }

    /// Returns a number without reading past it.
    pub(super) fn peek(&self, at: usize, number: Number) -> Option<u64> {
        Some(number.read(self.bytes(at..self.text.len())?)?.0)
    }

    /// Reads a number, and returns its range and its value.
    pub(super) fn number(&mut self, number: Number) -> Option<(u64, Range<usize>)> {
        let (value, len) = number.read(self.bytes(self.at..self.text.len())?)?;
        let place = self.at..self.at + len;
        self.at = place.end;
        Some((value, place))
    }

    /// Skips bytes, and returns their range.
    pub(super) fn skip(&mut self, len: usize) -> Option<Range<usize>> {
        let range = self.at..self.at.checked_add(len)?;
        self.bytes(range.clone())?;
        self.at = range.end;
        Some(range)
    }

    /// Skips bytes as [`skip`](Self::skip) does, for callers that do not need the range.
    pub(super) fn pass(&mut self, len: usize) -> Option<()> {
        self.skip(len).map(drop)
    }

    /// Reads the length of the bytes after it, and returns their range. The bytes are not skipped.
    pub(super) fn length(&mut self, number: Number) -> Option<Range<usize>> {
        let (value, place) = self.number(number)?;
        let end = self.at.checked_add(usize::try_from(value).ok()?)?;
        let range = self.at..end;
        self.bytes(range.clone())?;
        self.measures(place, number, range.clone());
        Some(range)
    }

    /// Counts bytes that are read more than once because parts of the file overlap. Returns `None`
    /// if the limit is reached.
    pub(super) fn reads(&mut self, bytes: usize) -> Option<()> {
        self.budget.work(bytes).then_some(())
    }

    /// Counts a value that a reader keeps, and returns whether the value is within the limits.
    pub(super) fn keeps<T>(&mut self) -> bool {
        self.budget.spend::<T>(1)
    }

    /// Returns whether a range is in the text.
    fn has(&self, range: &Range<usize>) -> bool {
        range.start <= range.end && range.end <= self.text.len()
    }

    /// Returns whether everything that determines a field is in the text.
    fn is_sound(&self, means: &Means) -> bool {
        let has = |span: &Span| self.has(&(span.start as usize..span.end as usize));
        let has_place = |at: &u32| *at as usize <= self.text.len();
        match means {
            Means::Length { of, unit } => *unit > 0 && has(of),
            Means::DecodedLength { unit, .. } => *unit > 0,
            Means::Offset { to, base, unit } => *unit > 0 && has_place(to) && has_place(base),
            Means::Place { of, base, .. } => has(of) && has_place(base),
            Means::Address { to, within } => has_place(to) && has(within),
            Means::Padding { from, multiple, .. } => *multiple > 0 && has_place(from),
            Means::Sum { over, .. } => over.iter().all(|piece| match piece {
                Piece::Bytes(span) | Piece::Length(span) => has(span),
                Piece::Filler(..) | Piece::Decoded(_) => true,
            }),
            Means::Count { .. } | Means::Index { .. } | Means::Last { .. } => true,
        }
    }

    /// Adds a part of the file that can be removed.
    pub(super) fn region(&mut self, range: Range<usize>, kind: &'static str) {
        if range.is_empty() || range.end > self.text.len() || !self.budget.spend::<Region>(1) {
            return;
        }
        self.layout.regions.push(Region {
            span: span(range),
            kind,
        });
    }

    /// Adds a field. The field is ignored if it, or the bytes from which it follows, are not in the
    /// text, since a damaged file may state any number.
    pub(super) fn field(&mut self, place: Range<usize>, number: Number, means: Means) {
        if !self.has(&place) || !self.is_sound(&means) || !self.budget.spend::<Field>(1) {
            return;
        }
        self.layout.fields.push(Field {
            span: span(place),
            number,
            means,
        });
    }

    /// Adds a field that states the length of a span.
    pub(super) fn measures(&mut self, place: Range<usize>, number: Number, of: Range<usize>) {
        self.field(
            place,
            number,
            Means::Length {
                of: span(of),
                unit: 1,
            },
        );
    }

    /// Adds a field that states the number of items of a list.
    pub(super) fn counts(&mut self, place: Range<usize>, number: Number, list: usize) {
        self.field(place, number, Means::Count { list, each: 1 });
    }

    /// Adds a field that states an offset.
    pub(super) fn points(&mut self, place: Range<usize>, number: Number, to: usize, base: usize) {
        if to <= self.text.len() {
            let (to, base) = (to as u32, base as u32);
            self.field(place, number, Means::Offset { to, base, unit: 1 });
        }
    }

    /// Adds a field that states the number of an item.
    pub(super) fn refers(&mut self, place: Range<usize>, number: Number, list: usize, item: u64) {
        self.indexes(place, number, list, item, None);
    }

    /// Adds a field that states the number of an item, or a number for no item.
    pub(super) fn refers_or(
        &mut self,
        place: Range<usize>,
        number: Number,
        list: usize,
        item: u64,
        absent: u64,
    ) {
        self.indexes(place, number, list, item, Some(absent));
    }

    fn indexes(
        &mut self,
        place: Range<usize>,
        number: Number,
        list: usize,
        item: u64,
        absent: Option<u64>,
    ) {
        let item = usize::try_from(item).unwrap_or(usize::MAX);
        let means = Means::Index { list, item, absent };
        self.field(place, number, means);
    }

    /// Adds a field for the bits of a byte that mark the last item of a list.
    pub(super) fn marks_last(&mut self, at: usize, mask: u8, list: usize, item: usize) {
        let means = Means::Last { list, item };
        self.field(at..at + 1, Number::Bits(mask), means);
    }

    /// Adds a field that states a sum. The field is ignored if the sum is not correct.
    pub(super) fn sums(&mut self, place: Range<usize>, number: Number, sum: Sum, over: Vec<Piece>) {
        let size: u64 = over.iter().map(Piece::size).sum();
        if self
            .budget
            .work(usize::try_from(size).unwrap_or(usize::MAX))
        {
            self.field(place, number, Means::Sum { sum, over });
        }
    }

    /// Returns whether nothing has been found.
    pub(super) fn is_opaque(&self) -> bool {
        self.layout.is_opaque()
    }

    /// Adds padding: zeros that fill a span, which begins at `from`, up to a multiple of a number
    /// of bytes.
    ///
    /// The padding is ignored if its bytes are not zero. The padding is also ignored if the text
    /// has fewer bytes, since a damaged multiple would make a change of a small file hundreds of
    /// megabytes long.
    pub(super) fn fills(&mut self, from: usize, zeros: Range<usize>, multiple: u32) {
        let found = self.bytes(zeros.clone());
        let found = found.filter(|_| multiple as usize <= self.text.len());
        if found.is_some_and(|found| found.iter().all(|&byte| byte == 0)) {
            let means = Means::Padding {
                filler: 0,
                from: from as u32,
                multiple,
            };
            self.field(zeros, Number::Little(1), means);
        }
    }

    /// Creates a list, to which items are added later.
    pub(super) fn list(&mut self) -> usize {
        self.layout.lists.push(vec![]);
        self.layout.lists.len() - 1
    }

    /// Adds an item to a list. An item that is not in the text is empty. An empty item is therefore
    /// never removed, and the items after it keep their numbers.
    pub(super) fn item(&mut self, list: usize, range: Range<usize>) {
        let end = self.text.len();
        let range = if self.has(&range) { range } else { end..end };
        if self.budget.spend::<Span>(1) {
            self.layout.lists[list].push(span(range));
        }
    }

    /// Returns the items of a list.
    pub(super) fn items(&self, list: usize) -> &List {
        &self.layout.lists[list]
    }

    /// Adds a group of regions that are only removed together. The group is ignored if one of them
    /// is not in the text.
    pub(super) fn group(&mut self, ranges: impl IntoIterator<Item = Range<usize>>) {
        let group: Option<Vec<Span>> = ranges
            .into_iter()
            .filter(|range| !range.is_empty())
            .map(|range| self.has(&range).then(|| span(range)))
            .collect();
        let Some(group) = group else {
            return;
        };
        if group.len() > 1 && self.budget.spend::<Span>(group.len() + 3) {
            self.layout.groups.push(group);
        }
    }

    /// Decodes a stream of deflate. See [`decompress`](Self::decompress).
    pub(super) fn inflate(
        &mut self,
        within: Range<usize>,
        zlib: bool,
    ) -> Option<(usize, Range<usize>)> {
        let codec = if zlib { Codec::Zlib } else { Codec::Deflate };
        self.decompress(within, codec)
    }

    /// Decodes the compressed data at the beginning of some bytes, within the limits, and adds its
    /// content. Returns the number of the content and its range.
    pub(super) fn decompress(
        &mut self,
        within: Range<usize>,
        codec: Codec,
    ) -> Option<(usize, Range<usize>)> {
        let bytes = self.bytes(within.clone())?;
        if !self.budget.work(codec.setup()) || !self.budget.work(bytes.len()) {
            return None;
        }
        let (content, len) = self.budget.decompress(bytes, codec)?;
        // Only bytes that were read count as work.
        self.budget.work += bytes.len() - len;
        let range = within.start..within.start + len;
        Some((self.inner(range.clone(), codec, &content)?, range))
    }

    /// Adds decoded content, and returns its number.
    pub(super) fn inner(
        &mut self,
        range: Range<usize>,
        codec: Codec,
        content: &[u8],
    ) -> Option<usize> {
        self.part(range, codec, content, |budget| {
            let layout = (budget.layout)(content, budget);
            Some(layout.unwrap_or_else(|| text::lines(content, budget)))
        })
    }

    /// Adds decoded content if it has a known format or is text.
    pub(super) fn understood(
        &mut self,
        range: Range<usize>,
        codec: Codec,
        content: &[u8],
    ) -> Option<usize> {
        self.part(range, codec, content, |budget| {
            let layout = (budget.layout)(content, budget);
            layout.or_else(|| {
                let lines = text::lines(content, budget);
                Some(lines).filter(|lines| !lines.is_opaque())
            })
        })
    }

    /// Adds decoded content if it has a known format.
    pub(super) fn known(
        &mut self,
        range: Range<usize>,
        codec: Codec,
        content: &[u8],
    ) -> Option<usize> {
        self.part(range, codec, content, |budget| {
            (budget.layout)(content, budget)
        })
    }

    /// Adds decoded content of a known format, given by its reader. Returns the number of the
    /// content.
    pub(super) fn decoded(
        &mut self,
        range: Range<usize>,
        codec: Codec,
        content: &[u8],
        read: impl FnOnce(&[u8], &mut Budget) -> Layout,
    ) -> Option<usize> {
        self.part(range, codec, content, |budget| Some(read(content, budget)))
    }

    /// Returns the number of bytes that may still be decoded.
    pub(super) fn decodes(&self) -> usize {
        self.budget.decoded
    }

    fn part(
        &mut self,
        range: Range<usize>,
        codec: Codec,
        content: &[u8],
        layout: impl FnOnce(&mut Budget) -> Option<Layout>,
    ) -> Option<usize> {
        // Empty content has no removable part and no location of its own.
        let has_place = self.has(&range) && !content.is_empty();
        if self.budget.depth == 0 || !has_place || !self.budget.spend::<Inner>(1) {
            return None;
        }
        self.budget.decoded = self.budget.decoded.checked_sub(content.len())?;
        self.budget.depth -= 1;
        let layout = layout(self.budget);
        self.budget.depth += 1;
        let Some(layout) = layout else {
            // Only decoded content that is kept counts, since one text may be decoded in several
            // ways.
            self.budget.decoded += content.len();
            return None;
        };
        self.layout.inner.push(Inner {
            span: span(range),
            codec,
            layout,
            rest: 0,
            name: None,
        });
        Some(self.layout.inner.len() - 1)
    }

    /// Decodes a zlib stream that is divided among several ranges. After a change, the first range
    /// contains the whole stream.
    ///
    /// `rest` are the other ranges, which are then removed, by position, with no decoded content
    /// between them. Returns the number of the content.
    pub(super) fn inflate_divided(
        &mut self,
        places: &[Range<usize>],
        rest: &[Range<usize>],
    ) -> Option<usize> {
        let mut bytes = vec![];
        for place in places {
            bytes.extend_from_slice(self.bytes(place.clone())?);
        }
        let has_rest = rest.iter().all(|place| self.has(place));
        if !has_rest || !self.budget.work(bytes.len()) || !self.budget.spend::<Inner>(rest.len()) {
            return None;
        }
        let (content, _) = self.budget.decompress(&bytes, Codec::Zlib)?;
        let number = self.inner(places.first()?.clone(), Codec::Zlib, &content)?;
        self.layout.inner[number].rest = rest.len();
        self.layout.inner.extend(rest.iter().map(|place| Inner {
            span: span(place.clone()),
            codec: Codec::Plain,
            layout: Layout::opaque(&[][..]),
            rest: 0,
            name: None,
        }));
        Some(number)
    }

    /// Adds content that is not encoded and may have a format of its own. Returns the number of the
    /// content.
    pub(super) fn content(&mut self, range: Range<usize>) -> Option<usize> {
        let content = self.text.get(range.clone())?;
        self.inner(range, Codec::Plain, content)
    }

    /// Adds a file of an archive that is not compressed, with the range of its name.
    pub(super) fn file(&mut self, range: Range<usize>, name: Range<usize>) {
        if let Some(inner) = self.content(range) {
            self.names(inner, name);
        }
    }

    /// Sets the range of the name of decoded content. The name ends at the first zero byte.
    pub(super) fn names(&mut self, inner: usize, name: Range<usize>) {
        let Some(bytes) = self.text.get(name.clone()).filter(|_| self.has(&name)) else {
            return;
        };
        let len = bytes.iter().position(|&byte| byte == 0);
        let end = name.start + len.unwrap_or(bytes.len());
        if let Some(inner) = self.layout.inner.get_mut(inner) {
            inner.name = Some(span(name.start..end));
        }
    }

    /// Adds units of a number of bytes as regions. A large span gets regions of several units,
    /// which later rounds divide.
    pub(super) fn units(&mut self, range: Range<usize>, unit: usize, kind: &'static str) {
        let Some(count) = range.len().checked_div(unit).filter(|&count| count > 1) else {
            return;
        };
        let step = unit * count.div_ceil(MOST_UNITS);
        for start in range.clone().step_by(step) {
            self.region(start..(start + step).min(range.end), kind);
        }
    }

    /// Divides decoded content into rows of a number of bytes.
    pub(super) fn rows(&mut self, inner: usize, row: usize) {
        let layout = &mut self.layout.inner[inner].layout;
        let rows = layout.text.len().checked_div(row).unwrap_or(0);
        if layout.regions.is_empty() && self.budget.spend::<Region>(rows) {
            layout.regions.extend((0..rows).map(|nth| Region {
                span: span(nth * row..(nth + 1) * row),
                kind: "row",
            }));
        }
    }

    /// Returns the layout in its normal form.
    pub(super) fn finish(mut self) -> Layout {
        self.sort_inner();
        let layout = &mut self.layout;
        layout
            .regions
            .sort_by_key(|region| (region.span.start, std::cmp::Reverse(region.span.end)));
        layout
            .regions
            .dedup_by(|next, first| next.span == first.span);
        let mut around: Vec<u32> = vec![];
        layout.regions.retain(|region| {
            while around.last().is_some_and(|&end| end <= region.span.start) {
                around.pop();
            }
            let crosses = around.last().is_some_and(|&end| end < region.span.end);
            if !crosses {
                around.push(region.span.end);
            }
            !crosses
        });
        let mut fields = std::mem::take(&mut layout.fields);
        fields.sort_by_key(|field| (field.span.start, field.span.end));
        fields.retain(|field| self.layout.holds(field));
        let mut end = 0;
        fields.retain(|field| {
            let is_free = field.span.start >= end;
            if is_free {
                end = field.span.end;
            }
            is_free
        });
        self.layout.fields = fields;
        self.layout
    }

    /// Adds regions for the bytes that are in no region and no field. Most of them are padding.
    pub(super) fn add_gaps(&mut self) {
        let layout = &self.layout;
        let regions = layout.regions.iter().map(|region| &region.span);
        let fields = layout.fields.iter().map(|field| &field.span);
        let inner = layout.inner.iter().map(|inner| &inner.span);
        let mut covered: Vec<&Span> = regions.chain(fields).chain(inner).collect();
        if covered.is_empty() {
            return;
        }
        covered.sort_by_key(|span| span.start);
        let (mut at, mut gaps) = (0, vec![]);
        let end = layout.text.len() as u32;
        for (start, next) in covered
            .iter()
            .map(|span| (span.start, span.end))
            .chain([(end, end)])
        {
            if start > at + SHORTEST_GAP {
                gaps.push(at as usize..start as usize);
            }
            at = at.max(next);
        }
        for gap in gaps {
            self.region(gap, "gap");
        }
    }

    /// Sorts decoded parts. Of two that overlap, the second is left out, with its fields.
    fn sort_inner(&mut self) {
        let mut order: Vec<usize> = (0..self.layout.inner.len()).collect();
        order.sort_by_key(|&nth| self.layout.inner[nth].span.start);
        let mut end = 0;
        order.retain(|&nth| {
            let span = &self.layout.inner[nth].span;
            let is_free = span.start >= end && span.start < span.end;
            if is_free {
                end = span.end;
            }
            is_free
        });
        let mut places = vec![None; self.layout.inner.len()];
        for (new, &old) in order.iter().enumerate() {
            places[old] = Some(new);
        }
        let mut parts: Vec<Option<Inner>> = std::mem::take(&mut self.layout.inner)
            .into_iter()
            .map(Some)
            .collect();
        self.layout.inner = order.iter().filter_map(|&nth| parts[nth].take()).collect();
        self.layout
            .fields
            .retain_mut(|field| match &mut field.means {
                Means::DecodedLength { inner, .. } => renumber(inner, &places),
                Means::Sum { over, .. } => over.iter_mut().all(|piece| match piece {
                    Piece::Decoded(inner) => renumber(inner, &places),
                    _ => true,
                }),
                _ => true,
            });
    }
}

/// The maximum number of regions of equal length in a span.
const MOST_UNITS: usize = 4_096;

/// The maximum number of bytes of a gap that does not become a region. The first bytes of a file
/// are such a gap.
const SHORTEST_GAP: u32 = 32;

fn renumber(inner: &mut usize, places: &[Option<usize>]) -> bool {
    let new = places.get(*inner).copied().flatten();
    *inner = new.unwrap_or(*inner);
    new.is_some()
}

impl Layout {
    /// Returns whether a field has the value that follows from the rest, as far as this is known.
    fn holds(&self, field: &Field) -> bool {
        let Means::Sum { sum, over } = &field.means else {
            return true;
        };
        let mut bytes = vec![];
        for piece in over {
            match piece {
                Piece::Bytes(span) => bytes.extend_from_slice(self.bytes(span)),
                Piece::Filler(byte, count) => {
                    bytes.extend(std::iter::repeat_n(*byte, *count as usize));
                }
                Piece::Length(span) => {
                    bytes.extend_from_slice(&((span.end - span.start) as u16).to_be_bytes());
                }
                Piece::Decoded(inner) => {
                    let inner = self.inner.get(*inner).map(|inner| &*inner.layout.text);
                    bytes.extend_from_slice(inner.unwrap_or_default());
                }
            }
        }
        let old = self.bytes(&field.span);
        let value = field.number.read(old).map(|(value, _)| value);
        value == Some(sum.of(&bytes))
    }
}
