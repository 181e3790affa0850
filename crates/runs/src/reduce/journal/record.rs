//! The records of a journal: verdicts as bytes.

use crate::state::Format;
use nubbin_reduce::edit::Fingerprint;
use nubbin_verdict::VerdictKind;
use std::collections::BTreeMap;

/// The format of a journal. The number is raised when the records change their meaning; a journal
/// of another version is not read.
pub(super) const FORMAT: Format = Format("journal 1");

pub(super) type Verdict = (Fingerprint, VerdictKind);
pub(super) type Verdicts = BTreeMap<Fingerprint, VerdictKind>;

/// Returns the verdicts in the order of their candidates.
pub(super) fn sorted(verdicts: &Verdicts) -> Vec<Verdict> {
    verdicts
        .iter()
        .map(|(&print, &kind)| (print, kind))
        .collect()
}

pub(super) fn record((print, kind): Verdict) -> [u8; 17] {
    let mut record = [0; 17];
    record[..16].copy_from_slice(&print.0.to_le_bytes());
    record[16] = code(kind);
    record
}

pub(super) fn from_record(record: &[u8]) -> Option<Verdict> {
    let (print, code) = record.split_first_chunk::<16>()?;
    let kind = match code {
        [code] => kind(*code)?,
        _ => return None,
    };
    Some((Fingerprint(u128::from_le_bytes(*print)), kind))
}

fn code(kind: VerdictKind) -> u8 {
    match kind {
        VerdictKind::Fail => 0,
        VerdictKind::Pass => 1,
        VerdictKind::Unresolved => 2,
        VerdictKind::TimedOut => 3,
        VerdictKind::NotBuilt => 4,
    }
}

fn kind(code: u8) -> Option<VerdictKind> {
    [
        VerdictKind::Fail,
        VerdictKind::Pass,
        VerdictKind::Unresolved,
        VerdictKind::TimedOut,
        VerdictKind::NotBuilt,
    ]
    .get(usize::from(code))
    .copied()
}
