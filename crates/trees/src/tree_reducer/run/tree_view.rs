use crate::tree::{Outline, Preparation};
use nubbin_engine::work::Views;
use nubbin_grammar::syntax::Syntax;
use std::sync::{Arc, Mutex, PoisonError};

/// The key of the trees of a text: their source, and their preparation.
struct Key(Arc<dyn Syntax>, Preparation);

impl PartialEq for Key {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::addr_eq(Arc::as_ptr(&self.0), Arc::as_ptr(&other.0)) && self.1 == other.1
    }
}

/// The tree of a text, prepared, at the place in the input where it was asked for last.
struct Placed(Option<Mutex<Arc<Outline>>>);

impl Placed {
    fn at(&self, at: u32) -> Option<Arc<Outline>> {
        let tree = self.0.as_ref()?;
        let mut tree = tree.lock().unwrap_or_else(PoisonError::into_inner);
        if tree.start() != at {
            *tree = Arc::new(tree.moved(at));
        }
        Some(Arc::clone(&tree))
    }
}

/// Returns the prepared tree of a text, or `None` if it has no tree. The text begins at `at` in the
/// input. The text is parsed once for all tree reducers, even if it moves.
pub(super) fn tree_of(
    views: &Views,
    text: &[u8],
    at: u32,
    syntax: &Arc<dyn Syntax>,
    preparation: Preparation,
) -> Option<Arc<Outline>> {
    let parsed = || {
        let outline = Outline::of(&**syntax, text, at);
        let prepared = outline.map(|outline| Arc::new(preparation.apply(outline)));
        Placed(prepared.map(Mutex::new))
    };
    let key = Key(Arc::clone(syntax), preparation);
    views.keyed(text, key, parsed).at(at)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::ROOT;
    use nubbin_grammar::grammar::Grammar;
    use nubbin_grammar::parse::{ParseError, Parser};
    use nubbin_grammar::{read::read, tree::Tree};
    use std::sync::atomic::{AtomicUsize, Ordering};

    /// A syntax that counts its parses.
    struct Counted(Parser, AtomicUsize);

    impl Counted {
        fn new() -> Arc<Self> {
            let grammar = read("<s> ::= '(' <s> ')' | 'x'", None, "nested").unwrap();
            let parser = Parser::new(Arc::new(grammar)).unwrap();
            Arc::new(Counted(parser, AtomicUsize::new(0)))
        }

        fn parses(&self) -> usize {
            self.1.load(Ordering::Relaxed)
        }
    }

    impl Syntax for Counted {
        fn name(&self) -> &str {
            self.0.name()
        }

        fn grammar(&self) -> &Arc<Grammar> {
            Syntax::grammar(&self.0)
        }

        fn tree(&self, text: &[u8]) -> Result<Tree, ParseError> {
            self.1.fetch_add(1, Ordering::Relaxed);
            self.0.tree(text)
        }
    }

    #[test]
    fn a_text_is_parsed_once_for_each_syntax_and_preparation() {
        let (views, counted) = (Views::default(), Counted::new());
        let syntax: Arc<dyn Syntax> = counted.clone();
        let tree = |text: &[u8], preparation| tree_of(&views, text, 0, &syntax, preparation);
        let first = tree(b"((x))", Preparation::ALL).unwrap();
        assert!(Arc::ptr_eq(
            &first,
            &tree(b"((x))", Preparation::ALL).unwrap()
        ));
        assert_eq!(counted.parses(), 1);
        tree(b"((x))", Preparation::NONE).unwrap();
        tree(b"(x)", Preparation::ALL).unwrap();
        assert_eq!(counted.parses(), 3);
        let parses = |_| tree(b"(", Preparation::ALL).is_some();
        assert!(!(0..3).any(parses));
        assert_eq!(counted.parses(), 4);
        let other = Counted::new();
        let syntax: Arc<dyn Syntax> = other.clone();
        tree_of(&views, b"((x))", 0, &syntax, Preparation::ALL).unwrap();
        assert_eq!((counted.parses(), other.parses()), (4, 1));
    }

    #[test]
    fn a_text_that_has_moved_keeps_its_tree() {
        let (views, counted) = (Views::default(), Counted::new());
        let syntax: Arc<dyn Syntax> = counted.clone();
        let tree = |at| tree_of(&views, b"((x))", at, &syntax, Preparation::ALL).unwrap();
        let (there, here) = (tree(70), tree(3));
        assert_eq!(counted.parses(), 1);
        let parsed = Outline::of(&*syntax, b"((x))", 3).unwrap();
        let parsed = Preparation::ALL.apply(parsed);
        assert_eq!(here.node(ROOT).span, parsed.node(ROOT).span);
        let texts = |tree: &Outline| -> Vec<(u32, Vec<u8>)> {
            let nodes = 0..tree.len();
            let one = |id| (tree.node(id).span.start, tree.text_of(id).to_vec());
            nodes.map(one).collect()
        };
        assert_eq!(texts(&here), texts(&parsed));
        assert_eq!(there.node(ROOT).span.start, 70);
    }
}
