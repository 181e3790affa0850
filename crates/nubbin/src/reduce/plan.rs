//! Makes a plan from `--algorithm`, `--atom`, `--passes`, and `--without`.

use super::trees::Trees;
use crate::exit::Exit;
use crate::flags::{Atom, OrderBy, SearchFlags};
use crate::problem::Problem;
use nubbin_grammar::syntax::Syntax;
use nubbin_reduce::input::Input;
use nubbin_reduce::list_minimizer::{DdminOptions, MinimizerChoice, MinimizerError};
use nubbin_reduce::order::Order;
use nubbin_reduce::pass::{self, Pass};
use nubbin_reduce::plan::{Plan, Repeat, Tier};
use nubbin_reduce::tree::Preparation;
use nubbin_reduce::tree_reducer::{self, TreePass};
use nubbin_reduce::{Algorithm, AlgorithmError};
use std::sync::Arc;

/// Returns whether a tree reducer is named, as the algorithm or among the passes.
pub(super) fn needs_trees(named: &Algorithm, search: &SearchFlags) -> bool {
    let mut passes = search.passes.iter();
    matches!(named, Algorithm::Tree(_)) || passes.any(|id| tree_reducer::by_id(id).is_some())
}

/// Returns whether this tree reducer is named, as the algorithm or among the passes.
pub(super) fn asks_for(named: &Algorithm, id: &str, search: &SearchFlags) -> bool {
    matches!(named, Algorithm::Tree(reducer) if reducer.id() == id)
        || search.passes.iter().any(|pass| pass == id)
}

pub(super) fn plan(
    named: Algorithm,
    search: &SearchFlags,
    input: &Input,
    trees: Option<&Trees>,
) -> Result<Plan, Problem> {
    let default = nubbin_reduce::auto::plan(input);
    let order = match &named {
        Algorithm::Tree(reducer) => reducer.order().unwrap_or(default.order),
        _ => default.order,
    };
    let by_id = |ids: &[&str]| by_id(ids, trees);
    let ids: Vec<&str> = search.passes.iter().map(String::as_str).collect();
    let atoms: Vec<&str> = search.atom.iter().map(|atom| atom.pass()).collect();
    let mut plan = match named {
        Algorithm::Auto if ids.is_empty() && atoms.is_empty() => match trees {
            None => default,
            Some(trees) => with_trees(default, trees),
        },
        Algorithm::Auto if ids.is_empty() => Plan::of(by_id(&atoms)?),
        Algorithm::Auto => Plan::of(by_id(&ids)?),
        Algorithm::List(choice) => {
            let passes = match (ids.is_empty(), atoms.is_empty()) {
                (false, _) => by_id(&ids)?,
                (_, false) => by_id(&atoms)?,
                _ => by_id(&[Atom::Line.pass()])?,
            };
            once("list", choice.to_string(), passes, (choice, true), order)
        }
        Algorithm::Tree(reducer) => {
            let trees = trees.ok_or_else(|| no_trees(reducer.id()))?;
            if let Some(flag) = [(&ids, "--passes"), (&atoms, "--atom")]
                .iter()
                .find_map(|(given, flag)| (!given.is_empty()).then_some(flag))
            {
                let what = format!(
                    "`{}` is a tree reducer, and does not use `{flag}`",
                    reducer.id()
                );
                return Err(Problem::new(Exit::Usage, what)
                    .hint("`--list-algorithm` names the algorithm for its lists"));
            }
            let choice = match &trees.algorithm {
                Some(choice) => choice.clone(),
                None => published()?,
            };
            let name = match &trees.algorithm {
                Some(choice) => format!("{} with {choice}", search.algorithm),
                None => search.algorithm.clone(),
            };
            // A tree reducer may have been published with a list minimizer of its own.
            let insist = trees.algorithm.is_some();
            once(
                "tree",
                name,
                vec![trees.named(reducer)],
                (choice, insist),
                order,
            )
        }
    };
    plan.thorough |= search.slow;
    if search.quick {
        nubbin_reduce::auto::quick(&mut plan);
    }
    // The name of a pass that does not exist would otherwise have no effect.
    let without: Vec<&str> = search.without.iter().map(String::as_str).collect();
    by_id(&without)?;
    plan.without(&without);
    if plan.tiers.is_empty() {
        return Err(Problem::new(Exit::Usage, "no pass is left to run")
            .hint("`--without` names every pass that was chosen"));
    }
    plan.order = match search.order {
        None => order,
        Some(OrderBy::Bytes) => Order::bytes(),
        Some(OrderBy::Tokens) => Order::tokens(),
        Some(OrderBy::Binary) => Order::binary(),
    };
    Ok(plan.with_sorts(nubbin_languages::hints::SORTS))
}

