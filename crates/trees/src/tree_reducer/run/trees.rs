use super::tree_pass::Source;
use super::{PackedSyntaxes, Syntaxes, TreePass};
use crate::tree::Preparation;
use crate::tree_reducer::TreeReducer;
use nubbin_engine::work::Pass;
use nubbin_grammar::grammar::Grammar;
use nubbin_grammar::syntax::Syntax;
use nubbin_minimize::MinimizerChoice;
use std::sync::Arc;

/// The trees of an input, and the settings for algorithms over them. `auto::with_trees` and
/// `Algorithm::plan_with_trees` create a pass for each tree reducer.
///
/// ```
/// use nubbin_grammar::read::read;
/// use nubbin_grammar::parse::Parser;
/// use nubbin_reduce::Algorithm;
/// use nubbin_reduce::input::Input;
/// use nubbin_reduce::tree_reducer::Trees;
/// use std::sync::Arc;
///
/// let grammar = read("<start> ::= \"(\" <start> \")\" | \"x\"", None, "brackets").unwrap();
/// let trees = Trees::new(Arc::new(Parser::new(Arc::new(grammar)).unwrap()));
/// let input = Input::single("input", "((x))").unwrap();
/// let plan = "perses".parse::<Algorithm>()?.plan_with_trees(&input, vec![], Some(&trees))?;
/// assert_eq!(plan.passes().map(|pass| pass.id()).collect::<Vec<_>>(), ["perses"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Trees {
    source: Source,
    packed: PackedSyntaxes,
    regions: bool,
    partial: bool,
    preparation: Option<Preparation>,
    list_algorithm: Option<MinimizerChoice>,
    replaced: Vec<Arc<dyn TreeReducer>>,
}

impl Trees {
    /// Creates the trees of all files by one syntax.
    pub fn new(syntax: Arc<dyn Syntax>) -> Self {
        Trees::of(Source::Every(syntax))
    }

    /// Creates the trees of files by the syntax of each file. A file without a syntax has no tree.
    pub fn of_each(syntaxes: Syntaxes) -> Self {
        Trees::of(Source::Each(syntaxes))
    }

    fn of(source: Source) -> Self {
        Trees {
            source,
            packed: PackedSyntaxes::default(),
            regions: false,
            partial: false,
            preparation: None,
            list_algorithm: None,
            replaced: vec![],
        }
    }

    /// Returns the trees with the trees of texts that are packed in files. The default plan uses
    /// them.
    #[must_use]
    pub fn with_packed(mut self, packed: PackedSyntaxes) -> Self {
        self.packed = packed;
        self
    }

    /// Returns the trees with the trees of the regions of binary files, as
    /// [`TreePass::with_regions`] does. A tree reducer that is chosen by name uses them. The
    /// default plan has other passes over regions.
    #[must_use]
    pub fn with_regions(mut self) -> Self {
        self.regions = true;
        self
    }

    /// Marks the trees as partial: they leave out parts of a text that do not fit, so a candidate
    /// that has no tree may still be useful. The default plan then treats them like trees of a
    /// grammar.
    #[must_use]
    pub fn partial(mut self) -> Self {
        self.partial = true;
        self
    }

    /// Sets the preparation of all trees, in place of the preparation with which each algorithm was
    /// published.
    #[must_use]
    pub fn prepared(mut self, preparation: Preparation) -> Self {
        self.preparation = Some(preparation);
        self
    }

    /// Sets the list minimizer for all lists of nodes, in place of the list minimizer with which
    /// each tree reducer was published.
    #[must_use]
    pub fn with_list_algorithm(mut self, algorithm: MinimizerChoice) -> Self {
        self.list_algorithm = Some(algorithm);
        self
    }

    /// Returns the trees with a tree reducer that replaces the tree reducer of the same name in the
    /// catalogue.
    #[must_use]
    pub fn with_reducer(mut self, reducer: Arc<dyn TreeReducer>) -> Self {
        self.replaced.push(reducer);
        self
    }

    /// Returns the list minimizer that the user has chosen.
    pub fn list_algorithm(&self) -> Option<&MinimizerChoice> {
        self.list_algorithm.as_ref()
    }

    /// Returns the grammars of the trees of files.
    pub fn grammars(&self) -> impl Iterator<Item = &Arc<Grammar>> {
        let syntaxes: Vec<&Arc<dyn Syntax>> = match &self.source {
            Source::Every(syntax) => vec![syntax],
            Source::Each(syntaxes) => syntaxes.iter().flatten().collect(),
        };
        syntaxes.into_iter().map(|syntax| syntax.grammar())
    }

    /// Returns whether every text has a tree.
    pub fn is_tolerant(&self) -> bool {
        let mut packed = self.packed.iter();
        let is_tolerant = match &self.source {
            Source::Every(syntax) => syntax.is_tolerant(),
            Source::Each(syntaxes) => syntaxes.iter().flatten().all(|it| it.is_tolerant()),
        };
        !self.partial && is_tolerant && packed.all(|syntax| syntax.is_tolerant())
    }

    /// Returns whether a file has a tree, or all texts that are packed in it have one.
    pub fn has(&self, file: usize) -> bool {
        match &self.source {
            Source::Every(_) => true,
            Source::Each(syntaxes) => {
                matches!(syntaxes.get(file), Some(Some(_))) || self.packed.covers(file)
            }
        }
    }

    /// Returns whether [each file has](Trees::has) a tree.
    pub fn has_all(&self) -> bool {
        match &self.source {
            Source::Every(_) => true,
            Source::Each(syntaxes) => (0..syntaxes.len()).all(|file| self.has(file)),
        }
    }

    /// Returns the pass of a tree reducer that the user has chosen by name, with the preparation of
    /// its publication.
    pub fn pass(&self, reducer: Arc<dyn TreeReducer>) -> Arc<dyn Pass> {
        let preparation = reducer.preparation();
        let pass = self.prepared_pass(reducer, preparation);
        Arc::new(match self.regions {
            true => pass.with_regions(),
            false => pass,
        })
    }

    /// Returns the pass of a tree reducer in the default plan, which prepares all trees in the same
    /// way.
    pub fn planned(&self, reducer: Arc<dyn TreeReducer>) -> Arc<dyn Pass> {
        let pass = self.prepared_pass(reducer, Preparation::ALL);
        Arc::new(pass.with_packed(self.packed.clone()))
    }

    fn prepared_pass(&self, reducer: Arc<dyn TreeReducer>, otherwise: Preparation) -> TreePass {
        let mut replaced = self.replaced.iter();
        let reducer = match replaced.find(|other| other.id() == reducer.id()) {
            Some(other) => Arc::clone(other),
            None => reducer,
        };
        let pass = TreePass::of(reducer, self.source.clone());
        pass.prepared(self.preparation.unwrap_or(otherwise))
    }
}
