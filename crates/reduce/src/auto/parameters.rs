use super::only::only_on;
use crate::pass::by_id;
use nubbin_engine::plan::{Plan, Repeat, Tier};
use nubbin_engine::work::Pass;
use std::sync::Arc;

/// The files of an input that hold parameters of the test: the arguments of its command, and its
/// environment variables.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Parameters {
    /// The numbers of the files with arguments of the command.
    pub arguments: Vec<usize>,
    /// The numbers of the files with names of variables.
    pub variables: Vec<usize>,
}

impl Parameters {
    /// Returns whether there are no such files.
    pub fn is_empty(&self) -> bool {
        self.arguments.is_empty() && self.variables.is_empty()
    }
}

/// The passes that come first, since a flag that is not needed takes one test.
const WORDS: &[&str] = &["command-words"];

/// The passes that come when the rest is small: a value often depends on the text.
const VALUES: &[&str] = &[
    "command-levels",
    "command-values",
    "windows-words",
    "integers",
    "integer-values",
];

/// The pass over the names of variables that comes with [`VALUES`]: a variable that is a list has
/// the numbers of its items after its name.
const ITEMS: &[&str] = &["command-values"];

/// Adds passes over parameters to a plan, and excludes these files from all other passes.
///
/// Words are removed before the first passes on the files, since the test gets faster without an
/// expensive flag, and again together with the coarse passes. Values are shortened after the coarse
/// passes. In a plan whose passes run once, both are tried once more at the end.
pub fn with_parameters(mut plan: Plan, parameters: &Parameters) -> Plan {
    if parameters.is_empty() {
        return plan;
    }
    let all = [&parameters.arguments[..], &parameters.variables].concat();
    for tier in &mut plan.tiers {
        for pass in &mut tier.passes {
            *pass = leaving_out(Arc::clone(pass), &all);
        }
    }
    let words = || passes(WORDS, &all);
    let values = || {
        let items = passes(ITEMS, &parameters.variables);
        [passes(VALUES, &parameters.arguments), items].concat()
    };
    let is_fixpoint = |tier: &Tier| tier.repeat == Repeat::Fixpoint;
    let first = match plan.tiers.iter_mut().find(|tier| is_fixpoint(tier)) {
        Some(coarse) => {
            coarse.passes.splice(0..0, words());
            let is_polish = |tier: &Tier| tier.repeat == Repeat::Polish;
            let behind = plan.tiers.iter().position(is_polish);
            let behind = behind.unwrap_or(plan.tiers.len());
            plan.tiers.insert(behind, tier(Repeat::Fixpoint, values()));
            Repeat::Opening
        }
        None => {
            let passes = [words(), values()].concat();
            plan.tiers.push(tier(Repeat::Once, passes));
            Repeat::Once
        }
    };
    let probes = plan.tiers.iter().take_while(|tier| tier.name == "probes");
    plan.tiers.insert(probes.count(), tier(first, words()));
    plan
}

fn tier(repeat: Repeat, passes: Vec<Arc<dyn Pass>>) -> Tier {
    Tier {
        name: "parameters",
        passes,
        repeat,
    }
}

/// Returns passes on some files only.
fn passes(ids: &[&str], files: &[usize]) -> Vec<Arc<dyn Pass>> {
    let found = ids.iter().filter_map(|id| by_id(id));
    let on_files = |pass| {
        let files = files.to_vec();
        only_on(pass, move |file| files.contains(&file.number))
    };
    found.map(on_files).collect()
}

fn leaving_out(pass: Arc<dyn Pass>, files: &[usize]) -> Arc<dyn Pass> {
    let files = files.to_vec();
    only_on(pass, move |file| !files.contains(&file.number))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::auto;
    use nubbin_edit::Input;
    use nubbin_engine::Reduction;
    use nubbin_verdict::{Ask, Candidate, Fault, Oracle, Verdict};
    use std::path::Path;

    /// Fails if the text has `crash` and the arguments have these words.
    struct Needs(&'static [&'static str]);

    impl Oracle for Needs {
        fn judge(&self, candidate: &Candidate<'_>, _: &Ask) -> Result<Verdict, Fault> {
            let text = |name: &str| {
                let files = candidate.files().iter();
                let found = files.clone().find(|file| file.name == Path::new(name));
                found.map_or("", |file| std::str::from_utf8(file.bytes).unwrap())
            };
            let words: Vec<&str> = text("{args}").split_whitespace().collect();
            let fails = text("x").contains("crash") && self.0.iter().all(|it| words.contains(it));
            Ok(if fails { Verdict::Fail } else { Verdict::Pass })
        }
    }

    fn reduced(needed: &'static [&'static str], plan: impl Fn(&Input) -> Plan) -> [String; 2] {
        let text = b"one\na crash\ntwo\n".to_vec();
        let flags = b"-O3\n-Wall\n-I\ndir\n-Xa\n-Xb\n-std=c++17\n--max=100\n".to_vec();
        let input = Input::files([("x", text), ("{args}", flags)]).unwrap();
        let input = input.keep_files([0]);
        let parameters = Parameters {
            arguments: vec![1],
            variables: vec![],
        };
        let plan = with_parameters(plan(&input), &parameters);
        let outcome = Reduction::new(input, &Needs(needed), plan).run().unwrap();
        [0, 1].map(|number| {
            let file = outcome.input.file(number);
            file.map_or(String::new(), |file| {
                String::from_utf8(file.text.to_vec()).unwrap()
            })
        })
    }

    #[test]
    fn the_text_and_the_arguments_are_both_minimal() {
        assert_eq!(reduced(&[], auto::plan), ["crash", ""]);
        assert_eq!(reduced(&["-Wall"], auto::plan), ["crash", "-Wall\n"]);
        assert_eq!(reduced(&["-I", "dir"], auto::plan), ["crash", "-I\ndir\n"]);
    }

    #[test]
    fn a_plan_of_one_algorithm_reduces_arguments_as_well() {
        let plan = |_: &Input| {
            let lines = by_id("lines").unwrap();
            Plan::single(lines, nubbin_minimize::MinimizerChoice::default())
        };
        assert_eq!(reduced(&["-Wall"], plan), ["a crash\n", "-Wall\n"]);
    }
}
