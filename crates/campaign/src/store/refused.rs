use super::{Store, StoreError};
use rusqlite::{OptionalExtension as _, Transaction};

/// The name of a program's refused runs among the values, before the name of the program.
const NAME: &str = "refused of ";

/// Runs of a program that reported a refusal by the sandbox, over all times.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RefusedRuns {
    /// Their number.
    pub runs: u64,
    /// A line of one of them.
    pub line: String,
}

impl Store {
    /// Adds to the number of a program's runs that reported a refusal. The last line is kept.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database cannot be written.
    pub fn record_refused(&mut self, program: &str, new: &RefusedRuns) -> Result<(), StoreError> {
        self.change(|transaction| add(transaction, program, new))
    }

    /// Returns the runs that reported a refusal, of all programs that had some.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database cannot be read.
    pub fn refused(&self) -> Result<Vec<(String, RefusedRuns)>, StoreError> {
        let mut statement = self.prepare(
            "SELECT substr(name, length(?1) + 1), value FROM value
             WHERE substr(name, 1, length(?1)) = ?1 ORDER BY name",
        )?;
        let rows = statement.query_map([NAME], |row| {
            let text: String = row.get(1)?;
            Ok((row.get(0)?, read(&text)))
        });
        rows.and_then(Iterator::collect)
            .map_err(|error| self.error(error))
    }
}

pub(super) fn add(
    transaction: &Transaction<'_>,
    program: &str,
    new: &RefusedRuns,
) -> Result<(), rusqlite::Error> {
    let name = format!("{NAME}{program}");
    let known: Option<String> = transaction
        .query_row("SELECT value FROM value WHERE name = ?1", [&name], |row| {
            row.get(0)
        })
        .optional()?;
    let runs = read(known.as_deref().unwrap_or_default()).runs + new.runs;
    let text = format!("{runs} {}", new.line);
    let written = transaction.execute("INSERT OR REPLACE INTO value VALUES (?1, ?2)", [name, text]);
    written.map(drop)
}

/// Reads a number and a line.
fn read(text: &str) -> RefusedRuns {
    let (runs, line) = text.split_once(' ').unwrap_or((text, ""));
    RefusedRuns {
        runs: runs.parse().unwrap_or(0),
        line: line.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refused_runs_add_up_and_are_merged() {
        let new = |runs, line: &str| RefusedRuns {
            runs,
            line: line.to_owned(),
        };
        let folders = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
        let mut one = Store::create(folders[0].path()).unwrap();
        let mut other = Store::create(folders[1].path()).unwrap();
        assert_eq!(one.refused().unwrap(), []);
        one.record_refused("a b", &new(1, "first")).unwrap();
        one.record_refused("a b", &new(2, "cannot open /x"))
            .unwrap();
        other.record_refused("a b", &new(4, "last")).unwrap();
        other.record_refused("z", &new(1, "")).unwrap();
        one.merge(&other).unwrap();
        let expected = [
            ("a b".to_owned(), new(7, "last")),
            ("z".to_owned(), new(1, "")),
        ];
        assert_eq!(one.refused().unwrap(), expected);
    }
}
