//! Changes of small modules, and the texts that follow from them.

#![expect(clippy::unwrap_used, reason = "a panic is the report of a test")]

use nubbin_ir::{Change, Definition, Module, Substitute, read};

/// Returns the module after a change.
fn after(text: &str, change: impl FnOnce(&Module, &mut Change)) -> String {
    let module = read(text.as_bytes()).unwrap();
    let mut wanted = Change::new(&module);
    change(&module, &mut wanted);
    String::from_utf8(module.render(&wanted)).unwrap()
}

/// Returns the instruction with this text in it.
fn find(module: &Module, text: &str) -> u32 {
    let has = |span| String::from_utf8_lossy(module.bytes(span)).contains(text);
    let mut all = module.instructions.iter();
    all.position(|instruction| has(&instruction.core)).unwrap() as u32
}

const LOOP: &str = "\
define i32 @f(i32 %0, i1 %1) {
  br i1 %1, label %3, label %6

3:                                                ; preds = %2
  %4 = add i32 %0, 1
  %5 = mul i32 %4, %4
  br label %6

6:                                                ; preds = %3, %2
  %7 = phi i32 [ %5, %3 ], [ 0, %2 ]
  ret i32 %7
}
";

#[test]
fn a_branch_to_one_side_removes_blocks_and_entries_of_phis() {
    let text = after(LOOP, |module, change| {
        change.edges.insert(find(module, "br i1"), 1);
    });
    let wanted = "\
define i32 @f(i32 %0, i1 %1) {
  br label %3

3:                                                ; preds = %3, %2
  %4 = phi i32 [ 0, %2 ]
  ret i32 %4
}
";
    assert_eq!(text, wanted);
}

#[test]
fn joined_blocks_take_the_values_of_phis() {
    let text = after(LOOP, |module, change| {
        change.edges.insert(find(module, "br i1"), 0);
        change.merged.insert(0);
    });
    let wanted = "\
define i32 @f(i32 %0, i1 %1) {
  %3 = add i32 %0, 1
  %4 = mul i32 %3, %3
  ret i32 %4
}
";
    assert_eq!(text, wanted);
}

#[test]
fn a_block_that_is_taken_out_leads_on() {
    let text = after(LOOP, |_, change| change.blocks.extend([1]));
    let wanted = "\
define i32 @f(i32 %0, i1 %1) {
  br label %3

3:                                                ; preds = %3, %2
  %4 = phi i32 [ undef, %2 ]
  ret i32 %4
}
";
    assert_eq!(text, wanted);
}

#[test]
fn needs_of_a_removed_instruction_alone_are_removed() {
    let text = after(LOOP, |module, change| {
        change.instructions.extend([find(module, "mul")])
    });
    assert!(!text.contains("add"), "{text}");
    assert!(
        text.contains("%5 = phi i32 [ undef, %3 ], [ 0, %2 ]"),
        "{text}"
    );
}

#[test]
fn a_store_to_a_removed_place_is_removed() {
    let text =
        "define void @f(i32 %x) {\n  %p = alloca i32\n  store i32 %x, ptr %p\n  ret void\n}\n";
    let text = after(text, |_, change| change.instructions.extend([0]));
    assert_eq!(text, "define void @f(i32 %x) {\n  ret void\n}\n");
}

#[test]
fn results_without_names_have_numbers() {
    let text =
        "define i32 @f() {\n  alloca i8\n  alloca i32\n  load i32, ptr %2\n  ret i32 %3\n}\n";
    let text = after(text, |_, change| change.instructions.extend([0]));
    assert_eq!(
        text,
        "define i32 @f() {\n  alloca i32\n  load i32, ptr %1\n  ret i32 %2\n}\n"
    );
}

