//! Branches that have another form: both sides are executed, or the branch is at the end of its
//! loop.

#![expect(clippy::unwrap_used, reason = "a panic is the report of a test")]

use nubbin_ir::{Change, Module, read};

/// Returns the module after a change.
fn after(text: &str, change: impl FnOnce(&Module, &mut Change)) -> String {
    let module = read(text.as_bytes()).unwrap();
    let mut wanted = Change::new(&module);
    change(&module, &mut wanted);
    String::from_utf8(module.render(&wanted)).unwrap()
}

/// Executes both sides of all branches of the first function that can have this form.
fn straighten(module: &Module, change: &mut Change) {
    change.straight.extend(module.straight_branches(0));
    change.merged.insert(0);
}

/// Moves all branches of the first function to the ends of their loops.
fn turn(module: &Module, change: &mut Change) {
    change.turned.extend(module.turned_branches(0));
    change.merged.insert(0);
}

#[test]
fn sides_with_instructions_follow_each_other() {
    let text = "\
define i32 @f(i32 %0, i1 %1) {
  br i1 %1, label %3, label %5

3:
  %4 = add i32 %0, 1
  br label %7

5:
  %6 = mul i32 %0, 3
  br label %7

7:
  %8 = phi i32 [ %4, %3 ], [ %6, %5 ]
  %9 = phi i32 [ 7, %5 ], [ 7, %3 ]
  %10 = add i32 %8, %9
  ret i32 %10
}
";
    let wanted = "\
define i32 @f(i32 %0, i1 %1) {
  %3 = add i32 %0, 1
  %4 = mul i32 %0, 3
  %5 = select i1 %1, i32 %3, i32 %4
  %6 = add i32 %5, 7
  ret i32 %6
}
";
    assert_eq!(after(text, straighten), wanted);
}

#[test]
fn a_branch_within_a_side_is_executed_first() {
    let text = "\
define i32 @f(i32 %0, i1 %1, i1 %2) {
  br i1 %1, label %4, label %8

4:
  br i1 %2, label %5, label %6

5:
  br label %6

6:
  %7 = phi i32 [ 1, %4 ], [ 2, %5 ]
  br label %8

8:
  %9 = phi i32 [ %0, %3 ], [ %7, %6 ]
  ret i32 %9
}
";
    let wanted = "\
define i32 @f(i32 %0, i1 %1, i1 %2) {
  %4 = select i1 %2, i32 2, i32 1
  %5 = select i1 %1, i32 %4, i32 %0
  ret i32 %5
}
";
    assert_eq!(after(text, straighten), wanted);
}

#[test]
fn a_phi_with_another_edge_has_the_selection_as_a_value() {
    let text = "\
define i32 @f(i32 %0, i1 %1) {
  switch i32 %0, label %3 [
    i32 7, label %5
  ]

3:
  br i1 %1, label %4, label %5

4:
  br label %5

5:
  %6 = phi i32 [ 1, %2 ], [ 2, %3 ], [ 3, %4 ]
  ret i32 %6
}
";
    let wanted = "\
define i32 @f(i32 %0, i1 %1) {
  switch i32 %0, label %3 [
    i32 7, label %5
  ]
3:
  %4 = select i1 %1, i32 3, i32 2
  br label %5
5:
  %6 = phi i32 [ 1, %2 ], [ %4, %3 ]
  ret i32 %6
}
";
    assert_eq!(after(text, straighten), wanted);
}

#[test]
fn blocks_that_are_not_joined_keep_their_names() {
    let text = "\
define i32 @f(i1 %c) {
  br i1 %c, label %a, label %b
a:
  br label %b
b:
  %x = phi i32 [ 1, %0 ], [ 2, %a ]
  ret i32 %x
}
";
    let wanted = "\
define i32 @f(i1 %c) {
  br label %a
a:
  %1 = select i1 %c, i32 2, i32 1
  br label %b
b:
  %x = phi i32 [ %1, %a ]
  ret i32 %x
}
";
    let text = after(text, |module, change| {
        change.straight.extend(module.straight_branches(0));
    });
    assert_eq!(text, wanted);
}

#[test]
fn instructions_that_nothing_needs_keep_their_operands() {
    let text = "\
define void @f(i32 %x, i1 %c) {
  br i1 %c, label %a, label %b
a:
  br label %b
b:
  %q = phi i32 [ 1, %0 ], [ %x, %a ]
  %dead = add i32 %q, 7
  ret void
}
";
    let wanted = "\
define void @f(i32 %x, i1 %c) {
  %1 = select i1 %c, i32 %x, i32 1
  %dead = add i32 %1, 7
  ret void
}
";
    assert_eq!(after(text, straighten), wanted);
}

