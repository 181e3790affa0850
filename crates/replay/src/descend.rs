use super::grow::Grow;

/// A search for a small working number below a number that works.
///
/// The search tries 0, 1, and half of the number. If the half works, it searches for the number of
/// times that the number can be halved, and then in the range between the last two halves. At the
/// end, it tries steps of two, for numbers that must be even or odd. A number that cannot be
/// lowered costs at most five tests.
#[derive(Clone, Copy, Debug)]
pub(super) struct Descend {
    /// The smallest number that is known to work.
    now: u64,
    stage: Stage,
}

#[derive(Clone, Copy, Debug)]
enum Stage {
    Zero,
    One,
    /// The greatest number of halvings that works, and the smallest number of halvings that does
    /// not work.
    Halve {
        works: u32,
        fails: u32,
    },
    OneLess,
    /// The largest number that is known not to work.
    Between {
        fails: u64,
    },
    /// The distance from the number at which the steps of two began.
    Twos {
        from: u64,
        less: Grow,
    },
    End,
}

impl Descend {
    /// Starts the search from a number that works.
    pub(super) fn from(now: u64) -> Self {
        Descend {
            now,
            stage: Stage::Zero,
        }
    }

    /// Starts the search from a number that works, if 0 is known not to work.
    pub(super) fn above_zero(now: u64) -> Self {
        Descend {
            now,
            stage: Stage::One,
        }
    }

    /// Returns the number to try next.
    pub(super) fn next(&mut self) -> Option<u64> {
        loop {
            match self.stage {
                Stage::Zero if self.now > 0 => return Some(0),
                Stage::Zero => self.stage = Stage::End,
                Stage::One if self.now > 1 => return Some(1),
                Stage::One => self.stage = Stage::End,
                Stage::Halve { works, fails } => {
                    if let Some(times) = times(works, fails) {
                        return Some(self.now >> (times - works));
                    }
                    self.stage = match works {
                        0 => Stage::OneLess,
                        _ => Stage::Between {
                            fails: self.now >> 1,
                        },
                    };
                }
                Stage::OneLess if self.now > 2 => return Some(self.now - 1),
                Stage::OneLess => self.stage = self.twos(),
                Stage::Between { fails } if self.now - fails > 1 => {
                    return Some(fails + (self.now - fails) / 2);
                }
                Stage::Between { .. } => self.stage = self.twos(),
                Stage::Twos { from, less } => match less.next() {
                    Some(twos) => return Some(from - 2 * twos),
                    None => self.stage = Stage::End,
                },
                Stage::End => return None,
            }
        }
    }

    /// Records whether the last number worked.
    pub(super) fn record(&mut self, worked: bool) {
        let Some(asked) = self.next() else {
            return;
        };
        let before = self.now;
        if worked {
            self.now = asked;
        }
        self.stage = match self.stage {
            Stage::Zero if worked => Stage::End,
            Stage::Zero => Stage::One,
            Stage::One if worked => Stage::End,
            // After this number of halvings, the value is 1.
            Stage::One => Stage::Halve {
                works: 0,
                fails: self.now.ilog2(),
            },
            Stage::Halve { works, fails } => match times(works, fails) {
                Some(times) if worked => Stage::Halve {
                    works: times,
                    fails,
                },
                Some(1) => Stage::OneLess,
                Some(times) => Stage::Halve {
                    works,
                    fails: times,
                },
                None => Stage::End,
            },
            Stage::OneLess if worked => Stage::Between { fails: before / 2 },
            Stage::OneLess => self.twos(),
            Stage::Between { fails } => Stage::Between {
                fails: if worked { fails } else { asked },
            },
            Stage::Twos { from, mut less } => {
                less.record(worked);
                Stage::Twos { from, less }
            }
            Stage::End => Stage::End,
        };
    }

    /// 0, 1 and one less are known not to work.
    fn twos(&self) -> Stage {
        Stage::Twos {
            from: self.now,
            less: Grow::new(self.now.saturating_sub(2) / 2),
        }
    }
}

/// Returns the next number of halvings. The first step is one, and later steps halve the unknown
/// range.
fn times(works: u32, fails: u32) -> Option<u32> {
    match fails.saturating_sub(works) {
        0 | 1 => None,
        _ if works == 0 => Some(1),
        left => Some(works + left / 2),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn descend(from: u64, fails: impl Fn(u64) -> bool) -> (u64, u32) {
        let mut descend = Descend::from(from);
        let mut tests = 0;
        while let Some(asked) = descend.next() {
            assert!(asked < descend.now);
            tests += 1;
            descend.record(fails(asked));
        }
        (descend.now, tests)
    }

    #[test]
    fn the_threshold_is_found_in_few_tests() {
        for (threshold, most) in [
            (0, 1),
            (1, 3),
            (2, 11),
            (1000, 22),
            (1_000_000, 32),
            (1 << 40, 62),
        ] {
            for from in [
                threshold,
                threshold + 1,
                3 * threshold + 7,
                1 << 62,
                u64::MAX,
            ] {
                let (found, tests) = descend(from, |number| number >= threshold);
                assert_eq!(found, threshold, "from {from}");
                assert!(tests <= most, "{tests} tests for {threshold} from {from}");
            }
            let (_, tests) = descend(threshold, |number| number >= threshold);
            assert!(tests <= 5);
        }
    }

    #[test]
    fn a_number_that_has_to_be_even_is_found() {
        for from in [4, 100, 1 << 40] {
            let (found, _) = descend(from, |number| number > 0 && number % 2 == 0);
            assert_eq!(found, 2, "from {from}");
        }
    }

    #[test]
    fn the_search_ends_for_any_results() {
        for seed in 0..200u64 {
            let odd = |number: u64| (number ^ seed).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 63 == 1;
            let (_, tests) = descend(u64::MAX - seed, odd);
            assert!(tests < 100);
        }
    }
}