#[test]
fn a_call_that_catches_nothing_is_a_plain_one() {
    let text = "\
define void @f() personality ptr @p {
  invoke void @g(i32 1) #0
          to label %1 unwind label %2
1:
  ret void
2:
  %3 = landingpad { ptr, i32 }
          cleanup
  resume { ptr, i32 } %3
}
declare void @g(i32)
declare i32 @p(...)
attributes #0 = { cold }
";
    let changed = after(text, |_, change| {
        change.edges.insert(0, 0);
    });
    let wanted = "\
define void @f() personality ptr @p {
  call void @g(i32 1) #0
  br label %1
1:
  ret void
}
declare void @g(i32)
declare i32 @p(...)
attributes #0 = { cold }
";
    assert_eq!(changed, wanted);
    // A handler by itself cannot be removed.
    let same = after(text, |module, change| {
        change.instructions.extend([find(module, "landingpad")])
    });
    assert_eq!(same, text);
}

#[test]
fn arguments_and_results_follow_parameters() {
    let text = "\
define internal zeroext i8 @f(i32 noundef %0, i32 %1) {
  %3 = add i32 %1, 1
  ret i8 7
}
define i8 @g() {
  %1 = call zeroext i8 @f(i32 1, i32 2) #0
  ret i8 %1
}
";
    let changed = after(text, |module, change| {
        let parameter =
            |value: &u32| module.values[*value as usize].definition == Definition::Parameter(0);
        let first = (0..module.values.len() as u32).find(parameter).unwrap();
        change.parameters.insert(first);
        change.results.insert(0);
    });
    let wanted = "\
define internal void @f(i32 %0) {
  %2 = add i32 %0, 1
  ret void
}
define i8 @g() {
  call void @f(i32 2) #0
  ret i8 undef
}
";
    assert_eq!(changed, wanted);
}

#[test]
fn a_body_is_removed_with_its_own_needs() {
    let text = "\
%s = type { i32 }
@text = private constant [2 x i8] c\"a\\00\"
define internal i32 @f(ptr byval(%s) %0) #0 !dbg !1 {
  %2 = call i32 @puts(ptr @text), !dbg !2
  ret i32 %2
}
declare i32 @puts(ptr)
define i32 @main() {
  %1 = call i32 @f(ptr null)
  ret i32 %1
}
attributes #0 = { cold }
!1 = distinct !{!2}
!2 = !{}
";
    let changed = after(text, |_, change| change.bodies.extend([2]));
    let wanted = "\
%s = type { i32 }
declare i32 @f(ptr byval(%s)) #0
define i32 @main() {
  %1 = call i32 @f(ptr null)
  ret i32 %1
}
attributes #0 = { cold }
";
    assert_eq!(changed, wanted);
}

#[test]
fn a_switch_without_cases_is_a_jump() {
    let text = "\
define void @f(i32 %x) {
  switch i32 %x, label %a [
    i32 1, label %b
    i32 2, label %c
  ]
a:
  ret void
b:
  br label %a
c:
  br label %b
}
";
    let changed = after(text, |_, change| change.blocks.extend([2, 3]));
    assert_eq!(
        changed,
        "define void @f(i32 %x) {\n  br label %a\na:\n  ret void\n}\n"
    );
    let changed = after(text, |_, change| change.blocks.extend([3]));
    assert!(
        changed.contains("i32 1, label %b\n    i32 2, label %b\n  ]"),
        "{changed}"
    );
}

#[test]
fn values_that_replace_each_other_are_undefined() {
    let changed = after(LOOP, |module, change| {
        let value = |text| {
            module.instructions[find(module, text) as usize]
                .result
                .unwrap()
        };
        change
            .values
            .insert(value("add"), Substitute::Value(value("mul")));
        change
            .values
            .insert(value("mul"), Substitute::Value(value("add")));
    });
    assert!(changed.contains("phi i32 [ undef, %3 ]"), "{changed}");
}

#[test]
fn a_group_of_attributes_is_never_empty() {
    let text = "define void @f() #0 {\n  ret void\n}\nattributes #0 = { cold nounwind }\n";
    let changed = after(text, |module, change| {
        let words = (0..).zip(&module.words);
        change.words.extend(
            words
                .filter(|(_, word)| module.bytes(&word.span) != b" #0")
                .map(|(at, _)| at),
        );
    });
    assert_eq!(
        changed,
        "define void @f() #0 {\n  ret void\n}\nattributes #0 = { nounwind }\n"
    );
}

