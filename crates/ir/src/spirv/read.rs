use super::facts::Facts;
use super::form::Form;
use super::lines::{Line, Lines};
use super::{binary, code, kind, text};
use crate::module::{
    Block, Definition, Function, Instruction, Item, ItemKind, Module, Target, Use, Value,
};
use crate::{Set, Span, Symbols};

/// Returns the module of a text in SPIR-V, or `None` if the text is not in SPIR-V.
///
/// Cost: linear in the text.
pub(crate) fn read(text: &[u8]) -> Option<Module> {
    let lines = match Form::of_binary(text) {
        Some(form) => binary::lines(text, form),
        None if has_function(text) => text::lines(text),
        None => return None,
    };
    Some(module(text, lines))
}

/// Returns whether some line of a text begins a function in assembly, which is a quick check.
fn has_function(text: &[u8]) -> bool {
    let begins = |line: &[u8]| {
        let words = line.split(|byte| byte.is_ascii_whitespace());
        let mut words = words.filter(|word| !word.is_empty());
        let is_result = words.next().is_some_and(|word| word.starts_with(b"%"));
        is_result && words.next() == Some(b"=") && words.next() == Some(b"OpFunction")
    };
    text.split(|&byte| byte == b'\n').any(begins)
}

fn module(text: &[u8], lines: Lines) -> Module {
    let mut reader = Reader::new(text, &lines);
    reader.define();
    reader.uses();
    let Reader {
        mut module,
        mut facts,
        ..
    } = reader;
    if facts.form == Form::Text {
        facts.bound = module.symbols.len() as u32 + 1;
    }
    facts.complete(&module);
    module.spirv = Some(facts.into());
    module
}

/// A module that is being read: first all definitions, then all uses.
struct Reader<'a> {
    text: &'a [u8],
    lines: &'a Lines,
    module: Module,
    facts: Facts,
    /// The symbols of the sets of instructions for debuggers.
    debug_sets: Set,
}

impl<'a> Reader<'a> {
    fn new(text: &'a [u8], lines: &'a Lines) -> Self {
        let head = 0..lines.head;
        let is_headless = head.is_empty();
        let mut reader = Reader {
            text,
            lines,
            module: Module {
                text: text.into(),
                items: vec![],
                functions: vec![],
                blocks: vec![],
                instructions: vec![],
                values: vec![],
                uses: vec![],
                symbols: Symbols::default(),
                words: vec![],
                has_untyped_pointers: true,
                spirv: None,
                mlir: None,
            },
            facts: Facts {
                form: lines.form,
                bound: text.get(12..16).map_or(0, |bytes| lines.form.word(bytes)),
                codes: vec![],
                item_codes: vec![],
                types: vec![],
                undefinable: Set::default(),
                entries: Set::default(),
                values: vec![],
                names: vec![],
            },
            debug_sets: Set::default(),
        };
        if !is_headless {
            reader.item(head.clone(), head, ItemKind::Opaque, 0);
        }
        reader
    }

