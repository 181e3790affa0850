//! The registers of a stopped process, by their numbers in unwind tables.

/// The number of registers that unwind tables name.
const COUNT: usize = 33;

#[cfg(target_arch = "x86_64")]
mod machine {
    /// The index of each register in the system's answer, by the number of the register in unwind
    /// tables.
    pub(super) const PLACES: &[usize] = &[10, 12, 11, 5, 13, 14, 4, 19, 9, 8, 7, 6, 3, 2, 1, 0, 16];
    pub(super) const PC: usize = 16;
    pub(super) const WORDS: usize = 27;
    pub(super) const STACK: u16 = 7;
    pub(super) const FRAME: u16 = 6;
    /// The return address is stored on the stack.
    pub(super) const LINK: Option<u16> = None;
}

#[cfg(target_arch = "aarch64")]
mod machine {
    /// The index of each register in the system's answer, by the number of the register in unwind
    /// tables.
    pub(super) const PLACES: &[usize] = &[
        0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24,
        25, 26, 27, 28, 29, 30, 31,
    ];
    pub(super) const PC: usize = 32;
    pub(super) const WORDS: usize = 34;
    pub(super) const STACK: u16 = 31;
    pub(super) const FRAME: u16 = 29;
    pub(super) const LINK: Option<u16> = Some(30);
}

/// The number of the stack pointer.
pub(super) const STACK: u16 = machine::STACK;
/// The number of the frame pointer.
pub(super) const FRAME: u16 = machine::FRAME;
/// The number of the register with the return address of the innermost function, if there is one.
pub(super) const LINK: Option<u16> = machine::LINK;
/// The number of words in which the system returns the registers.
pub(super) const WORDS: usize = machine::WORDS;

/// The registers of one function on the stack, as far as they are known.
#[derive(Clone, Debug)]
pub(super) struct Registers {
    /// The next instruction.
    pub(super) pc: u64,
    values: [Option<u64>; COUNT],
}

impl Registers {
    /// Takes the registers from the words of the system.
    pub(super) fn of(words: &[u64; WORDS]) -> Self {
        let mut values = [None; COUNT];
        for (value, &place) in values.iter_mut().zip(machine::PLACES) {
            *value = Some(words[place]);
        }
        Registers {
            pc: words[machine::PC],
            values,
        }
    }

    pub(super) fn get(&self, register: u16) -> Option<u64> {
        self.values.get(usize::from(register)).copied().flatten()
    }

    pub(super) fn set(&mut self, register: u16, value: Option<u64>) {
        if let Some(place) = self.values.get_mut(usize::from(register)) {
            *place = value;
        }
    }
}

/// Removes the signature that some processors of `AArch64` put into the upper bits of an address.
pub(super) fn without_signature(address: u64) -> u64 {
    match cfg!(target_arch = "aarch64") {
        true => address & 0xffff_ffff_ffff,
        false => address,
    }
}
