//! Which generator a table asks for.

use super::setting::{Bound, Setting};
use super::{afl, choices, command, folder, grammar, graph, mutate, population, random};
use crate::flags::{GenerateCommand, GenerateLine};
use crate::problem::Problem;
use crate::program::Built;
use crate::reducer::ReductionMethod;
use nubbin_campaign::{Source, Store, Stream};
use std::sync::Arc;
use toml::Spanned;

/// Binds the generator to a program.
pub(crate) fn bind(setting: &Setting<'_>, built: &Built, store: &Store) -> Result<Bound, Problem> {
    let table = setting.table;
    if let Some(start) = table
        .start
        .as_ref()
        .filter(|_| table.folder.is_none() && table.afl.is_none())
    {
        let what = "a fuzzer that is started fills a `folder`, or the folder of `afl`";
        return Err(setting.origin().wrong(&start.span(), what));
    }
    let kinds = [
        table.generate.is_some(),
        table.population.is_some(),
        table.command.is_some(),
        table.folder.is_some(),
        table.afl.is_some(),
    ];
    if kinds.iter().filter(|is_given| **is_given).count() != 1 {
        let what = "a generator has one of `generate`, `population`, `command`, `folder`, and \
                    `afl`";
        return Err(setting.origin().wrong(&setting.span, what));
    }
    if let Some(words) = &table.population {
        return population::bind(setting, words, built, store);
    }
    let ran = || {
        let members = store.members(built.program.name(), setting.name);
        members
            .map(folder::paths)
            .map_err(|error| crate::store::problem(&error))
    };
    let (source, way, is_single): (Box<dyn Source>, ReductionMethod, bool) =
        if let Some(words) = &table.generate {
            let made = generate(setting, words, built)?;
            (made.0, made.1, false)
        } else if let Some(words) = &table.command {
            (
                Box::new(command::Commanded::new(setting, words)?),
                ReductionMethod::Text,
                true,
            )
        } else if let Some(path) = &table.folder {
            let folder = setting.around.folder.join(path.get_ref());
            let is_started = table.start.is_some();
            if !folder.is_dir() && !is_started {
                let what = format!("`{}` is not a folder", folder.display());
                return Err(setting.origin().wrong(&path.span(), &what));
            }
            (
                Box::new(match is_started {
                    true => folder::Files::filled(setting.name, folder, ran()?, setting.given_up),
                    false => folder::Files::new(setting.name, folder, ran()?),
                }),
                ReductionMethod::Text,
                true,
            )
        } else {
            let path = table.afl.as_ref().map(Spanned::get_ref);
            let folder = setting
                .around
                .folder
                .join(path.map_or("".as_ref(), |path| &**path));
            (
                Box::new(afl::AflFiles::new(
                    setting.name,
                    folder,
                    ran()?,
                    setting.given_up,
                )),
                ReductionMethod::Text,
                true,
            )
        };
    Ok(Bound {
        fuzz: Box::new(Stream::new(source, Arc::clone(&built.program))),
        way,
        is_single,
    })
}

/// Makes a generator of the arguments of `nubbin generate`.
fn generate(
    setting: &Setting<'_>,
    words: &Spanned<String>,
    built: &Built,
) -> Result<(Box<dyn Source>, ReductionMethod), Problem> {
    match setting.parse::<GenerateLine>(words)?.generator {
        GenerateCommand::Random(flags) => random::source(setting, &flags),
        GenerateCommand::Mutate(flags) => mutate::source(setting, &flags),
        GenerateCommand::Grammar(flags) => grammar::source(setting, &flags),
        GenerateCommand::Choices(flags) => choices::source(setting, &flags),
        GenerateCommand::Graph(flags) => graph::source(setting, &flags, built),
        GenerateCommand::Population(_) => {
            let what = "write `population = \"SEED… FLAGS\"`: the campaign has the folder and \
                        the command";
            Err(setting.origin().wrong(&words.span(), what))
        }
    }
    .map_err(|problem| setting.located(words, problem))
}
