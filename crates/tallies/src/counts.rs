use super::book::likely;
use super::on_counts::{Counted, completed};
use nubbin_counted::{Count, Place, Unit, units};
use nubbin_edit::{Edit, File, Span};
use nubbin_engine::work::{Chain, Context, List, Machine, Pass, PassInfo, Spans, Work};

/// Deletes parts of a text and lowers the numbers that count them, to determine which numbers are
/// counts.
///
/// A number at the beginning of a text that equals the number of lines, words, or bytes after it
/// may count them. A value in JSON that equals the number of elements of a neighboring list may
/// count them. Two numbers may be the height and width of a table, and several numbers may be the
/// lengths of sections. The pass ends at its first success. From then on, all passes lower the
/// number. The pass is for formats that nubbin does not know: for known formats, no test is needed.
///
/// Cost: a few tests for each of at most 16 numbers, and no test for a text without such a number.
///
/// Source: nubbin. Reducers of one such format write a new header for each candidate (`cnfdd`;
/// Brummayer, Lonsing, Biere, *Automated Testing and Debugging of SAT and QBF Solvers*, 2010).
///
/// ```
/// use nubbin_reduce::pass::{Counts, preview};
///
/// let candidates = preview(&Counts, b"4\na\nb\ncrash\nd\n", 2);
/// assert_eq!(candidates, ["3\na\nb\ncrash\n", "3\na\nb\nd\n"]);
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Counts;

/// The numbers that are tried.
const MAX_NUMBERS: usize = 16;

/// The tests after which one number of several is not taken for a count, if none of them fails.
const PATIENCE: u32 = 6;

/// The tests after which the only number is not taken for a count.
const PATIENCE_ALONE: u32 = 20;

impl Pass for Counts {
    fn info(&self) -> PassInfo {
        PassInfo::new(
            "counts",
            "deletes parts of a text that a number counts, and lowers the number",
            "nubbin",
        )
    }

    fn open(&self, file: &File<'_>, context: &Context<'_>) -> Option<Work> {
        let mut guesses = likely(file.text);
        guesses.retain(|count| count.place != Place::Known);
        let mut groups = groups(guesses);
        groups.truncate(MAX_NUMBERS);
        let patience = match groups.len() {
            1 => PATIENCE_ALONE,
            _ => PATIENCE,
        };
        let all: Vec<Count> = groups.iter().flatten().cloned().collect();
        let together = (groups.len() > 1).then(|| (spans(file, &groups[0]), all));
        let each = groups
            .iter()
            .map(|group| (spans(file, group), group.clone()));
        let works = together.into_iter().chain(each).map(|(spans, counts)| {
            let list = Work::List(List::new(Spans::new(spans)));
            let texts = vec![Counted::new(file, counts)];
            let machine = completed(list, context.lists, texts, Some(patience));
            Work::Machine(Box::new(UntilAdopted {
                machine,
                is_done: false,
            }))
        });
        Chain::work(works.collect::<Vec<_>>(), context.lists)
    }
}

/// Joins the numbers of tables and sections, which are counts together or not at all.
fn groups(counts: Vec<Count>) -> Vec<Vec<Count>> {
    let mut groups: Vec<Vec<Count>> = vec![];
    for count in counts {
        let is_with = |group: &Vec<Count>| {
            group.last().is_some_and(|last| match last.unit {
                Unit::Rows(_) => matches!(count.unit, Unit::Columns(_)),
                Unit::Lines => count.unit == Unit::Lines && last.region.end == count.region.start,
                _ => false,
            })
        };
        match groups.last_mut().filter(|group| is_with(group)) {
            Some(group) => group.push(count),
            None => groups.push(vec![count]),
        }
    }
    groups
}

/// Returns the spans in the input that the numbers of a group count.
fn spans(file: &File<'_>, group: &[Count]) -> Vec<Span> {
    let start = file.span.start;
    let mut spans: Vec<Span> = group
        .iter()
        .flat_map(|count| match count.unit {
            Unit::Rows(_) => super::counted_tables::rows(file.text, count),
            _ => units(file.text, count),
        })
        .map(|span| Span::new(span.start + start, span.end + start))
        .collect();
    spans.sort_unstable();
    spans
}

/// A machine that ends at its first success.
struct UntilAdopted {
    machine: Box<dyn Machine>,
    is_done: bool,
}

impl Machine for UntilAdopted {
    fn next(&mut self) -> Option<Edit> {
        (!self.is_done).then(|| self.machine.next()).flatten()
    }

    fn record(&mut self, adopted: bool) {
        self.is_done |= adopted;
        self.machine.record(adopted);
    }

    fn fork(&self) -> Box<dyn Machine> {
        Box::new(UntilAdopted {
            machine: self.machine.fork(),
            is_done: self.is_done,
        })
    }
}
