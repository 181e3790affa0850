//! The result of a benchmark as an HTML page.

use super::comparison::Comparison;
use super::ranking::{Group, Growth, Ranked, percent};
use super::speedup::WORKERS;
use crate::html::document;
use crate::html::plot::{Axis, Plot, Series, Shape, amount};
use indicatif::HumanCount;
use maud::{Markup, html};

/// The largest number of algorithms whose growth is drawn. More lines cannot be distinguished.
const DRAWN: usize = 7;

pub(super) fn page(result: &Comparison) -> String {
    let title = "Which reduction algorithm performs best on which inputs?";
    let body = html! {
        h1 { (title) }
        @if result.cases.is_empty() { (about_generated(result)) } @else { (about_cases(result)) }
        section { h2 { "Size against tests" } p { "Below and to the left is better." } (scatter(&result.ranking, !result.cases.is_empty())) }
        section { h2 { "Ranking" } (ranking(&result.ranking)) }
        section {
            h2 { "Best algorithms by kind of input" }
            p { "The three algorithms with the smallest results in each group, each with the remaining part of the input and its mean number of tests. The number of tests decides between algorithms with equal results." }
            (groups(&result.groups))
        }
        @if !result.growth.is_empty() {
        section {
            h2 { "Tests over size of the input" }
            (growth(&result.growth, &result.ranking))
            p { "The dotted lines are a multiple of the logarithm of the size and a multiple of its square: the best case and the worst case of delta debugging according to the Fuzzing Book." }
        }
        section {
            h2 { "Speedup with more workers" }
            (speedup(result))
            p { "The times are simulated for the longest inputs, with tests of 100 ms ± 30 %. The result and the counted tests are the same for any number of workers." }
        }
        }
        p { "Made by " code { (result.command) } ", nubbin " (env!("CARGO_PKG_VERSION")) "." }
    };
    document(title, &body, None)
}

fn about_generated(result: &Comparison) -> Markup {
    html! {
        p {
            (HumanCount(result.reductions as u64)) " reductions: " (result.algorithms) " algorithms on "
            (result.tasks) " inputs of " (result.grammars.len()) " grammars (" (result.grammars.join(", ")) "), made with seed "
            (result.seed) ". A test searches for one, two, or three symbols of the grammar. It "
            em { "fails" } " if all of them occur, is " em { "unresolved" } " if the input is not valid, and "
            em { "passes" } " otherwise. One more kind of test searches for parentheses, as the test in the Fuzzing Book does. "
            "List minimizers work on characters. Tree reducers use " code { "ddmin" } " as their list minimizer unless they were published with another one. " (result.prepared())
        }
    }
}

fn about_cases(result: &Comparison) -> Markup {
    html! {
        p {
            (HumanCount(result.reductions as u64)) " reductions: " (result.algorithms) " algorithms on "
            (result.tasks) @if result.tasks == 1 { " real failure" } @else { " real failures" } ", each with its own test. "
            "List minimizers work on lines. Tree reducers use " code { "ddmin" } " as their list minimizer unless they were published with another one. " (result.prepared())
            " A reduction that reached the limit of tests or time was stopped, and counts with its best result so far."
        }
        section {
            h2 { "Cases" }
            div.scroll tabindex="0" { table {
                thead { tr { th scope="col" { "case" } th scope="col" { "language" } th.number scope="col" { "bytes" } } }
                tbody { @for case in &result.cases { tr {
                    th scope="row" { (case.name) } td { (case.language) } td.number { (HumanCount(case.bytes as u64)) }
                } } }
            } }
        }
    }
}

fn class(family: &str) -> &'static str {
    match family {
        "list" => "c1",
        "tree" => "c0",
        _ => "c2",
    }
}

fn scatter(ranking: &[Ranked], real: bool) -> Markup {
    let (lists, trees) = match real {
        true => ("lists of lines", "trees of the language"),
        false => ("lists of characters", "trees of the grammar"),
    };
    let series: Vec<Series> = ranking
        .iter()
        .map(|ranked| Series {
            label: ranked.algorithm.clone(),
            class: class(ranked.family).to_owned(),
            points: vec![(ranked.tests, ranked.left)],
            shape: Shape::Dots,
        })
        .collect();
    let plot = Plot {
        title: "Mean tests and mean remaining part of the input",
        x: Axis::logarithmic("tests"),
        y: Axis::logarithmic("left, %"),
        summary: "Mean tests and mean remaining part for every algorithm. The ranking has the same figures.".into(),
    };
    html! {
        div.large { (plot.draw(&series)) }
        p.legend { @for (class, name) in [("c1", lists), ("c0", trees), ("c2", "the default plan")] {
            span.entry { span class=(format!("key {class}")) {} (name) } " "
        } }
    }
}

