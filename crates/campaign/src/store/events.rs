use super::{Store, StoreError, now};
use crate::event::{Event, EventKind, NumberedEvent};
use rusqlite::{Row, Transaction, params};
use serde::Serialize;
use serde_json::Value;

/// The number of events that are kept.
const KEPT: i64 = 10_000;

/// An event as it was kept.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct StoredEvent {
    /// The number of the event, which grows.
    pub id: i64,
    /// The time of the event, in milliseconds since 1970.
    pub at: i64,
    /// The name of its kind.
    pub kind: String,
    /// The issue that it is about.
    pub issue: Option<i64>,
    /// The sentence for people.
    pub text: String,
    /// The facts for programs.
    pub facts: Value,
}

impl Store {
    /// Keeps an event, if it is of a kind that is kept.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database cannot be written.
    pub fn record_event(&mut self, event: Event) -> Result<NumberedEvent, StoreError> {
        if !event.kind.is_kept() {
            return Ok(NumberedEvent {
                id: None,
                at: now(),
                event,
            });
        }
        self.change(|transaction| put(transaction, event))
    }

    /// Returns the events after a number, at most so many, oldest first.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database cannot be read.
    pub fn events_after(&self, id: i64, most: usize) -> Result<Vec<StoredEvent>, StoreError> {
        let mut statement = self.prepare(
            "SELECT id, at, kind, issue, text, facts FROM event WHERE id > ?1 ORDER BY id LIMIT ?2",
        )?;
        let rows = statement.query_map(params![id, most as i64], read);
        rows.and_then(Iterator::collect)
            .map_err(|error| self.error(error))
    }

    /// Returns the last events of a kind, at most so many, newest first.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database cannot be read.
    pub fn last_events(
        &self,
        kind: EventKind,
        most: usize,
    ) -> Result<Vec<StoredEvent>, StoreError> {
        let mut statement = self.prepare(
            "SELECT id, at, kind, issue, text, facts FROM event WHERE kind = ?1
             ORDER BY id DESC LIMIT ?2",
        )?;
        let rows = statement.query_map(params![kind.name(), most as i64], read);
        rows.and_then(Iterator::collect)
            .map_err(|error| self.error(error))
    }

    /// Returns the number of the last event; 0 if no event was recorded.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database cannot be read.
    pub fn last_event(&self) -> Result<i64, StoreError> {
        let mut statement = self.prepare("SELECT ifnull(max(id), 0) FROM event")?;
        let last = statement.query_row([], |row| row.get(0));
        last.map_err(|error| self.error(error))
    }
}

fn read(row: &Row<'_>) -> Result<StoredEvent, rusqlite::Error> {
    let facts: String = row.get(5)?;
    Ok(StoredEvent {
        id: row.get(0)?,
        at: row.get(1)?,
        kind: row.get(2)?,
        issue: row.get(3)?,
        text: row.get(4)?,
        facts: serde_json::from_str(&facts).unwrap_or(Value::Null),
    })
}

/// Keeps an event in a transaction.
pub(super) fn put(
    transaction: &Transaction<'_>,
    event: Event,
) -> Result<NumberedEvent, rusqlite::Error> {
    let at = now();
    if !event.kind.is_kept() {
        return Ok(NumberedEvent {
            id: None,
            at,
            event,
        });
    }
    transaction
        .prepare_cached("INSERT INTO event (at, kind, issue, text, facts) VALUES (?, ?, ?, ?, ?)")?
        .execute(params![
            at,
            event.kind.name(),
            event.issue,
            event.text,
            event.facts.to_string()
        ])?;
    let id = transaction.last_insert_rowid();
    // Old events are deleted only now and then, which spreads the cost.
    if id % 100 == 0 {
        transaction.execute("DELETE FROM event WHERE id <= ?1", [id - KEPT])?;
    }
    Ok(NumberedEvent {
        id: Some(id),
        at,
        event,
    })
}
