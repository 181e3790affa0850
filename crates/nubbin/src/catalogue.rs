//! `nubbin algorithms` and `nubbin passes`, from the tables that the search uses.

use crate::exit::Exit;
use crate::flags::CatalogueFlags;
use crate::print::{print, print_text};
use crate::problem::Problem;
use crate::shown::style;
use console::pad_str;
use nubbin_generate::nubbin_choices::{Replay, Run, Value};
use nubbin_reduce::pass::Pass;
use serde::Serialize;
use std::fmt::Write;
use std::sync::Arc;

#[derive(Serialize)]
struct Entry {
    id: &'static str,
    /// The kind of elements it works on, if there are several kinds.
    #[serde(skip_serializing_if = "Option::is_none")]
    group: Option<&'static str>,
    about: &'static str,
    source: &'static str,
    /// The steps that prepare its trees, if it works on trees.
    #[serde(skip_serializing_if = "Option::is_none")]
    preparation: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    options: Vec<(&'static str, &'static str)>,
}

/// A replay for a catalogue of passes, which replays nothing.
struct NoGenerator;

impl Replay for NoGenerator {
    fn replay(&self, _: &[Value]) -> Option<Arc<Run>> {
        None
    }
}

const CHOICES: &str = "choices";

/// Returns the passes over choices.
fn over_choices() -> Vec<Entry> {
    let none: Arc<dyn Replay> = Arc::new(NoGenerator);
    let passes = nubbin_reduce::pass::choices::catalogue(&none);
    let entry = |pass: Arc<dyn Pass>| Entry {
        id: pass.id(),
        about: pass.info().about,
        source: pass.info().source,
        group: Some(CHOICES),
        preparation: None,
        options: vec![],
    };
    passes.into_iter().map(entry).collect()
}

pub(crate) fn algorithms(options: &CatalogueFlags) -> Result<Exit, Problem> {
    let auto = Entry {
        id: "auto",
        group: Some("plan"),
        about: "the default: all passes in tiers, each with the list minimizer that suits it",
        source: "nubbin",
        preparation: None,
        options: vec![],
    };
    let choices = Entry {
        id: CHOICES,
        about: "the default with --choices: all passes over what a generator chose, in tiers",
        source: "Hypothesis (MacIver), nubbin",
        preparation: None,
        options: vec![],
        group: Some(CHOICES),
    };
    let seed = over_choices();
    let seed = seed.into_iter().filter(|entry| entry.id.contains("ddmin"));
    let lists = nubbin_published::catalogue()
        .list_minimizers()
        .iter()
        .map(|minimizer| &minimizer.info)
        .map(|algorithm| Entry {
            id: algorithm.id,
            group: Some("list"),
            about: algorithm.about,
            source: algorithm.source,
            preparation: None,
            options: algorithm.options.to_vec(),
        });
    let reducers = nubbin_published::catalogue()
        .tree_reducers()
        .iter()
        .map(|reducer| Entry {
            id: reducer.id(),
            group: Some("tree"),
            about: reducer.info().about,
            source: reducer.info().source,
            preparation: Some(reducer.preparation().to_string()),
            options: reducer.info().options.to_vec(),
        });
    let entries: Vec<Entry> = std::iter::once(auto)
        .chain(lists)
        .chain(reducers)
        .chain([choices])
        .chain(seed)
        .collect();
    show(&entries, options)
}

/// Returns the heading of a group.
fn heading(group: &str) -> Option<&'static str> {
    match group {
        "list" => Some("Over lists (lines, tokens, bytes, nodes of a tree)"),
        "tree" => Some(
            "Over trees (with --grammar); --list-algorithm sets the list minimizer for lists of \
             nodes",
        ),
        CHOICES => Some("Over the choices of a generator (with --choices)"),
        _ => None,
    }
}

pub(crate) fn passes(options: &CatalogueFlags) -> Result<Exit, Problem> {
    let entries: Vec<Entry> = nubbin_reduce::pass::catalogue()
        .iter()
        .map(|pass| Entry {
            id: pass.id(),
            group: None,
            about: pass.info().about,
            source: pass.info().source,
            preparation: None,
            options: vec![],
        })
        .chain(over_choices())
        .collect();
    show(&entries, options)
}

fn show(entries: &[Entry], options: &CatalogueFlags) -> Result<Exit, Problem> {
    if options.json {
        let json = serde_json::to_string_pretty(entries)
            .map_err(|error| Problem::new(Exit::Output, error.to_string()))?;
        return print(&(json + "\n"));
    }
    let width = entries
        .iter()
        .map(|entry| entry.id.len())
        .max()
        .unwrap_or(0);
    let mut text = String::new();
    let mut group = None;
    for entry in entries {
        if entry.group != group {
            group = entry.group;
            if let Some(heading) = group.and_then(heading) {
                let _ = writeln!(text, "\n{}", style(heading).underlined());
            }
        }
        let id = pad_str(entry.id, width, console::Alignment::Left, None).into_owned();
        let _ = writeln!(text, "{}  {}", style(id).bold(), entry.about);
        let _ = writeln!(text, "{:width$}  {}", "", style(entry.source).dim());
        if let Some(steps) = &entry.preparation {
            let prepared = match steps.as_str() {
                "none" => "trees as they are parsed".to_owned(),
                steps => format!("trees prepared by {}", steps.replace(',', ", ")),
            };
            let _ = writeln!(text, "{:width$}  {}", "", style(prepared).dim());
        }
        let names = entry
            .options
            .iter()
            .map(|(name, _)| name.len())
            .max()
            .unwrap_or(0);
        for (name, what) in &entry.options {
            let name = pad_str(name, names, console::Alignment::Left, None).into_owned();
            let _ = writeln!(
                text,
                "{:width$}    {}  {what}",
                "",
                style(format!(":{name}")).cyan()
            );
        }
    }
    print_text(&text)
}
