/// The types of numbers, by their bytes in a module.
pub(super) const I32: u8 = 0x7f;
pub(super) const I64: u8 = 0x7e;
pub(super) const F32: u8 = 0x7d;
pub(super) const F64: u8 = 0x7c;

/// Returns the types of the operands and of the result of an operator. Returns `None` for operators
/// with immediates other than memory immediates.
///
/// Source: WebAssembly Core Specification 2.0, W3C 2022, section "Index of Instructions".
pub(super) fn types(code: u8) -> Option<(&'static [u8], Option<u8>)> {
    Some(match code {
        0x45 | 0x67..=0x69 | 0xc0 | 0xc1 => (&[I32], Some(I32)),
        0x46..=0x4f | 0x6a..=0x78 => (&[I32, I32], Some(I32)),
        0x50 | 0xa7 => (&[I64], Some(I32)),
        0x51..=0x5a => (&[I64, I64], Some(I32)),
        0x5b..=0x60 => (&[F32, F32], Some(I32)),
        0x61..=0x66 => (&[F64, F64], Some(I32)),
        0x79..=0x7b | 0xc2..=0xc4 => (&[I64], Some(I64)),
        0x7c..=0x8a => (&[I64, I64], Some(I64)),
        0x8b..=0x91 => (&[F32], Some(F32)),
        0x92..=0x98 => (&[F32, F32], Some(F32)),
        0x99..=0x9f => (&[F64], Some(F64)),
        0xa0..=0xa6 => (&[F64, F64], Some(F64)),
        0xa8 | 0xa9 | 0xbc => (&[F32], Some(I32)),
        0xaa | 0xab => (&[F64], Some(I32)),
        0xac | 0xad => (&[I32], Some(I64)),
        0xae | 0xaf => (&[F32], Some(I64)),
        0xb0 | 0xb1 | 0xbd => (&[F64], Some(I64)),
        0xb2 | 0xb3 | 0xbe => (&[I32], Some(F32)),
        0xb4 | 0xb5 => (&[I64], Some(F32)),
        0xb6 => (&[F64], Some(F32)),
        0xb7 | 0xb8 => (&[I32], Some(F64)),
        0xb9 | 0xba | 0xbf => (&[I64], Some(F64)),
        0xbb => (&[F32], Some(F64)),
        // Loads and stores.
        0x28 | 0x2c..=0x2f => (&[I32], Some(I32)),
        0x29 | 0x30..=0x35 => (&[I32], Some(I64)),
        0x2a => (&[I32], Some(F32)),
        0x2b => (&[I32], Some(F64)),
        0x36 | 0x3a | 0x3b => (&[I32, I32], None),
        0x37 | 0x3c..=0x3e => (&[I32, I64], None),
        0x38 => (&[I32, F32], None),
        0x39 => (&[I32, F64], None),
        _ => return None,
    })
}

/// Returns the types of an operator with a prefix, and the number of immediates that follow it.
pub(super) fn prefixed(code: u32) -> Option<(&'static [u8], Option<u8>, usize)> {
    Some(match code {
        0 | 1 => (&[F32], Some(I32), 0),
        2 | 3 => (&[F64], Some(I32), 0),
        4 | 5 => (&[F32], Some(I64), 0),
        6 | 7 => (&[F64], Some(I64), 0),
        8 | 10 => (&[I32, I32, I32], None, 2),
        9 => (&[], None, 1),
        11 => (&[I32, I32, I32], None, 1),
        _ => return None,
    })
}

/// Returns the zero of a type as an instruction.
pub(super) fn zero(ty: u8) -> Option<&'static [u8]> {
    Some(match ty {
        I32 => &[0x41, 0],
        I64 => &[0x42, 0],
        F32 => &[0x43, 0, 0, 0, 0],
        F64 => &[0x44, 0, 0, 0, 0, 0, 0, 0, 0],
        _ => return None,
    })
}
