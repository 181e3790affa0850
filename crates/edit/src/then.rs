use super::{Edit, Splice};
use crate::Span;

/// A piece of a text after an edit.
enum Piece<'a> {
    /// A span of the previous text that is kept.
    Kept(Span),
    /// Bytes that the edit has written.
    New(&'a [u8]),
}

impl<'a> Piece<'a> {
    fn len(&self) -> u32 {
        match self {
            Piece::Kept(span) => span.len(),
            Piece::New(text) => text.len() as u32,
        }
    }

    /// Splits off the first `len` bytes.
    fn split_off(&mut self, len: u32) -> Piece<'a> {
        match self {
            Piece::Kept(span) => {
                let at = span.start + len;
                let first = Span::new(span.start, at);
                span.start = at;
                Piece::Kept(first)
            }
            Piece::New(text) => {
                let (first, rest) = text.split_at(len as usize);
                *text = rest;
                Piece::New(first)
            }
        }
    }
}

/// The pieces of the text after an edit, in order. The last one has no end.
struct Pieces<'a> {
    splices: std::slice::Iter<'a, Splice>,
    /// The first offset of the previous text that has not been reached.
    at: u32,
    /// The pieces that come before the next splice, in reverse order.
    next: Vec<Piece<'a>>,
}

impl<'a> Pieces<'a> {
    /// Takes the first `len` bytes, or fewer where a piece ends.
    fn take(&mut self, len: u32) -> Piece<'a> {
        while self.next.is_empty() {
            let kept = match self.splices.next() {
                Some(splice) => {
                    let kept = Span::new(self.at, splice.span.start);
                    self.at = splice.span.end;
                    self.next.push(Piece::New(splice.text()));
                    kept
                }
                None => Span::new(self.at, u32::MAX),
            };
            self.next.push(Piece::Kept(kept));
            self.next.retain(|piece| piece.len() > 0);
        }
        let mut piece = self.next.pop().unwrap_or(Piece::New(&[]));
        if piece.len() <= len {
            return piece;
        }
        let first = piece.split_off(len);
        self.next.push(piece);
        first
    }
}

/// An edit under construction from the pieces that stay.
#[derive(Default)]
struct Builder {
    edit: Edit,
    /// The end of the last piece of the previous text.
    at: u32,
    /// The text written since the last piece of the previous text.
    text: Vec<u8>,
}

impl Builder {
    fn add(&mut self, piece: &Piece<'_>) {
        match piece {
            Piece::New(text) => self.text.extend_from_slice(text),
            Piece::Kept(span) => {
                let gap = Span::new(self.at, span.start);
                self.edit.push(Splice::replace(gap, &self.text));
                self.text.clear();
                self.at = span.end;
            }
        }
    }
}

impl Edit {
    /// Returns one edit that makes the changes of this edit and then the changes of `next`, which
    /// is an edit of the text after this edit. To unite two edits of the same text, use
    /// [`combine`](Edit::combine).
    ///
    /// Cost: one step per splice of both, and a copy of their texts.
    ///
    /// ```
    /// use nubbin_edit::Edit;
    /// use nubbin_edit::Span;
    ///
    /// let first = Edit::replace(Span::new(0, 3), b"long");      // int x = 1;
    /// let next = Edit::delete(Span::new(1, 6));                 // long x = 1;
    /// let both = first.then(&next);
    /// assert_eq!(both.render(b"int x = 1;"), b"l = 1;");
    /// ```
    #[must_use]
    pub fn then(&self, next: &Edit) -> Edit {
        let mut pieces = Pieces {
            splices: self.splices().iter(),
            at: 0,
            next: vec![],
        };
        let mut built = Builder::default();
        let mut at = 0;
        for splice in next.splices() {
            while at < splice.span.start {
                let piece = pieces.take(splice.span.start - at);
                at += piece.len();
                built.add(&piece);
            }
            built.add(&Piece::New(splice.text()));
            while at < splice.span.end {
                at += pieces.take(splice.span.end - at).len();
            }
        }
        // The rest of the text is kept up to its end, whose offset is unknown here.
        loop {
            let piece = pieces.take(u32::MAX);
            built.add(&piece);
            if matches!(piece, Piece::Kept(span) if span.end == u32::MAX) {
                return built.edit;
            }
        }
    }
}