#[test]
fn a_loop_without_its_places_needs_no_debug_information() {
    let text = "\
define void @f() {
  br label %1

1:
  br label %1, !llvm.loop !2
}

!llvm.dbg.cu = !{!0}
!0 = distinct !DICompileUnit()
!1 = !DILocation(line: 1, scope: !0)
!2 = distinct !{!2, !1, !3}
!3 = !{!\"llvm.loop.mustprogress\"}
";
    let text = after(text, |module, change| {
        let is_place = |word: &nubbin_ir::Word| word.kind == nubbin_ir::WordKind::Debug;
        let places = module.words.iter().enumerate();
        let places = places.filter(|(_, word)| is_place(word));
        change.words.extend(places.map(|(at, _)| at as u32));
        let list = module.symbols.find(b"!llvm.dbg.cu");
        change
            .items
            .extend(list.and_then(|name| module.symbols.item(name)));
    });
    assert!(text.ends_with("!2 = distinct !{!2, !3}\n!3 = !{!\"llvm.loop.mustprogress\"}\n"));
    assert!(!text.contains("DI"), "{text}");
}

#[test]
fn a_result_becomes_a_new_parameter() {
    let text = "\
define i32 @f(i32 %0, i1 %1) {
  %3 = add i32 %0, 1
  %4 = load i32, ptr @g
  %5 = mul i32 %3, %4
  ret i32 %5
}
define i32 @h() {
  %1 = call i32 @f(i32 1, i1 0)
  ret i32 %1
}
";
    let result = |module: &Module, text: &str| {
        let at = find(module, text);
        module.instructions[at as usize].result.unwrap()
    };
    let wanted = "\
define i32 @f(i32 %0, i1 %1, i32 %2) {
  %4 = add i32 %0, 1
  %5 = mul i32 %4, %2
  ret i32 %5
}
define i32 @h() {
  %1 = call i32 @f(i32 1, i1 0, i32 undef)
  ret i32 %1
}
";
    let changed = after(text, |module, change| {
        let load = result(module, "load");
        change.values.insert(load, Substitute::Parameter);
    });
    assert_eq!(changed, wanted);

    // Without its other parameters.
    let wanted = "\
define i32 @f(i32 %0) {
  ret i32 %0
}
define i32 @h() {
  %1 = call i32 @f(i32 undef)
  ret i32 %1
}
";
    let changed = after(text, |module, change| {
        let product = result(module, "mul");
        change.values.insert(product, Substitute::Parameter);
        let parameters = module.functions[0].parameters.clone();
        change.parameters.extend(parameters);
    });
    assert_eq!(changed, wanted);
}

#[test]
fn scopes_of_atomics_and_bundles_of_calls_are_words() {
    let text = "\
define void @f(ptr %0) {
  fence syncscope(\"agent\") seq_cst
  call void @g([1 x i8] c\"a\") [ \"deopt\"(i32 1, ptr %0) ]
  ret void
}
";
    let changed = after(text, |module, change| {
        change.words.extend(0..module.words.len() as u32);
    });
    let wanted = "\
define void @f(ptr %0) {
  fence seq_cst
  call void @g([1 x i8] c\"a\")
  ret void
}
";
    assert_eq!(changed, wanted);
}

#[test]
fn a_value_is_returned_where_it_is_defined() {
    let text = "\
define zeroext i8 @f(i32 %x, i1 %c, ptr %p) {
  br i1 %c, label %a, label %b
a:
  %y = mul i32 %x, %x
  store i32 %y, ptr %p
  ret i8 1
b:
  ret i8 2
}
";
    let text = after(text, |module, change| {
        let [(at, value)] = module.returns(0)[..] else {
            panic!()
        };
        change.instructions.insert(at);
        change.returned.insert(0, value);
    });
    let wanted = "\
define i32 @f(i32 %x, i1 %c, ptr %p) {
  br i1 %c, label %a, label %b
a:
  %y = mul i32 %x, %x
  ret i32 %y
b:
  ret i32 undef
}
";
    assert_eq!(text, wanted);
}