    fn bytes(&self, span: &Span) -> &'a [u8] {
        let range = span.start as usize..span.end as usize;
        self.text.get(range).unwrap_or_default()
    }

    fn symbol(&mut self, span: &Span) -> u32 {
        let symbol = self.module.symbols.intern(self.bytes(span));
        if self.facts.names.len() == symbol as usize {
            self.facts.names.push(span.clone());
        }
        symbol
    }

    fn item(&mut self, span: Span, core: Span, kind: ItemKind, code: u16) {
        self.module.items.push(Item {
            span,
            core: core.clone(),
            kind,
            name: None,
            name_span: core.start..core.start,
            uses: 0..0,
            words: 0..0,
            is_local: true,
            is_frozen: false,
            is_addressed: false,
            initializer: None,
            ty: None,
            parameters: None,
        });
        self.facts.item_codes.push(code);
    }

    fn value(&mut self, line: &Line, definition: Definition) -> u32 {
        let index = self.module.values.len() as u32;
        let name = line.result.clone().unwrap_or(0..0);
        let symbol = self.symbol(&name);
        let ty = line.ty.clone();
        let ty_symbol = ty.as_ref().map(|ty| self.symbol(ty));
        self.module.values.push(Value {
            name,
            definition,
            number: None,
            ty,
        });
        self.facts.types.push(ty_symbol);
        let values = &mut self.facts.values;
        if values.len() <= symbol as usize {
            values.resize(symbol as usize + 1, None);
        }
        values[symbol as usize].get_or_insert(index);
        index
    }

    /// Adds all items, functions, blocks, and values.
    fn define(&mut self) {
        let lines = self.lines;
        let mut is_in_function = false;
        for line in &lines.lines {
            let is_debug = self.is_about_debugging(line);
            match line.code {
                code::FUNCTION => {
                    self.function(line);
                    is_in_function = true;
                }
                _ if !is_in_function => self.other(line, is_debug),
                code::FUNCTION_END => {
                    self.end_function(line, true);
                    is_in_function = false;
                }
                code::FUNCTION_PARAMETER => self.parameter(line),
                code::LABEL => self.block(line),
                _ => self.instruction(line, is_debug),
            }
        }
        if is_in_function && let Some(last) = lines.lines.last() {
            self.end_function(last, false);
        }
        let end = self.text.len() as u32;
        let behind = self.module.items.last().map_or(0, |last| last.span.end);
        if behind < end {
            self.item(behind..end, behind..end, ItemKind::Opaque, 0);
        }
    }

    /// Returns whether an instruction is one of a set for debuggers.
    fn is_about_debugging(&mut self, line: &Line) -> bool {
        let set = match line.code {
            11 => line.result.clone(),
            code::EXT_INST => self.lines.of(line).get(1).map(|set| set.span.clone()),
            _ => None,
        };
        let Some(set) = set else { return false };
        let symbol = self.symbol(&set);
        if line.code == code::EXT_INST {
            return self.debug_sets.contains(symbol);
        }
        let name = self.bytes(&line.core);
        let has = |part: &[u8]| name.windows(part.len()).any(|window| window == part);
        if has(b"DebugInfo") || has(b"NonSemantic") || has(b"SemanticNonSemant") {
            self.debug_sets.insert(symbol);
        }
        false
    }

    /// Adds an item of one instruction.
    fn other(&mut self, line: &Line, is_debug: bool) {
        let number = self.module.items.len() as u32;
        let kind = kind::item(line.code, is_debug);
        self.item(line.span.clone(), line.core.clone(), kind, line.code);
        self.name(line, number);
        let of = self.lines.of(line);
        let last = of.last().map(|last| self.bytes(&last.span));
        let is_needed = last.is_some_and(|last| self.lines.form.is_needed(line.code, last));
        if let Some(item) = self.module.items.last_mut() {
            item.is_frozen = is_needed;
        }
    }

    fn name(&mut self, line: &Line, number: u32) {
        if let Some(result) = line.result.clone() {
            let symbol = self.symbol(&result);
            self.module.symbols.define(symbol, number);
            if let Some(item) = self.module.items.last_mut() {
                item.name = Some(symbol);
                item.name_span = result;
                item.ty = line.ty.clone();
            }
        }
    }

    fn function(&mut self, line: &Line) {
        // A function inside another one: the outer one has no end.
        if let Some(last) = self.module.functions.last_mut()
            && self
                .module
                .items
                .last()
                .is_some_and(|item| item.core.end == u32::MAX)
        {
            last.is_rigid = true;
            self.end_function_at(line.span.start, line.span.start);
        }
        let number = self.module.items.len() as u32;
        let function = self.module.functions.len() as u32;
        let span = line.span.start..u32::MAX;
        let kind = ItemKind::Function(function);
        self.item(span, line.core.start..u32::MAX, kind, line.code);
        self.name(line, number);
        let values = self.module.values.len() as u32;
        let blocks = self.module.blocks.len() as u32;
        self.module.functions.push(Function {
            item: number,
            body: line.span.end..line.span.end,
            parameters: values..values,
            parameter_spans: vec![],
            blocks: blocks..blocks,
            is_rigid: false,
        });
    }

    fn parameter(&mut self, line: &Line) {
        let function = self.module.functions.len() as u32 - 1;
        if self.module.functions[function as usize].blocks.end < self.module.blocks.len() as u32 {
            return self.instruction(line, false);
        }
        self.value(line, Definition::Parameter(function));
        let end = self.module.values.len() as u32;
        let of = &mut self.module.functions[function as usize];
        of.parameters.end = end;
        of.parameter_spans.push(line.span.clone());
        of.body = line.span.end..line.span.end;
    }

    fn block(&mut self, line: &Line) {
        let number = self.module.blocks.len() as u32;
        let value = self.value(line, Definition::Block(number));
        let next = self.module.instructions.len() as u32;
        self.module.blocks.push(Block {
            value,
            label: line.span.clone(),
            instructions: next..next,
        });
    }

    fn instruction(&mut self, line: &Line, is_debug: bool) {
        let first = self.module.functions.last().map_or(0, |of| of.blocks.start);
        let index = self.module.instructions.len() as u32;
        if self.module.blocks.len() as u32 == first {
            // Debug statements may come before the first block. They are kept.
            if let Some(function) = self.module.functions.last_mut() {
                function.body = line.span.end..line.span.end;
                function.is_rigid |= !matches!(line.code, code::LINE | 317);
            }
            return;
        }
        let block = self.module.blocks.len() as u32 - 1;
        let result = line
            .result
            .is_some()
            .then(|| self.value(line, Definition::Instruction(index)));
        let op = kind::op(line.code, result.is_some(), is_debug);
        if let Some(last) = self.module.instructions.last()
            && last.block == block
            && last.op.is_terminator()
            && let Some(function) = self.module.functions.last_mut()
        {
            function.is_rigid = true;
        }
        self.module.instructions.push(Instruction {
            span: line.span.clone(),
            core: line.core.clone(),
            op,
            result,
            uses: 0..0,
            words: 0..0,
            block,
        });
        self.facts.codes.push(line.code);
        if let Some(block) = self.module.blocks.last_mut() {
            block.instructions.end = index + 1;
        }
    }

    fn end_function(&mut self, line: &Line, is_ended: bool) {
        if let (Some(function), false) = (self.module.functions.last_mut(), is_ended) {
            function.is_rigid = true;
        }
        let body_end = if is_ended {
            line.span.start
        } else {
            line.span.end
        };
        self.end_function_at(body_end, line.span.end);
    }

    fn end_function_at(&mut self, body_end: u32, end: u32) {
        let module = &mut self.module;
        let blocks = module.blocks.len() as u32;
        let (Some(function), Some(item)) = (module.functions.last_mut(), module.items.last_mut())
        else {
            return;
        };
        item.span.end = end;
        item.core.end = end;
        function.blocks.end = blocks;
        function.body.end = body_end.max(function.body.start);
        let first = function.blocks.start as usize;
        for block in &module.blocks[first..] {
            let range = block.instructions.start as usize..block.instructions.end as usize;
            let last = module.instructions[range].last();
            function.is_rigid |= last.is_none_or(|last| !last.op.is_terminator());
        }
        if function.blocks.is_empty() {
            function.is_rigid = true;
        }
    }

    /// Adds the uses of all operands, in the order of the text.
    fn uses(&mut self) {
        let lines = self.lines;
        let (mut item, mut instruction) = (0, 0);
        for line in &lines.lines {
            let start = self.module.uses.len() as u32;
            for operand in lines.of(line).iter().filter(|operand| operand.is_id) {
                let symbol = self.symbol(&operand.span);
                let value = self.facts.values.get(symbol as usize).copied().flatten();
                self.module.uses.push(Use {
                    span: operand.span.clone(),
                    target: value.map_or(Target::Symbol(symbol), Target::Value),
                });
            }
            let uses = start..self.module.uses.len() as u32;
            let items = &mut self.module.items;
            while items
                .get(item)
                .is_some_and(|item| item.span.end <= line.span.start)
            {
                item += 1;
            }
            if let Some(item) = items.get_mut(item) {
                match item.uses.is_empty() {
                    true => item.uses = uses.clone(),
                    false => item.uses.end = uses.end,
                }
            }
            let instructions = &mut self.module.instructions;
            if let Some(of) = instructions.get_mut(instruction)
                && of.core == line.core
            {
                of.uses = uses;
                instruction += 1;
            }
        }
    }
}
