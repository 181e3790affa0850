//! The catalogue of the built-in languages.

use crate::hints;
use crate::language::{Language, LanguageError};
use crate::smt_lib::SmtLib;
use miniz_oxide::inflate::decompress_to_vec_with_limit;
use nubbin_grammar::suggest;
use nubbin_grammar::syntax::Syntax;
use std::sync::{Arc, Mutex, PoisonError};
use tree_sitter_language::LanguageFn;

/// A built-in language, with the names by which its files are recognized.
pub struct Entry {
    /// The name of the language in commands.
    pub id: &'static str,
    /// Alternative names of the language.
    pub aliases: &'static [&'static str],
    /// The patterns of the language's file names: `*.c`, `Makefile`. The first language with a
    /// match is used.
    pub files: &'static [&'static str],
    /// The programs that run files of the language, without version: `python`.
    pub programs: &'static [&'static str],
    /// The crate of the language's parser with its version, or `nubbin` for a parser of this crate.
    pub origin: &'static str,
    parser: Parser,
    loaded: Mutex<Option<Loaded>>,
}

enum Parser {
    /// A linked parser, with the grammar from which it was generated.
    #[cfg_attr(
        not(feature = "common-languages"),
        expect(dead_code, reason = "a build without parsers has no such language")
    )]
    TreeSitter(LanguageFn, &'static [u8]),
    SmtLib,
}

#[derive(Clone)]
enum Loaded {
    TreeSitter(Arc<Language>),
    SmtLib(Arc<SmtLib>),
}

/// The maximum size of an unpacked grammar in bytes.
const LARGEST: usize = 1 << 26;

impl std::fmt::Debug for Entry {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.id)
    }
}

impl Entry {
    /// Returns the language as a source of trees. The first call unpacks and reads its grammar.
    ///
    /// # Errors
    ///
    /// Returns an error if the built-in grammar is damaged or does not match the parser.
    pub fn syntax(&self) -> Result<Arc<dyn Syntax>, LanguageError> {
        Ok(match self.load()? {
            Loaded::TreeSitter(language) => language,
            Loaded::SmtLib(language) => language,
        })
    }

    /// Returns the language if it has a tree-sitter parser, or `None` if its parser is in this
    /// crate.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`Entry::syntax`].
    pub fn language(&self) -> Result<Option<Arc<Language>>, LanguageError> {
        Ok(match self.load()? {
            Loaded::TreeSitter(language) => Some(language),
            Loaded::SmtLib(_) => None,
        })
    }

    fn load(&self) -> Result<Loaded, LanguageError> {
        let mut loaded = self.loaded.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(loaded) = &*loaded {
            return Ok(loaded.clone());
        }
        let new = match &self.parser {
            Parser::TreeSitter(parser, packed) => {
                let json = decompress_to_vec_with_limit(packed, LARGEST);
                let json = json.map_err(|_| LanguageError::Damaged(self.id))?;
                let parser = (*parser).into();
                let language = Language::new(self.id, parser, &json, &hints::of(self.id))?;
                Loaded::TreeSitter(Arc::new(language))
            }
            Parser::SmtLib => Loaded::SmtLib(Arc::new(SmtLib::new()?)),
        };
        *loaded = Some(new.clone());
        Ok(new)
    }
}

/// Iterates over all built-in languages, in the order in which the names of files are matched.
pub fn all() -> impl Iterator<Item = &'static Entry> + Clone {
    #[cfg(feature = "common-languages")]
    let common = common::ENTRIES.iter();
    #[cfg(not(feature = "common-languages"))]
    let common = std::iter::empty();
    #[cfg(feature = "all-languages")]
    let others = others::ENTRIES.iter();
    #[cfg(not(feature = "all-languages"))]
    let others = std::iter::empty();
    common.chain([&SMT_LIB]).chain(others)
}

/// Returns the language with the given name or alias, ignoring case.
pub fn named(name: &str) -> Option<&'static Entry> {
    all().find(|entry| {
        let mut names = std::iter::once(&entry.id).chain(entry.aliases);
        names.any(|known| known.eq_ignore_ascii_case(name))
    })
}

/// Returns the name or alias of a language that is most similar to the given name.
pub fn nearest(name: &str) -> Option<&'static str> {
    let names = all().flat_map(|entry| std::iter::once(&entry.id).chain(entry.aliases));
    suggest::nearest(name, names.copied())
}

