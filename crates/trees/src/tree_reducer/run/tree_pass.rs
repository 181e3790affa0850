use super::PackedSyntaxes;
use super::structure::{on_regions, on_texts};
use super::tree_view::tree_of;
use crate::tree::{Outline, Preparation};
use crate::tree_reducer::{Program, TreeReducer};
use nubbin_edit::File;
use nubbin_engine::work::{Context, Pass, PassInfo, Work};
use nubbin_grammar::syntax::Syntax;
use std::sync::Arc;

/// A [tree reducer](TreeReducer) as a pass, over the trees that a grammar or a language gives.
///
/// A file is parsed, and its tree [prepared](Preparation), when the pass is opened on it. A file
/// without a tree is left alone: the author of the plan has checked that the original has one, and
/// may have other passes for files without one. A binary file has the tree of its regions, if
/// [`TreePass::with_regions`] says so.
#[derive(Clone)]
pub struct TreePass {
    reducer: Arc<dyn TreeReducer>,
    source: Source,
    preparation: Preparation,
    regions: bool,
    packed: PackedSyntaxes,
}

/// The syntax of each file, by the number of the file.
pub type Syntaxes = Arc<[Option<Arc<dyn Syntax>>]>;

/// The source of the trees.
#[derive(Clone)]
pub(super) enum Source {
    /// One syntax for every file.
    Every(Arc<dyn Syntax>),
    /// The syntax of each file.
    Each(Syntaxes),
}

impl TreePass {
    /// Runs a tree reducer over trees of `syntax`, with [its
    /// preparation](TreeReducer::preparation).
    pub fn new(reducer: Arc<dyn TreeReducer>, syntax: Arc<dyn Syntax>) -> Self {
        TreePass::of(reducer, Source::Every(syntax))
    }

    /// Runs a tree reducer over trees of another syntax for each file, by its number. A file
    /// without a syntax is left alone.
    pub fn of_each(reducer: Arc<dyn TreeReducer>, syntaxes: Syntaxes) -> Self {
        TreePass::of(reducer, Source::Each(syntaxes))
    }

    pub(super) fn of(reducer: Arc<dyn TreeReducer>, source: Source) -> Self {
        TreePass {
            preparation: reducer.preparation(),
            reducer,
            source,
            regions: false,
            packed: PackedSyntaxes::default(),
        }
    }

    /// Runs over trees that are prepared like this.
    #[must_use]
    pub fn prepared(mut self, preparation: Preparation) -> Self {
        self.preparation = preparation;
        self
    }

    /// Also runs over the regions of each file that has no syntax and whose binary format is known.
    /// As with the pass `regions`, lengths, counts, offsets, and checksums follow.
    #[must_use]
    pub fn with_regions(mut self) -> Self {
        self.regions = true;
        self
    }

    /// Also runs over the texts that are packed in each file that has no syntax: the files of an
    /// archive, or a compressed file.
    #[must_use]
    pub fn with_packed(mut self, packed: PackedSyntaxes) -> Self {
        self.packed = packed;
        self
    }
}

impl TreePass {
    /// Returns the syntax of a file.
    fn syntax(&self, file: &File<'_>) -> Option<&Arc<dyn Syntax>> {
        match &self.source {
            Source::Every(syntax) => Some(syntax),
            Source::Each(syntaxes) => syntaxes.get(file.number)?.as_ref(),
        }
    }

    /// Returns the tree of a file, prepared.
    fn tree(&self, file: &File<'_>, context: &Context<'_>) -> Option<Arc<Outline>> {
        self.tree_by(self.syntax(file)?, file, context)
    }

    /// Returns the tree of a text, prepared.
    fn tree_by(
        &self,
        syntax: &Arc<dyn Syntax>,
        file: &File<'_>,
        context: &Context<'_>,
    ) -> Option<Arc<Outline>> {
        let (text, start) = (file.text, file.span.start);
        tree_of(context.views, text, start, syntax, self.preparation)
    }

    /// Returns the work on the texts that are packed in a file.
    fn open_packed(&self, file: &File<'_>, context: &Context<'_>) -> Option<Work> {
        if self.packed.is_empty() {
            return None;
        }
        on_texts(file, context, |text| {
            let outline = self.tree_by(self.packed.of(text)?, text, context)?;
            self.reducer.open(&outline, context.lists)
        })
    }

    /// Returns the work on the structure of a file that has no syntax: on its regions, or on the
    /// texts that are packed in it.
    fn open_structure(&self, file: &File<'_>, context: &Context<'_>) -> Option<Work> {
        if self.syntax(file).is_some() {
            return None;
        }
        if !self.regions {
            return self.open_packed(file, context);
        }
        on_regions(file, context, |outline| {
            let outline = Arc::new(self.preparation.apply(outline));
            self.reducer.open(&outline, context.lists)
        })
    }
}

