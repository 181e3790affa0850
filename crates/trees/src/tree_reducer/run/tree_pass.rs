use super::PackedSyntaxes;
use super::structure::{on_regions, on_texts};
use super::tree_view::tree_of;
use crate::tree::{Outline, Preparation};
use crate::tree_reducer::{Program, TreeReducer};
use nubbin_edit::File;
use nubbin_engine::work::{Context, Pass, PassInfo, Work};
use nubbin_grammar::syntax::Syntax;
use std::sync::Arc;

/// A pass that runs a [tree reducer](TreeReducer) over the trees of a grammar or a language.
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
    /// One syntax for all files.
    Every(Arc<dyn Syntax>),
    /// The syntax of each file.
    Each(Syntaxes),
}

impl TreePass {
    /// Creates the pass of a tree reducer over trees of `syntax`, with [its
    /// preparation](TreeReducer::preparation).
    pub fn new(reducer: Arc<dyn TreeReducer>, syntax: Arc<dyn Syntax>) -> Self {
        TreePass::of(reducer, Source::Every(syntax))
    }

    /// Creates the pass of a tree reducer over the trees of each file by its syntax. A file without
    /// a syntax is not changed.
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

    /// Sets the preparation of the trees.
    #[must_use]
    pub fn prepared(mut self, preparation: Preparation) -> Self {
        self.preparation = preparation;
        self
    }

    /// Returns the pass with the regions of files that have no syntax and whose binary format is
    /// known. As in the pass `regions`, lengths, counts, offsets, and checksums are updated.
    #[must_use]
    pub fn with_regions(mut self) -> Self {
        self.regions = true;
        self
    }

    /// Returns the pass with the texts that are packed in files without a syntax: the files of an
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
