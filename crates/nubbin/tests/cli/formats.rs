//! Structured data formats.

use crate::stage::Stage;

#[test]
fn a_table_loses_columns_although_its_rows_must_have_equal_length() {
    let stage = Stage::new();
    stage.file("in.csv", "id,name,size\n1,one,17\n2,crash,18\n3,three,19\n");
    stage.script(
        "test.sh",
        "awk -F, 'NR == 1 { n = NF } NF != n { exit 1 } END { exit NR < 2 }' in.csv && grep -q crash in.csv",
    );
    stage
        .run(["reduce", "-q", "--test", "./test.sh", "in.csv"])
        .ended(0);
    let left = stage.text("in.min.csv");
    assert!(left.contains("crash") && !left.contains(','), "{left}");
    assert!(stage.text("in.csv").starts_with("id,"));
}

#[test]
fn compressed_text_is_reduced_inside() {
    let gzip = |args: &[&str], path: &std::path::Path| {
        let ran = std::process::Command::new("gzip")
            .args(args)
            .arg(path)
            .output();
        let ran = ran.unwrap();
        assert!(ran.status.success(), "{ran:?}");
        ran.stdout
    };
    let stage = Stage::new();
    let lines: String = (0..500)
        .map(|nth| format!("line {}\n", nth * nth))
        .collect();
    stage.file("in", lines + "the crash is here\nand the end\n");
    stage.file("in.gz", gzip(&["-n", "-c"], &stage.path("in")));
    // gzip refuses a file whose length or checksum is wrong.
    stage.script("test.sh", "gzip -t in.gz && gzip -dc in.gz | grep -q crash");
    stage
        .run(["reduce", "-q", "--test", "./test.sh", "in.gz"])
        .ended(0);
    let left = gzip(&["-d", "-c"], &stage.path("in.min.gz"));
    assert_eq!(String::from_utf8_lossy(&left), "crash");
}

#[test]
fn encoded_lines_of_a_text_are_reduced_inside() {
    let stage = Stage::new();
    let lines: String = (0..200)
        .map(|nth| format!("line {}\n", nth * nth))
        .collect();
    stage.file("plain", lines + "crash\nand the end\n");
    let encoded = std::process::Command::new("base64")
        .arg(stage.path("plain"))
        .output();
    let encoded = String::from_utf8(encoded.unwrap().stdout).unwrap();
    stage.file(
        "in.txt",
        format!("a remark\n---BEGIN---\n{encoded}---END---\n"),
    );
    // base64 refuses letters that are cut off.
    stage.script(
        "test.sh",
        "sed -n '/BEGIN/,/END/p' in.txt | sed '1d;$d' > body && grep -q END in.txt && \
         base64 -d body > out && grep -qx crash out",
    );
    stage
        .run(["reduce", "-q", "--test", "./test.sh", "in.txt"])
        .ended(0);
    let left = stage.text("in.min.txt");
    assert_eq!(left.trim_end(), "BEGIN\nY3Jhc2gK\nEND");
}

/// The lengths of a damaged archive are those of nothing that is in it.
#[test]
fn a_damaged_archive_is_reduced_without_a_bug_of_nubbin() {
    let stage = Stage::new();
    let samples = concat!(env!("CARGO_MANIFEST_DIR"), "/../binary/tests/samples");
    let mut text = std::fs::read(std::path::Path::new(samples).join("x.zip")).unwrap();
    text[366..370].copy_from_slice(b"\x7f\xff\xff\xff");
    stage.file("in.zip", text);
    let test = ["sh", "-c", "grep -qa PK in.zip"];
    let args = [&["reduce", "-j1", "in.zip", "--"], &test[..]].concat();
    let said = stage.run(args).ended(0).stderr;
    for word in ["panicked", "has a bug", "backtrace"] {
        assert!(!said.contains(word), "{said}");
    }
}
