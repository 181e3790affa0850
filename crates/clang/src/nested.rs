use std::ops::Range;

/// Returns the innermost of nested ranges around an offset.
pub(crate) fn innermost<T>(
    all: &[T],
    range: impl Fn(&T) -> &Range<u32>,
    parent: impl Fn(&T) -> Option<u32>,
    offset: u32,
) -> Option<u32> {
    let behind = all.partition_point(|one| range(one).start <= offset);
    let mut at = behind.checked_sub(1)? as u32;
    while range(&all[at as usize]).end <= offset {
        at = parent(&all[at as usize])?;
    }
    Some(at)
}
