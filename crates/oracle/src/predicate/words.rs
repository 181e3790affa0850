//! The conditions in words.

use super::require::{Ended, Predicate, Stream};
use crate::forkserver::Granularity;
use crate::signal;
use std::fmt;

impl fmt::Display for Predicate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut parts = Vec::new();
        let codes: Vec<String> = self.codes.iter().map(i32::to_string).collect();
        let mut ends: Vec<String> = Vec::new();
        if !codes.is_empty() {
            ends.push(format!("exit code {}", codes.join(" or ")));
        }
        ends.extend(self.signals.iter().map(|&number| signal::name(number)));
        if !ends.is_empty() {
            parts.push(ends.join(" or "));
        }
        for pattern in &self.patterns {
            let stream = match pattern.stream {
                Stream::Stdout => "stdout",
                Stream::Stderr => "stderr",
            };
            let verb = if pattern.is_wanted {
                "matches"
            } else {
                "does not match"
            };
            parts.push(format!("{stream} {verb} `{}`", pattern.regex));
        }
        if self.timeout_fails {
            parts.push("it runs until the time limit".into());
        }
        if let Some(other) = &self.differs_from {
            parts.push(format!("exit or stdout differ from `{other}`"));
        }
        if let Some(signature) = &self.same_failure {
            parts.push(format!("the failure is {signature}"));
        }
        if let Some(signature) = &self.same_stack {
            let frames = signature.frames().join(" < ");
            parts.push(format!("the stack is {frames}"));
        }
        if let Some(wanted) = &self.same_coverage {
            let what = match wanted.granularity {
                Granularity::Hits => "the coverage",
                Granularity::Edges => "the set of edges",
            };
            let mut text = format!("{what} is that of the original");
            if let Some((coverage, ended)) = wanted.original {
                text += &format!(" ({coverage})");
                text += match ended {
                    Ended::ByItself => "",
                    Ended::BySignal => ", and a signal kills it",
                };
            }
            parts.push(text);
        }
        if parts.is_empty() {
            parts.push("exit code 0".into());
        }
        parts.extend(self.guard.as_ref().map(|guard| guard.name.clone()));
        write!(f, "{}", parts.join(", and "))
    }
}
