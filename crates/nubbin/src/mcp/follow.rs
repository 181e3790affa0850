//! Waiting for a job on behalf of a client, with progress notifications.

use super::answer;
use super::job::Job;
use rmcp::model::{CallToolResult, ProgressNotificationParam};
use rmcp::service::{RequestContext, RoleServer};
use std::time::{Duration, Instant};

/// The time between two progress notifications.
const BETWEEN: Duration = Duration::from_secs(1);

/// The treatment of the job of a request that the client cancels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum OnCancel {
    /// The job is stopped, since this request started it.
    Stop,
    /// The job continues.
    Leave,
}

/// Waits for the end of a job for at most some time. Returns its answer, or its state.
pub(super) async fn follow(
    job: &Job,
    most: Duration,
    on_cancel: OnCancel,
    context: &RequestContext<RoleServer>,
) -> CallToolResult {
    let begin = Instant::now();
    loop {
        if !job.has_ended() {
            notify(job, context).await;
        }
        let left = most.saturating_sub(begin.elapsed());
        tokio::select! {
            () = job.ended() => break,
            () = context.ct.cancelled() => {
                if on_cancel == OnCancel::Stop {
                    job.stop();
                }
                break;
            }
            () = tokio::time::sleep(left.min(BETWEEN)) => {}
        }
        if begin.elapsed() >= most {
            break;
        }
    }
    answer::of(job)
}

/// Sends a progress notification if the client wants them. Seconds are its measure, since they
/// increase during a slow test too, and their limit is known.
async fn notify(job: &Job, context: &RequestContext<RoleServer>) {
    let Some(token) = context.meta.get_progress_token() else {
        return;
    };
    let mut told = ProgressNotificationParam::new(token, job.time().as_secs_f64())
        .with_message(answer::short(&job.progress()));
    if let Some(most) = job.most {
        told = told.with_total(most.as_secs_f64());
    }
    // If the client has disconnected, the server ends anyway.
    let _ = context.peer.notify_progress(told).await;
}
