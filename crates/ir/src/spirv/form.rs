use super::code;
use super::opcode::name_of;

/// The form in which a module is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// The module is written as assembly.
    Text,
    /// The module is written as words, with the low byte first.
    Little,
    /// The module is written as words, with the high byte first.
    Big,
}

/// The number that a binary module begins with.
const MAGIC: u32 = 0x0723_0203;

impl Form {
    /// Returns the form of a binary module.
    pub(super) fn of_binary(text: &[u8]) -> Option<Self> {
        let first: [u8; 4] = text.get(..4)?.try_into().ok()?;
        match (u32::from_le_bytes(first), u32::from_be_bytes(first)) {
            (MAGIC, _) => Some(Form::Little),
            (_, MAGIC) => Some(Form::Big),
            _ => None,
        }
    }

    /// Returns the word that the given bytes encode.
    pub(super) fn word(self, bytes: &[u8]) -> u32 {
        let bytes = bytes.try_into().unwrap_or([0; 4]);
        match self {
            Form::Big => u32::from_be_bytes(bytes),
            _ => u32::from_le_bytes(bytes),
        }
    }

    /// Returns the bytes of a word.
    pub(super) fn bytes(self, word: u32) -> [u8; 4] {
        match self {
            Form::Big => word.to_be_bytes(),
            _ => word.to_le_bytes(),
        }
    }

    /// Writes an instruction. The operands are in the form of the module.
    pub(super) fn instruction(self, code: u16, result: &[u8], operands: &[&[u8]]) -> Vec<u8> {
        let mut text = vec![];
        if self == Form::Text {
            if !result.is_empty() {
                text.extend_from_slice(result);
                text.extend_from_slice(b" = ");
            }
            text.extend_from_slice(b"Op");
            text.extend_from_slice(name_of(code).as_bytes());
            for operand in operands {
                text.push(b' ');
                text.extend_from_slice(operand);
            }
            return text;
        }
        text.extend_from_slice(&self.bytes(u32::from(code)));
        // The result comes after its type.
        let (ty, rest) = operands.split_at(usize::from(!result.is_empty()).min(operands.len()));
        for part in ty.iter().chain(std::iter::once(&result)).chain(rest) {
            text.extend_from_slice(part);
        }
        self.count(&mut text);
        text
    }

    /// Writes the number of words of an instruction into it.
    pub(super) fn count(self, instruction: &mut [u8]) {
        if self == Form::Text {
            return;
        }
        let len = (instruction.len() / 4).min(0xffff) as u32;
        if let Some(first) = instruction.get_mut(..4) {
            let code = self.word(first) & 0xffff;
            first.copy_from_slice(&self.bytes(len << 16 | code));
        }
    }

    /// Returns whether every module needs an instruction with the given last operand. These are the
    /// capability that all others need, and the origin of the coordinates of a fragment.
    pub(super) fn is_needed(self, code: u16, last: &[u8]) -> bool {
        const NEEDED: [(u16, u32, &[u8]); 4] = [
            (code::CAPABILITY, 1, b"Shader"),
            (code::CAPABILITY, 6, b"Kernel"),
            (code::EXECUTION_MODE, 7, b"OriginUpperLeft"),
            (code::EXECUTION_MODE, 8, b"OriginLowerLeft"),
        ];
        NEEDED.iter().any(|(of, word, name)| {
            let is_same = match self {
                Form::Text => last == *name,
                _ => self.word(last) == *word,
            };
            *of == code && is_same
        })
    }

    /// Returns the text between two instructions.
    pub(super) fn separator(self) -> &'static [u8] {
        match self {
            Form::Text => b"\n",
            _ => b"",
        }
    }

    /// Returns a literal with no bits set.
    pub(super) fn none(self) -> &'static [u8] {
        match self {
            Form::Text => b"None",
            _ => &[0; 4],
        }
    }
}
