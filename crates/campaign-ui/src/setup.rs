//! The jobs of a campaign, from its tables.

use super::config::{Config, ConfigFile, GeneratorTable, UpdateTable};
use super::explainer::Explainer;
use super::farm::{Farm, Given};
use super::generator::{GivenUp, Setting, bind};
use super::origin::Origin;
use super::program::{Built, Surroundings, command_of, seconds};
use super::reducer::Reducer;
use super::update::Updater;
use crate::exit::Exit;
use crate::flags::size;
use crate::grammar::languages;
use crate::problem::Problem;
use nubbin_campaign::{Budget, FuzzJob, Jobs, ProgramJobs, Store, Update};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use toml::Spanned;

/// The number of runs that decide whether a test shows its issue again.
const VALIDATIONS: u64 = 3;
/// The memory that a job is taken to need, without a limit on it.
const USUAL_MEMORY: u64 = 1 << 30;

/// A campaign that is ready to run.
pub(super) struct Setup {
    pub(super) config: Config,
    pub(super) origin: Origin,
    pub(super) folder: PathBuf,
    pub(super) budget: Budget,
    pub(super) farm: Farm,
    pub(super) programs: Vec<Built>,
    /// The generators whose fuzzers have exited for good.
    pub(super) given_up: GivenUp,
    is_quiet: bool,
}

impl Setup {
    /// Reads the file in the folder of a campaign, and makes the programs.
    pub(super) fn new(folder: &Path, given: &Given, is_quiet: bool) -> Result<Self, Problem> {
        let folder = whole(folder)?;
        let file = ConfigFile::read(&folder)?;
        let config = file.parse()?;
        Setup::of(folder, (config, Origin::File(file)), given, is_quiet)
    }

    /// Makes the programs of a campaign in a folder, given by its whole path. `origin` is where its
    /// settings are written.
    pub(super) fn of(
        folder: PathBuf,
        (config, origin): (Config, Origin),
        given: &Given,
        is_quiet: bool,
    ) -> Result<Self, Problem> {
        // Paths in the settings are relative to the folder.
        std::env::set_current_dir(&folder).map_err(|error| {
            let what = format!("cannot work in `{}`", folder.display());
            Problem::new(Exit::Input, what).because(&error)
        })?;
        let usual = config.campaign.cores.as_ref();
        if let Some(zero) = usual.filter(|cores| *cores.get_ref() == 0) {
            return Err(origin.wrong(&zero.span(), "at least one core is needed"));
        }
        let usual = usual.map(|cores| *cores.get_ref());
        let farm = Farm::of(given, &config.remote, usual, &origin)?;
        let memory = config.campaign.memory.as_ref().map(|text| {
            size::parse(text.get_ref()).map_err(|error| origin.wrong(&text.span(), &error))
        });
        let budget = Budget {
            cores: farm.jobs(),
            memory: memory.transpose()?,
        };
        let mut setup = Setup {
            config,
            origin,
            folder,
            budget,
            farm,
            programs: vec![],
            given_up: GivenUp::default(),
            is_quiet,
        };
        let mut programs = vec![];
        for (name, table) in &setup.config.program {
            let around = setup.surroundings();
            programs.push(Built::new(name, table.get_ref(), &table.span(), &around)?);
        }
        setup.programs = programs;
        Ok(setup)
    }

