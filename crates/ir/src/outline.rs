use crate::module::{Function, Instruction, Module, Target};
use std::fmt;

/// A listing of a module for people: functions, blocks, and instructions with their uses.
///
/// ```
/// use nubbin_ir::{Outline, read};
///
/// let text = "define i32 @f(i32 %0) {\n  %2 = add i32 %0, 1\n  ret i32 %2\n}\n";
/// let module = read(text.as_bytes()).unwrap();
/// let wanted = "\
/// 1 function, 1 block, 2 instructions
/// define i32 @f(i32 %0) {
///   0: %2 = add i32 %0, 1  (used by 1)
///   1: ret i32 %2
/// ";
/// assert_eq!(Outline::new(&module).to_string(), wanted);
/// ```
#[derive(Debug)]
pub struct Outline<'a> {
    module: &'a Module,
    /// The instructions that use each value.
    users: Vec<Vec<u32>>,
}

/// The maximum number of characters of a line of the text.
const MAX_LINE: usize = 100;

impl<'a> Outline<'a> {
    /// Creates a listing of a module.
    pub fn new(module: &'a Module) -> Self {
        let mut users = vec![vec![]; module.values.len()];
        for (at, instruction) in (0..).zip(&module.instructions) {
            for nth in instruction.uses.clone() {
                let target = module.uses.get(nth as usize).map(|used| used.target);
                let Some(Target::Value(value)) = target else {
                    continue;
                };
                if let Some(users) = users.get_mut(value as usize)
                    && users.last() != Some(&at)
                {
                    users.push(at);
                }
            }
        }
        Outline { module, users }
    }

    /// Returns the first line of some text, if it is for people.
    fn line(text: &[u8]) -> Option<String> {
        let line = text
            .split(|&byte| byte == b'\n')
            .find(|line| !line.trim_ascii().is_empty())?;
        let line = std::str::from_utf8(line).ok()?.trim();
        let is_text = !line.chars().any(char::is_control);
        is_text.then(|| match line.char_indices().nth(MAX_LINE) {
            Some((end, _)) => format!("{} …", &line[..end]),
            None => line.into(),
        })
    }

    fn instruction(&self, at: u32, of: &Instruction, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = Outline::line(self.module.bytes(&of.core));
        write!(out, "{at}: ")?;
        match text {
            Some(text) => write!(out, "{text}")?,
            None => write!(out, "{:?}, {} bytes", of.op, of.core.len())?,
        }
        let users = of.result.and_then(|value| self.users.get(value as usize));
        if let Some(users) = users.filter(|users| !users.is_empty()) {
            let users: Vec<String> = users.iter().map(u32::to_string).collect();
            write!(out, "  (used by {})", users.join(", "))?;
        }
        writeln!(out)
    }

    fn function(&self, function: &Function, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let module = self.module;
        let item = &module.items[function.item as usize];
        match Outline::line(module.bytes(&item.core)) {
            Some(head) => writeln!(out, "{head}")?,
            None => writeln!(out, "function at byte {}", item.core.start)?,
        }
        let all = module
            .blocks
            .get(function.blocks.start as usize..function.blocks.end as usize);
        let blocks = all.unwrap_or_default();
        let first = blocks.first().map_or(0, |block| block.instructions.start);
        let end = blocks
            .iter()
            .fold(first, |end, block| end.max(block.instructions.end));
        let mut blocks = blocks.iter().peekable();
        for (at, of) in (first..end).zip(
            module
                .instructions
                .get(first as usize..)
                .unwrap_or_default(),
        ) {
            // Blocks nested in an instruction come after it.
            while let Some(block) = blocks.next_if(|block| block.instructions.start <= at) {
                if let Some(label) = Outline::line(module.bytes(&block.label)) {
                    writeln!(out, " {label}")?;
                }
            }
            write!(out, "  ")?;
            self.instruction(at, of, out)?;
        }
        Ok(())
    }
}

impl fmt::Display for Outline<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let module = self.module;
        let count = |count: usize, of: &str| match count {
            1 => format!("1 {of}"),
            _ => format!("{count} {of}s"),
        };
        writeln!(
            out,
            "{}, {}, {}",
            count(module.functions.len(), "function"),
            count(module.blocks.len(), "block"),
            count(module.instructions.len(), "instruction"),
        )?;
        module
            .functions
            .iter()
            .try_for_each(|function| self.function(function, out))
    }
}
