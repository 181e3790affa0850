use super::bytes::Bytes;

/// The types that the code of a module refers to.
#[derive(Debug, Default)]
pub(super) struct Types {
    /// The parameters and results of types of functions.
    pub(super) types: Vec<(Vec<u8>, Vec<u8>)>,
    /// The types of functions, by their index.
    pub(super) functions: Vec<usize>,
    /// The types of globals.
    pub(super) globals: Vec<u8>,
    /// The number of functions without a body in the module.
    pub(super) imported: usize,
}

impl Types {
    pub(super) fn read_types(&mut self, section: &mut Bytes<'_>) -> Option<()> {
        for _ in 0..section.number()? {
            if section.byte()? != 0x60 {
                return None;
            }
            let mut list = || {
                let mut all = vec![];
                for _ in 0..section.number()? {
                    all.push(section.byte()?);
                }
                Some(all)
            };
            let (parameters, results) = (list()?, list()?);
            self.types.push((parameters, results));
        }
        Some(())
    }

    pub(super) fn read_imports(&mut self, section: &mut Bytes<'_>) -> Option<()> {
        for _ in 0..section.number()? {
            section.part()?;
            section.part()?;
            match section.byte()? {
                0 => {
                    self.functions.push(section.number()? as usize);
                    self.imported += 1;
                }
                1 => {
                    section.skip(1)?;
                    limits(section)?;
                }
                2 => limits(section)?,
                3 => {
                    self.globals.push(section.byte()?);
                    section.skip(1)?;
                }
                4 => {
                    section.skip(1)?;
                    section.number()?;
                }
                _ => return None,
            }
        }
        Some(())
    }

    pub(super) fn read_globals(&mut self, section: &mut Bytes<'_>) -> Option<()> {
        for _ in 0..section.number()? {
            self.globals.push(section.byte()?);
            section.skip(1)?;
            loop {
                match section.byte()? {
                    0x0b => break,
                    0x23 | 0x41 | 0x42 | 0xd2 => section.skip_number()?,
                    0x43 => section.skip(4)?,
                    0x44 => section.skip(8)?,
                    0xd0 => section.skip(1)?,
                    0x6a..=0x6c | 0x7c..=0x7e => {}
                    _ => return None,
                }
            }
        }
        Some(())
    }
}

fn limits(section: &mut Bytes<'_>) -> Option<()> {
    let flags = section.byte()?;
    section.skip_number()?;
    if flags & 1 != 0 {
        section.skip_number()?;
    }
    Some(())
}
