use super::on_counts::{Counted, completed};
use nubbin_counted::{Count, Place, read};
use nubbin_edit::{File, Input};
use nubbin_engine::work::{Context, OpenedBy, Pass, View, Work};
use nubbin_view::Kind;
use std::sync::{Arc, OnceLock};

/// The counts of the original. The counts are used to recognize counts later in a run.
///
/// A number of a known format is updated as long as it is correct. Any other number is updated once
/// a test has confirmed it: the number and the counted items have both changed since the beginning,
/// and the number is still correct. A number that was wrong in the original is never changed.
#[derive(Debug)]
pub struct Book {
    /// The counts of each file.
    files: Vec<Vec<Count>>,
    /// The files whose numbers are not guessed to be counts. These are programs, in which a number
    /// may equal the number of lines or words accidentally.
    programs: OnceLock<Vec<usize>>,
}

/// The counts of a text, which the passes share.
struct Read(Vec<Count>);

impl View for Read {
    fn of(text: &[u8]) -> Self {
        Read(read(text))
    }
}

/// The least value of a number that is guessed to be a count. Most texts have a 0 and a 1.
const MIN_GUESSED: u64 = 2;

impl Book {
    /// Reads the counts of an input. Returns `None` if there are no counts.
    pub fn of(input: &Input) -> Option<Arc<Book>> {
        let file = |number| input.file(number).map_or(vec![], |file| likely(file.text));
        let files: Vec<_> = (0..input.file_count()).map(file).collect();
        let has_counts = files.iter().any(|counts| !counts.is_empty());
        has_counts.then(|| {
            Arc::new(Book {
                files,
                programs: OnceLock::new(),
            })
        })
    }

    /// Returns whether a number of the input is guessed to be a count.
    pub fn has_guesses(&self) -> bool {
        let mut all = self.files.iter().flatten();
        all.any(|count| count.place != Place::Known)
    }

    /// Restricts the counts of some files: their numbers count only if a format or a key states it.
    /// Only the first call has an effect.
    pub fn leave_out(&self, is_program: impl Fn(usize) -> bool) {
        let files = 0..self.files.len();
        let _ = self
            .programs
            .set(files.filter(|&file| is_program(file)).collect());
    }

    fn is_program(&self, file: &File<'_>) -> bool {
        let programs = self.programs.get();
        programs.is_some_and(|programs| programs.contains(&file.number))
    }

    /// Returns a pass that also updates the numbers that count the text that it removes or adds.
    ///
    /// On a text without counts, the pass is opened as it is.
    pub fn counted(self: &Arc<Self>, pass: Arc<dyn Pass>) -> Arc<dyn Pass> {
        let book = Arc::clone(self);
        OpenedBy::wrap(pass, move |pass, files, context| {
            let work = match files {
                [file] => pass.open(file, context),
                files => pass.open_all(files, context),
            }?;
            let texts: Vec<Counted> = files
                .iter()
                .filter_map(|file| {
                    let counts = book.confirmed(file, context);
                    (!counts.is_empty()).then(|| Counted::new(file, counts))
                })
                .collect();
            if texts.is_empty() {
                return Some(work);
            }
            Some(Work::Machine(completed(work, context.lists, texts, None)))
        })
    }

    /// Returns the counts of a file that are known, or that tests have shown.
    fn confirmed(&self, file: &File<'_>, context: &Context<'_>) -> Vec<Count> {
        let first = self.files.get(file.number).map_or(&[][..], Vec::as_slice);
        if first.is_empty() {
            return vec![];
        }
        let now = &context.views.of::<Read>(file.text).0;
        let is_new = |count: &Count| {
            let mut like = first.iter().filter(|old| old.is_like(count)).peekable();
            like.peek().is_some() && like.all(|old| old.value != count.value)
        };
        let is_program = self.is_program(file);
        let is_shown = |count: &&Count| {
            if is_program && matches!(count.place, Place::Head(_)) {
                return false;
            }
            count.place == Place::Known
                || now
                    .iter()
                    .any(|other| other.is_like(count) && is_new(other))
        };
        now.iter().filter(is_shown).cloned().collect()
    }
}

/// Returns the likely counts of a text: for each number, the likeliest one, without counts that are
/// accidental in most texts. In bytes that are not text, digits of numbers occur accidentally.
pub(super) fn likely(text: &[u8]) -> Vec<Count> {
    let is_text = Kind::of(text) == Kind::Text;
    let mut all: Vec<Count> = vec![];
    for count in read(text) {
        let is_taken = all.iter().any(|other| other.number == count.number);
        let is_guessed = is_text && count.value >= MIN_GUESSED;
        let is_likely = count.place == Place::Known || is_guessed;
        if is_likely && !is_taken {
            all.push(count);
        }
    }
    all
}
