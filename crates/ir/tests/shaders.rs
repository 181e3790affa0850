//! Changes of small shaders, and the texts that follow from them.

#![expect(clippy::unwrap_used, reason = "a panic is the report of a test")]

use nubbin_ir::{Change, Module, Op, Substitute, read};

/// A loop in a function that the program calls: `for (i = 0; i < 4; i++) if (c) s = i;`.
const SHADER: &str = "\
OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint Fragment %main \"main\" %in %out
OpExecutionMode %main OriginUpperLeft
OpName %main \"main\"
OpName %f \"f\"
OpName %s \"s\"
OpDecorate %in Location 0
OpDecorate %out Location 0
%void = OpTypeVoid
%bool = OpTypeBool
%int = OpTypeInt 32 1
%0 = OpConstant %int 0
%1 = OpConstant %int 1
%4 = OpConstant %int 4
%pin = OpTypePointer Input %int
%pint = OpTypePointer Function %int
%fv = OpTypeFunction %void
%fi = OpTypeFunction %int %bool
%true = OpConstantTrue %bool
%in = OpVariable %pin Input
%pout = OpTypePointer Output %int
%out = OpVariable %pout Output
%main = OpFunction %void None %fv
%m = OpLabel
%r = OpFunctionCall %int %f %true
%x = OpLoad %int %in
%y = OpIAdd %int %x %r
OpStore %out %y
OpReturn
OpFunctionEnd
%f = OpFunction %int None %fi
%c = OpFunctionParameter %bool
%e = OpLabel
%s = OpVariable %pint Function
OpBranch %head
%head = OpLabel
%i = OpPhi %int %0 %e %j %next
OpLoopMerge %end %next None
OpBranch %test
%test = OpLabel
%l = OpSLessThan %bool %i %4
OpBranchConditional %l %body %end
%body = OpLabel
OpSelectionMerge %join None
OpBranchConditional %c %then %join
%then = OpLabel
OpStore %s %i
OpBranch %join
%join = OpLabel
OpBranch %next
%next = OpLabel
%j = OpIAdd %int %i %1
OpBranch %head
%end = OpLabel
%v = OpLoad %int %s
OpReturnValue %v
OpFunctionEnd
";

/// Returns the module after a change, without the lines that are as before it, and these.
fn after(change: impl FnOnce(&Module, &mut Change)) -> (String, Vec<&'static str>) {
    let module = read(SHADER.as_bytes()).unwrap();
    let mut wanted = Change::new(&module);
    change(&module, &mut wanted);
    let text = String::from_utf8(module.render(&wanted)).unwrap();
    let is_new = |line: &&str| !SHADER.lines().any(|old| old == *line);
    let new: Vec<&str> = text.lines().filter(is_new).collect();
    let is_lost = |line: &&str| !text.lines().any(|new| new == *line);
    (new.join("\n"), SHADER.lines().filter(is_lost).collect())
}

/// Returns the instruction that begins with this text.
fn find(module: &Module, text: &str) -> u32 {
    let begins = |span| module.bytes(span).starts_with(text.as_bytes());
    let mut all = module.instructions.iter();
    all.position(|instruction| begins(&instruction.core))
        .unwrap() as u32
}

/// Returns the block with this name.
fn block(module: &Module, name: &str) -> u32 {
    let is_it = |value: u32| module.bytes(&module.values[value as usize].name) == name.as_bytes();
    module
        .blocks
        .iter()
        .position(|block| is_it(block.value))
        .unwrap() as u32
}

#[test]
fn a_function_is_removed_with_its_calls_and_all_that_it_needed() {
    let (new, lost) = after(|module, change| {
        let item = module
            .symbols
            .find(b"%f")
            .and_then(|name| module.symbols.item(name));
        change.bodies.extend(item);
    });
    assert_eq!(new, "%undef2 = OpUndef %int\n%y = OpIAdd %int %x %undef2");
    for line in [
        "OpName %f \"f\"",
        "OpName %s \"s\"",
        "%4 = OpConstant %int 4",
        "%fi = OpTypeFunction %int %bool",
        "%true = OpConstantTrue %bool",
        "%bool = OpTypeBool",
        "%r = OpFunctionCall %int %f %true",
    ] {
        assert!(lost.contains(&line), "{line}: {lost:?}");
    }
}

