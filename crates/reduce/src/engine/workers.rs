use super::stop::Stop;
use crate::edit::Fingerprint;
use crate::input::Input;
use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, bounded, unbounded};
use nubbin_verdict::{Ask, Cancel, Fault, Oracle, Verdict};
use std::thread::Scope;
use std::time::Duration;

/// How often a coordinator that waits looks whether it is to stop.
const PULSE: Duration = Duration::from_millis(20);

/// Where candidates are judged.
pub(super) enum Workers<'a> {
    /// On the coordinator's own thread, one at a time.
    Inline { oracle: &'a dyn Oracle, stop: Stop },
    /// On threads, one candidate each.
    Threads {
        slots: Vec<Slot>,
        results: Receiver<Done>,
    },
}

/// One worker thread, as the coordinator sees it.
pub(super) struct Slot {
    jobs: Sender<Job>,
    running: Option<Running>,
}

struct Running {
    print: Fingerprint,
    cancel: Cancel,
}

struct Job {
    print: Fingerprint,
    input: Input,
    cancel: Cancel,
}

/// A test that has ended.
pub(super) struct Done {
    slot: usize,
    pub(super) print: Fingerprint,
    /// The candidate, so that its buffer can be used again.
    pub(super) input: Input,
    pub(super) verdict: Result<Verdict, Fault>,
}

impl<'a> Workers<'a> {
    pub(super) fn inline(oracle: &'a dyn Oracle, stop: Stop) -> Self {
        Workers::Inline { oracle, stop }
    }

    /// Starts the threads. They end when the `Workers` are dropped.
    pub(super) fn threads<'scope>(
        scope: &'scope Scope<'scope, '_>,
        oracle: &'scope dyn Oracle,
        count: usize,
    ) -> Self {
        let (done, results) = unbounded();
        let slots = (0..count)
            .map(|slot| {
                let (jobs, inbox) = bounded::<Job>(1);
                let done = done.clone();
                scope.spawn(move || {
                    for Job {
                        print,
                        input,
                        cancel,
                    } in inbox
                    {
                        let ask = Ask { slot, cancel };
                        let verdict = judge(oracle, &input, &ask);
                        if done
                            .send(Done {
                                slot,
                                print,
                                input,
                                verdict,
                            })
                            .is_err()
                        {
                            break;
                        }
                    }
                });
                Slot {
                    jobs,
                    running: None,
                }
            })
            .collect();
        Workers::Threads { slots, results }
    }

    /// Number of candidates that can be judged at the same time.
    pub(super) fn count(&self) -> usize {
        match self {
            Workers::Inline { .. } => 1,
            Workers::Threads { slots, .. } => slots.len(),
        }
    }

    /// Judges on the coordinator's own thread, where that is the way.
    pub(super) fn judge_inline(&self, input: &Input) -> Option<Result<Verdict, Fault>> {
        match self {
            Workers::Inline { oracle, stop } => {
                let ask = Ask {
                    slot: 0,
                    cancel: stop.token().clone(),
                };
                Some(judge(*oracle, input, &ask))
            }
            Workers::Threads { .. } => None,
        }
    }

    pub(super) fn is_running(&self, print: Fingerprint) -> bool {
        self.slots()
            .iter()
            .any(|slot| slot.running.as_ref().is_some_and(|r| r.print == print))
    }

    pub(super) fn has_free(&self) -> bool {
        self.slots().iter().any(|slot| slot.running.is_none())
    }

    /// Starts a test if a worker is free; gives the candidate back if none is.
    pub(super) fn start(&mut self, print: Fingerprint, input: Input) -> Result<(), Input> {
        let Workers::Threads { slots, .. } = self else {
            return Err(input);
        };
        let Some(slot) = slots.iter_mut().find(|slot| slot.running.is_none()) else {
            return Err(input);
        };
        let cancel = Cancel::new();
        match slot.jobs.send(Job {
            print,
            input,
            cancel: cancel.clone(),
        }) {
            Ok(()) => {
                slot.running = Some(Running { print, cancel });
                Ok(())
            }
            Err(back) => Err(back.into_inner().input),
        }
    }

    /// Calls off the tests that are not wanted any more.
    pub(super) fn cancel_except(&mut self, wanted: impl Fn(Fingerprint) -> bool) {
        for running in self.slots().iter().filter_map(|slot| slot.running.as_ref()) {
            if !wanted(running.print) && !running.cancel.is_cancelled() {
                running.cancel.cancel();
            }
        }
    }

    /// Waits for a test to end, for one pulse at most.
    pub(super) fn wait(&mut self) -> Option<Done> {
        let Workers::Threads { slots, results } = self else {
            return None;
        };
        match results.recv_timeout(PULSE) {
            Ok(done) => {
                slots[done.slot].running = None;
                Some(done)
            }
            Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => None,
        }
    }

    /// Whether any test is running.
    pub(super) fn any_running(&self) -> bool {
        self.slots().iter().any(|slot| slot.running.is_some())
    }

    fn slots(&self) -> &[Slot] {
        match self {
            Workers::Inline { .. } => &[],
            Workers::Threads { slots, .. } => slots,
        }
    }
}

/// Asks the oracle. A panic in it is a fault of the test, not of the thread: a dead worker would
/// leave the coordinator waiting for ever.
fn judge(oracle: &dyn Oracle, input: &Input, ask: &Ask) -> Result<Verdict, Fault> {
    std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        input.with_candidate(|candidate| oracle.judge(candidate, ask))
    }))
    .unwrap_or_else(|_| Err(Fault::new("the test panicked")))
}