impl Pass for TreePass {
    fn info(&self) -> PassInfo {
        self.reducer.info()
    }

    fn open(&self, file: &File<'_>, context: &Context<'_>) -> Option<Work> {
        match self.tree(file, context) {
            Some(tree) => self.reducer.open(&tree, context.lists),
            None => self.open_structure(file, context),
        }
    }

    fn open_all(&self, files: &[File<'_>], context: &Context<'_>) -> Option<Work> {
        let with_tree = |file: &File<'_>| Some((file.number, self.tree(file, context)?));
        let program = Program {
            input: context.input,
            trees: &files.iter().filter_map(with_tree).collect::<Vec<_>>(),
        };
        let of_structures = files
            .iter()
            .filter_map(|file| self.open_structure(file, context));
        let works = self.reducer.open_all(&program, context.lists);
        Work::joined(works.into_iter().chain(of_structures), context.lists)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree_reducer::{self, catalogue};
    use nubbin_edit::Input;
    use nubbin_engine::Reduction;
    use nubbin_engine::plan::Plan;
    use nubbin_verdict::Closure;

    fn chunk(tag: &[u8], data: &[u8]) -> Vec<u8> {
        [tag, &(data.len() as u32).to_le_bytes(), data].concat()
    }

    /// Lists of chunks in each other, of which one is needed.
    fn wave() -> Vec<u8> {
        let list = |inner: &[u8]| chunk(b"LIST", &[b"INFO", inner].concat());
        let texts: Vec<u8> = (0..12)
            .flat_map(|nth| chunk(b"ICMT", &[b'a' + nth, 0]))
            .collect();
        let inner = [list(&texts), chunk(b"data", b"\x01\x02\x03\x04"), list(b"")].concat();
        chunk(b"RIFF", &[b"WAVE", &inner[..]].concat())
    }

    fn reduced(reducer: &Arc<dyn TreeReducer>, text: &[u8]) -> Vec<u8> {
        let pass = TreePass::of_each(Arc::clone(reducer), [None].into()).with_regions();
        let fails = |text: &[u8]| {
            let len = |at: usize| {
                let bytes = text.get(at..at + 4)?;
                Some(u32::from_le_bytes(bytes.try_into().ok()?) as usize)
            };
            // Every candidate is well-formed, so no test is in vain.
            let is_right = text.is_empty() || len(4) == Some(text.len() - 8);
            assert!(is_right, "{}: {}", reducer.id(), text.escape_ascii());
            let needed = [b"ICMT\x02\0\0\0g", b"WAVE".as_slice()];
            needed
                .iter()
                .all(|part| text.windows(part.len()).any(|at| at == *part))
        };
        let oracle = Closure::new(fails);
        let input = Input::single("a.wav", text).unwrap();
        let plan = Plan::of(vec![Arc::new(pass)]);
        Reduction::new(input, &oracle, plan)
            .run()
            .unwrap()
            .input
            .bytes()
            .to_vec()
    }

    #[test]
    fn tree_reducers_keep_the_fields_of_a_binary_file_right() {
        let text = wave();
        let text_chunk = chunk(b"ICMT", b"g\0");
        let list = chunk(b"LIST", &[b"INFO", &text_chunk[..]].concat());
        let deleted = chunk(b"RIFF", &[b"WAVE", &list[..]].concat());
        // A chunk may stand where the one around it stood.
        let replaced = chunk(b"RIFF", &[b"WAVE", &text_chunk[..]].concat());
        let mut results = [0; 2];
        let mut others = vec![];
        for reducer in catalogue() {
            match reduced(reducer, &text) {
                left if left == text => {}
                left if left == deleted => results[0] += 1,
                left if left == replaced => results[1] += 1,
                _ => others.push(reducer.id()),
            }
        }
        assert!(results[0] >= 8 && results[1] >= 3, "{results:?}");
        // The first, as published, does not come back to a list that it has replaced. The others
        // delete nothing.
        assert_eq!(others, ["perses-article", "hoist", "same-kind"]);
        for (id, result) in [("hdd", deleted), ("perses", replaced)] {
            let reducer = tree_reducer::by_id(id).unwrap();
            assert_eq!(reduced(&reducer, &text), result, "{id}");
        }
    }

    #[test]
    fn a_binary_file_is_left_alone_without_regions() {
        let text = wave();
        let hdd = tree_reducer::by_id("hdd").unwrap();
        let pass = TreePass::of_each(hdd, [None].into());
        let oracle = Closure::new(|_: &[u8]| true);
        let input = Input::single("a.wav", text.clone()).unwrap();
        let outcome = Reduction::new(input, &oracle, Plan::of(vec![Arc::new(pass)]))
            .run()
            .unwrap();
        assert_eq!(outcome.input.bytes(), text);
    }
}
