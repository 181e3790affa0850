//! The actions of the user on the page.

use super::answer::{Answer, Refusal};
use crate::{Hub, Live};
use nubbin_campaign::{Event, EventKind, IssueState, JobKind, Listener, NumberedEvent, Store};
use serde::Deserialize;
use serde_json::json;

/// An action on an issue.
#[derive(Debug, Deserialize)]
struct Action {
    action: Verb,
    note: Option<String>,
    /// The issue that another one is joined to.
    to: Option<i64>,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Verb {
    Validate,
    Reduce,
    Explain,
    Open,
    Ignore,
    Close,
    Delete,
    Note,
    Join,
    Split,
}

/// Changes an issue, and tells all interfaces.
pub(super) fn act(
    store: &mut Store,
    (hub, live): (&Hub, &Live),
    id: i64,
    body: &[u8],
) -> Result<Answer, Refusal> {
    let action: Action = serde_json::from_slice(body)
        .map_err(|error| Refusal::new(400, format!("The action is wrong: {error}.")))?;
    let issue = store.issue(id)?.ok_or_else(|| Refusal::no_issue(id))?;
    let set = |store: &mut Store, state: IssueState| {
        let is_there = store.set_state(id, state)?;
        let text = format!("issue {id} was set to {state} by the user");
        is_there
            .then_some((EventKind::IssueUpdated, text))
            .ok_or_else(|| Refusal::no_issue(id))
    };
    let (kind, text) = match action.action {
        Verb::Validate => {
            store.add_job(JobKind::Validate, &issue.program, Some(id), true)?;
            let text = format!("issue {id} is to be validated");
            (EventKind::ValidateAdded, text)
        }
        Verb::Reduce => {
            store.forget_reduction(id)?;
            store.add_job(JobKind::Reduce, &issue.program, Some(id), true)?;
            let text = format!("issue {id} is to be reduced");
            (EventKind::ReduceAdded, text)
        }
        Verb::Explain => {
            store.add_job(JobKind::Explain, &issue.program, Some(id), true)?;
            let text = format!("issue {id} is to be explained");
            (EventKind::IssueUpdated, text)
        }
        Verb::Open => set(store, IssueState::Open)?,
        Verb::Ignore => set(store, IssueState::Ignored)?,
        Verb::Close => set(store, IssueState::Closed)?,
        Verb::Delete => {
            store.delete_issue(id)?;
            let text = format!("issue {id} was deleted by the user");
            (EventKind::IssueUpdated, text)
        }
        Verb::Join => {
            let missing = || Refusal::new(400, "The action has no issue to join to.");
            let told = store.join_issues(action.to.ok_or_else(missing)?, id)?;
            return changed(&told, (hub, live));
        }
        Verb::Split => return changed(&store.split_issue(id)?, (hub, live)),
        Verb::Note => {
            let missing = || Refusal::new(400, "The action has no note.");
            store.set_note(id, &action.note.ok_or_else(missing)?)?;
            let text = format!("the note of issue {id} was changed");
            (EventKind::IssueUpdated, text)
        }
    };
    let told = store.record_event(Event::of_issue(kind, id, &*text))?;
    hub.receive(&told);
    live.wake();
    Answer::json(&json!({ "done": text }))
}

/// Tells of a change that has recorded its event itself.
fn changed(told: &NumberedEvent, (hub, live): (&Hub, &Live)) -> Result<Answer, Refusal> {
    hub.receive(told);
    live.wake();
    Answer::json(&json!({ "done": told.event.text }))
}

/// Ends the campaign.
pub(super) fn stop(live: &Live) -> Result<Answer, Refusal> {
    if live.elapsed().is_none() {
        return Err(Refusal::new(409, "This process does not run the campaign."));
    }
    live.stop();
    Answer::json(&json!({ "done": "the campaign ends" }))
}
