//! The search for the first revision that shows an issue.

/// The result of a test of a revision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Revision {
    /// The revision does not show the issue.
    Good,
    /// The revision shows the issue.
    Bad,
    /// The revision cannot be tested.
    Skipped,
}

/// The result of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FirstBad {
    /// The first revision that is known to show the issue.
    pub bad: usize,
    /// The revisions just before `bad` that cannot be tested. One of them may be the first bad
    /// revision.
    pub skipped: Vec<usize>,
}

/// Finds the first bad revision among `count` revisions. The oldest revision is good, and the
/// newest is bad.
///
/// The search halves the range, like `git bisect`. If the middle revision cannot be tested, the
/// nearest revision that can be tested is used. The cost is one test per halving, and one test
/// per skipped revision.
///
/// ```
/// use nubbin_campaign::{FirstBad, Revision, first_bad};
///
/// let found = first_bad(8, |revision| -> Result<_, ()> {
///     Ok(if revision < 5 { Revision::Good } else { Revision::Bad })
/// });
/// assert_eq!(found, Ok(FirstBad { bad: 5, skipped: vec![] }));
/// ```
///
/// # Errors
/// Returns the first error that the test returns.
pub fn first_bad<E>(
    count: usize,
    mut test: impl FnMut(usize) -> Result<Revision, E>,
) -> Result<FirstBad, E> {
    let (mut good, mut bad) = (0, count.saturating_sub(1));
    let mut skipped = vec![];
    loop {
        let middle = good + (bad - good) / 2;
        let open = (good + 1..bad).filter(|revision| !skipped.contains(revision));
        let Some(next) = open.min_by_key(|revision| revision.abs_diff(middle)) else {
            skipped.retain(|revision| (good..bad).contains(revision));
            skipped.sort_unstable();
            return Ok(FirstBad { bad, skipped });
        };
        match test(next)? {
            Revision::Good => good = next,
            Revision::Bad => bad = next,
            Revision::Skipped => skipped.push(next),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_bad_revision_is_found_among_any_that_are_skipped() {
        const COUNT: usize = 9;
        for first in 1..COUNT {
            for mask in 0..1_usize << COUNT {
                let is_skipped = |it: usize| it > 0 && it < COUNT - 1 && mask >> it & 1 == 1;
                let mut tests = 0;
                let found = first_bad(COUNT, |revision| -> Result<_, ()> {
                    tests += 1;
                    Ok(match (is_skipped(revision), revision < first) {
                        (true, _) => Revision::Skipped,
                        (false, true) => Revision::Good,
                        (false, false) => Revision::Bad,
                    })
                })
                .unwrap();
                let known = (first..COUNT).find(|it| !is_skipped(*it)).unwrap();
                assert_eq!(found.bad, known);
                assert!(found.bad == first || found.skipped.contains(&first));
                assert!(
                    found
                        .skipped
                        .iter()
                        .all(|it| is_skipped(*it) && *it < known)
                );
                let skips = (0..COUNT).filter(|it| is_skipped(*it)).count();
                assert!(tests <= 4 + skips, "{tests} tests, {skips} skipped");
            }
        }
    }

    #[test]
    fn two_revisions_need_no_test() {
        let found = first_bad(2, |_| -> Result<Revision, ()> { Err(()) });
        let expected = FirstBad {
            bad: 1,
            skipped: vec![],
        };
        assert_eq!(found, Ok(expected));
    }
}
