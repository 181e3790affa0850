use super::TreeReducer;
use crate::query;
use crate::tree::Outline;
use nubbin_engine::work::{Lists, PassInfo, Work};
use std::sync::Arc;

/// Makes queries smaller by their clauses: its sources, its results, and its conditions.
///
/// The [rules](nubbin_grammar::conventions::Queries) of a grammar say which parts are clauses,
/// lists, and expressions. The tree reducer tries, in this order:
///
/// 1. Statements in halves; a table with the rows that are added to it and all that is read from
///    it; a column with its values in rows and all that is computed of it.
/// 2. A query within a statement in its place, or one of one column as the only value of a new
///    query, smallest first. Conditions that mean a table around that query are left out, and
///    the queries of `WITH` that it uses are kept before it.
/// 3. All queries of `WITH` that are used once in the places of their uses, then half of them.
/// 4. All clauses and parts of lists on one level at once, then half of them, then the next level.
///    The sides of `UNION` are such a list.
/// 5. One table of several in a list or in joins, without what means the others.
/// 6. All expressions on one level as `NULL`, then half of them; then each as another literal or as
///    one of its operands.
///
/// A query of `WITH` is removed with its last use.
///
/// Prefer it to [`Perses`](super::Perses) on queries, since most single removals of `Perses` make a
/// query invalid: another part uses the column, and a result needs its group.
///
/// Cost: two tests per part that is needed; at most 16 where none of the first 16 succeeds.
///
/// Source: the steps 2, 5, and 6 after C. Berg: SQLreduce (credativ, 2022). Changed: several parts
/// in one test, and uses of a removed part are removed with it.
///
/// ```
/// use nubbin_languages::catalogue;
/// use nubbin_reduce::tree_reducer::{Queries, trace_with};
/// use nubbin_reduce::work::Lists;
///
/// let sql = catalogue::named("sql").ok_or("no SQL")?.syntax()?;
/// let text = b"SELECT a, b FROM t AS x JOIN u ON u.c = x.c WHERE u.d > (SELECT max(e) FROM v) ORDER BY 1;";
/// let fails = |text: &[u8]| text.windows(3).any(|three| three == b"max");
/// let run = trace_with(&Queries, &*sql, text, &Lists::default(), fails);
/// assert_eq!(run.result, "SELECT max(e);");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Queries;

impl TreeReducer for Queries {
    fn info(&self) -> PassInfo {
        PassInfo::new(
            "queries",
            "makes queries smaller by their clauses, tables, columns, and expressions",
            "nubbin; after Berg: SQLreduce, 2022",
        )
    }

    fn open(&self, outline: &Arc<Outline>, _lists: &Lists) -> Option<Work> {
        query::work(outline)
    }
}
