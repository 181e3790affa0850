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
