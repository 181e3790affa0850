use crate::{Codec, Field, Layout, Means, Span};
use std::cmp::Reverse;

/// A region, a field, or an encoded part of a layout.
pub(crate) struct Row<'a> {
    pub(crate) span: &'a Span,
    /// The number of regions around the row.
    pub(crate) depth: usize,
    pub(crate) what: What<'a>,
}

pub(crate) enum What<'a> {
    Region(&'static str),
    Field(&'a Field),
    /// An encoded part and the structure of its content.
    Inner(Codec, &'a Layout),
}

/// Returns the rows of a layout by position, with outer rows before inner rows. Rows of decoded
/// content are not included.
pub(crate) fn rows(layout: &Layout) -> Vec<Row<'_>> {
    let regions = layout
        .regions
        .iter()
        .map(|region| (&region.span, What::Region(region.kind)));
    let fields = layout
        .fields
        .iter()
        .map(|field| (&field.span, What::Field(field)));
    let inner = layout
        .inner
        .iter()
        .map(|inner| (&inner.span, What::Inner(inner.codec, &inner.layout)));
    let mut all: Vec<(&Span, What<'_>)> = regions.chain(fields).chain(inner).collect();
    all.sort_by_key(|(span, _)| (span.start, Reverse(span.end)));
    let mut around: Vec<u32> = vec![];
    all.into_iter()
        .map(|(span, what)| {
            while around.last().is_some_and(|&end| end <= span.start) {
                around.pop();
            }
            let depth = around.len();
            if matches!(what, What::Region(_)) {
                around.push(span.end);
            }
            Row { span, depth, what }
        })
        .collect()
}

impl Layout {
    /// Returns the name of a field with its value.
    pub(crate) fn label(&self, field: &Field) -> String {
        let bytes = self.bytes(&field.span);
        let value = field.number.read(bytes).map_or(0, |(value, _)| value);
        match &field.means {
            Means::Sum { sum, .. } => format!("sum {sum:?} {value:#x}"),
            Means::Padding { .. } => "padding".to_owned(),
            means => format!("{} {value}", means.name()),
        }
    }
}

impl Means {
    /// Returns the name of the kind of field.
    pub fn name(&self) -> &'static str {
        match self {
            Means::Length { .. } => "length",
            Means::DecodedLength { .. } => "decoded length",
            Means::Count { .. } => "count",
            Means::Offset { .. } => "offset",
            Means::Place { .. } => "offset",
            Means::Address { .. } => "address",
            Means::Index { .. } => "index",
            Means::Last { .. } => "last",
            Means::Sum { .. } => "sum",
            Means::Padding { .. } => "padding",
        }
    }
}
