//! Warnings about results that fail in another way than the originals.

use super::observed::run_of;
use super::running::Running;
use crate::problem::{say, warn};
use crate::reduce::warn_of_change;
use nubbin_oracle::Signature;
use nubbin_reduce::input::Input;
use nubbin_reduce::isolate::Isolated;
use nubbin_verdict::Verdict;

/// Runs both results once more, and warns if one of them shows a failure that its original does
/// not.
///
/// A candidate passes if the conditions do not hold, so one that fails in another way passes as
/// well, also where both originals fail. The difference between such results says nothing about the
/// failure.
pub(super) fn report(running: &Running, isolated: &Isolated) {
    if isolated.verified != Some([Verdict::Pass, Verdict::Fail]) {
        return;
    }
    let prepared = &running.claimed.prepared;
    let name = prepared
        .failing
        .present()
        .next()
        .map(|file| file.name.to_owned());
    let original = name.and_then(|name| Input::single(name, &prepared.passing[..]).ok());
    let Some(original) = original else {
        return;
    };
    let [Some(before), Some(passing), Some(failing)] =
        [&original, &isolated.passing, &isolated.failing]
            .map(|input| run_of(&running.tested.oracle, input, &prepared.stop))
    else {
        return;
    };
    let known = Signature::of(&before);
    let is_other = |found: &Signature| known.as_ref().is_none_or(|known| !known.may_match(found));
    if let Some(found) = Signature::of(&passing).filter(is_other) {
        warn(&format!(
            "the passing result fails in another way: {found}; it is `{}`",
            running.claimed.results.passing.display()
        ));
        say(
            "hint: a candidate that fails in another way counts as passing; a test that exits with \
             125 for such a candidate leaves it out",
        );
    }
    let kept = running.tested.others.kept();
    let changed =
        kept.and_then(|kept| kept.changed(&running.tested.oracle, (&isolated.failing, &failing)));
    if let Some(changed) = changed {
        let what = format!(
            "the failing result `{}` shows another failure than `{}`",
            running.claimed.results.failing.display(),
            prepared.args.failing.display()
        );
        let is_script = running.tested.oracle.predicate().is_default();
        warn_of_change(&what, &changed, is_script);
    }
}
