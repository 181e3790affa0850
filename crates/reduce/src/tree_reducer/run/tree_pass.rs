use crate::input::File;
use crate::pass::{Context, Pass};
use crate::tree::{Outline, Preparation};
use crate::tree_reducer::{Program, TreeReducer};
use crate::work::Work;
use nubbin_grammar::syntax::Syntax;
use std::sync::Arc;

/// A [tree reducer](TreeReducer) as a pass, over the trees that a grammar or a language gives.
///
/// A file is parsed, and its tree [prepared](Preparation), when the pass is opened on it. A file
/// without a tree is left alone: the author of the plan has checked that the original has one, and
/// may have other passes for files without one.
#[derive(Clone)]
pub struct TreePass {
    reducer: Arc<dyn TreeReducer>,
    source: Source,
    preparation: Preparation,
}

/// The syntax of each file, by the number of the file.
pub type Syntaxes = Arc<[Option<Arc<dyn Syntax>>]>;

/// The source of the trees.
#[derive(Clone)]
enum Source {
    Every(Arc<dyn Syntax>),
    Each(Syntaxes),
}

impl TreePass {
    /// Runs a tree reducer over trees of `syntax`, with [its
    /// preparation](TreeReducer::preparation).
    pub fn new(reducer: Arc<dyn TreeReducer>, syntax: Arc<dyn Syntax>) -> Self {
        TreePass {
            preparation: reducer.preparation(),
            reducer,
            source: Source::Every(syntax),
        }
    }

    /// Runs a tree reducer over trees of another syntax for each file, by its number. A file
    /// without a syntax is left alone.
    pub fn of_each(reducer: Arc<dyn TreeReducer>, syntaxes: Syntaxes) -> Self {
        TreePass {
            preparation: reducer.preparation(),
            reducer,
            source: Source::Each(syntaxes),
        }
    }

    /// Runs over trees that are prepared like this.
    #[must_use]
    pub fn prepared(mut self, preparation: Preparation) -> Self {
        self.preparation = preparation;
        self
    }
}

impl TreePass {
    /// Returns the tree of a file, prepared.
    fn tree(&self, file: &File<'_>) -> Option<Arc<Outline>> {
        let syntax = match &self.source {
            Source::Every(syntax) => syntax,
            Source::Each(syntaxes) => syntaxes.get(file.number)?.as_ref()?,
        };
        let outline = Outline::of(&**syntax, file.text, file.span.start)?;
        Some(Arc::new(self.preparation.apply(outline)))
    }
}

impl Pass for TreePass {
    fn id(&self) -> &'static str {
        self.reducer.id()
    }

    fn about(&self) -> &'static str {
        self.reducer.about()
    }

    fn source(&self) -> &'static str {
        self.reducer.source()
    }

    fn open(&self, file: &File<'_>, context: &Context<'_>) -> Option<Work> {
        self.reducer.open(&self.tree(file)?, context.lists)
    }

    fn open_all(&self, files: &[File<'_>], context: &Context<'_>) -> Option<Work> {
        let with_tree = |file: &File<'_>| Some((file.number, self.tree(file)?));
        let program = Program {
            input: context.input,
            trees: &files.iter().filter_map(with_tree).collect::<Vec<_>>(),
        };
        self.reducer.open_all(&program, context.lists)
    }

    fn joins_files(&self) -> bool {
        self.reducer.joins_files()
    }
}