    /// Returns the settings that all programs share.
    pub(super) fn surroundings(&self) -> Surroundings<'_> {
        Surroundings {
            origin: &self.origin,
            folder: &self.folder,
            cores: self.farm.jobs_here(),
            is_quiet: self.is_quiet,
        }
    }

    /// Returns the indices of the programs that a generator is for.
    pub(super) fn programs_of(&self, table: &GeneratorTable) -> Result<Vec<usize>, Problem> {
        if table.programs.is_empty() {
            return Ok((0..self.programs.len()).collect());
        }
        let place = |name: &Spanned<String>| {
            let mut programs = self.programs.iter();
            let place = programs.position(|built| built.program.name() == name.get_ref());
            place.ok_or_else(|| {
                let known: Vec<_> = self.config.program.keys().map(String::as_str).collect();
                let what = format!("there is no program `{}`", name.get_ref());
                self.origin
                    .wrong(&name.span(), &what)
                    .hint(format!("there are {}", known.join(", ")))
            })
        };
        let mut places: Vec<usize> = table.programs.iter().map(place).collect::<Result<_, _>>()?;
        // A program that is named twice has one job.
        places.sort_unstable();
        places.dedup();
        Ok(places)
    }

    /// Makes all jobs.
    pub(super) fn jobs(&self, store: &Store, with_fuzz: bool) -> Result<Jobs, Problem> {
        let mut jobs = Jobs::default();
        let mut ways: Vec<HashMap<String, _>> = vec![HashMap::new(); self.programs.len()];
        for (name, table) in &self.config.generator {
            let (table, span) = (table.get_ref(), table.span());
            let around = self.surroundings();
            let setting = Setting {
                name,
                table,
                span,
                around: &around,
                seed: self.config.campaign.seed,
                given_up: &self.given_up,
            };
            for program in self.programs_of(table)? {
                let bound = bind(&setting, &self.programs[program], store)?;
                ways[program].insert(name.clone(), bound.way);
                if !with_fuzz {
                    continue;
                }
                jobs.fuzz.push(FuzzJob {
                    program,
                    generator: name.clone(),
                    fuzz: bound.fuzz,
                    weight: table.weight,
                    instances: match bound.is_single {
                        true => 1,
                        false => table.instances.unwrap_or(self.most_jobs(program)),
                    },
                    batch: table.batch.map(|batch| batch.max(1)),
                    expects_failures: false,
                    comes_first: false,
                });
            }
        }
        for (built, ways) in self.programs.iter().zip(ways) {
            let name = built.program.name();
            let table = self.config.program[name].get_ref();
            let language = table.reduce.language.as_ref().map(|language| {
                languages::named(language.get_ref())
                    .and_then(languages::load)
                    .map_err(|problem| self.origin.wrong(&language.span(), problem.what()))
            });
            let language = language.transpose()?;
            let explainer = Explainer {
                ways: ways.clone(),
                language: language.clone(),
            };
            let reducer = Reducer { ways, language };
            let time = table.reduce.max_time.as_ref();
            let limit = built.memory().unwrap_or(USUAL_MEMORY);
            jobs.programs.push(ProgramJobs {
                program: Arc::clone(&built.program),
                reduce: table.reduce.enabled.then(|| Box::new(reducer) as _),
                explain: Some(Box::new(explainer)),
                explains: table.reduce.explain,
                reduction_tests: table.reduce.max_tests,
                reduction_time: time.map(|time| seconds(time, &self.origin)).transpose()?,
                allows_empty: table.reduce.allow_empty,
                reduces_met: true,
                validations: table.validate.unwrap_or(VALIDATIONS).max(1),
                // Tests on a farm use no memory of this machine.
                memory: if self.is_there(built) { 0 } else { limit },
                update: match &table.update {
                    None => None,
                    Some(update) => Some(self.update(update.get_ref(), built)?),
                },
            });
        }
        Ok(jobs)
    }

    /// Returns whether the tests of a program run on a farm.
    pub(super) fn is_there(&self, built: &Built) -> bool {
        self.farm.is_used() && built.stays_here().is_none()
    }

    /// Returns the number of jobs of a program that have a use at the same time.
    fn most_jobs(&self, program: usize) -> usize {
        match self.farm.is_used() && !self.is_there(&self.programs[program]) {
            true => self.farm.jobs_here(),
            false => self.budget.cores,
        }
    }

    fn update(&self, table: &UpdateTable, built: &Built) -> Result<Box<dyn Update>, Problem> {
        let around = self.surroundings();
        let condition = table.condition.as_ref();
        Ok(Box::new(Updater {
            folder: self.folder.clone(),
            command: command_of(&table.command, &around)?,
            condition: condition
                .map(|words| command_of(words, &around))
                .transpose()?,
            every: seconds(&table.every, &self.origin)?,
            timeout: match &table.timeout {
                Some(timeout) => Some(seconds(timeout, &self.origin)?),
                None => None,
            },
            validates: table.validate,
            version: Box::new(built.version_finder()),
        }))
    }
}

/// Returns the whole path of the folder of a campaign.
fn whole(folder: &Path) -> Result<PathBuf, Problem> {
    folder.canonicalize().map_err(|error| {
        let what = format!("cannot use the folder `{}`", folder.display());
        Problem::new(Exit::Input, what)
            .because(&error)
            .hint("`nubbin campaign new DIR` creates a campaign")
    })
}
