use super::{
    Coupled, Grabr, Identifiers, Inline, Parameters, Perses, Queries, SameKind, ScopedNames,
    Slices, Stubs, Subtrees, TreeReducer, TypeParameters, Unreachable,
};
use nubbin_grammar::suggest::nearest;
use nubbin_minimize::written::{KnownOptions, name_and_options, options_of};

use std::sync::{Arc, LazyLock};

/// Returns the tree reducers of this crate.
pub fn catalogue() -> &'static [Arc<dyn TreeReducer>] {
    static ALL: LazyLock<Vec<Arc<dyn TreeReducer>>> = LazyLock::new(|| {
        vec![
            Arc::new(Perses),
            Arc::new(Grabr::generative()),
            Arc::new(SameKind),
            Arc::new(Identifiers),
            Arc::new(Coupled),
            Arc::new(Subtrees),
            Arc::new(Unreachable),
            Arc::new(Slices),
            Arc::new(Stubs),
            Arc::new(Parameters),
            Arc::new(TypeParameters),
            Arc::new(Inline),
            Arc::new(ScopedNames),
            Arc::new(Queries),
        ]
    });
    &ALL
}

/// Returns a tree reducer of this crate by its name, without options.
pub fn by_id(id: &str) -> Option<Arc<dyn TreeReducer>> {
    find(catalogue(), id)
}

fn find(catalogue: &[Arc<dyn TreeReducer>], id: &str) -> Option<Arc<dyn TreeReducer>> {
    catalogue.iter().find(|reducer| reducer.id() == id).cloned()
}

/// Parses the name and options of a tree reducer of this crate, written like the options of [list
/// minimizers](nubbin_minimize::parse).
///
/// # Errors
/// Returns [`TreeReducerError`] if there is no such tree reducer, or if it has no such option.
pub fn parse(text: &str) -> Result<Arc<dyn TreeReducer>, TreeReducerError> {
    parse_in(catalogue(), text)
}

/// Parses the name and options of a tree reducer of a catalogue, such as `hddr:dfs,backward`.
///
/// # Errors
/// Returns [`TreeReducerError`] if there is no such tree reducer, or if it has no such option.
pub fn parse_in(
    catalogue: &[Arc<dyn TreeReducer>],
    text: &str,
) -> Result<Arc<dyn TreeReducer>, TreeReducerError> {
    let (id, options) = name_and_options(text);
    let mut reducer = find(catalogue, id).ok_or_else(|| TreeReducerError::Unknown {
        name: id.into(),
        like: nearest(id, catalogue.iter().map(|reducer| reducer.id())).map(String::from),
    })?;
    for (option, value) in options_of(options) {
        reducer = reducer
            .with(option, value)
            .ok_or_else(|| TreeReducerError::NoOption {
                reducer: reducer.id(),
                option: option.into(),
                known: reducer.info().options,
            })?;
    }
    Ok(reducer)
}

/// The reason why the name or options of a tree reducer cannot be parsed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TreeReducerError {
    /// The tree reducer is unknown.
    #[error("unknown tree reducer `{name}`{}", like.as_ref().map_or(String::new(), |like| format!(", did you mean `{like}`?")))]
    Unknown {
        /// The unknown name.
        name: String,
        /// A known name that is similar.
        like: Option<String>,
    },
    /// The tree reducer does not have the option.
    #[error("`{reducer}` has no option `{option}`; {}", KnownOptions(.known))]
    NoOption {
        /// The name of the tree reducer.
        reducer: &'static str,
        /// The unknown option.
        option: String,
        /// The known options.
        known: &'static [(&'static str, &'static str)],
    },
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_name_similar_tree_reducers_and_the_known_options() {
        let message = |text: &str| match parse(text) {
            Ok(reducer) => reducer.id().to_owned(),
            Err(error) => error.to_string(),
        };
        assert_eq!(
            message("same_kind"),
            "unknown tree reducer `same_kind`, did you mean `same-kind`?"
        );
        assert_eq!(
            message("perses:dfs"),
            "`perses` has no option `dfs`; it has none"
        );
    }
}
