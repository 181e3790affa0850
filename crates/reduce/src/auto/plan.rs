use super::marks::{Marks, with_texts};
use super::only::only_on;
#[cfg(feature = "binary")]
use super::packed::begin_with_texts;
use super::rows::{BYTES, Entry, Row, TEXT, by_ids};
use super::together::begin_with_what_belongs_together;
use nubbin_edit::Input;
use nubbin_engine::order::Order;
use nubbin_engine::plan::{Plan, Repeat, Tier};
use nubbin_engine::work::Pass;
use nubbin_text::IndentedBlocks;
use nubbin_view::Kind;
use std::sync::Arc;

/// Returns the default plan for an input. An input with files of both kinds gets the plans of both
/// kinds, and each pass runs on the files of its kind. The kind of the largest file decides the
/// order of the passes.
pub fn plan(input: &Input) -> Plan {
    let kinds: Vec<Kind> = (0..input.file_count())
        .map(|number| {
            input
                .file(number)
                .map_or(Kind::Text, |file| Kind::of(file.text))
        })
        .collect();
    let packed = with_texts(input);
    let has_packed = packed.contains(&true);
    let largest = input.present().max_by_key(|file| file.text.len());
    let order = match largest.and_then(|file| kinds.get(file.number)) {
        _ if has_packed => Order::packed(),
        Some(Kind::Bytes) => Order::binary(),
        _ => Order::bytes(),
    };
    let many = input.file_count() > 1;
    let mut plan = if !kinds.contains(&Kind::Bytes) {
        with_rough_trees(assemble(&[(TEXT, None)], many, order))
    } else if !kinds.contains(&Kind::Text) && !has_packed {
        assemble(&[(BYTES, None)], many, order)
    } else {
        let of = |kind| kinds.iter().map(|&other| other == kind).collect();
        let texts: Marks = of(Kind::Text);
        let rows = [
            (TEXT, Some(Arc::clone(&texts))),
            (BYTES, Some(of(Kind::Bytes))),
        ];
        let plan = assemble(&rows, many, order);
        match has_packed {
            true => begin_with_texts(plan, &texts, &packed),
            false => plan,
        }
    };
    begin_with_what_belongs_together(&mut plan, input);
    if largest.is_some_and(|file| IndentedBlocks::share(&file) > INDENTED) {
        begin_with_blocks(&mut plan);
    }
    #[cfg(feature = "ir")]
    super::modules::begin_with_modules(&mut plan, input);
    #[cfg(feature = "counts")]
    let plan = super::formal::begin_with_formulas(super::counts::with_counts(plan, input), input);
    plan
}

#[cfg(feature = "trees")]
fn with_rough_trees(mut plan: Plan) -> Plan {
    super::rough::with_rough_trees(&mut plan);
    plan
}

#[cfg(not(feature = "trees"))]
fn with_rough_trees(plan: Plan) -> Plan {
    plan
}

#[cfg(not(feature = "binary"))]
fn begin_with_texts(plan: Plan, _: &Marks, _: &Marks) -> Plan {
    plan
}

/// The share of a text in indented blocks above which they show its structure better than its
/// brackets do.
const INDENTED: f64 = 0.5;

/// Puts `indented-blocks` before `depth-0` in the first tier.
fn begin_with_blocks(plan: &mut Plan) {
    for tier in &mut plan.tiers {
        let at = |id: &str| tier.passes.iter().position(|pass| pass.id() == id);
        if let ("opening", Some(pieces), Some(blocks)) =
            (tier.name, at("depth-0"), at("indented-blocks"))
        {
            tier.passes[pieces..=blocks].rotate_right(1);
        }
    }
}

/// Removes the passes that need many tests for a few bytes from a default plan.
pub fn quick(plan: &mut Plan) {
    plan.tiers.retain(|tier| tier.name != "last");
    plan.without(&["token-interiors", "short-cuts", "lower-bytes"]);
}

/// Adds the passes of external proposers to a plan, in a separate tier. The tier is only reached
/// when no other tier has a success, since external proposals take a long time, but less time on a
/// smaller text. A success of such a pass returns the run to the first tier that repeats.
///
/// The passes of `early`, which are among the others, are also in a tier before all but the first
/// probes. Each proposer runs once, for as long as it saves much.
pub fn with_proposers(
    mut plan: Plan,
    passes: Vec<Arc<dyn Pass>>,
    early: Vec<Arc<dyn Pass>>,
) -> Plan {
    if passes.is_empty() {
        return plan;
    }
    if !early.is_empty() {
        let probes = plan.tiers.iter().position(|tier| tier.name == "probes");
        let tier = Tier {
            name: "early proposers",
            passes: early,
            repeat: Repeat::Opening,
        };
        plan.tiers.insert(probes.map_or(0, |at| at + 1), tier);
    }
    let is_polish = |tier: &Tier| tier.repeat == Repeat::Polish;
    let behind = plan.tiers.iter().position(is_polish);
    let tier = Tier {
        name: "proposers",
        passes,
        repeat: Repeat::Fixpoint,
    };
    plan.tiers.insert(behind.unwrap_or(plan.tiers.len()), tier);
    plan
}

/// The tiers of one kind of input, or of several together, each with its files.
type Part<'a> = (&'a [Row], Option<Arc<[bool]>>);

/// The first passes on an input of several files. Later passes then need not read the removed
/// files.
const MANY_FILES: [&str; 2] = ["files", "empty-files"];

/// Returns whether a plan is for an input of several files.
#[cfg(feature = "trees")]
pub(super) fn is_of_several(plan: &Plan) -> bool {
    plan.passes().any(|pass| pass.id() == MANY_FILES[1])
}

/// The last passes on an input of several files. Their changes do not help the other passes.
const LAST_OF_MANY: [&str; 1] = ["file-names"];

