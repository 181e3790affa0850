//! Local variables that become values.

#![expect(clippy::unwrap_used, reason = "a panic is the report of a test")]

use nubbin_ir::{Change, Module, read};

/// Returns the module after all variables have become values, and another change.
fn after(text: &str, change: impl FnOnce(&Module, &mut Change)) -> String {
    let module = read(text.as_bytes()).unwrap();
    let mut wanted = Change::new(&module);
    let functions = 0..module.functions.len() as u32;
    let variables = functions.flat_map(|function| module.variables(function));
    wanted.variables.extend(variables);
    change(&module, &mut wanted);
    String::from_utf8(module.render(&wanted)).unwrap()
}

const LOOP: &str = "\
define i32 @f(i32 %0) {
  %2 = alloca i32, align 4
  %3 = alloca i32, align 4
  store i32 %0, ptr %2, align 4
  store i32 0, ptr %3, align 4
  br label %4

4:
  %5 = load i32, ptr %3, align 4
  %6 = load i32, ptr %2, align 4
  %7 = icmp slt i32 %5, %6
  br i1 %7, label %8, label %11

8:
  %9 = load i32, ptr %3, align 4
  %10 = add i32 %9, 1
  store i32 %10, ptr %3, align 4
  br label %4

11:
  %12 = load i32, ptr %3, align 4
  ret i32 %12
}
";

#[test]
fn a_variable_that_a_loop_changes_has_a_phi() {
    let wanted = "\
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
  ret i32 %3
}
";
    assert_eq!(after(LOOP, |_, _| {}), wanted);
}

#[test]
fn an_edge_that_is_removed_has_no_value() {
    let text = after(LOOP, |module, change| {
        let is_branch = |at: &u32| module.instructions[*at as usize].op == nubbin_ir::Op::Branch;
        let branch = (0..module.instructions.len() as u32)
            .find(is_branch)
            .unwrap();
        change.edges.insert(branch, 1);
    });
    let wanted = "\
define i32 @f(i32 %0) {
  br label %2

2:
  br label %3

3:
  ret i32 0
}
";
    assert_eq!(text, wanted);
}

#[test]
fn joined_blocks_keep_the_values_of_variables() {
    let text = "\
define ptr @f(i1 %c) {
  %p = alloca ptr
  store ptr @x, ptr %p
  br i1 %c, label %a, label %b
a:
  br label %n
n:
  store ptr null, ptr %p
  br label %b
b:
  %v = load ptr, ptr %p
  ret ptr %v
}
@x = private constant i8 0
@y = private constant i8 0
";
    let text = after(text, |_, change| {
        change.merged.insert(0);
    });
    let wanted = "\
define ptr @f(i1 %c) {
  br i1 %c, label %a, label %b
a:
  br label %b
b:
  %1 = phi ptr [ @x, %0 ], [ null, %a ]
  ret ptr %1
}
@x = private constant i8 0
@y = private constant i8 0
";
    assert_eq!(text, wanted);
}

#[test]
fn a_value_that_was_not_stored_is_undefined() {
    let text = "define i32 @f() {\n  %p = alloca i32\n  %v = load i32, ptr %p\n  ret i32 %v\n}\n";
    let wanted = "define i32 @f() {\n  ret i32 undef\n}\n";
    assert_eq!(after(text, |_, _| {}), wanted);
}

#[test]
fn a_variable_whose_address_is_a_value_stays() {
    for access in [
        "call void @g(ptr %p)",
        "store ptr %p, ptr %p",
        "%q = getelementptr i8, ptr %p, i64 1",
        "store i64 1, ptr %p",
        "%q = load i64, ptr %p",
    ] {
        let text = format!(
            "define void @f() {{\n  %p = alloca i32\n  store i32 1, ptr %p\n  {access}\n  ret void\n}}\n"
        );
        assert_eq!(after(&text, |_, _| {}), text);
    }
}

#[test]
fn statements_about_a_variable_are_removed_with_it() {
    let text = "\
define void @f(i32 %0) {
  %p = alloca i32
  call void @llvm.lifetime.start.p0(i64 4, ptr %p)
    #dbg_declare(ptr %p, !1, !DIExpression(), !2)
  store i32 %0, ptr %p
  ret void
}
declare void @llvm.lifetime.start.p0(i64, ptr)
";
    assert_eq!(
        after(text, |_, _| {}),
        "define void @f(i32 %0) {\n  ret void\n}\n"
    );
}
