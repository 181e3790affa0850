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

#[test]
fn a_value_may_pass_through_any_number_of_variables() {
    let mut text = "define i32 @f(i32 %x) {\n".to_owned();
    for nth in 0..200 {
        text += &format!("  %a{nth} = alloca i32\n");
    }
    let mut last = "%x".to_owned();
    for nth in 0..200 {
        text += &format!("  store i32 {last}, ptr %a{nth}\n  %v{nth} = load i32, ptr %a{nth}\n");
        last = format!("%v{nth}");
    }
    text += &format!("  ret i32 {last}\n}}\n");
    assert_eq!(
        after(&text, |_, _| {}),
        "define i32 @f(i32 %x) {\n  ret i32 %x\n}\n"
    );
}

#[test]
fn a_function_that_must_keep_its_result_has_no_other_one() {
    let body = "  %3 = add i32 %1, 1\n  store i32 %3, ptr %0\n";
    let count = |head: &str, rest: &str| {
        let text = format!("define {head} @f(ptr %0, i32 %1) {{\n{body}{rest}}}\n");
        read(text.as_bytes()).unwrap().returns(0).len()
    };
    assert_eq!(count("void", "  ret void\n"), 1);
    assert_eq!(count("spir_kernel void", "  ret void\n"), 0);
    let tail = "  musttail call void @f(ptr %0, i32 %3)\n  ret void\n";
    assert_eq!(count("void", tail), 0);
}

#[test]
fn the_result_of_an_invoke_is_not_returned() {
    let text = "define i32 @f(ptr %0, i32 %1) personality ptr @p {\n  \
                %3 = invoke i32 @g(i32 %1) to label %4 unwind label %5\n\n4:\n  \
                store i32 %3, ptr %0\n  ret i32 %1\n\n5:\n  \
                %6 = landingpad { ptr, i32 } catch ptr null\n  ret i32 0\n}\n";
    assert_eq!(read(text.as_bytes()).unwrap().returns(0), []);
}

#[test]
fn a_word_of_a_global_has_the_comma_before_it() {
    let text = "@x = global i32 0, comdat, align 4\n\ndefine void @f() {\n  ret void\n}\n";
    let module = read(text.as_bytes()).unwrap();
    let mut wanted = Change::new(&module);
    let words = module.words.iter().enumerate();
    let comdat = words.filter(|(_, word)| module.bytes(&word.span).ends_with(b"comdat"));
    wanted.words.extend(comdat.map(|(at, _)| at as u32));
    let text = String::from_utf8(module.render(&wanted)).unwrap();
    assert!(text.starts_with("@x = global i32 0, align 4\n"), "{text}");
}
