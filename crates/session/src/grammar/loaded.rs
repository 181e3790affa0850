//! Languages with a parser in a shared library.

use super::{bytes, wrong};
use crate::exit::Exit;
use crate::flags::ParserFlags;
use crate::problem::Problem;
use libloading::{Library, Symbol};
use nubbin_grammar::syntax::Syntax;
use nubbin_languages::hints::Hints;
use nubbin_languages::{Language, grammar_json};
use std::path::Path;
use std::sync::Arc;
use tree_sitter_language::LanguageFn;

/// Returns the language given as a library and a grammar, if any.
pub fn of(args: &ParserFlags) -> Result<Option<Arc<dyn Syntax>>, Problem> {
    let (Some(library), Some(json)) = (&args.parser, &args.grammar_json) else {
        return Ok(None);
    };
    let text = bytes(json)?;
    let name = grammar_json::name(&text).map_err(|error| wrong(json, &error))?;
    let parser = load(library, &name)?;
    let language = Language::new(&name, parser, &text, &Hints::default()).map_err(|error| {
        let what = format!(
            "cannot use `{}` with `{}`",
            library.display(),
            json.display()
        );
        Problem::new(Exit::Input, what)
            .because(&error)
            .hint("grammar.json is next to the parser.c that the library was made from")
    })?;
    Ok(Some(Arc::new(language)))
}

#[expect(unsafe_code, reason = "the user asks to run this code")]
fn load(path: &Path, name: &str) -> Result<tree_sitter::Language, Problem> {
    let failed = |error: &(dyn std::error::Error + 'static)| {
        let what = format!("cannot load the parser `{}`", path.display());
        let hint = match cfg!(all(target_env = "musl", target_feature = "crt-static")) {
            true => "a static program loads no libraries; the program for glibc does",
            false => {
                "a parser is made with `cc -shared -fPIC -I src -o NAME.so src/parser.c`, and \
                 src/scanner.c if there is one"
            }
        };
        Problem::new(Exit::Input, what).because(error).hint(hint)
    };
    // The system would search for a bare name among its own libraries.
    let path = path.canonicalize().map_err(|error| failed(&error))?;
    let entry = format!("tree_sitter_{}", name.replace('-', "_"));
    // SAFETY: the user names the library as a parser. The code that runs when the library is
    // loaded, and the type of the entry point, cannot be checked. The library remains loaded until
    // the process ends.
    unsafe {
        let library = Library::new(path).map_err(|error| failed(&error))?;
        let made: Result<Symbol<'_, unsafe extern "C" fn() -> *const ()>, _> =
            library.get(entry.as_bytes());
        let function = *made.map_err(|error| failed(&error))?;
        std::mem::forget(library);
        Ok(LanguageFn::from_raw(function).into())
    }
}
