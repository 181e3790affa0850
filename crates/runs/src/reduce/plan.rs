//! Creates a plan from `--algorithm`, `--atom`, `--passes`, and `--without`.

use super::trees::Trees;
use crate::exit::Exit;
use crate::flags::{Atom, OrderBy};
use crate::problem::Problem;
use crate::settings::SearchSettings;
use nubbin_grammar::syntax::Syntax;
use nubbin_published::catalogue;
use nubbin_reduce::input::Input;
use nubbin_reduce::list_minimizer::MinimizerChoice;
use nubbin_reduce::order::Order;
use nubbin_reduce::pass::{Pass, SortTables};
use nubbin_reduce::plan::Plan;
use nubbin_reduce::{Algorithm, PlanError, auto, tree_reducer};
use std::sync::Arc;

/// Returns whether a tree reducer is named, as the algorithm or among the passes.
pub(super) fn needs_trees(named: &Algorithm, search: &SearchSettings) -> bool {
    let mut passes = search.passes.iter();
    matches!(named, Algorithm::Tree(_)) || passes.any(|id| catalogue().tree_reducer(id).is_some())
}

/// Returns whether the given tree reducer is named, as the algorithm or among the passes.
pub(super) fn asks_for(named: &Algorithm, id: &str, search: &SearchSettings) -> bool {
    matches!(named, Algorithm::Tree(reducer) if reducer.id() == id)
        || search.passes.iter().any(|pass| pass == id)
}

/// Returns whether a pass is left out.
pub(super) fn leaves_out(search: &SearchSettings, id: &str) -> bool {
    search.without.iter().any(|left| left == id)
}

pub(super) fn plan(
    named: &Algorithm,
    search: &SearchSettings,
    input: &Input,
    trees: Option<&Trees>,
) -> Result<Plan, Problem> {
    let used = trees.map(Trees::used);
    let by_id = |ids: &[&str]| by_id(ids, used.as_ref());
    let ids: Vec<&str> = search.passes.iter().map(String::as_str).collect();
    let atoms: Vec<&str> = search.atom.iter().map(|atom| atom.pass()).collect();
    let flag = match (ids.is_empty(), atoms.is_empty()) {
        (false, _) => "--passes",
        _ => "--atom",
    };
    let passes = by_id(if ids.is_empty() { &atoms } else { &ids })?;
    let made = named.plan_with_trees(input, passes, used.as_ref());
    let plan = made.map_err(|error| no_plan(&error, flag))?;
    let sorts = SortTables(nubbin_languages::hints::SORTS);
    let mut plan = auto::with_sorts(plan, input, sorts);
    if let (Algorithm::Tree(_), Some(trees)) = (named, &used) {
        // The name of the plan includes the options.
        plan.name = match trees.list_algorithm() {
            Some(choice) => format!("{} with {choice}", search.algorithm),
            None => search.algorithm.clone(),
        };
    }
    plan.thorough |= search.slow;
    if search.quick {
        auto::quick(&mut plan);
    }
    // The name of a pass that does not exist would otherwise be ignored.
    let without: Vec<&str> = search.without.iter().map(String::as_str).collect();
    // These passes are created for a run, and are not in the catalogue.
    let listed: Vec<&str> = without
        .iter()
        .copied()
        .filter(|&id| id != auto::POSITIONS && id != auto::FRONT_END)
        .collect();
    by_id(&listed)?;
    plan.without(&without);
    if search.keep_names {
        plan = auto::keeping_names(plan);
    }
    if plan.tiers.is_empty() {
        return Err(Problem::new(Exit::Usage, "no pass is left to run")
            .hint("`--without` names every pass that was chosen"));
    }
    plan.order = match search.order {
        None => plan.order,
        Some(OrderBy::Bytes) => Order::bytes(),
        Some(OrderBy::Tokens) => Order::tokens(),
        Some(OrderBy::Instructions) => nubbin_reduce::by_instructions(),
        Some(OrderBy::Binary) => Order::binary(),
    };
    Ok(plan)
}

/// Returns the default plan for one text, with the trees of a syntax if there is one.
pub fn over_text(input: &Input, syntax: Option<&Arc<dyn Syntax>>) -> Plan {
    let plan = match syntax {
        Some(syntax) => auto::plan_with_syntax(input, Arc::clone(syntax)),
        None => auto::plan(input),
    };
    auto::with_sorts(plan, input, SortTables(nubbin_languages::hints::SORTS))
}