/// Returns the default plan for one text, with the trees of a syntax if there is one.
pub(crate) fn over_text(input: &Input, syntax: Option<&Arc<dyn Syntax>>) -> Plan {
    let plan = nubbin_reduce::auto::plan(input);
    let plan = match syntax {
        Some(syntax) => nubbin_reduce::auto::with_trees(plan, syntax.is_tolerant(), |reducer| {
            let syntaxes = [Some(Arc::clone(syntax))].into();
            Arc::new(TreePass::of_each(reducer, syntaxes).prepared(Preparation::ALL))
        }),
        None => plan,
    };
    plan.with_sorts(nubbin_languages::hints::SORTS)
}

/// Returns the plan of one list minimizer.
pub(crate) fn over_list(algorithm: &str, atom: Atom) -> Result<Plan, Problem> {
    let choice = list_algorithm(algorithm)?;
    let passes = by_id(&[atom.pass()], None)?;
    let name = choice.to_string();
    Ok(once("list", name, passes, (choice, true), Order::bytes()))
}

/// Returns a plan of these passes only.
fn once(
    tier: &'static str,
    name: String,
    passes: Vec<Arc<dyn Pass>>,
    (algorithm, insist): (MinimizerChoice, bool),
    order: Order,
) -> Plan {
    Plan {
        name,
        tiers: vec![Tier {
            name: tier,
            passes,
            repeat: Repeat::Once,
        }],
        algorithm,
        insist,
        thorough: true,
        order,
        sorts: &[],
    }
}

/// Adds passes over trees to the default plan.
fn with_trees(plan: Plan, trees: &Trees) -> Plan {
    let mut plan =
        nubbin_reduce::auto::with_trees(plan, trees.tolerant(), |reducer| trees.planned(reducer));
    if let Some(choice) = &trees.algorithm {
        plan.algorithm = choice.clone();
    }
    plan
}

/// Returns the list minimizer that tree reducers were published with.
fn published() -> Result<MinimizerChoice, Problem> {
    MinimizerChoice::try_from(DdminOptions::default())
        .map_err(|error| Problem::new(Exit::Usage, error.to_string()))
}

/// Whether the algorithm counts the test of the original, as the first one.
pub(super) fn counts_original(search: &SearchFlags) -> bool {
    match search.algorithm.parse() {
        Ok(Algorithm::Tree(reducer)) => reducer.counts_original(),
        _ => true,
    }
}

/// Whether a list minimizer has nothing to divide, since its units are lines and the input is one.
pub(super) fn is_one_line(search: &SearchFlags, input: &Input) -> bool {
    let is_list = matches!(search.algorithm.parse(), Ok(Algorithm::List(_)));
    let is_by_line = search.passes.is_empty() && search.atom.iter().all(|atom| *atom == Atom::Line);
    let is_line = |text: &[u8]| !text.trim_ascii_end().contains(&b'\n');
    is_list && is_by_line && input.present().all(|file| is_line(file.text))
}

/// Parses `--algorithm`.
pub(super) fn named(text: &str) -> Result<Algorithm, Problem> {
    text.parse()
        .map_err(|error: AlgorithmError| all_listed(error.to_string()))
}

/// Parses the name of a list minimizer.
pub(super) fn list_algorithm(text: &str) -> Result<MinimizerChoice, Problem> {
    text.parse()
        .map_err(|error: MinimizerError| all_listed(error.to_string()))
}

fn all_listed(what: String) -> Problem {
    Problem::new(Exit::Usage, what)
        .hint("`nubbin algorithms` lists all algorithms with their options")
}

fn no_trees(reducer: &str) -> Problem {
    let what =
        format!("`{reducer}` is a tree reducer, and no grammar or parser of the input is given");
    Problem::new(Exit::Usage, what)
        .hint("`--language LANGUAGE` says what it is; `nubbin grammar list` lists the languages")
        .hint("`--grammar FILE` names a grammar of the input, `--parser LIBRARY` a tree-sitter parser")
}

fn by_id(ids: &[&str], trees: Option<&Trees>) -> Result<Vec<Arc<dyn Pass>>, Problem> {
    let find = |id: &str| {
        if let Some(pass) = pass::by_id(id) {
            return Ok(pass);
        }
        match (tree_reducer::by_id(id), trees) {
            (Some(reducer), Some(trees)) => Ok(trees.named(reducer)),
            (Some(reducer), None) => Err(no_trees(reducer.id())),
            (None, _) => Err(Problem::new(Exit::Usage, format!("unknown pass `{id}`"))
                .hint("`nubbin passes` lists all passes")),
        }
    };
    ids.iter().map(|id| find(id)).collect()
}
