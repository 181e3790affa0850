use super::Edit;
use xxhash_rust::xxh3::Xxh3;

/// A 128-bit hash of the content of a candidate: the key of the verdict cache.
///
/// The hash is not cryptographic. With a billion candidates, the probability that any two of them
/// have the same fingerprint is below 10⁻²⁰.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Fingerprint(pub u128);

/// Returns the fingerprint of bytes.
pub fn fingerprint(bytes: &[u8]) -> Fingerprint {
    Fingerprint(xxhash_rust::xxh3::xxh3_128(bytes))
}

/// The number of bytes hashed at a time: a block that was just copied is still in the second-level
/// cache.
const BLOCK: usize = 64 << 10;

impl Edit {
    /// Returns the text after this edit.
    pub fn render(&self, base: &[u8]) -> Vec<u8> {
        let mut out = Vec::new();
        self.render_into(base, &mut out);
        out
    }

    /// Writes the text after this edit to `out`, and replaces its content. Each gap between splices
    /// is copied once.
    pub fn render_into(&self, base: &[u8], out: &mut Vec<u8>) {
        self.pieces(base, out, |_| {});
    }

    /// Renders the text after this edit and hashes it, in one pass over the data.
    pub fn render_hashed(&self, base: &[u8], out: &mut Vec<u8>) -> Fingerprint {
        if base.len() <= BLOCK {
            self.render_into(base, out);
            return fingerprint(out);
        }
        let mut hasher = Xxh3::new();
        let mut hashed = 0;
        self.pieces(base, out, |out| {
            if out.len() - hashed >= BLOCK {
                hasher.update(&out[hashed..]);
                hashed = out.len();
            }
        });
        hasher.update(&out[hashed..]);
        Fingerprint(hasher.digest128())
    }

    fn pieces(&self, base: &[u8], out: &mut Vec<u8>, mut copied: impl FnMut(&[u8])) {
        out.clear();
        out.reserve((base.len() as i64 + self.growth()).max(0) as usize);
        let mut copy = |out: &mut Vec<u8>, piece: &[u8]| {
            for block in piece.chunks(BLOCK) {
                out.extend_from_slice(block);
                copied(out);
            }
        };
        let mut at = 0;
        for splice in &self.splices {
            copy(out, &base[at..splice.span.start as usize]);
            copy(out, splice.text());
            at = splice.span.end as usize;
        }
        copy(out, &base[at..]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Span;

    #[test]
    fn hashing_while_rendering_equals_hashing_the_result() {
        let base: Vec<u8> = (0..300_000u32).map(|i| (i % 251) as u8).collect();
        let edits = [
            Edit::none(),
            Edit::delete(Span::new(10, 200_000)),
            Edit::delete_all((0..5000).map(|i| Span::new(i * 50, i * 50 + 7))),
            Edit::replace(Span::new(299_999, 300_000), &[7; 100_000]),
        ];
        for edit in edits {
            let mut out = Vec::new();
            let print = edit.render_hashed(&base, &mut out);
            assert_eq!(out, edit.render(&base));
            assert_eq!(print, fingerprint(&out));
        }
    }
}