#[test]
fn the_body_of_an_entry_point_becomes_a_return() {
    let (new, lost) = after(|module, change| {
        let item = module
            .symbols
            .find(b"%main")
            .and_then(|name| module.symbols.item(name));
        change.bodies.extend(item);
    });
    assert_eq!(new, "OpEntryPoint Fragment %main \"main\"");
    let left = SHADER.lines().filter(|line| !lost.contains(line));
    let wanted = [
        "OpCapability Shader",
        "OpMemoryModel Logical GLSL450",
        "OpExecutionMode %main OriginUpperLeft",
        "OpName %main \"main\"",
        "%void = OpTypeVoid",
        "%fv = OpTypeFunction %void",
        "%main = OpFunction %void None %fv",
        "%m = OpLabel",
        "OpReturn",
        "OpFunctionEnd",
        "OpFunctionEnd",
    ];
    assert_eq!(left.collect::<Vec<_>>(), wanted);
}

#[test]
fn a_branch_to_one_side_needs_no_statement_about_both() {
    let (new, lost) = after(|module, change| {
        change
            .edges
            .insert(find(module, "OpBranchConditional %c"), 1);
    });
    assert_eq!(new, "");
    let wanted = [
        "OpSelectionMerge %join None",
        "OpBranchConditional %c %then %join",
        "%then = OpLabel",
        "OpStore %s %i",
    ];
    assert_eq!(lost, wanted);
}

#[test]
fn a_loop_without_a_way_back_is_a_selection() {
    let (new, lost) = after(|module, change| change.blocks.extend([block(module, "%next")]));
    let wanted = "%i = OpPhi %int %0 %e\nOpSelectionMerge %end None\nOpBranch %end";
    assert_eq!(new, wanted);
    let gone = [
        "OpLoopMerge %end %next None",
        "%next = OpLabel",
        "%j = OpIAdd %int %i %1",
    ];
    assert!(gone.iter().all(|line| lost.contains(line)), "{lost:?}");
}

#[test]
fn a_construct_is_taken_out_with_its_header() {
    let (new, lost) = after(|module, change| change.blocks.extend([block(module, "%head")]));
    assert_eq!(new, "OpBranch %end");
    assert!(lost.contains(&"%j = OpIAdd %int %i %1"), "{lost:?}");
}

#[test]
fn a_loop_that_never_repeats_is_none() {
    let (new, lost) = after(|module, change| {
        change
            .edges
            .insert(find(module, "OpBranchConditional %l"), 1);
    });
    assert_eq!(new, "OpBranch %end");
    assert!(lost.contains(&"OpLoopMerge %end %next None"), "{lost:?}");
}

#[test]
fn instructions_on_a_removed_place_are_removed() {
    let (new, lost) = after(|module, change| change.instructions.extend([find(module, "%s =")]));
    assert_eq!(new, "%undef2 = OpUndef %int\nOpReturnValue %undef2");
    let wanted = [
        "OpName %s \"s\"",
        "%pint = OpTypePointer Function %int",
        "%s = OpVariable %pint Function",
        "OpStore %s %i",
        "%v = OpLoad %int %s",
        "OpReturnValue %v",
    ];
    assert_eq!(lost, wanted);
}

#[test]
fn a_value_becomes_a_constant_of_the_module() {
    let (new, lost) = after(|module, change| {
        let item = module
            .symbols
            .find(b"%1")
            .and_then(|name| module.symbols.item(name));
        let value = module.instructions[find(module, "%x =") as usize].result;
        change
            .values
            .insert(value.unwrap(), Substitute::Item(item.unwrap()));
    });
    assert_eq!(
        new,
        "OpEntryPoint Fragment %main \"main\" %out\n%y = OpIAdd %int %1 %r"
    );
    assert!(lost.contains(&"%in = OpVariable %pin Input"), "{lost:?}");
}

#[test]
fn joined_blocks_are_written_in_the_order_of_their_edges() {
    let (_, lost) = after(|module, change| {
        change
            .edges
            .insert(find(module, "OpBranchConditional %c"), 0);
        change.merged.extend([1]);
    });
    let wanted = [
        "OpSelectionMerge %join None",
        "OpBranchConditional %c %then %join",
        "%then = OpLabel",
        "OpBranch %join",
        "%join = OpLabel",
    ];
    assert_eq!(lost, wanted);
}

#[test]
fn a_shader_is_read_with_blocks_and_kinds() {
    let module = read(SHADER.as_bytes()).unwrap();
    assert_eq!((module.functions.len(), module.blocks.len()), (2, 9));
    assert!(module.functions.iter().all(|function| !function.is_rigid));
    let op = |text| module.instructions[find(&module, text) as usize].op;
    let ops = [op("OpStore"), op("%r ="), op("%i ="), op("OpLoopMerge")];
    assert_eq!(ops, [Op::Store, Op::Call, Op::Phi, Op::Merge]);
}
