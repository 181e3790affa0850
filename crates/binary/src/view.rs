use crate::format::{TEXT, is_mostly_text};
use crate::{Cut, Inner, Layout, Means, Number, Span};
use std::collections::BTreeMap;

/// The bytes of a layout with all encoded parts decoded, and the regions and fields in these bytes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct View {
    /// The decoded bytes.
    pub text: Vec<u8>,
    /// All regions, including regions of decoded parts, by position, with outer regions before
    /// inner regions.
    pub regions: Vec<(Span, &'static str)>,
    /// The spans of all computed fields, by position, with their notation.
    pub fields: Vec<(Span, Number)>,
    /// The packed files: files in an archive, and compressed files, by position.
    pub files: Vec<PackedFile>,
}

/// A file in an archive, or a compressed file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PackedFile {
    /// The span of the file's content in the view.
    pub span: Span,
    /// The path of the file in the archive, if it has one.
    pub name: Option<String>,
    /// Whether the file is text. See [`Layout::with_whole_texts`].
    pub is_text: bool,
}

/// The formats of archives. Their decoded parts with a name are files.
const ARCHIVES: [&str; 4] = ["ZIP", "tar", "cpio", "ar"];

/// The formats of compressed files.
const COMPRESSED: [&str; 6] = ["gzip", "zlib", "xz", "Zstandard", "LZ4", "bzip2"];

impl Layout {
    /// Returns the layout without the structure of texts that are packed in an archive or
    /// compressed. Each of them is then a text, as it would be by itself. Layouts of other formats
    /// do not change.
    ///
    /// ```
    /// use nubbin_binary::{Codec, Cut, read};
    ///
    /// let layout = read(&Codec::Zlib.encode(b"one\ntwo\n")).unwrap().with_whole_texts();
    /// let view = layout.view();
    /// assert_eq!((view.files[0].span.clone(), view.files[0].is_text), (0..8, true));
    /// let without = Cut::render(&layout.rewrite(&[Cut::remove(1..5)]), &layout.text);
    /// assert_eq!(without, Codec::Zlib.encode(b"owo\n"));
    /// ```
    #[must_use]
    pub fn with_whole_texts(mut self) -> Layout {
        if !self.has_files() {
            return self;
        }
        for nth in 0..self.inner.len() {
            let is_file = self.is_file(&self.inner[nth]);
            let layout = std::mem::take(&mut self.inner[nth].layout);
            let is_text = |layout: &Layout| layout.format == TEXT || is_mostly_text(&layout.text);
            self.inner[nth].layout = match is_file && is_text(&layout) {
                true => Layout {
                    format: TEXT,
                    ..Layout::opaque(layout.text)
                },
                false => layout.with_whole_texts(),
            };
        }
        self
    }

    /// Returns the number of bytes after all packed files are unpacked: the bytes of their
    /// contents, and the bytes around them. Padding does not count, since it may grow when a file
    /// shrinks.
    ///
    /// ```
    /// use nubbin_binary::{Codec, read};
    ///
    /// let packed = read(&Codec::Xz.encode(&[b'a'; 999])).unwrap();
    /// assert_eq!(packed.unpacked_len(), 999);
    /// ```
    pub fn unpacked_len(&self) -> u64 {
        let len = |span: &Span| u64::from(span.end.saturating_sub(span.start));
        let mut all = self.text.len() as u64;
        if self.has_files() {
            let padding = self.fields.iter();
            let padding = padding.filter(|field| matches!(field.means, Means::Padding { .. }));
            let packed = self.inner.iter().map(|inner| len(&inner.span));
            let less: u64 = padding.map(|field| len(&field.span)).chain(packed).sum();
            let unpacked = self.inner.iter().map(|inner| inner.layout.unpacked_len());
            all = all.saturating_sub(less) + unpacked.sum::<u64>();
        }
        all
    }

    /// Returns whether the format is a format of archives or compressed files.
    fn has_files(&self) -> bool {
        ARCHIVES.contains(&self.format) || COMPRESSED.contains(&self.format)
    }

    /// Returns whether a decoded part is a file that is packed in this one and is not an archive
    /// itself.
    fn is_file(&self, inner: &Inner) -> bool {
        let is_named = inner.name.is_some() && ARCHIVES.contains(&self.format);
        let has_content = !inner.layout.text.is_empty() && !inner.layout.has_files();
        has_content && (is_named || COMPRESSED.contains(&self.format))
    }

    /// Returns the view, in which all encoded parts are decoded.
    pub fn view(&self) -> View {
        let mut view = View::default();
        self.add_to(&mut view, true);
        view.regions
            .sort_by_key(|(span, _)| (span.start, std::cmp::Reverse(span.end)));
        view.fields.sort_by_key(|(span, _)| span.start);
        view
    }