fn ranking(all: &[Ranked]) -> Markup {
    html! {
        div.scroll tabindex="0" { table {
            thead { tr {
                th scope="col" { "algorithm" } th scope="col" { "works on" }
                th.number scope="col" { "left, %" } th.number scope="col" { "smallest result, %" }
                th.number scope="col" { "mean tests" } th.number scope="col" { "median" }
                th.number scope="col" { "invalid, %" } th.number scope="col" { "stopped" }
            } }
            tbody { @for one in all { tr {
                th scope="row" { code { (one.algorithm) } } td { (one.family) }
                td.number { (percent(one.left)) } td.number { (format!("{:.0}", one.smallest)) }
                td.number { (format!("{:.1}", one.tests)) } td.number { (one.median_tests) }
                td.number { (format!("{:.1}", one.unresolved)) } td.number { (one.incomplete) }
            } } }
        } }
    }
}

fn groups(groups: &[Group]) -> Markup {
    html! {
        div.scroll tabindex="0" { table {
            thead { tr {
                th scope="col" { "property" } th scope="col" { "" } th.number scope="col" { "inputs" }
                @for place in ["first", "second", "third"] { th scope="col" { (place) } }
            } }
            tbody { @for (at, group) in groups.iter().enumerate() { tr {
                th scope="row" { @if at == 0 || groups[at - 1].by != group.by { (group.by) } }
                td { (group.value) } td.number { (group.tasks) }
                @for place in group.best.iter().take(3) {
                    td.place { code { (place.algorithm) } br; span.more { (format!("{} %, {:.0} tests", percent(place.left), place.tests)) } }
                }
            } } }
        } }
    }
}

fn growth(all: &[Growth], ranking: &[Ranked]) -> Markup {
    let mut shown: Vec<&str> = vec!["ddmin", "sweep", "auto"];
    shown.extend(
        ranking
            .iter()
            .filter(|one| one.family == "tree")
            .map(|one| one.algorithm.as_str()),
    );
    shown.truncate(DRAWN);
    let chosen = shown
        .iter()
        .filter_map(|name| all.iter().find(|growth| growth.algorithm == *name));
    let mut series: Vec<Series> = chosen
        .enumerate()
        .map(|(at, growth)| Series {
            label: growth.algorithm.clone(),
            class: format!("c{at}"),
            points: growth
                .points
                .iter()
                .map(|&(size, tests)| (size as f64, tests))
                .collect(),
            shape: Shape::Lines,
        })
        .collect();
    if let Some(ddmin) = series.first().map(|series| series.points.clone())
        && let (Some(&(first, tests)), Some(&(last, _))) = (ddmin.first(), ddmin.last())
    {
        let line = |label: &str, of: &dyn Fn(f64) -> f64| Series {
            label: label.into(),
            class: "reference".into(),
            points: (0..=20)
                .map(|step| {
                    let size = first * (last / first).powf(f64::from(step) / 20.0);
                    (size, tests * of(size) / of(first))
                })
                .collect(),
            shape: Shape::Lines,
        };
        series.push(line("log n", &|n| n.ln()));
        series.push(line("n²", &|n| n * n));
    }
    let plot = Plot {
        title: "Mean tests",
        x: Axis::logarithmic("bytes of the input"),
        y: Axis::logarithmic("tests"),
        summary: "Mean tests over the size of the input. The table below has the figures.".into(),
    };
    let sizes: Vec<u64> = all
        .first()
        .map_or(vec![], |one| one.points.iter().map(|p| p.0).collect());
    html! {
        div.large { (plot.draw(&series)) }
        details {
            summary { "All algorithms as a table" }
            div.scroll tabindex="0" { table {
                thead { tr { th scope="col" { "algorithm" } @for size in &sizes { th.number scope="col" { (size) " bytes" } } } }
                tbody { @for one in all { tr {
                    th scope="row" { code { (one.algorithm) } }
                    @for &(_, tests) in &one.points { td.number { (format!("{tests:.1}")) } }
                } } }
            } }
        }
    }
}

fn speedup(result: &Comparison) -> Markup {
    let mut series: Vec<Series> = result
        .speedup
        .iter()
        .enumerate()
        .map(|(at, one)| Series {
            label: one.algorithm.clone(),
            class: format!("c{}", at % 8),
            points: WORKERS
                .iter()
                .map(|&n| n as f64)
                .zip(one.faster.iter().copied())
                .collect(),
            shape: Shape::Lines,
        })
        .collect();
    series.push(Series {
        label: "linear speedup".into(),
        class: "reference".into(),
        points: WORKERS.iter().map(|&n| (n as f64, n as f64)).collect(),
        shape: Shape::Lines,
    });
    let plot = Plot {
        title: "Speedup over one worker",
        x: Axis::logarithmic("workers"),
        y: Axis::logarithmic("speedup"),
        summary: "Speedup over the number of workers. The table has the figures.".into(),
    };
    html! {
        div.large { (plot.draw(&series)) }
        div.scroll tabindex="0" { table {
            thead { tr { th scope="col" { "algorithm" } @for n in WORKERS { th.number scope="col" { (n) } } } }
            tbody { @for one in &result.speedup { tr {
                th scope="row" { code { (one.algorithm) } }
                @for &faster in &one.faster { td.number { (amount((faster * 10.0).round() / 10.0)) } }
            } } }
        } }
    }
}