#[test]
fn a_function_that_nothing_needs_keeps_its_own_needs() {
    let text = "\
define internal void @unused() {
  call void @g()
  ret void
}
define void @f() {
  call void @g()
  ret void
}
declare void @g()
";
    let after = after(text, |_, change| change.bodies.extend([1]));
    assert!(after.contains("declare void @g()"), "{after}");
}

#[test]
fn a_group_of_the_same_name_is_used() {
    let text = "\
$f = comdat any
define linkonce_odr void @f() comdat align 2 {
  ret void
}
define void @g() {
  call void @f()
  ret void
}
";
    let module = read(text.as_bytes()).unwrap();
    let of_group = module.uses.iter().any(|used| match used.target {
        nubbin_ir::Target::Symbol(symbol) => module.symbols.item(symbol) == Some(0),
        nubbin_ir::Target::Value(_) => false,
    });
    assert!(of_group);
    let text = after(text, |_, change| change.bodies.extend([1]));
    assert!(text.starts_with("declare void @f()\n"), "{text}");
}

#[test]
fn uses_of_removed_items_outside_of_code_are_undefined() {
    let text = "declare i32 @p(...)\n@x = external global i32\n@y = global ptr @x\ndefine void @f() personality ptr @p {\n  ret void\n}\n!n = !{!0}\n!0 = !{ptr @x}\n";
    let wanted = "@y = global ptr undef\ndefine void @f() personality ptr undef {\n  ret void\n}\n!n = !{!0}\n!0 = !{ptr undef}\n";
    assert_eq!(after(text, |_, change| change.items.extend([0, 1])), wanted);
}

#[test]
fn parts_of_aggregates_and_vectors_have_types() {
    let text = "\
define void @f(<4 x i16> %v, { i32, { i8, [2 x double] } } %s, <{ i64, half }> %p, <vscale x 2 x float> %w) {
  %1 = extractelement <4 x i16> %v, i32 0
  %2 = extractvalue { i32, { i8, [2 x double] } } %s, 1, 1, 0
  %3 = extractvalue <{ i64, half }> %p, 1
  %4 = extractelement <vscale x 2 x float> %w, i32 0
  %5 = shufflevector <4 x i16> %v, <4 x i16> poison, <4 x i32> zeroinitializer
  %6 = shufflevector <4 x i16> %v, <4 x i16> poison, <2 x i32> zeroinitializer
  %7 = extractvalue { i32, { i8, [2 x double] } } %s, 1, !dbg !7
  ret void
}
";
    let module = read(text.as_bytes()).unwrap();
    let ty = |at: usize| {
        let ty = module.values[module.instructions[at].result.unwrap() as usize]
            .ty
            .clone();
        ty.map(|ty| String::from_utf8_lossy(module.bytes(&ty)).into_owned())
    };
    let types: Vec<_> = (0..7).map(ty).collect();
    let wanted = [
        Some("i16"),
        Some("double"),
        Some("half"),
        Some("float"),
        Some("<4 x i16>"),
        None,
        Some("{ i8, [2 x double] }"),
    ];
    assert_eq!(types, wanted.map(|ty| ty.map(String::from)));
}

#[test]
fn a_function_of_a_module_without_pointers_returns_another_value() {
    let text = "\
define void @f(i32 %0) {
  %2 = add i32 %0, 1
  %3 = call i32 @g(i32 %2)
  ret void
}
declare i32 @g(i32)
";
    let returns = |text: &str| read(text.as_bytes()).unwrap().returns(0).len();
    assert_eq!(returns(text), 1);
    // Pointers with types: the type of the function would be in other places.
    assert_eq!(returns(&format!("@p = external global i8*\n{text}")), 0);
}

