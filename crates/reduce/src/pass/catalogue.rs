#[cfg(feature = "binary")]
use super::{
    CheckedChunks, NestedRegions, Regions, WasmBodies, WasmCode, WasmData, WasmExports, WasmLocals,
};
#[cfg(feature = "trees")]
use super::{FoldedTerms, ScriptCommands, ShortNames, SortedBindings, SortedNames, SortedTerms};
use nubbin_engine::work::Pass;
#[cfg(feature = "ir")]
use nubbin_modules::*;
#[cfg(feature = "counts")]
use nubbin_tallies::*;
use nubbin_text::*;
use std::sync::{Arc, LazyLock};

/// All passes, coarsest first.
#[expect(clippy::too_many_lines, reason = "a table")]
pub fn catalogue() -> &'static [Arc<dyn Pass>] {
    static ALL: LazyLock<Vec<Arc<dyn Pass>>> = LazyLock::new(|| {
        vec![
            Arc::new(Trivial),
            Arc::new(Files),
            Arc::new(EmptyFiles),
            Arc::new(FileNames),
            Arc::new(Ends),
            Arc::new(Comments),
            #[cfg(feature = "counts")]
            Arc::new(Counts),
            #[cfg(feature = "counts")]
            Arc::new(CountedTables),
            #[cfg(feature = "counts")]
            Arc::new(CnfUnits),
            #[cfg(feature = "counts")]
            Arc::new(CnfHalves),
            #[cfg(feature = "counts")]
            Arc::new(CnfVariables),
            #[cfg(feature = "counts")]
            Arc::new(CnfClauses),
            #[cfg(feature = "counts")]
            Arc::new(CnfLiterals),
            #[cfg(feature = "counts")]
            Arc::new(AigGates),
            #[cfg(feature = "counts")]
            Arc::new(AigInputs),
            #[cfg(feature = "counts")]
            Arc::new(CircuitCuts),
            #[cfg(feature = "counts")]
            Arc::new(AigOutputs),
            #[cfg(feature = "counts")]
            Arc::new(BtorNodes),
            #[cfg(feature = "ir")]
            Arc::new(IrHeaders),
            #[cfg(feature = "ir")]
            Arc::new(IrBodies),
            #[cfg(feature = "ir")]
            Arc::new(IrAnnotations),
            #[cfg(feature = "ir")]
            Arc::new(IrBlocks),
            #[cfg(feature = "ir")]
            Arc::new(IrEdges),
            #[cfg(feature = "ir")]
            Arc::new(IrJoints),
            #[cfg(feature = "ir")]
            Arc::new(IrVariables),
            #[cfg(feature = "ir")]
            Arc::new(IrInstructions),
            #[cfg(feature = "ir")]
            Arc::new(IrKinds),
            #[cfg(feature = "ir")]
            Arc::new(IrOperands),
            #[cfg(feature = "ir")]
            Arc::new(IrParameters),
            #[cfg(feature = "ir")]
            Arc::new(IrReturns),
            #[cfg(feature = "ir")]
            Arc::new(IrSelections),
            #[cfg(feature = "ir")]
            Arc::new(IrLoops),
            #[cfg(feature = "ir")]
            Arc::new(IrItems),
            #[cfg(feature = "ir")]
            Arc::new(IrWords),
            Arc::new(Includes),
            Arc::new(InlineFiles),
            Arc::new(DepthPieces::new(0)),
            Arc::new(DepthPieces::new(1)),
            Arc::new(DepthPieces::new(2)),
            Arc::new(BlankLines),
            Arc::new(Lines),
            Arc::new(IndentedBlocks),
            Arc::new(LinePairs),
            Arc::new(SharedWords),
            Arc::new(Copies),
            Arc::new(Groups),
            Arc::new(Elements),
            Arc::new(DeepNesting),
            Arc::new(Hollow),
            Arc::new(Bodies),
            Arc::new(Columns),
            Arc::new(Statements),
            Arc::new(Lift),
            Arc::new(Unwrap),
            #[cfg(feature = "trees")]
            Arc::new(SortedBindings),
            #[cfg(feature = "trees")]
            Arc::new(FoldedTerms),
            #[cfg(feature = "trees")]
            Arc::new(ScriptCommands),
            #[cfg(feature = "trees")]
            Arc::new(ShortNames),
            #[cfg(feature = "trees")]
            Arc::new(SortedTerms),
            #[cfg(feature = "trees")]
            Arc::new(SortedNames),
            Arc::new(Debracket),
            Arc::new(Tokens),
            Arc::new(Operators),
            Arc::new(Strings),
            Arc::new(QuotedCode),
            Arc::new(Integers),
            Arc::new(IntegerValues::default()),
            Arc::new(NumberForms),
            Arc::new(Floats),
            Arc::new(Peephole),
            Arc::new(JoinDeclarations),
            Arc::new(MergeNames::default()),
            Arc::new(Names),
            Arc::new(Windows::tokens()),
            Arc::new(CommandWords),
            Arc::new(CommandValues),
            Arc::new(CommandLevels),
            Arc::new(Windows::words()),
            #[cfg(feature = "binary")]
            Arc::new(WasmData),
            #[cfg(feature = "binary")]
            Arc::new(WasmBodies),
            #[cfg(feature = "binary")]
            Arc::new(WasmExports),
            #[cfg(feature = "binary")]
            Arc::new(WasmLocals),
            #[cfg(feature = "binary")]
            Arc::new(WasmCode),
            #[cfg(feature = "binary")]
            Arc::new(Regions),
            #[cfg(feature = "binary")]
            Arc::new(NestedRegions),
            #[cfg(feature = "binary")]
            Arc::new(CheckedChunks),
            Arc::new(LengthFields::default()),
            Arc::new(Bytes),
            Arc::new(TokenInteriors),
            Arc::new(Chars),
            Arc::new(ShortCuts::default()),
            Arc::new(ZeroFill::default()),
            Arc::new(LowerBytes::default()),
            Arc::new(Whitespace),
            Arc::new(JoinLines),
        ]
    });
    &ALL
}

/// Returns a pass by its name, or `None` if there is no such pass.
pub fn by_id(id: &str) -> Option<Arc<dyn Pass>> {
    catalogue().iter().find(|pass| pass.id() == id).cloned()
}
