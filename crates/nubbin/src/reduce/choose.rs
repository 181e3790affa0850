//! From `--algorithm`, `--atom`, `--passes` and `--without` to a plan.

use crate::args::{Atom, OrderBy, SearchArgs};
use crate::exit::Exit;
use crate::problem::Problem;
use nubbin_reduce::input::Input;
use nubbin_reduce::order::Order;
use nubbin_reduce::pass::{self, Pass};
use nubbin_reduce::pick::Choice;
use nubbin_reduce::plan::{Plan, Repeat, Tier};
use std::sync::Arc;

pub(super) fn plan(search: &SearchArgs, input: &Input) -> Result<Plan, Problem> {
    let named: Option<Choice> = match search.algorithm.as_str() {
        "auto" => None,
        id => Some(
            id.parse()
                .map_err(|error: nubbin_reduce::pick::PickError| {
                    Problem::new(Exit::Usage, error.to_string())
                        .hint("`nubbin algorithms` lists all algorithms with their options")
                })?,
        ),
    };
    let default = nubbin_reduce::auto::plan(input);
    let order = default.order;
    let mut plan = match (named, search.passes.as_slice()) {
        (None, []) if search.atom.is_empty() => default,
        (None, []) => Plan::of(by_id(search.atom.iter().map(|atom| atom.pass()))?),
        (None, ids) => Plan::of(by_id(ids.iter().map(String::as_str))?),
        (Some(choice), ids) => {
            let atoms: &[Atom] = if search.atom.is_empty() {
                &[Atom::Line]
            } else {
                &search.atom
            };
            let passes = match ids {
                [] => by_id(atoms.iter().map(|atom| atom.pass()))?,
                ids => by_id(ids.iter().map(String::as_str))?,
            };
            Plan {
                name: choice.to_string(),
                tiers: vec![Tier {
                    name: "list",
                    passes,
                    repeat: Repeat::Once,
                }],
                algorithm: choice,
                insist: true,
                order,
            }
        }
    };
    // Naming a pass that does not exist would otherwise leave everything in without a word.
    by_id(search.without.iter().map(String::as_str))?;
    let without: Vec<&str> = search.without.iter().map(String::as_str).collect();
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
    Ok(plan)
}

fn by_id<'a>(ids: impl Iterator<Item = &'a str>) -> Result<Vec<Arc<dyn Pass>>, Problem> {
    ids.map(|id| {
        pass::by_id(id).ok_or_else(|| {
            let problem = Problem::new(Exit::Usage, format!("there is no pass named `{id}`"));
            problem.hint("`nubbin passes` lists all passes")
        })
    })
    .collect()
}