#[test]
fn a_result_of_an_unknown_type_is_not_replaced_with_an_operand() {
    let text = "\
define <2 x i1> @f(<2 x i1> %0, ptr %p) {
  %2 = xor <2 x i1> %0, %0
  %3 = icmp ult <2 x i1> %2, %0
  ret <2 x i1> %3
}
";
    assert_eq!(read(text.as_bytes()).unwrap().returns(0), []);
}

#[test]
fn a_local_variable_that_nothing_names_has_no_declaration() {
    let text = "\
%t = type { i8 }
@a = linkonce_odr constant %t undef
@b = internal global i8 7
define ptr @f() {
  ret ptr @b
}
";
    let text = after(text, |module, change| {
        for at in 0..module.items.len() as u32 {
            let name = module.bytes(&module.items[at as usize].name_span);
            if matches!(name, b"@a" | b"@b") {
                change.bodies.insert(at);
            }
        }
    });
    let wanted = "\
%t = type { i8 }
@b = external global i8
define ptr @f() {
  ret ptr @b
}
";
    assert_eq!(text, wanted);
}

#[test]
fn commas_in_brackets_do_not_end_an_operand() {
    let text = "\
define void @f(ptr %p, <2 x i16> %v) {
  %1 = select i1 icmp eq (ptr @g, ptr @h), i32 7, i32 9
  %2 = select <2 x i1> <i1 true, i1 false>, <2 x i16> %v, <2 x i16> zeroinitializer
  %3 = getelementptr { i32, i8 }, ptr %p, i32 0, i32 1
  ret void
}
";
    let module = read(text.as_bytes()).unwrap();
    let ty = |at: usize| {
        let ty = &module.values[module.instructions[at].result.unwrap() as usize].ty;
        String::from_utf8_lossy(module.bytes(ty.as_ref().unwrap())).into_owned()
    };
    assert_eq!([0, 1, 2].map(ty), ["i32", "<2 x i16>", "ptr"]);
}

/// Replaces the first use of a parameter in the instruction with this text with a constant.
fn replace_use(module: &Module, change: &mut Change, text: &str, constant: &'static str) {
    let uses = module.instructions[find(module, text) as usize]
        .uses
        .clone();
    let is_parameter = |nth: &u32| match module.uses[*nth as usize].target {
        nubbin_ir::Target::Value(value) => {
            let of = module.values[value as usize].definition;
            matches!(of, Definition::Parameter(_))
        }
        nubbin_ir::Target::Symbol(_) => false,
    };
    let nth = uses.into_iter().find(is_parameter).unwrap();
    change.operands.insert(nth, Substitute::Constant(constant));
}

#[test]
fn operands_that_move_have_their_new_constants() {
    let text = "\
define i32 @f(i32 %x, i1 %c) {
  %p = alloca i32
  store i32 %x, ptr %p
  switch i32 %x, label %s [
    i32 7, label %b
  ]
s:
  br i1 %c, label %a, label %b
a:
  br label %b
b:
  %q = phi i32 [ %x, %0 ], [ 1, %s ], [ 2, %a ]
  %r = load i32, ptr %p
  %y = add i32 %q, %r
  ret i32 %y
}
";
    let wanted = "\
define i32 @f(i32 %x, i1 %c) {
  switch i32 %x, label %s [
    i32 7, label %b
  ]
s:
  br label %a
a:
  %1 = select i1 true, i32 2, i32 1
  br label %b
b:
  %q = phi i32 [ 3, %0 ], [ %1, %a ]
  %y = add i32 %q, 4
  ret i32 %y
}
";
    let text = after(text, |module, change| {
        change.straight.extend(module.straight_branches(0));
        change.variables.extend(module.variables(0));
        replace_use(module, change, "br i1", "true");
        replace_use(module, change, "phi", "3");
        replace_use(module, change, "store", "4");
    });
    assert_eq!(text, wanted);
}