fn assemble(parts: &[Part<'_>], many: bool, order: Order) -> Plan {
    let mut tiers: Vec<Tier> = Vec::new();
    // The longest plan has all tiers, in order.
    let names = parts
        .iter()
        .map(|(rows, _)| *rows)
        .max_by_key(|rows| rows.len());
    let names = names.unwrap_or_default();
    let is_first = |name: &str| match names.iter().any(|row| row.name == "opening") {
        true => name == "opening",
        false => name == "probes",
    };
    for &Row { name, repeat, .. } in names {
        let first: &[&str] = match many && (is_first(name) || name == "coarse") {
            true => &MANY_FILES,
            false => &[],
        };
        let mut passes = by_ids(first);
        let mut there: Vec<Entry> = vec![];
        for (rows, files) in parts {
            let row = rows.iter().find(|row| row.name == name);
            let entries = row.map_or(&[][..], |row| row.passes);
            for (entry, pass) in entries.iter().filter_map(|it| Some((it, it.pass()?))) {
                let elsewhere = parts.iter().filter(|(other, _)| has(other, entry)).count();
                let is_there = first.contains(&entry.id) || there.contains(entry);
                // `empty-files` has already proposed this. For single bytes, `trivial` would take
                // seven more tests in each needed file.
                let is_done = many && pass.id() == "trivial";
                if is_there || is_done {
                    continue;
                }
                there.push(*entry);
                passes.push(match files {
                    Some(files) if elsewhere == 1 => {
                        let files = Arc::clone(files);
                        only_on(pass, move |file| files.get(file.number) == Some(&true))
                    }
                    _ => pass,
                });
            }
        }
        tiers.push(Tier {
            name,
            passes,
            repeat,
        });
    }
    if many {
        tiers.push(Tier {
            name: "file names",
            passes: by_ids(&LAST_OF_MANY),
            repeat: Repeat::Polish,
        });
    }
    Plan::new("auto", tiers).with_order(order)
}

/// Returns whether a pass is in some tier.
fn has(rows: &[Row], entry: &Entry) -> bool {
    rows.iter().any(|row| row.passes.contains(entry))
}

#[cfg(test)]
mod tests {
    use super::*;
    use nubbin_engine::work::Context;

    #[test]
    #[cfg_attr(not(feature = "trees"), ignore = "needs the feature `trees`")]
    fn every_pass_named_in_a_plan_exists() {
        for entry in TEXT.iter().chain(BYTES).flat_map(|row| row.passes) {
            assert!(entry.pass().is_some(), "{entry:?} does not exist");
        }
    }

    #[test]
    fn early_proposers_are_before_the_passes_and_with_the_others() {
        let input = Input::single("x.txt", "some words\n").unwrap();
        let pass = crate::pass::by_id("lines").unwrap();
        let tiers = |early: Vec<Arc<dyn Pass>>| {
            let plan = with_proposers(plan(&input), vec![Arc::clone(&pass)], early);
            let tiers = plan.tiers.into_iter().map(|tier| tier.name);
            let of_proposers = |name: &&str| name.ends_with("proposers");
            tiers.filter(of_proposers).collect::<Vec<_>>()
        };
        assert_eq!(tiers(vec![]), ["proposers"]);
        let both = ["early proposers", "proposers"];
        assert_eq!(tiers(vec![Arc::clone(&pass)]), both);
        // The probes are in the first tier.
        let plan = with_proposers(plan(&input), vec![Arc::clone(&pass)], vec![pass]);
        assert_eq!(plan.tiers[1].name, "early proposers");
    }

    #[test]
    fn plans_of_both_kinds_have_their_tiers_in_one_order() {
        let names = |rows: &[Row]| rows.iter().map(|row| row.name).collect::<Vec<_>>();
        let mut text = names(TEXT);
        text.retain(|name| names(BYTES).contains(name));
        assert_eq!(text, names(BYTES));
        assert_eq!(by_ids(&MANY_FILES).len(), MANY_FILES.len());
        assert_eq!(by_ids(&LAST_OF_MANY).len(), LAST_OF_MANY.len());
    }

    #[test]
    #[cfg_attr(not(feature = "trees"), ignore = "needs the feature `trees`")]
    fn files_of_each_kind_get_the_passes_of_their_kind() {
        let binary: Vec<u8> = (0..=255).collect();
        let input = Input::files([("a.c", b"int x = 17;".to_vec()), ("b.bin", binary)]).unwrap();
        let plan = plan(&input);
        let views = nubbin_engine::work::Views::default();
        let context = Context::of(&input, &views);
        let opens = |id: &str, file: usize| {
            let passes: Vec<_> = plan.passes().filter(|pass| pass.id() == id).collect();
            let file = input.file(file).unwrap();
            passes
                .iter()
                .any(|pass| pass.open(&file, &context).is_some())
        };
        assert!(opens("tokens", 0) && !opens("tokens", 1));
        assert!(!opens("bytes", 0) && opens("bytes", 1));
        assert!(opens("empty-files", 0) && !opens("trivial", 0));
        let opening = plan
            .tiers
            .iter()
            .find(|tier| tier.name == "opening")
            .unwrap();
        let first: Vec<&str> = opening
            .passes
            .iter()
            .map(|pass| pass.id())
            .take(3)
            .collect();
        assert_eq!(first, ["files", "empty-files", "comments"]);
        let single = assemble(&[(TEXT, None)], false, Order::bytes());
        let ids = |plan: &Plan| plan.passes().map(|pass| pass.id()).collect::<Vec<_>>();
        let rows = TEXT.iter().flat_map(|row| row.passes);
        let rows: Vec<&str> = rows.map(|entry| entry.id).collect();
        assert_eq!(ids(&single), rows);
    }
}