#[cfg(feature = "common-languages")]
macro_rules! languages {
    ($($id:literal $aliases:tt $files:tt $programs:tt $origin:literal $parser:expr;)*) => {
        pub(super) static ENTRIES: [Entry; [$($id),*].len()] = [$(Entry {
            id: $id,
            aliases: &$aliases,
            files: &$files,
            programs: &$programs,
            origin: $origin,
            parser: Parser::TreeSitter(
                $parser,
                include_bytes!(concat!("../grammars/", $id, ".json.deflate")),
            ),
            loaded: Mutex::new(None),
        },)*];
    };
}

static SMT_LIB: Entry = Entry {
    id: "smt-lib",
    aliases: &["smt", "smt2", "smtlib"],
    files: &["*.smt2", "*.smt", "*.sl"],
    programs: &["z3", "cvc5"],
    origin: "nubbin",
    parser: Parser::SmtLib,
    loaded: Mutex::new(None),
};

/// The languages of the feature `common-languages`.
#[cfg(feature = "common-languages")]
mod common {
    use super::{Entry, Mutex, Parser};

    // Each row has an id, aliases, file names, programs, the crate of the parser, and the parser.
    languages! {
        "c" [] ["*.c", "*.h", "*.i"] ["tcc"]
            "tree-sitter-c 0.24.2" tree_sitter_c::LANGUAGE;
        "cpp" ["c++", "cxx"]
            ["*.cc", "*.cpp", "*.cxx", "*.c++", "*.C", "*.hh", "*.hpp", "*.hxx", "*.h++", "*.ii", "*.ipp",
             "*.tcc", "*.inl", "*.ixx", "*.cppm"] []
            "tree-sitter-cpp 0.23.4" tree_sitter_cpp::LANGUAGE;
        "rust" ["rs"] ["*.rs"] ["rust-script", "cargo"]
            "tree-sitter-rust 0.24.2" tree_sitter_rust::LANGUAGE;
        "javascript" ["js", "jsx"] ["*.js", "*.mjs", "*.cjs", "*.jsx"]
            ["node", "nodejs", "bun", "d8", "js", "gjs", "qjs"]
            "tree-sitter-javascript 0.25.0" tree_sitter_javascript::LANGUAGE;
        "typescript" ["ts"] ["*.ts", "*.mts", "*.cts"] ["ts-node", "tsx", "deno"]
            "tree-sitter-typescript 0.23.2" tree_sitter_typescript::LANGUAGE_TYPESCRIPT;
        "tsx" [] ["*.tsx"] []
            "tree-sitter-typescript 0.23.2" tree_sitter_typescript::LANGUAGE_TSX;
        "python" ["py"]
            ["*.py", "*.pyi", "*.pyw", "*.py3", "SConstruct", "SConscript", "wscript", "BUILD", "BUILD.bazel"]
            ["python", "pypy", "pythonw"]
            "tree-sitter-python 0.25.0" tree_sitter_python::LANGUAGE;
        "java" [] ["*.java", "*.jav"] ["java"]
            "tree-sitter-java 0.23.5" tree_sitter_java::LANGUAGE;
        "go" ["golang"] ["*.go"] []
            "tree-sitter-go 0.25.0" tree_sitter_go::LANGUAGE;
        "json" ["jsonc"]
            ["*.json", "*.jsonc", "*.geojson", "*.gltf", "*.har", "*.ipynb", "*.webmanifest", "*.jsonl",
             "*.ndjson", ".eslintrc", ".babelrc", ".prettierrc"] []
            "tree-sitter-json 0.24.8" tree_sitter_json::LANGUAGE;
        "html" ["htm"] ["*.html", "*.htm"] []
            "tree-sitter-html 0.23.2" tree_sitter_html::LANGUAGE;
        "css" [] ["*.css"] []
            "tree-sitter-css 0.25.0" tree_sitter_css::LANGUAGE;
        "xml" []
            ["*.xml", "*.xhtml", "*.svg", "*.xsd", "*.xsl", "*.xslt", "*.rng", "*.rss", "*.atom", "*.plist",
             "*.csproj", "*.vcxproj", "*.pom", "*.wsdl", "*.xul", "*.ui", "*.dbk", "*.mml", "*.gpx", "*.kml"] []
            "tree-sitter-xml 0.7.0" tree_sitter_xml::LANGUAGE_XML;
        "bash" ["sh", "shell", "zsh", "ksh"]
            ["*.sh", "*.bash", "*.ksh", "*.zsh", "*.ebuild", "*.eclass", ".bashrc", ".bash_profile", ".profile",
             ".zshrc", "PKGBUILD", "APKBUILD"]
            ["sh", "bash", "dash", "ash", "ksh", "mksh", "zsh"]
            "tree-sitter-bash 0.25.1" tree_sitter_bash::LANGUAGE;
        "lua" [] ["*.lua", "*.rockspec", ".luacheckrc"] ["lua", "luajit", "texlua"]
            "tree-sitter-lua 0.5.0" tree_sitter_lua::LANGUAGE;
        "sql" [] ["*.sql", "*.ddl", "*.dml"] []
            "tree-sitter-sequel 0.3.11" tree_sitter_sequel::LANGUAGE;
        "llvm" ["ll", "llvm-ir"] ["*.ll"] ["lli"]
            "tree-sitter-llvm 1.1.0" tree_sitter_llvm::LANGUAGE;
    }
}

