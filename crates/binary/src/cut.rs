use crate::Span;

/// A change of a text: a span whose bytes are replaced or removed.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Cut {
    /// The replaced bytes.
    pub span: Span,
    /// The new bytes. The bytes are empty if the span is removed.
    pub text: Vec<u8>,
}

impl Cut {
    /// Creates a cut that removes a span.
    pub fn remove(span: Span) -> Self {
        Cut { span, text: vec![] }
    }

    /// Returns whether the span is removed without a replacement.
    pub fn is_removal(&self) -> bool {
        self.text.is_empty()
    }

    /// Returns the text after sorted, disjoint cuts.
    pub fn render(cuts: &[Cut], text: &[u8]) -> Vec<u8> {
        let mut out = Vec::with_capacity(text.len());
        let mut at = 0;
        for cut in cuts {
            out.extend_from_slice(text.get(at..cut.span.start as usize).unwrap_or_default());
            out.extend_from_slice(&cut.text);
            at = cut.span.end as usize;
        }
        out.extend_from_slice(text.get(at..).unwrap_or_default());
        out
    }

    /// Sorts cuts and makes them disjoint. Of two nested cuts, the outer cut is kept. Adjacent
    /// removals are merged.
    pub(crate) fn normal(mut cuts: Vec<Cut>) -> Vec<Cut> {
        let is_sorted = |pair: &[Cut]| pair[0].span.end < pair[1].span.start;
        if cuts.windows(2).all(is_sorted) {
            return cuts;
        }
        cuts.sort_by_key(|cut| (cut.span.start, std::cmp::Reverse(cut.span.end)));
        let mut out: Vec<Cut> = Vec::with_capacity(cuts.len());
        for mut cut in cuts {
            if let Some(last) = out.last_mut() {
                let both_remove = last.is_removal() && cut.is_removal();
                if both_remove && cut.span.start <= last.span.end {
                    last.span.end = last.span.end.max(cut.span.end);
                    continue;
                }
                if cut.span.start < last.span.end {
                    if cut.span.end <= last.span.end {
                        continue;
                    }
                    cut.span.start = last.span.end;
                }
            }
            out.push(cut);
        }
        out
    }
}
