use super::super::event::{Event, Observer, Waiting};
use super::super::outcome::Statistics;
use super::super::run_context::{RunContext, RunObserver};
use super::super::workers::News;
use std::time::Duration;

/// The context of a reduction.
pub(crate) type ReduceContext<'a> = RunContext<'a, Statistics, &'a mut dyn Observer>;

impl RunObserver<Statistics> for &mut dyn Observer {
    fn worker(&mut self, news: News, statistics: &Statistics) {
        let event = match news {
            News::Begun { worker, bytes } => Event::WorkerStarted { worker, bytes },
            News::Ended { worker, answered } => Event::WorkerEnded { worker, answered },
        };
        self.observe(&event, statistics);
    }

    fn waits(&mut self, what: Waiting, time: Duration, statistics: &Statistics) {
        self.observe(&Event::Waiting { what, time }, statistics);
    }
}