/// The additional languages of the feature `all-languages`.
#[cfg(feature = "all-languages")]
mod others {
    use super::{Entry, Mutex, Parser};

    languages! {
        "csharp" ["c#", "cs"] ["*.cs", "*.csx"] ["dotnet-script"]
            "arborium-c-sharp 2.18.2" arborium_c_sharp::language();
        "dart" [] ["*.dart"] ["dart"]
            "arborium-dart 2.18.2" arborium_dart::language();
        "dockerfile" ["docker"] ["Dockerfile", "*.dockerfile", "Containerfile"] []
            "arborium-dockerfile 2.18.2" arborium_dockerfile::language();
        "groovy" ["gradle"] ["*.groovy", "*.gradle", "Jenkinsfile"] ["groovy"]
            "arborium-groovy 2.18.2" arborium_groovy::language();
        "haskell" ["hs"] ["*.hs"] ["runghc", "runhaskell"]
            "arborium-haskell 2.18.2" arborium_haskell::language();
        "ini" ["cfg"] ["*.ini", "*.cfg", ".editorconfig", ".gitconfig"] []
            "arborium-ini 2.18.2" arborium_ini::language();
        "kdl" [] ["*.kdl"] []
            "arborium-kdl 2.18.2" arborium_kdl::language();
        "kotlin" ["kt"] ["*.kt", "*.kts"] ["kotlin"]
            "arborium-kotlin 2.18.2" arborium_kotlin::language();
        "lean" [] ["*.lean"] ["lean"]
            "arborium-lean 2.18.2" arborium_lean::language();
        "make" ["makefile"] ["Makefile", "makefile", "GNUmakefile", "*.mk", "*.mak"] ["make", "gmake"]
            "tree-sitter-make 1.1.1" tree_sitter_make::LANGUAGE;
        "ocaml" ["ml"] ["*.ml"] ["ocaml"]
            "arborium-ocaml 2.18.2" arborium_ocaml::language();
        "php" [] ["*.php", "*.phpt", "*.phtml", "*.inc"] ["php"]
            "arborium-php 2.18.2" arborium_php::language();
        "powershell" ["pwsh"] ["*.ps1", "*.psm1", "*.psd1"] ["pwsh", "powershell"]
            "arborium-powershell 2.18.2" arborium_powershell::language();
        "prolog" [] ["*.pro", "*.prolog"] ["swipl", "gprolog"]
            "arborium-prolog 2.18.2" arborium_prolog::language();
        "ruby" ["rb"] ["*.rb", "*.rake", "*.gemspec", "Rakefile", "Gemfile", "Vagrantfile"]
            ["ruby", "jruby", "rake"]
            "arborium-ruby 2.18.2" arborium_ruby::language();
        "scala" [] ["*.scala", "*.sc", "*.sbt"] ["scala"]
            "arborium-scala 2.18.2" arborium_scala::language();
        "solidity" ["sol"] ["*.sol"] []
            "arborium-solidity 2.18.2" arborium_solidity::language();
        "swift" [] ["*.swift"] ["swift"]
            "arborium-swift 2.18.2" arborium_swift::language();
        "thrift" [] ["*.thrift"] []
            "arborium-thrift 2.18.2" arborium_thrift::language();
        "toml" [] ["*.toml", "Cargo.lock", "Pipfile", "poetry.lock"] []
            "arborium-toml 2.18.2" arborium_toml::language();
        "typst" [] ["*.typ"] []
            "arborium-typst 2.18.2" arborium_typst::language();
        "verilog" ["systemverilog", "sv"] ["*.v", "*.vh", "*.sv", "*.svh"] []
            "arborium-verilog 2.18.2" arborium_verilog::language();
        "vhdl" [] ["*.vhd", "*.vhdl"] []
            "arborium-vhdl 2.18.2" arborium_vhdl::language();
        "yaml" ["yml"] ["*.yaml", "*.yml", ".clang-format", ".clang-tidy"] []
            "arborium-yaml 2.18.2" arborium_yaml::language();
        "zig" [] ["*.zig", "*.zon"] []
            "arborium-zig 2.18.2" arborium_zig::language();
    }
}
