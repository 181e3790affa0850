use super::{Store, StoreError};
use nubbin_oracle::PlaceCounts;
use rusqlite::{OptionalExtension as _, Transaction};

/// The name of a program's counts among the values, before the name of the program.
const NAME: &str = "places of ";

impl Store {
    /// Adds to the numbers of a program's runs by machine.
    pub fn record_places(&mut self, program: &str, new: &PlaceCounts) -> Result<(), StoreError> {
        self.change(|transaction| add(transaction, program, new))
    }

    /// Returns the numbers of runs by machine, for all programs that used a farm.
    pub fn places(&self) -> Result<Vec<(String, PlaceCounts)>, StoreError> {
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
    new: &PlaceCounts,
) -> Result<(), rusqlite::Error> {
    let name = format!("{NAME}{program}");
    let known: Option<String> = transaction
        .query_row("SELECT value FROM value WHERE name = ?1", [&name], |row| {
            row.get(0)
        })
        .optional()?;
    let old = read(known.as_deref().unwrap_or_default());
    let sum = [
        old.here + new.here,
        old.there + new.there,
        old.known + new.known,
        old.actions + new.actions,
    ];
    let text = sum.map(|count| count.to_string()).join(" ");
    let written = transaction.execute("INSERT OR REPLACE INTO value VALUES (?1, ?2)", [name, text]);
    written.map(drop)
}

/// Reads four numbers, in the order of their fields.
fn read(text: &str) -> PlaceCounts {
    let mut numbers = text.split(' ').map(|word| word.parse().unwrap_or(0));
    let mut next = || numbers.next().unwrap_or(0);
    PlaceCounts {
        here: next(),
        there: next(),
        known: next(),
        actions: next(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_of_places_add_up_and_are_merged() {
        let new = |here| PlaceCounts {
            here,
            there: 2,
            known: 3,
            actions: 4,
        };
        let folders = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
        let mut one = Store::create(folders[0].path()).unwrap();
        let mut other = Store::create(folders[1].path()).unwrap();
        assert_eq!(one.places().unwrap(), []);
        one.record_places("a b", &new(1)).unwrap();
        one.record_places("a b", &new(10)).unwrap();
        other.record_places("a b", &new(100)).unwrap();
        other.record_places("z", &new(5)).unwrap();
        one.merge(&other).unwrap();
        let sum = PlaceCounts {
            here: 111,
            there: 6,
            known: 9,
            actions: 12,
        };
        let expected = [("a b".to_owned(), sum), ("z".to_owned(), new(5))];
        assert_eq!(one.places().unwrap(), expected);
    }
}
