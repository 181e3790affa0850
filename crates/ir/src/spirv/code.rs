//! The numbers of the instructions on which changes depend.

pub(crate) const UNDEF: u16 = 1;
pub(crate) const NAME: u16 = 5;
pub(crate) const MEMBER_NAME: u16 = 6;
pub(crate) const LINE: u16 = 8;
pub(crate) const EXT_INST: u16 = 12;
pub(crate) const ENTRY_POINT: u16 = 15;
pub(crate) const EXECUTION_MODE: u16 = 16;
pub(crate) const EXECUTION_MODE_ID: u16 = 331;
pub(crate) const CAPABILITY: u16 = 17;
pub(crate) const TYPE_VOID: u16 = 19;
pub(crate) const TYPE_BOOL: u16 = 20;
pub(crate) const TYPE_INT: u16 = 21;
pub(crate) const TYPE_FLOAT: u16 = 22;
pub(crate) const TYPE_VECTOR: u16 = 23;
pub(crate) const TYPE_MATRIX: u16 = 24;
pub(crate) const TYPE_ARRAY: u16 = 28;
pub(crate) const TYPE_STRUCT: u16 = 30;
pub(crate) const FUNCTION: u16 = 54;
pub(crate) const FUNCTION_PARAMETER: u16 = 55;
pub(crate) const FUNCTION_END: u16 = 56;
pub(crate) const DECORATE: u16 = 71;
pub(crate) const MEMBER_DECORATE: u16 = 72;
pub(crate) const DECORATE_ID: u16 = 332;
pub(crate) const DECORATE_STRING: u16 = 5632;
pub(crate) const MEMBER_DECORATE_STRING: u16 = 5633;
pub(crate) const LOOP_MERGE: u16 = 246;
pub(crate) const SELECTION_MERGE: u16 = 247;
pub(crate) const LABEL: u16 = 248;
pub(crate) const BRANCH: u16 = 249;
pub(crate) const SWITCH: u16 = 251;
pub(crate) const PHI: u16 = 245;
pub(crate) const RETURN: u16 = 253;
pub(crate) const RETURN_VALUE: u16 = 254;
pub(crate) const UNREACHABLE: u16 = 255;
pub(crate) const NO_LINE: u16 = 317;

/// Returns whether an instruction is a statement about its first operand. Such a statement is
/// removed with its operand, and is not a reason to keep the operand.
pub(super) fn is_statement(code: u16) -> bool {
    matches!(
        code,
        NAME | MEMBER_NAME
            | DECORATE
            | MEMBER_DECORATE
            | DECORATE_ID
            | DECORATE_STRING
            | MEMBER_DECORATE_STRING
            | EXECUTION_MODE
            | EXECUTION_MODE_ID
    )
}
