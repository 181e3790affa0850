use crate::input::Input;

/// Inputs above this many bytes are not held more often than needed: one buffer is kept for
/// re-use, and prefetching makes only the candidates that a worker can start at once.
pub(super) const LARGE: usize = 8 << 20;

/// Buffers kept for re-use at most.
const MOST: usize = 8;

/// Buffers of candidates that are not needed any more.
#[derive(Default)]
pub(super) struct Buffers {
    spare: Vec<Vec<u8>>,
}

impl Buffers {
    pub(super) fn take(&mut self) -> Vec<u8> {
        self.spare.pop().unwrap_or_default()
    }

    /// Takes back the buffer of a candidate. Candidates to come are about as large as `base`.
    pub(super) fn recycle(&mut self, input: Input, base: &Input) {
        let most = if base.size() > LARGE { 1 } else { MOST };
        if self.spare.len() < most
            && let Some(buffer) = input.into_buffer()
            // A buffer from when the input was large is not worth its memory now.
            && buffer.capacity() / 4 <= base.bytes().len() + LARGE / 8
        {
            self.spare.push(buffer);
        }
    }

    pub(super) fn clear(&mut self) {
        self.spare.clear();
    }
}
