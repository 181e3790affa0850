use super::bytes::Bytes;
use super::changes::WasmCode;
use super::code::Body;
use super::operator::zero;
use super::types::Types;

/// Returns the changes of the code of a WebAssembly module. Returns `None` if the text is not a
/// module or is damaged.
///
/// Cost: linear in the module, and in the depth of each expression.
pub fn wasm_code(text: &[u8]) -> Option<WasmCode> {
    if !text.starts_with(b"\0asm\x01\0\0\0") || u32::try_from(text.len()).is_err() {
        return None;
    }
    let mut bytes = Bytes::new(text);
    bytes.skip(8)?;
    let (mut types, mut code) = (Types::default(), WasmCode::default());
    code.instructions = Some(0);
    while !bytes.is_at_end() {
        let id = bytes.byte()?;
        let mut section = bytes.part()?;
        match id {
            1 => types.read_types(&mut section)?,
            2 => types.read_imports(&mut section)?,
            3 => {
                for _ in 0..section.number()? {
                    types.functions.push(section.number()? as usize);
                }
            }
            6 => types.read_globals(&mut section)?,
            10 => {
                for nth in 0..section.number()? as usize {
                    let body = section.part()?;
                    let function = types.functions.get(types.imported + nth).copied();
                    let ty = function.and_then(|ty| types.types.get(ty));
                    let span = body.at as u32..body.end as u32;
                    code.functions += 1;
                    let least = least(ty.map(|(_, results)| &results[..]), span.len());
                    code.bodies.extend(least.map(|least| (span, least)));
                    let found = ty.and_then(|ty| Body::read(body, &types, ty));
                    let count = found.as_ref().and_then(|found| found.instructions);
                    code.instructions = code.instructions.zip(count).map(|(sum, of)| sum + of);
                    if let Some(found) = found {
                        code.statements.extend(found.statements);
                        code.constants.extend(found.constants);
                        code.children.extend(found.children);
                        code.locals.extend(found.locals);
                    }
                }
            }
            _ => {}
        }
    }
    Some(code)
}

/// Returns a body without locals for a function with the given results, if it is shorter than
/// `len`. It returns zeros, so that code after a call is not dead, or traps if a result is not a
/// number.
fn least(results: Option<&[u8]>, len: usize) -> Option<Vec<u8>> {
    const UNREACHABLE: &[u8] = &[0x00];
    // Each zero has at least two bytes, and a module may have many functions with many results.
    if results.is_some_and(|all| 2 * all.len() >= len) {
        return None;
    }
    let zeros: Option<Vec<&[u8]>> =
        results.and_then(|all| all.iter().map(|&ty| zero(ty)).collect());
    let code = zeros.map_or_else(|| UNREACHABLE.to_vec(), |zeros| zeros.concat());
    Some([&[0x00], &code[..], &[0x0b]].concat()).filter(|body| body.len() < len)
}
