use crate::moves::Moves;
use crate::{Cut, Field, Layout, Means, Number, Piece, Span};
use std::collections::BTreeMap;

/// The maximum number of rounds in which groups are completed, and in which fields of variable
/// length change each other.
const ROUNDS: usize = 8;

/// Content that a change has decoded, changed, and encoded again, by the number of its
/// [`Inner`](crate::Inner).
type Contents = Vec<Option<Vec<u8>>>;

impl Layout {
    /// Completes a change of the [view](crate::View) of this layout. Returns all changes of the
    /// text that follow, sorted and disjoint.
    ///
    /// A field that the change itself touches is not computed, unless it only gets the same value
    /// in another notation. A field whose new value cannot be written keeps its old value. This
    /// takes time linear in the text and the fields.
    ///
    /// ```
    /// use nubbin_binary::{Cut, read};
    ///
    /// let riff = b"RIFF\x16\0\0\0WAVEabcd\x01\0\0\0x\0data\0\0\0\0";
    /// let layout = read(riff).unwrap();
    /// let without = layout.rewrite(&[Cut::remove(12..22)]);
    /// assert_eq!(Cut::render(&without, riff), b"RIFF\x0c\0\0\0WAVEdata\0\0\0\0");
    /// ```
    pub fn rewrite(&self, change: &[Cut]) -> Vec<Cut> {
        let (mut cuts, inner) = self.split(change);
        let mut contents: Contents = vec![];
        if !inner.is_empty() {
            contents.resize(self.inner.len(), None);
            for (nth, change) in inner {
                let part = &self.inner[nth];
                let content = Cut::render(&part.layout.rewrite(&change), &part.layout.text);
                let text = part.codec.encode(&content);
                contents[nth] = Some(content);
                let rest = self.inner.iter().skip(nth + 1).take(part.rest);
                cuts.extend(rest.map(|rest| Cut::remove(rest.span.clone())));
                cuts.push(Cut {
                    span: part.span.clone(),
                    text,
                });
            }
        }
        let cuts = self.with_groups(Cut::normal(cuts));
        let cuts = self.with_fields(cuts, &contents);
        self.with_sums(cuts, &contents)
    }

    /// Removes the rest of each group of which a member is removed.
    fn with_groups(&self, mut cuts: Vec<Cut>) -> Vec<Cut> {
        for _ in 0..ROUNDS {
            let moves = Moves::of(&cuts);
            let mut more = vec![];
            for group in &self.groups {
                let gone = group.iter().filter(|span| moves.removes(span)).count();
                if gone > 0 && gone < group.len() {
                    more.extend(
                        group
                            .iter()
                            .filter(|span| !span.is_empty())
                            .cloned()
                            .map(Cut::remove),
                    );
                }
            }
            if more.is_empty() {
                break;
            }
            let before = cuts.clone();
            cuts.extend(more);
            cuts = Cut::normal(cuts);
            if cuts == before {
                break;
            }
        }
        cuts
    }

    /// Adds all fields but sums.
    fn with_fields(&self, mut base: Vec<Cut>, contents: &Contents) -> Vec<Cut> {
        let notations = self.notations(&mut base);
        let moves = Moves::of(&base);
        let gone: Vec<RemovedItems> = self
            .lists
            .iter()
            .map(|list| RemovedItems::of(list, &moves))
            .collect();
        let is_alive = |field: &&Field| {
            moves.met(&field.span).is_none() && !matches!(field.means, Means::Sum { .. })
        };
        // Padding has no effect if the content before it was removed.
        let is_idle = |field: &Field| match field.means {
            Means::Padding { from, .. } => moves.removes(&(from..field.span.start)),
            _ => false,
        };
        let fields: Vec<(&Field, bool)> = self
            .fields
            .iter()
            .filter(is_alive)
            .map(|field| (field, is_idle(field)))
            .collect();
        let mut cuts = base.clone();
        for _ in 0..ROUNDS {
            let moves = Moves::of(&cuts);
            let changed = fields.iter().filter_map(|(field, is_idle)| {
                let old = self.bytes(&field.span);
                let notation = notations.get(&field.span.start).map(|text| &text[..]);
                let notation_or_old = notation.unwrap_or(old);
                let text = match is_idle {
                    true => Some(vec![]),
                    false => self.field(field, notation_or_old, &moves, &gone, contents),
                };
                let text = text.or_else(|| notation.map(<[u8]>::to_vec))?;
                (text != old).then(|| Cut {
                    span: field.span.clone(),
                    text,
                })
            });
            let next = merged(&self.refilled(&base, &moves), changed.collect());
            if next == cuts {
                break;
            }
            cuts = next;
        }
        cuts
    }

