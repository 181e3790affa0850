use super::Walk;
use crate::input::File;
use crate::pass::{Context, Pass};
use crate::tree::Outline;
use crate::work::Work;
use nubbin_grammar::syntax::Syntax;
use std::sync::Arc;

/// A [walk](Walk) over the trees that a grammar or a language gives, as a pass.
///
/// A file is parsed when the pass is opened on it. One that has no tree is left alone: whoever put the
/// plan together has seen that the original has one, and may have other passes for what has none.
#[derive(Clone)]
pub struct TreePass {
    walk: Arc<dyn Walk>,
    syntax: Arc<dyn Syntax>,
}

impl TreePass {
    /// Walks through trees of `syntax`.
    pub fn new(walk: Arc<dyn Walk>, syntax: Arc<dyn Syntax>) -> Self {
        TreePass { walk, syntax }
    }
}

impl Pass for TreePass {
    fn id(&self) -> &'static str {
        self.walk.id()
    }

    fn about(&self) -> &'static str {
        self.walk.about()
    }

    fn source(&self) -> &'static str {
        self.walk.source()
    }

    fn open(&self, file: &File<'_>, context: &Context<'_>) -> Option<Work> {
        let outline = Outline::of(&*self.syntax, file.text, file.span.start)?;
        self.walk.open(&Arc::new(outline), context.lists)
    }
}
