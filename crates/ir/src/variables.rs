use crate::llvm::token::{Token, Tokens};
use crate::llvm::{parts, starts_type, ty::ty};
use crate::module::{Module, Op, Span, Target};
use rustc_hash::FxHashMap;

/// A local variable whose address is only used by loads and stores of one type.
#[derive(Clone, Debug)]
pub(crate) struct Variable {
    /// The type of the variable's values.
    pub(crate) ty: Span,
    /// The loads and stores, in the order of the text.
    pub(crate) accesses: Vec<Access>,
    /// The statements about the lifetime of the variable.
    pub(crate) statements: Vec<u32>,
}

/// A load or a store of a variable.
#[derive(Clone, Debug)]
pub(crate) struct Access {
    /// The instruction.
    pub(crate) at: u32,
    /// The text of the stored value; `None` for a load.
    pub(crate) stored: Option<Span>,
}

/// A use of a variable.
enum Usage {
    Access(Access, Span),
    Statement,
    Debug,
}

impl Module {
    /// Returns the instructions of a function that create local variables whose values need no
    /// memory: their addresses are only used by loads and stores of one type.
    ///
    /// The result is empty for modules that are not LLVM IR.
    ///
    /// Cost: linear in the function.
    ///
    /// ```
    /// let text = "define i32 @f() {\n  %1 = alloca i32\n  %2 = alloca i32\n  store i32 1, ptr %1\n  call void @g(ptr %2)\n  ret i32 0\n}\n";
    /// let module = nubbin_ir::read(text.as_bytes()).unwrap();
    /// assert_eq!(module.variables(0), [0]);
    /// ```
    pub fn variables(&self, function: u32) -> Vec<u32> {
        let found = self.variables_of(function).into_iter();
        found.map(|(at, _)| at).collect()
    }

    /// Returns the same variables, with their accesses.
    pub(crate) fn variables_of(&self, function: u32) -> Vec<(u32, Variable)> {
        let of = match self.functions.get(function as usize) {
            Some(of) if self.spirv.is_none() && self.mlir.is_none() && !of.is_rigid => of,
            _ => return vec![],
        };
        // The values that are addresses of variables. The entry is `None` after a use that lets the
        // address escape.
        let mut states: FxHashMap<u32, Option<Variable>> = FxHashMap::default();
        let mut makers: Vec<(u32, u32)> = vec![];
        let blocks = of.blocks.clone();
        let instructions = || {
            blocks
                .clone()
                .flat_map(|block| self.blocks[block as usize].instructions.clone())
        };
        for at in instructions() {
            if let Some(result) = self.instructions[at as usize].result
                && self.is_variable(at)
            {
                makers.push((at, result));
                let variable = Variable {
                    ty: 0..0,
                    accesses: vec![],
                    statements: vec![],
                };
                states.insert(result, Some(variable));
            }
        }
        for at in instructions().filter(|_| !makers.is_empty()) {
            for nth in self.instructions[at as usize].uses.clone() {
                let Target::Value(value) = self.uses[nth as usize].target else {
                    continue;
                };
                let Some(state) = states.get_mut(&value) else {
                    continue;
                };
                let is_fit = match (self.usage(at, nth), state.as_mut()) {
                    (_, None) | (None, _) => false,
                    (Some(Usage::Debug), _) => true,
                    (Some(Usage::Statement), Some(variable)) => {
                        variable.statements.push(at);
                        true
                    }
                    (Some(Usage::Access(access, ty)), Some(variable)) => {
                        if variable.accesses.is_empty() {
                            variable.ty = ty.clone();
                        }
                        variable.accesses.push(access);
                        self.bytes(&variable.ty) == self.bytes(&ty)
                    }
                };
                if !is_fit {
                    *state = None;
                }
            }
        }
        let variable = |(at, result)| Some((at, states.remove(&result)??));
        makers.into_iter().filter_map(variable).collect()
    }

    /// Returns whether an instruction creates a local variable.
    fn is_variable(&self, at: u32) -> bool {
        let instruction = &self.instructions[at as usize];
        let text = self.bytes(&instruction.core);
        let word: &[u8] = b"alloca";
        if instruction.op != Op::Pure || !text.windows(word.len()).any(|found| found == word) {
            return false;
        }
        // A name may contain this word.
        let code = self.code(at);
        code.first()
            .is_some_and(|first| first.of(&self.text) == word)
    }

    /// Returns the tokens of an instruction without the tokens of its result.
    fn code(&self, at: u32) -> Vec<Token> {
        let core = &self.instructions[at as usize].core;
        let tokens = Tokens::from(&self.text[..core.end as usize], core.start as usize);
        let mut tokens: Vec<Token> = tokens.collect();
        if tokens.get(1).is_some_and(|token| token.is(b'=')) {
            tokens.drain(..2);
        }
        tokens
    }

    /// Returns the way in which an instruction uses the address of a variable, if that keeps the
    /// address to itself.
    fn usage(&self, at: u32, nth: u32) -> Option<Usage> {
        let instruction = &self.instructions[at as usize];
        let place = &self.uses[nth as usize].span;
        match instruction.op {
            Op::Debug => return Some(Usage::Debug),
            Op::Pure | Op::Effect | Op::Store => {}
            Op::Call => {
                let text = self.bytes(&instruction.core);
                let name: &[u8] = b"@llvm.lifetime.";
                let is_lifetime = text.windows(name.len()).any(|word| word == name);
                return is_lifetime.then_some(Usage::Statement);
            }
            _ => return None,
        }
        let code = self.code(at);
        let first = code.first()?.of(&self.text);
        let start = (1..code.len()).find(|&at| starts_type(&self.text, &code, at))?;
        let end = ty(&self.text, &code, start)?.end;
        let of_type = code[start].start..code[end - 1].end;
        let value_end = match first {
            b"load" => end,
            b"store" => end + parts(code.get(end..)?).first()?.end,
            _ => return None,
        };
        // The address comes after the value, as in `, ptr %place`.
        let of_place = ty(&self.text, &code, value_end + 1)?.end;
        if !code.get(value_end)?.is(b',') || code.get(of_place)?.span() != *place {
            return None;
        }
        let stored = match first {
            b"load" => None,
            _ => Some(code.get(end)?.start..code.get(value_end.checked_sub(1)?)?.end),
        };
        Some(Usage::Access(Access { at, stored }, of_type))
    }
}
