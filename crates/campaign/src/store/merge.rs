//! Joining the database of another campaign to this one.

use super::{Store, StoreError, issues, jobs, joins, signed};
use crate::issue::{Issue, IssueState};
use crate::schedule::JobKind;
use rusqlite::{Transaction, params};
use std::collections::HashMap;

/// Two campaigns cannot be joined.
#[derive(Debug, thiserror::Error)]
pub enum MergeError {
    /// One of them cannot be used.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Both are the same campaign.
    #[error("`{0}` is the same campaign")]
    Same(std::path::PathBuf),
    /// The other was joined before, and its counts would be counted twice.
    #[error("`{0}` was joined before")]
    Twice(std::path::PathBuf),
}

/// The changes of a campaign by a merge.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Merged {
    /// The number of new issues.
    pub added: u64,
    /// The number of issues that were already known.
    pub known: u64,
    /// The number of tests that were added.
    pub tests: u64,
}

impl Store {
    /// Adds the issues and counts of another campaign. The smaller of two tests of one issue is
    /// kept.
    ///
    /// # Errors
    /// Returns [`MergeError`] if the other campaign is this one or was merged before, or if a
    /// database cannot be used.
    pub fn merge(&mut self, other: &Store) -> Result<Merged, MergeError> {
        let (ours, theirs) = (self.id()?, other.id()?);
        if ours == theirs {
            return Err(MergeError::Same(other.folder.clone()));
        }
        let mark = format!("joined {theirs}");
        if self.value(&mark)?.is_some() {
            return Err(MergeError::Twice(other.folder.clone()));
        }
        let incoming = other.incoming()?;
        let statistics = other.statistics()?;
        let history = other.history(0)?;
        let places = other.places()?;
        let refused = other.refused()?;
        let merged = self.change(|transaction| {
            let mut merged = Merged::default();
            let mut ids = HashMap::new();
            for incoming in &incoming {
                let (id, is_new) = incoming.add(transaction)?;
                ids.insert(incoming.issue.id, id);
                match is_new {
                    true => merged.added += 1,
                    false => merged.known += 1,
                }
            }
            for incoming in &incoming {
                let to = incoming.issue.joined_to.and_then(|to| ids.get(&to));
                if let (Some(&id), Some(&to)) = (ids.get(&incoming.issue.id), to) {
                    joins::join_new(transaction, id, to)?;
                }
            }
            for row in &statistics {
                merged.tests += row.tests;
                transaction.execute(
                    "INSERT INTO statistic VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)
                     ON CONFLICT DO UPDATE SET tests = tests + excluded.tests,
                         failures = failures + excluded.failures,
                         limits = limits + excluded.limits, bytes = bytes + excluded.bytes,
                         millis = millis + excluded.millis, issues = issues + excluded.issues,
                         timeouts = timeouts + excluded.timeouts",
                    params![
                        row.program,
                        row.generator,
                        row.version,
                        signed(row.tests),
                        signed(row.failures),
                        signed(row.limits),
                        signed(row.bytes),
                        signed(row.millis),
                        signed(row.issues),
                        signed(row.timeouts)
                    ],
                )?;
            }
            for row in &history {
                transaction.execute(
                    "INSERT INTO history VALUES (?1, ?2, ?3, ?4, ?5, ?6)
                     ON CONFLICT DO UPDATE SET tests = tests + excluded.tests,
                         failures = failures + excluded.failures,
                         issues = issues + excluded.issues",
                    params![
                        row.minute,
                        row.program,
                        row.generator,
                        signed(row.tests),
                        signed(row.failures),
                        signed(row.issues)
                    ],
                )?;
            }
            for (program, counts) in &places {
                super::places::add(transaction, program, counts)?;
            }
            for (program, runs) in &refused {
                super::refused::add(transaction, program, runs)?;
            }
            transaction.execute("INSERT INTO value VALUES (?1, '')", [&mark])?;
            Ok(merged)
        })?;
        Ok(merged)
    }

    /// Returns the id of the campaign, which a copy of its folder shares.
    fn id(&self) -> Result<String, StoreError> {
        Ok(self.value("id")?.unwrap_or_default())
    }

