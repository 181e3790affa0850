//! The files of a small campaign.

use super::write;
use crate::exit::Exit;
use nubbin_campaign::{Found, Identity, JobKind, Severity, SliceEnd, Store, Test};
use std::collections::BTreeMap;
use std::path::Path;

const MARKUP: &str = "<img src=x onerror=alert(1)>";

/// Returns the files that are written for a campaign with two issues of one cluster.
fn files(folder: &Path) -> BTreeMap<String, String> {
    let campaign = folder.join("hunt");
    std::fs::create_dir(&campaign).unwrap();
    let mut store = Store::create(&campaign).unwrap();
    let mut end = SliceEnd {
        tests: 1_234,
        failures: 3,
        ..SliceEnd::default()
    };
    for (what, test) in [(MARKUP, &b"((\xff"[..]), ("SIGSEGV", b"((")] {
        end.add(Found {
            identity: Identity::new("signal", what, vec!["parse<T>".into(), "main".into()]),
            severity: Severity::Medium,
            test: Test::new(test),
            exit: "SIGSEGV".into(),
            output: b"\x1b[31mred & white\n".to_vec(),
            seen: 1,
            inputs: vec![],
        });
    }
    let slice = store.record_slice("parser", "random", "1.0", (0..100, &end), JobKind::Validate);
    slice.unwrap();
    store.set_note(1, "known: <b>").unwrap();
    let before = "#!/bin/sh\n# Issue 2\ncd here || exit 1\n";
    let large = format!("./parser {}", "x".repeat(1 << 16));
    for (name, command) in [
        ("0001-signal", &*large),
        ("0002-signal", "./parser '\n# 1\ncd 2' test\n"),
        ("00020-other", "./other"),
    ] {
        let report = campaign.join("issues").join(name);
        std::fs::create_dir_all(&report).unwrap();
        std::fs::write(report.join("reproduce.sh"), format!("{before}{command}")).unwrap();
    }
    let out = folder.join("out");
    assert_eq!(write(&store, &out).unwrap(), 2);
    let entries = std::fs::read_dir(&out).unwrap();
    let files = entries.map(|entry| {
        let entry = entry.unwrap();
        let bytes = std::fs::read(entry.path()).unwrap();
        let name = entry.file_name().into_string().unwrap();
        (name, String::from_utf8_lossy(&bytes).into_owned())
    });
    files.collect()
}

#[test]
fn each_link_leads_to_a_file_and_each_file_is_linked() {
    let folder = tempfile::tempdir().unwrap();
    let files = files(folder.path());
    let names: Vec<&str> = files.keys().map(|name| &**name).collect();
    assert_eq!(
        names,
        [
            "feed.xml",
            "index.html",
            "issue-1.html",
            "issue-1.test",
            "issue-2.html",
            "issue-2.test"
        ]
    );
    let mut linked: Vec<&str> = files
        .values()
        .flat_map(|text| text.split("href=\"").skip(1))
        .filter_map(|rest| rest.split('"').next())
        .collect();
    linked.sort_unstable();
    linked.dedup();
    assert_eq!(linked, names);
}

#[test]
fn the_first_page_has_the_counts_and_the_issues() {
    let folder = tempfile::tempdir().unwrap();
    let page = &files(folder.path())["index.html"];
    for part in [
        "Campaign hunt",
        "1,234",
        "2 jobs waiting or running",
        "0 ignored, 0 closed, 0 invalid",
        "seconds since the first test",
        "parser",
        "random",
    ] {
        assert!(page.contains(part), "{part}: {page}");
    }
    let (first, second) = (page.find("issue-2.html"), page.find("issue-1.html"));
    assert!(first < second, "the newest issue comes first: {page}");
}

#[test]
fn the_page_of_an_issue_has_its_stack_and_its_texts() {
    let folder = tempfile::tempdir().unwrap();
    let files = files(folder.path());
    let page = &files["issue-2.html"];
    for part in [
        "<li><code>parse&lt;T&gt;</code></li>",
        "<pre tabindex=\"0\" role=\"group\" aria-label=\"Test\">\n((</pre>",
        "red &amp; white",
        "not validated",
        "aria-label=\"the command\">./parser '\n# 1\ncd 2' test</pre>",
        "Other issues of the cluster",
    ] {
        assert!(page.contains(part), "{part}: {page}");
    }
    assert!(files["issue-1.html"].contains("000000  28 28 ff"));
    assert!(!files["issue-1.html"].contains("the command"));
    assert_eq!(files["issue-2.test"], "((");
}

#[test]
fn markup_and_escape_sequences_of_a_test_are_text() {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files(folder.path()) {
        if !name.ends_with(".test") {
            assert!(!text.contains("<img") && !text.contains("<b>"), "{name}");
            assert!(!text.contains('\u{1b}'), "{name}");
            assert!(!text.contains("<script"), "{name}");
        }
    }
}

#[test]
fn the_feed_has_an_entry_for_each_issue_and_its_tags_are_closed() {
    let folder = tempfile::tempdir().unwrap();
    let feed = &files(folder.path())["feed.xml"];
    assert!(feed.starts_with("<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<feed xmlns="));
    assert_eq!(feed.matches("<entry>").count(), 2);
    let mut open = vec![];
    for tag in feed.split('<').skip(2) {
        let name = tag.split(['>', ' ']).next().unwrap();
        match name.strip_prefix('/') {
            Some(name) => assert_eq!(open.pop(), Some(name), "{feed}"),
            None => open.push(name),
        }
    }
    assert!(open.is_empty(), "{open:?}");
}

#[test]
fn a_folder_with_files_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::create(folder.path()).unwrap();
    let refused = write(&store, folder.path()).unwrap_err();
    assert_eq!(refused.exit(), Exit::Output);
}
