use super::Predicate;
use crate::run::Run;
use crate::signature::Signature;

impl Predicate {
    /// Returns each condition on a run of the main command, in words, and whether it holds.
    pub(crate) fn conditions(&self, run: &Run) -> Vec<(String, bool)> {
        let only = |one: Predicate| one.to_string();
        let mut found = vec![];
        if !self.says_nothing_of_exit() || self.is_default() {
            let ends = Predicate {
                codes: self.codes.clone(),
                signals: self.signals.clone(),
                ..Predicate::new()
            };
            found.push((only(ends), self.exit_holds(run.exit)));
        }
        for pattern in &self.patterns {
            let one = Predicate {
                patterns: vec![pattern.clone()],
                ..Predicate::new()
            };
            let holds = one.patterns_hold(run);
            found.push((only(one), holds));
        }
        if let Some(wanted) = &self.same_failure {
            let holds = Signature::of(run).is_some_and(|seen| wanted.matches(&seen));
            found.push((only(Predicate::new().same_failure(wanted.clone())), holds));
        }
        if let (Some(wanted), Some(_)) = (&self.same_stack, &run.stack) {
            let holds = self.stack_holds(run);
            found.push((only(Predicate::new().same_stack(wanted.clone())), holds));
        }
        if self.timeout_fails {
            // A run that was ended at the limit is diagnosed as such.
            found.push((only(Predicate::new().timeout_fails()), false));
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::Exit;

    #[test]
    fn each_condition_is_judged_by_itself() {
        let run = Run {
            stdout: Some(b"one".to_vec()),
            stderr: Some(b"two".to_vec()),
            exit: Exit::Code(3),
            ..Run::refused(0)
        };
        let predicate = Predicate::new().exit("3,4").unwrap().stdout("two").unwrap();
        let predicate = predicate.not_stderr("one").unwrap().timeout_fails();
        let conditions = predicate.conditions(&run);
        let found: Vec<(&str, bool)> = conditions
            .iter()
            .map(|(words, holds)| (words.as_str(), *holds))
            .collect();
        assert_eq!(
            found,
            [
                ("exit code 3 or 4", true),
                ("stdout matches `two`", false),
                ("stderr does not match `one`", true),
                ("it runs until the time limit", false),
            ]
        );
        assert_eq!(
            Predicate::new().conditions(&run),
            [("exit code 0".to_owned(), false)]
        );
    }
}
