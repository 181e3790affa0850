use crate::remembered::Remembered;
use nubbin_edit::{Fingerprint, fingerprint};
use std::any::Any;
use std::collections::VecDeque;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

/// The size in bytes of the largest text whose views are remembered. Its tokens take about three
/// times its size, its tree forty times.
const MAX_TEXT_BYTES: usize = 8 << 20;

/// The size in bytes of all texts whose views are remembered, if the input is smaller. Workers that
/// look ahead open passes on texts that may follow, and these share most of their views.
const MIN_REMEMBERED_BYTES: usize = 1 << 20;

/// The number of texts whose views are remembered, if the input has fewer files.
const MIN_REMEMBERED_TEXTS: usize = 16;

/// The views of the texts of a run: a cache that passes share. Each view is created once.
///
/// Passes need the same views of a text: its tokens, its brackets, or its tree. A pass that
/// requests a view gets the view that an earlier pass has created, on any thread. A run therefore
/// reads each adopted text once, and not once for each pass.
///
/// A text is known by its fingerprint. The texts that were asked for last are remembered, together
/// as large as the input and all its files, or 1 MiB. Views of a text of more than 8 MiB are made
/// at each request.
///
/// ```
/// use nubbin_reduce::work::{View, Views};
/// use std::sync::Arc;
///
/// struct LineEnds(usize);
///
/// impl View for LineEnds {
///     fn of(text: &[u8]) -> Self {
///         LineEnds(text.iter().filter(|&&byte| byte == b'\n').count())
///     }
/// }
///
/// let views = Views::default();
/// let first = views.of::<LineEnds>(b"one\ntwo\n");
/// assert_eq!(first.0, 2);
/// assert!(Arc::ptr_eq(&first, &views.of::<LineEnds>(b"one\ntwo\n")));
/// ```
#[derive(Default)]
pub struct Views {
    /// The texts, with the most recently requested text at the end.
    texts: Mutex<VecDeque<Text>>,
}

/// A view that depends only on the text.
pub trait View: Any + Send + Sync {
    /// Creates the view of a text.
    fn of(text: &[u8]) -> Self;
}

struct Text {
    print: Fingerprint,
    size: usize,
    views: Arc<Remembered>,
}

impl Views {
    /// Returns the view of a text.
    pub fn of<V: View>(&self, text: &[u8]) -> Arc<V> {
        self.keyed(text, (), || V::of(text))
    }

    /// Returns a value that depends on a text and a key, for views that need more than the text,
    /// such as a parser. Values of different types are stored separately.
    ///
    /// The first caller computes the value. Other threads that request it meanwhile wait. `make`
    /// may request other values.
    pub fn keyed<K, V>(&self, text: &[u8], key: K, make: impl FnOnce() -> V) -> Arc<V>
    where
        K: PartialEq + Any + Send,
        V: Any + Send + Sync,
    {
        match text.len() > MAX_TEXT_BYTES {
            true => Arc::new(make()),
            false => self.text(text).get(key, make),
        }
    }

    /// Returns whether the views of a text of this size are cached. A pass that reads tokens one by
    /// one does not need the cache for a larger text.
    pub fn remembers(text: &[u8]) -> bool {
        text.len() <= MAX_TEXT_BYTES
    }

    /// Removes the least recently requested texts from the cache. The cache keeps as many texts as
    /// an input of this size and number of files needs. All files together also count as a text.
    pub fn make_room(&self, size: usize, files: usize) {
        let size = if files > 1 {
            size.saturating_mul(2)
        } else {
            size
        };
        let (size, files) = (
            size.max(MIN_REMEMBERED_BYTES),
            (files + 1).max(MIN_REMEMBERED_TEXTS),
        );
        let mut texts = self.texts.lock().unwrap_or_else(PoisonError::into_inner);
        let mut total: usize = texts.iter().map(|text| text.size).sum();
        let mut dropped = vec![];
        while total > size || texts.len() > files {
            let Some(text) = texts.pop_front() else { break };
            total -= text.size;
            dropped.push(text);
        }
        // Freeing a large tree takes long, so the lock is released first.
        drop(texts);
    }

    fn text(&self, text: &[u8]) -> Arc<Remembered> {
        let print = fingerprint(text);
        let mut texts = self.texts.lock().unwrap_or_else(PoisonError::into_inner);
        let known = texts.iter().rposition(|text| text.print == print);
        let known = known.and_then(|at| texts.remove(at));
        let text = known.unwrap_or_else(|| Text {
            print,
            size: text.len(),
            views: Arc::default(),
        });
        let views = Arc::clone(&text.views);
        texts.push_back(text);
        views
    }
}

impl fmt::Debug for Views {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Views").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Len(usize);

    impl View for Len {
        fn of(text: &[u8]) -> Self {
            Len(text.len())
        }
    }

    fn is_known(views: &Views, text: &[u8]) -> bool {
        let mut is_known = true;
        views.keyed(text, "known", || is_known = false);
        is_known
    }

    #[test]
    fn a_view_is_made_once_for_each_text_and_key() {
        let views = Views::default();
        let first = views.of::<Len>(b"text");
        assert_eq!(first.0, 4);
        assert!(Arc::ptr_eq(&first, &views.of::<Len>(b"text")));
        assert_eq!(views.of::<Len>(b"texts").0, 5);
        let keyed = |key: u8| views.keyed(b"text", key, || Len(usize::from(key)));
        assert_eq!((keyed(7).0, keyed(8).0), (7, 8));
        assert!(Arc::ptr_eq(&keyed(7), &keyed(7)));
    }

    #[test]
    fn the_texts_that_were_asked_for_last_stay() {
        let views = Views::default();
        let texts: Vec<Vec<u8>> = (0..4).map(|n| vec![n; MIN_REMEMBERED_BYTES / 2]).collect();
        texts
            .iter()
            .for_each(|text| assert!(!is_known(&views, text)));
        assert!(is_known(&views, &texts[0]));
        views.make_room(0, 1);
        assert!(is_known(&views, &texts[0]) && is_known(&views, &texts[3]));
        assert!(!is_known(&views, &texts[1]));
        views.make_room(MIN_REMEMBERED_BYTES * 3 / 2, 2);
        assert!(is_known(&views, &texts[0]) && is_known(&views, &texts[1]));
        assert!(is_known(&views, &texts[3]));
    }

    #[test]
    fn there_is_room_for_each_file() {
        let views = Views::default();
        let ask = || (0..100).filter(|&n| is_known(&views, &[n])).count();
        ask();
        views.make_room(100, 99);
        assert_eq!(ask(), 100);
        views.make_room(100, 29);
        assert_eq!((70..100).filter(|&n| is_known(&views, &[n])).count(), 30);
        assert!(!is_known(&views, &[0]));
    }

    #[test]
    fn a_huge_text_is_not_remembered() {
        let text = vec![b'x'; MAX_TEXT_BYTES + 1];
        let views = Views::default();
        assert_eq!(views.of::<Len>(&text).0, MAX_TEXT_BYTES + 1);
        assert!(views.texts.lock().unwrap().is_empty());
        assert!(!Views::remembers(&text) && Views::remembers(&text[1..]));
    }
}