    /// Returns all issues, oldest first.
    fn incoming(&self) -> Result<Vec<Incoming>, StoreError> {
        let mut issues = self.all_issues()?;
        issues.reverse();
        let mut recipes = self.prepare("SELECT recipe, reduced_recipe FROM issue WHERE id = ?1")?;
        let one = |issue: Issue| {
            let read = recipes.query_row([issue.id], |row| Ok((row.get(0)?, row.get(1)?)));
            let (recipe, reduced_recipe) = read.map_err(|error| self.error(error))?;
            Ok(Incoming {
                sightings: self.own_sightings(issue.id)?,
                inputs: self.own_inputs(issue.id)?,
                issue,
                recipe,
                reduced_recipe,
            })
        };
        issues.into_iter().map(one).collect()
    }
}

/// An issue of the other campaign.
struct Incoming {
    issue: Issue,
    recipe: Option<String>,
    reduced_recipe: Option<String>,
    sightings: Vec<(String, String, u64)>,
    /// The generators and names of inputs.
    inputs: Vec<(String, String)>,
}

impl Incoming {
    /// Adds the issue. Returns its number here, and whether it is new.
    fn add(&self, transaction: &Transaction<'_>) -> Result<(i64, bool), rusqlite::Error> {
        let issue = &self.issue;
        let (program, version) = (&issue.program, &issue.last_version);
        let known = issues::find(transaction, program, version, &issue.identity)?;
        let id = match known {
            Some(id) => id,
            None => self.insert(transaction)?,
        };
        if known.is_some() {
            transaction.execute(
                "UPDATE issue SET seen = seen + ?2, met = met + ?7, revision = revision + 1,
                     first_version = CASE WHEN first_seen > ?3 THEN ?4 ELSE first_version END,
                     first_seen = min(first_seen, ?3),
                     last_version = CASE WHEN last_seen < ?5 THEN ?6 ELSE last_version END,
                     last_seen = max(last_seen, ?5)
                 WHERE id = ?1",
                params![
                    id,
                    signed(issue.seen),
                    issue.first_seen,
                    issue.first_version,
                    issue.last_seen,
                    issue.last_version,
                    signed(issue.met)
                ],
            )?;
        }
        for (generator, version, seen) in &self.sightings {
            transaction.execute(
                "INSERT INTO sighting VALUES (?1, ?2, ?3, ?4)
                 ON CONFLICT DO UPDATE SET seen = seen + excluded.seen",
                params![id, generator, version, signed(*seen)],
            )?;
        }
        for (generator, name) in &self.inputs {
            joins::add_inputs(transaction, id, generator, std::slice::from_ref(name))?;
        }
        if let Some(reduced) = &issue.reduced {
            transaction.execute(
                "UPDATE issue SET reduced = ?2, reduced_recipe = ?3, reduction = ?4,
                     explanation = ?5
                 WHERE id = ?1 AND length(?2) < ifnull(length(reduced), length(test) + 1)",
                params![
                    id,
                    reduced,
                    self.reduced_recipe,
                    issue.reduction.name(),
                    self.explanation()
                ],
            )?;
        }
        if known.is_none() && issue.state == IssueState::Open && !issue.reduction.has_ended() {
            jobs::add(transaction, JobKind::Reduce, program, Some(id), false)?;
        }
        Ok((id, known.is_none()))
    }

    fn explanation(&self) -> Option<String> {
        let pattern = self.issue.explanation.as_ref()?;
        serde_json::to_string(pattern).ok()
    }

    fn insert(&self, transaction: &Transaction<'_>) -> Result<i64, rusqlite::Error> {
        let issue = &self.issue;
        let frames = serde_json::to_string(&issue.identity.frames).unwrap_or_default();
        transaction.execute(
            "INSERT INTO issue (program, kind, what, frames, cluster, state, severity, seen,
                 first_seen, last_seen, first_version, last_version, settled_version, regressed,
                 generator, hits, tries, exit, output, test, recipe, note, met, first_bad,
                 explanation)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?12, ?13, ?14, ?15, ?16, ?17,
                 ?18, ?19, ?20, ?21, ?22, ?23, ?24)",
            params![
                issue.program,
                issue.identity.kind,
                issue.identity.what,
                frames,
                issue.cluster,
                issue.state.name(),
                issue.severity.number(),
                signed(issue.seen),
                issue.first_seen,
                issue.last_seen,
                issue.first_version,
                issue.last_version,
                issue.regressed,
                issue.generator,
                signed(issue.hits),
                signed(issue.tries),
                issue.exit,
                issue.output,
                issue.test,
                self.recipe,
                issue.note,
                signed(issue.met),
                issue.first_bad,
                self.explanation()
            ],
        )?;
        Ok(transaction.last_insert_rowid())
    }
}
