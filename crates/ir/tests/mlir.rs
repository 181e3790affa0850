//! Changes of small modules in MLIR, and the texts that follow from them.

#![expect(clippy::unwrap_used, reason = "a panic is the report of a test")]

use nubbin_ir::{Change, Module, Op, Substitute, read};

const TEXT: &str = "\
#loc = loc(\"x.c\":1:1)
module {
  func.func private @g(i32) -> i32
  func.func @f(%arg0: i32, %arg1: i1) -> i32 {
    %0 = arith.addi %arg0, %arg0 {a.b = 1 : i32} : i32 loc(#loc)
    %1 = scf.if %arg1 -> (i32) {
      %2 = arith.muli %0, %0 : i32
      scf.yield %2 : i32
    } else {
      %2 = call @g(%0) : (i32) -> i32
      scf.yield %2 : i32
    }
    return %1 : i32
  }
}
";

fn module(text: &str) -> Module {
    read(text.as_bytes()).unwrap()
}

/// Returns the operation whose text begins with the given one.
fn find(module: &Module, start: &str) -> u32 {
    let mut all = (0..).zip(&module.instructions);
    let is_wanted = |core| module.bytes(core).starts_with(start.as_bytes());
    all.find(|(_, of)| is_wanted(&of.core)).unwrap().0
}

fn render(module: &Module, change: &Change) -> String {
    String::from_utf8(module.render(change)).unwrap()
}

#[test]
fn operations_nest_and_names_are_those_of_their_region() {
    let module = module(TEXT);
    assert_eq!(module.functions.len(), 1);
    assert_eq!(module.instructions.len(), 7);
    assert_eq!(module.blocks.len(), 3);
    let inner = &module.instructions[find(&module, "%2 = call") as usize];
    assert_eq!(inner.op, Op::Call);
    assert_eq!(module.complete(&Change::new(&module)), []);
}

#[test]
fn a_needed_value_is_defined_by_a_constant() {
    let module = module(TEXT);
    let mut change = Change::new(&module);
    change.instructions.insert(find(&module, "%1 = scf.if"));
    // The addition was only needed there, and its place with it.
    let wanted = "\
module {
  func.func @f(%arg0: i32, %arg1: i1) -> i32 {
    %3 = arith.constant 0 : i32
    return %3 : i32
  }
}
";
    assert_eq!(render(&module, &change), wanted);
}

#[test]
fn a_function_without_its_body_is_private() {
    let text = TEXT.replace(
        "module {\n",
        "module {\n  func.func @h() -> i32 {\n    %a = arith.constant 1 : i32\n    %b:1 = call @f(%a, %a) : (i32, i1) -> i32\n    return %b : i32\n  }\n",
    );
    let module = module(&text);
    let mut change = Change::new(&module);
    change.bodies.insert(module.functions[1].item);
    let text = render(&module, &change);
    assert!(
        text.contains("  func.func private @f(i32, i1) -> i32\n"),
        "{text}"
    );
    assert!(!text.contains("@g") && !text.contains("#loc"), "{text}");
}

#[test]
fn parameters_are_removed_with_their_operands() {
    let text = TEXT.replace(
        "module {\n",
        "module {\n  func.func @h(%a: i32, %b: i1) -> i32 {\n    %c = call @f(%a, %b) : (i32, i1) -> i32\n    return %c : i32\n  }\n",
    );
    let module = module(&text);
    let mut change = Change::new(&module);
    change
        .parameters
        .insert(module.functions[1].parameters.start);
    let text = render(&module, &change);
    assert!(
        text.contains("@f(%arg1: i1) -> i32 {\n    %3 = arith.constant 0 : i32\n"),
        "{text}"
    );
    assert!(text.contains("call @f(%b) : (i1) -> i32"), "{text}");
}

const BRANCHES: &str = "\
llvm.func @f(%arg0: i1, %arg1: i32) -> i32 {
  llvm.cond_br %arg0, ^bb1(%arg1 : i32), ^bb2
^bb1(%0: i32):  // pred: ^bb0
  %1 = llvm.add %0, %arg1 : i32
  llvm.br ^bb3(%1 : i32)
^bb2:  // pred: ^bb0
  %2 = llvm.mlir.constant(7 : i32) : i32
  llvm.br ^bb3(%2 : i32)
^bb3(%3: i32):  // 2 preds: ^bb1, ^bb2
  llvm.return %3 : i32
}
";

#[test]
fn a_branch_to_one_side_removes_the_other() {
    let module = module(BRANCHES);
    let mut change = Change::new(&module);
    change.edges.insert(0, 1);
    let wanted = "\
llvm.func @f(%arg0: i1, %arg1: i32) -> i32 {
  llvm.br ^bb2
^bb2:  // pred: ^bb0
  %2 = llvm.mlir.constant(7 : i32) : i32
  llvm.br ^bb3(%2 : i32)
^bb3(%3: i32):  // 2 preds: ^bb1, ^bb2
  llvm.return %3 : i32
}
";
    assert_eq!(render(&module, &change), wanted);
}

#[test]
fn a_block_that_is_taken_out_leads_on() {
    let module = module(BRANCHES);
    let mut change = Change::new(&module);
    change.blocks.insert(1);
    change.blocks.insert(2);
    let wanted = "\
llvm.func @f(%arg0: i1, %arg1: i32) -> i32 {
  %4 = llvm.mlir.undef : i32
  llvm.cond_br %arg0, ^bb3(%4 : i32), ^bb3(%4 : i32)
^bb3(%3: i32):  // 2 preds: ^bb1, ^bb2
  llvm.return %3 : i32
}
";
    assert_eq!(render(&module, &change), wanted);
}

#[test]
fn arguments_of_blocks_are_removed_from_branches() {
    let module = module(BRANCHES);
    let mut change = Change::new(&module);
    let value = (0..).zip(&module.values);
    let value = value.filter(|(_, value)| module.bytes(&value.name) == b"%3");
    change.parameters.extend(value.map(|(at, _)| at));
    let text = render(&module, &change);
    assert!(text.contains("^bb3:  // 2 preds"), "{text}");
    assert!(
        text.contains("  llvm.br ^bb3\n^bb2") && !text.contains("constant(7"),
        "{text}"
    );
}

#[test]
fn a_value_takes_the_place_of_another_one() {
    let module = module(TEXT);
    let mut change = Change::new(&module);
    let result = module.instructions[find(&module, "%0 =") as usize]
        .result
        .unwrap();
    let parameter = module.functions[0].parameters.start;
    change.values.insert(result, Substitute::Value(parameter));
    let text = render(&module, &change);
    assert!(
        text.contains("arith.muli %arg0, %arg0 : i32") && !text.contains("addi"),
        "{text}"
    );
}