    /// Returns the cuts with the padding of what is left before each: a removal that begins in a
    /// filled span and ends after it takes its padding as well.
    fn refilled(&self, base: &[Cut], moves: &Moves<'_>) -> Vec<Cut> {
        let refill = |cut: &Cut| {
            let mut cut = cut.clone();
            if !cut.is_removal() {
                return cut;
            }
            let first = self
                .fields
                .partition_point(|field| field.span.start <= cut.span.start);
            let within = self.fields[first..]
                .iter()
                .take_while(|field| field.span.start < cut.span.end)
                .filter(|field| field.span.end <= cut.span.end);
            for field in within {
                let Means::Padding {
                    filler,
                    from,
                    multiple,
                } = field.means
                else {
                    continue;
                };
                if from < cut.span.start {
                    let end = moves.start(cut.span.start) + cut.text.len() as u32;
                    let filled = end.saturating_sub(moves.start(from));
                    let len = (multiple - filled % multiple) % multiple;
                    cut.text.extend(vec![filler; len as usize]);
                }
            }
            cut
        };
        base.iter().map(refill).collect()
    }

    /// Takes those cuts out that write a field with its old value in another notation. Returns the
    /// new text of each by the place of the field.
    fn notations(&self, cuts: &mut Vec<Cut>) -> BTreeMap<u32, Vec<u8>> {
        let mut notations = BTreeMap::new();
        cuts.retain_mut(|cut| {
            let at = self
                .fields
                .partition_point(|field| field.span.start < cut.span.start);
            let same = self.fields.get(at).filter(|field| field.span == cut.span);
            let is_notation = same.is_some_and(|field| {
                let value = |text: &[u8]| field.number.read(text);
                let new = value(&cut.text).filter(|&(_, len)| len == cut.text.len());
                new.is_some()
                    && new.map(|(value, _)| value)
                        == value(self.bytes(&cut.span)).map(|(value, _)| value)
            });
            if is_notation {
                notations.insert(cut.span.start, std::mem::take(&mut cut.text));
            }
            !is_notation
        });
        notations
    }

    /// Returns whether the padding of a span is at its end.
    fn is_padded(&self, of: &Span) -> bool {
        let first = self
            .fields
            .partition_point(|field| field.span.start < of.end);
        let there = self.fields[first..].iter();
        there
            .take_while(|field| field.span.start == of.end)
            .any(|field| matches!(field.means, Means::Padding { from, .. } if from == of.start))
    }

    fn field(
        &self,
        field: &Field,
        old: &[u8],
        moves: &Moves<'_>,
        gone: &[RemovedItems],
        contents: &Contents,
    ) -> Option<Vec<u8>> {
        let length = |span: &Span| i64::from(span.end) - i64::from(span.start);
        let growth = match &field.means {
            Means::Padding {
                filler,
                from,
                multiple,
            } => {
                let start = match moves.met(&(*from..*from + 1)) {
                    Some(cut) if cut.span.start < *from => moves.end(cut.span.end),
                    _ => moves.start(*from),
                };
                let filled = moves.end(field.span.start).saturating_sub(start);
                let len = (multiple - filled % multiple) % multiple;
                return Some(vec![*filler; len as usize]);
            }
            Means::Length { of, unit } => {
                let end = if self.is_padded(of) {
                    moves.end(of.end)
                } else {
                    moves.start(of.end)
                };
                let new = i64::from(end) - i64::from(moves.start(of.start));
                (new.max(0) - length(of)).div_euclid(i64::from(*unit))
            }
            Means::DecodedLength { inner, unit } => {
                let content = contents.get(*inner)?.as_ref()?;
                let old = self.inner.get(*inner)?.layout.text.len() as i64;
                (content.len() as i64 - old).div_euclid(i64::from(*unit))
            }
            Means::Count { list, each } => -(gone.get(*list)?.all() * i64::from(*each)),
            Means::Index { list, item, absent } => {
                let gone = gone.get(*list)?;
                match absent {
                    Some(absent) if gone.before(item.saturating_add(1)) > gone.before(*item) => {
                        return field.number.write(*absent, old);
                    }
                    _ => -gone.before(*item),
                }
            }
            Means::Last { list, item } => {
                let gone = gone.get(*list)?;
                let behind = self.lists.get(*list)?.len() as i64 - *item as i64 - 1;
                let Number::Bits(mask) = field.number else {
                    return None;
                };
                let is_last = gone.all() - gone.before(item.saturating_add(1)) == behind;
                return is_last.then(|| field.number.write(u64::from(mask), old))?;
            }
            Means::Offset { to, base, unit } => {
                let old = i64::from(*to) - i64::from(*base);
                let new = i64::from(moves.start(*to)) - i64::from(moves.start(*base));
                (new - old).div_euclid(i64::from(*unit))
            }
            Means::Place { of, absent, .. } if moves.removes(of) => {
                return field.number.write(*absent, old);
            }
            Means::Place { of, base, .. } => {
                let old = i64::from(of.start) - i64::from(*base);
                i64::from(moves.start(of.start)) - i64::from(moves.start(*base)) - old
            }
            Means::Address { within, .. } if moves.removes(within) => {
                return field.number.write(0, old);
            }
            Means::Address { to, within } => {
                let old = i64::from(*to) - i64::from(within.start);
                i64::from(moves.start(*to)) - i64::from(moves.start(within.start)) - old
            }
            Means::Sum { .. } => return None,
        };
        if growth == 0 {
            return None;
        }
        let (value, _) = field.number.read(old)?;
        field.number.write(value.checked_add_signed(growth)?, old)
    }