#[test]
fn a_phi_of_a_statement_has_the_selection_as_a_value() {
    let text = "\
define void @f(i32 %x, i1 %c) {
  switch i32 %x, label %s [
    i32 7, label %b
  ]
s:
  br i1 %c, label %a, label %b
a:
  br label %b
b:
  %q = phi i32 [ 0, %0 ], [ 1, %s ], [ %x, %a ]
  call void @llvm.dbg.value(metadata i32 %q, metadata !0, metadata !1)
  ret void
}
";
    let text = after(text, |module, change| {
        change.straight.extend(module.straight_branches(0));
    });
    assert!(
        text.contains("  %1 = select i1 %c, i32 %x, i32 1\n"),
        "{text}"
    );
    assert!(
        text.contains("  %q = phi i32 [ 0, %0 ], [ %1, %a ]\n"),
        "{text}"
    );
}

#[test]
fn sides_that_do_not_meet_stay() {
    let text = "\
define i32 @f(i1 %0) {
  br i1 %0, label %2, label %3
2:
  ret i32 1
3:
  ret i32 2
}
";
    assert!(
        read(text.as_bytes())
            .unwrap()
            .straight_branches(0)
            .is_empty()
    );
}

const LOOP: &str = "\
define i32 @f(i32 %0) {
  br label %2

2:
  %3 = phi i32 [ 0, %1 ], [ %6, %5 ]
  %4 = icmp slt i32 %3, %0
  br i1 %4, label %5, label %7

5:
  %6 = add i32 %3, 1
  br label %2

7:
  %8 = phi i32 [ %3, %2 ]
  ret i32 %8
}
";

#[test]
fn the_branch_of_a_loop_moves_to_its_end() {
    let wanted = "\
define i32 @f(i32 %0) {
  br label %2
2:
  %3 = phi i32 [ 0, %1 ], [ %5, %2 ]
  %4 = icmp slt i32 %3, %0
  %5 = add i32 %3, 1
  br i1 %4, label %2, label %6
6:
  %7 = phi i32 [ %5, %2 ]
  ret i32 %7
}
";
    assert_eq!(after(LOOP, turn), wanted);
}

#[test]
fn a_condition_that_is_removed_is_undefined_at_the_end_of_the_loop() {
    let text = after(LOOP, |module, change| {
        turn(module, change);
        let is_condition = |span| module.bytes(span).starts_with(b"%4 = icmp");
        let mut all = module.instructions.iter();
        let at = all.position(|of| is_condition(&of.core)).unwrap();
        change.instructions.insert(at as u32);
    });
    assert!(
        text.contains("  br i1 undef, label %2, label %5\n"),
        "{text}"
    );
    assert!(!text.contains("icmp"), "{text}");
}

#[test]
fn a_branch_within_a_loop_stays() {
    let text = "\
define void @f(i1 %0) {
  br label %2
2:
  br i1 %0, label %3, label %4
3:
  br label %2
4:
  br label %2
}
";
    assert!(read(text.as_bytes()).unwrap().turned_branches(0).is_empty());
}

#[test]
fn a_side_of_a_branch_within_a_loop_does_not_leave_it() {
    let text = "\
define void @f(i1 %x) {
  br label %head
head:
  br i1 %x, label %then, label %rest
then:
  call void @g()
  br label %rest
rest:
  %y = call i1 @h()
  br i1 %y, label %last, label %end
last:
  br label %head
end:
  ret void
}
";
    assert!(read(text.as_bytes()).unwrap().turned_branches(0).is_empty());
}

#[test]
fn a_loop_that_another_one_begins_with_leads_to_its_start() {
    let text = "\
define void @f(i1 %0) {
  br label %2
2:
  br label %3
3:
  %4 = call i1 @g()
  br i1 %4, label %2, label %5
5:
  call void @h()
  br label %3
}
";
    let wanted = "\
define void @f(i1 %0) {
  br label %2
2:
  br label %3
3:
  %4 = call i1 @g()
  call void @h()
  br i1 %4, label %2, label %3
}
";
    assert_eq!(after(text, turn), wanted);
}

#[test]
fn a_loop_keeps_its_notes() {
    let text = LOOP.replace("  br label %2\n\n7:", "  br label %2, !llvm.loop !0\n\n7:");
    let text = format!("{text}\n!0 = distinct !{{!0}}\n");
    let text = after(&text, turn);
    assert!(
        text.contains("label %2, label %6, !llvm.loop !0\n"),
        "{text}"
    );
}

