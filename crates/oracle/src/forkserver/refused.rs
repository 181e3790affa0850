/// The number of an error that the runtime of AFL++ reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Refused(pub(super) u32);

impl std::fmt::Display for Refused {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.0 {
            1 => write!(f, ": its coverage map is too large"),
            2 => write!(f, ": the address of its coverage map is in use"),
            4 | 8 | 16 => write!(f, ": it cannot attach shared memory"),
            number => write!(f, " with error {number} of AFL++"),
        }
    }
}