    /// Adds sums, those over the fewest bytes first, since others may be over them.
    fn with_sums(&self, mut cuts: Vec<Cut>, contents: &Contents) -> Vec<Cut> {
        let moves = Moves::of(&cuts);
        let mut sums: Vec<&Field> = self
            .fields
            .iter()
            .filter(|field| matches!(field.means, Means::Sum { .. }))
            .filter(|field| moves.met(&field.span).is_none())
            .collect();
        if sums.is_empty() || cuts.is_empty() {
            return cuts;
        }
        let size = |field: &&Field| match &field.means {
            Means::Sum { over, .. } => over.iter().map(Piece::size).sum(),
            _ => 0,
        };
        sums.sort_by_key(size);
        let mut text = Cut::render(&cuts, &self.text);
        let mut changed = vec![];
        for field in sums {
            let Means::Sum { sum, over } = &field.means else {
                continue;
            };
            let place = moves.span(&field.span);
            let mut bytes = vec![];
            for piece in over {
                match piece {
                    Piece::Bytes(span) => {
                        let span = moves.span(span);
                        let range = span.start as usize..span.end as usize;
                        bytes.extend_from_slice(text.get(range).unwrap_or_default());
                    }
                    Piece::Filler(byte, count) => {
                        bytes.extend(std::iter::repeat_n(*byte, *count as usize));
                    }
                    Piece::Length(span) => {
                        let span = moves.span(span);
                        bytes.extend_from_slice(&((span.end - span.start) as u16).to_be_bytes());
                    }
                    Piece::Decoded(nth) => {
                        let new = contents.get(*nth).and_then(Option::as_deref);
                        let old = self.inner.get(*nth).map(|inner| &*inner.layout.text);
                        bytes.extend_from_slice(new.or(old).unwrap_or_default());
                    }
                }
            }
            let old = self.bytes(&field.span);
            let new = field.number.write(sum.of(&bytes), old);
            let Some(new) = new.filter(|new| new.len() == old.len()) else {
                continue;
            };
            if let Some(there) = text.get_mut(place.start as usize..place.end as usize)
                && there.len() == new.len()
            {
                there.copy_from_slice(&new);
            }
            if new != old {
                changed.push(Cut {
                    span: field.span.clone(),
                    text: new,
                });
            }
        }
        changed.sort_by_key(|cut| cut.span.start);
        cuts = merged(&cuts, changed);
        cuts
    }
}

impl Piece {
    pub(crate) fn size(&self) -> u64 {
        match self {
            Piece::Bytes(span) | Piece::Length(span) => {
                u64::from(span.end.saturating_sub(span.start))
            }
            Piece::Filler(_, count) => u64::from(*count),
            Piece::Decoded(_) => 0,
        }
    }
}

/// Merges sorted cuts with others that meet none of them.
fn merged(cuts: &[Cut], more: Vec<Cut>) -> Vec<Cut> {
    let mut all = Vec::with_capacity(cuts.len() + more.len());
    let mut more = more.into_iter().peekable();
    // An insertion comes before a removal that starts at the same offset.
    let place = |cut: &Cut| (cut.span.start, cut.span.end);
    for cut in cuts {
        while let Some(next) = more.next_if(|next| place(next) < place(cut)) {
            all.push(next);
        }
        all.push(cut.clone());
    }
    all.extend(more);
    all
}

/// The removed items of a list.
struct RemovedItems {
    /// The number of removed items before each item. The last element is the number of all removed
    /// items.
    before: Vec<u32>,
}

impl RemovedItems {
    fn of(list: &[Span], moves: &Moves<'_>) -> Self {
        let mut count = 0;
        let mut before = Vec::with_capacity(list.len() + 1);
        for item in list {
            before.push(count);
            count += u32::from(moves.removes(item));
        }
        before.push(count);
        RemovedItems { before }
    }

    fn before(&self, item: usize) -> i64 {
        self.before.get(item).copied().map_or(0, i64::from)
    }

    fn all(&self) -> i64 {
        self.before(self.before.len() - 1)
    }
}