#[test]
fn a_selection_has_a_whole_constant_expression_as_its_condition() {
    let text = "\
define i32 @f() {
  br i1 icmp eq (i8* @g, i8* getelementptr (i8, i8* @h, i32 1)), label %1, label %2
1:
  br label %2
2:
  %3 = phi i32 [ 1, %0 ], [ 2, %1 ]
  ret i32 %3
}
";
    let wanted = "\
define i32 @f() {
  %1 = select i1 icmp eq (i8* @g, i8* getelementptr (i8, i8* @h, i32 1)), i32 2, i32 1
  ret i32 %1
}
";
    assert_eq!(after(text, straighten), wanted);
}

#[test]
fn a_loop_has_a_whole_constant_expression_as_its_condition() {
    let text = "\
define void @f() {
  br label %1
1:
  br i1 icmp eq (i8* @g, i8* @h), label %2, label %3
2:
  call void @h()
  br label %1
3:
  ret void
}
";
    let wanted = "\
define void @f() {
  br label %1
1:
  call void @h()
  br i1 icmp eq (i8* @g, i8* @h), label %1, label %2
2:
  ret void
}
";
    assert_eq!(after(text, turn), wanted);
}

#[test]
fn a_loop_has_the_last_values_of_the_loop_before_it() {
    let text = "\
define i32 @f(i32 %n) {
  br label %a
a:
  %i = phi i32 [ 0, %0 ], [ %j, %b ]
  %c = icmp slt i32 %i, %n
  br i1 %c, label %b, label %after
b:
  %j = add i32 %i, 1
  br label %a
after:
  call void @g()
  br label %d
d:
  %k = phi i32 [ 0, %after ], [ %i, %e ]
  %l = icmp slt i32 %k, %n
  br i1 %l, label %e, label %x
e:
  call void @g()
  br label %d
x:
  ret i32 %k
}
";
    let wanted = "\
define i32 @f(i32 %n) {
  br label %a
a:
  %i = phi i32 [ 0, %0 ], [ %j, %a ]
  %c = icmp slt i32 %i, %n
  %j = add i32 %i, 1
  br i1 %c, label %a, label %after
after:
  call void @g()
  br label %d
d:
  %k = phi i32 [ 0, %after ], [ %j, %d ]
  %l = icmp slt i32 %k, %n
  call void @g()
  br i1 %l, label %d, label %x
x:
  ret i32 %j
}
";
    assert_eq!(after(text, turn), wanted);
}

#[test]
fn many_loops_take_linear_time() {
    let mut text = String::from("define void @f() {\n  br label %a0\n");
    let mut before = String::from("%0");
    for nth in 0..20_000 {
        let next = nth + 1;
        text += &format!(
            "a{nth}:
  %i{nth} = phi i32 [ 0, {before} ], [ %j{nth}, %b{nth} ]
  %c{nth} = call i1 @g(i32 %i{nth})
  br i1 %c{nth}, label %b{nth}, label %d{nth}
b{nth}:
  %j{nth} = add i32 %i{nth}, 1
  br label %a{nth}
d{nth}:
  call i1 @g(i32 %i{nth})
  br label %a{next}
"
        );
        before = format!("%d{nth}");
    }
    text += "a20000:\n  ret void\n}\n";
    let text = after(&text, turn);
    assert_eq!(text.matches("br i1").count(), 20_000);
    assert_eq!(text.matches("br label").count(), 20_000);
    assert!(text.contains("call i1 @g(i32 %j7)"), "{text}");
}

/// Returns a function in which a phi has this number of operands. Each one is from a branch whose
/// sides meet at the phi.
fn with_long_phi(count: usize) -> String {
    let mut text = String::from("define i32 @f(i32 %x, i1 %c) {\n  switch i32 %x, label %end [\n");
    for nth in 0..count {
        text += &format!("    i32 {nth}, label %a{nth}\n");
    }
    text += "  ]\n";
    let mut phi = String::from("  %y = phi i32 [ 0, %0 ]");
    for nth in 0..count {
        text +=
            &format!("a{nth}:\n  br i1 %c, label %b{nth}, label %end\nb{nth}:\n  br label %end\n");
        phi += &format!(", [ 1, %a{nth} ], [ {nth}, %b{nth} ]");
    }
    text + "end:\n" + &phi + "\n  ret i32 %y\n}\n"
}

#[test]
fn a_phi_with_many_operands_takes_linear_time() {
    let count = 20_000;
    let text = with_long_phi(count);
    let changed = after(&text, |module, change| {
        // The first branch only leads to the phi.
        change.edges.insert(1, 1);
        assert!(module.instructions.len() > 2 * count);
    });
    let phi = changed.find(" phi ").unwrap();
    assert_eq!(changed[phi..].matches('[').count(), 2 * count);
}

#[test]
fn many_selections_for_one_phi_take_linear_time() {
    let count = 12_000;
    let changed = after(&with_long_phi(count), straighten);
    // The values of the second branch are equal.
    assert_eq!(changed.matches(" = select ").count(), count - 1);
}