/// Returns the plan of one list minimizer.
pub fn over_list(algorithm: &str, atom: Atom) -> Result<Plan, Problem> {
    let choice = list_algorithm(algorithm)?;
    let atom = atom.pass();
    let pass = catalogue().pass(atom).ok_or_else(|| unknown_pass(atom))?;
    Ok(Plan::single(pass, choice))
}

/// Returns the reason why an algorithm has no plan. `flag` is the one that names passes.
fn no_plan(error: &PlanError, flag: &str) -> Problem {
    match error {
        PlanError::NoTrees { reducer } => no_trees(reducer),
        PlanError::Passes { reducer } => {
            let what = format!("`{reducer}` is a tree reducer, and does not use `{flag}`");
            Problem::new(Exit::Usage, what)
                .hint("`--list-algorithm` names the algorithm for its lists")
        }
        _ => Problem::new(Exit::Usage, error.to_string()),
    }
}

/// Returns whether the algorithm counts the test of the original, as the first one.
pub(super) fn counts_original(search: &SearchSettings) -> bool {
    match catalogue().algorithm(&search.algorithm) {
        Ok(Algorithm::Tree(reducer)) => reducer.counts_original(),
        _ => true,
    }
}

/// Returns the algorithm or the passes that the user has chosen, in words. Only the default plan
/// with all of its passes tries everything that it can remove.
pub(super) fn chosen(search: &SearchSettings) -> Option<String> {
    let named = format!("`{}`", search.algorithm);
    match named_is_auto(search) {
        false => Some(named),
        true if !search.passes.is_empty() => Some("the chosen passes".to_owned()),
        true if !search.without.is_empty() => Some("the plan without these passes".to_owned()),
        true if search.quick => Some("`--quick`".to_owned()),
        true => None,
    }
}

fn named_is_auto(search: &SearchSettings) -> bool {
    matches!(
        catalogue().algorithm(&search.algorithm),
        Ok(Algorithm::Auto)
    )
}

/// Returns whether a list minimizer has nothing to divide, since its units are lines and the input
/// is one.
pub(super) fn is_one_line(search: &SearchSettings, input: &Input) -> bool {
    let is_list = matches!(
        catalogue().algorithm(&search.algorithm),
        Ok(Algorithm::List(_))
    );
    let is_by_line = search.passes.is_empty() && search.atom.iter().all(|atom| *atom == Atom::Line);
    let is_line = |text: &[u8]| !text.trim_ascii_end().contains(&b'\n');
    is_list && is_by_line && input.present().all(|file| is_line(file.text))
}

/// Parses `--algorithm`.
pub(super) fn named(text: &str) -> Result<Algorithm, Problem> {
    catalogue()
        .algorithm(text)
        .map_err(|error| all_listed(error.to_string()))
}

/// Parses the name of a list minimizer.
pub(super) fn list_algorithm(text: &str) -> Result<MinimizerChoice, Problem> {
    catalogue()
        .list_minimizer(text)
        .map_err(|error| all_listed(error.to_string()))
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

fn by_id(ids: &[&str], trees: Option<&tree_reducer::Trees>) -> Result<Vec<Arc<dyn Pass>>, Problem> {
    let find = |id: &str| {
        if let Some(pass) = catalogue().pass(id) {
            return Ok(pass);
        }
        match (catalogue().tree_reducer(id), trees) {
            (Some(reducer), Some(trees)) => Ok(trees.pass(reducer)),
            (Some(reducer), None) => Err(no_trees(reducer.id())),
            (None, _) => Err(unknown_pass(id)),
        }
    };
    ids.iter().map(|id| find(id)).collect()
}

fn unknown_pass(id: &str) -> Problem {
    let all = catalogue();
    let passes = all.passes().iter().map(|pass| pass.id());
    let reducers = all.tree_reducers().iter().map(|reducer| reducer.id());
    let like = nubbin_grammar::suggest::nearest(id, passes.chain(reducers));
    let like = like.map_or(String::new(), |like| format!(", did you mean `{like}`?"));
    Problem::new(Exit::Usage, format!("unknown pass `{id}`{like}"))
        .hint("`nubbin passes` lists all passes")
}