    /// The depth of layouts in each other is bounded by [`Bounds::depth`](crate::Bounds::depth), so
    /// this may recurse.
    fn add_to(&self, view: &mut View, within_files: bool) {
        let has_files = within_files && self.has_files();
        let base = view.text.len() as u32;
        let mut at = 0;
        for inner in &self.inner {
            view.text
                .extend_from_slice(self.bytes(&(at..inner.span.start)));
            let start = view.text.len() as u32;
            inner.layout.add_to(view, has_files);
            let span = start..view.text.len() as u32;
            if has_files && self.is_file(inner) {
                let name = inner.name.as_ref().filter(|name| !name.is_empty());
                let name = name.map(|name| self.bytes(name));
                view.files.push(PackedFile {
                    span,
                    name: name.map(|name| String::from_utf8_lossy(name).into_owned()),
                    is_text: inner.layout.format == TEXT,
                });
            }
            at = inner.span.end;
        }
        view.text
            .extend_from_slice(self.bytes(&(at..self.text.len() as u32)));
        let places = Places::of(self);
        let moved =
            |span: &Span| base + places.of_layout(span.start)..base + places.of_layout(span.end);
        let regions = self.regions.iter();
        view.regions
            .extend(regions.map(|region| (moved(&region.span), region.kind)));
        let fields = self.fields.iter();
        view.fields
            .extend(fields.map(|field| (moved(&field.span), field.number)));
    }

    /// Returns the number of bytes of the view.
    pub fn view_len(&self) -> u32 {
        let growth = |inner: &Inner| {
            i64::from(inner.layout.view_len()) - i64::from(inner.span.end - inner.span.start)
        };
        (self.text.len() as i64 + self.inner.iter().map(growth).sum::<i64>()) as u32
    }

    /// Divides a change of the view into changes of this text and changes of the view of each
    /// decoded part. A part that is removed together with neighboring bytes is removed. A part that
    /// is removed by itself becomes empty.
    pub(crate) fn split(&self, change: &[Cut]) -> (Vec<Cut>, BTreeMap<usize, Vec<Cut>>) {
        if self.inner.is_empty() {
            return (change.to_vec(), BTreeMap::new());
        }
        let places = Places::of(self);
        let (mut own, mut within) = (vec![], BTreeMap::<usize, Vec<Cut>>::new());
        for cut in change {
            if cut.span.is_empty() {
                // An insertion at the end of a part belongs to this part.
                let at = cut.span.start;
                let nth = places.parts.partition_point(|(view, _)| view.end < at);
                match places.parts.get(nth).filter(|(view, _)| view.start <= at) {
                    Some((view, _)) => {
                        let (span, text) = (at - view.start..at - view.start, cut.text.clone());
                        within.entry(nth).or_default().push(Cut { span, text });
                    }
                    None => {
                        let (span, text) =
                            (places.of_view(at)..places.of_view(at), cut.text.clone());
                        own.push(Cut { span, text });
                    }
                }
                continue;
            }
            let mut left = cut.clone();
            // The parts that overlap the cut.
            let first = places
                .parts
                .partition_point(|(view, _)| view.end <= cut.span.start);
            for nth in first..places.parts.len() {
                let (view, layer) = &places.parts[nth];
                if view.start >= cut.span.end {
                    break;
                }
                let is_all = left.span.start <= view.start && view.end <= cut.span.end;
                let is_more = cut.span.start < view.start || view.end < cut.span.end;
                if is_all && is_more && cut.is_removal() {
                    own.push(Cut::remove(layer.clone()));
                } else {
                    let part = left.span.start.max(view.start)..left.span.end.min(view.end);
                    let text = cut.part(&part);
                    let span = part.start - view.start..part.end - view.start;
                    within.entry(nth).or_default().push(Cut { span, text });
                }
                if left.span.start < view.start {
                    let before = left.span.start..view.start;
                    let text = cut.part(&before);
                    let span = places.of_view(before.start)..layer.start;
                    own.push(Cut { span, text });
                }
                left.span.start = view.end.min(left.span.end);
            }
            if left.span.start < left.span.end {
                let text = cut.part(&left.span);
                let span = places.of_view(left.span.start)..places.of_view(left.span.end);
                own.push(Cut { span, text });
            }
        }
        (own, within)
    }
}

impl Cut {
    /// Returns the new bytes of a part of the span: those at the same place, where the length does
    /// not change, else all of them in the first part.
    fn part(&self, part: &Span) -> Vec<u8> {
        let (from, to) = (part.start - self.span.start, part.end - self.span.start);
        if self.text.len() == (self.span.end - self.span.start) as usize {
            return self.text[from as usize..to as usize].to_vec();
        }
        if from == 0 { self.text.clone() } else { vec![] }
    }
}

/// The places of the decoded parts in the view, and in the text.
struct Places {
    parts: Vec<(Span, Span)>,
}

impl Places {
    fn of(layout: &Layout) -> Self {
        let mut shift = 0i64;
        let parts = layout.inner.iter().map(|inner| {
            let start = (i64::from(inner.span.start) + shift) as u32;
            let len = inner.layout.view_len();
            shift += i64::from(len) - i64::from(inner.span.end - inner.span.start);
            (start..start + len, inner.span.clone())
        });
        Places {
            parts: parts.collect(),
        }
    }

    /// Returns a position of the text, in the view.
    fn of_layout(&self, at: u32) -> u32 {
        let before = self.parts.partition_point(|(_, layer)| layer.end <= at);
        if let Some((view, layer)) = self.parts.get(before)
            && layer.start < at
        {
            return view.start;
        }
        match before.checked_sub(1).and_then(|last| self.parts.get(last)) {
            Some((view, layer)) => at - layer.end + view.end,
            None => at,
        }
    }

    /// Returns a position of the view outside of all parts, or at their border, in the text.
    fn of_view(&self, at: u32) -> u32 {
        let before = self.parts.partition_point(|(view, _)| view.end <= at);
        match before.checked_sub(1).and_then(|last| self.parts.get(last)) {
            Some((view, layer)) => at - view.end + layer.end,
            None => at,
        }
    }
}
