//! The references between items that libclang resolves.

use crate::cursor::{Cursor, Visit};
use crate::draft::Draft;
use crate::facts::ItemKind;
use crate::items::FIRST_LATER;
use crate::nested::innermost;
use crate::unit::Unit;
use clang_sys::*;
use rustc_hash::{FxHashMap, FxHashSet};

/// The references in one text.
#[derive(Debug, Default)]
pub(crate) struct References {
    /// The references as pairs of an item and an item to which it refers, sorted.
    pub(crate) edges: Vec<(u32, u32)>,
    /// The offsets of names with a known meaning, and of declared names.
    pub(crate) resolved: FxHashSet<u32>,
    /// The items to which the parameters of functions refer.
    parameters: FxHashMap<u32, Vec<u32>>,
    /// The items to which the arguments of specializations refer.
    arguments: FxHashMap<u32, Vec<u32>>,
    /// The items to which using declarations and directives refer.
    targets: FxHashMap<u32, Vec<u32>>,
    /// The using directives and aliases of namespaces, with the first part of the namespace.
    pub(crate) namespaces: Vec<(u32, u32)>,
}

impl References {
    pub(crate) fn parameters(&self, at: u32) -> impl Iterator<Item = u32> + '_ {
        self.parameters.get(&at).into_iter().flatten().copied()
    }

    pub(crate) fn arguments(&self, at: u32) -> impl Iterator<Item = u32> + '_ {
        self.arguments.get(&at).into_iter().flatten().copied()
    }

    pub(crate) fn targets(&self, at: u32) -> Vec<u32> {
        self.targets.get(&at).cloned().unwrap_or_default()
    }
}

/// Returns whether a cursor is a declaration whose location is the location of its name.
fn is_declaration(kind: CXCursorKind) -> bool {
    !(CXCursor_ObjCSuperClassRef..FIRST_LATER).contains(&kind)
}

/// Returns whether a cursor represents a name that is used.
fn is_reference(kind: CXCursorKind) -> bool {
    matches!(
        kind,
        CXCursor_TypeRef..=CXCursor_VariableRef
            | CXCursor_DeclRefExpr
            | CXCursor_MemberRefExpr
            | CXCursor_CallExpr
            | LATER_EXPRESSION..=LAST_EXPRESSION
    )
}

/// Kinds of expressions that newer versions of libclang added, such as concept expressions.
const LATER_EXPRESSION: CXCursorKind = 153;
const LAST_EXPRESSION: CXCursorKind = 156;

/// Returns the declarations to which a name certainly refers. There are none for a name that may
/// refer to several functions. For a variable with specializations, all of them are returned.
fn declarations(cursor: Cursor<'_>) -> Vec<Cursor<'_>> {
    let set = match cursor.kind() {
        CXCursor_OverloadedDeclRef => Some(cursor),
        _ => cursor
            .referenced()
            .filter(|of| of.kind() == CXCursor_OverloadedDeclRef),
    };
    let Some(set) = set else {
        return cursor.referenced().into_iter().collect();
    };
    let all = set.overloads();
    let is_function = |of: &Cursor<'_>| {
        matches!(
            of.kind(),
            CXCursor_FunctionDecl | CXCursor_FunctionTemplate | CXCursor_CXXMethod
        )
    };
    match all.len() > 1 && all.iter().any(is_function) {
        true => vec![],
        false => all,
    }
}

/// The largest number of functions of one name of which a signature needs all.
const SMALL_SET: usize = 2;

/// Returns the functions to which a name may refer, if they are few. In a signature, such as
/// `decltype(f(0))`, a missing function makes the template fail to match without an error.
fn small_set(cursor: Cursor<'_>) -> Vec<Cursor<'_>> {
    let of = cursor
        .referenced()
        .filter(|of| of.kind() == CXCursor_OverloadedDeclRef);
    let all = of.map(Cursor::overloads).unwrap_or_default();
    if all.len() <= SMALL_SET { all } else { vec![] }
}

pub(crate) fn references<'u>(unit: &'u Unit<'_>, drafts: &[Draft<'u>]) -> References {
    let finder = Finder { unit, drafts };
    let mut found = References::default();
    finder.visit(&mut found);
    let blocks = finder.blocks();
    for (at, draft) in (0..).zip(drafts) {
        for &cursor in &draft.cursors {
            let first = finder.parts(cursor, &blocks).first().copied();
            found.namespaces.extend(first.map(|first| (at, first)));
            match cursor.kind() {
                CXCursor_UsingDeclaration | CXCursor_UsingDirective => {
                    let all = found.targets.entry(at).or_default();
                    finder.used(cursor, &blocks, all);
                }
                CXCursor_ClassTemplatePartialSpecialization
                | CXCursor_ClassDecl
                | CXCursor_StructDecl => {
                    found.arguments.insert(at, finder.arguments(cursor));
                }
                _ => {
                    let all = finder.parameters(cursor);
                    if !all.is_empty() {
                        found.parameters.insert(at, all);
                    }
                }
            }
        }
    }
    found
}

/// The items that parts of the text refer to.
struct Finder<'d, 'u, 'i> {
    unit: &'u Unit<'i>,
    drafts: &'d [Draft<'u>],
}

impl<'u> Finder<'_, 'u, '_> {
    /// Returns the innermost item at an offset.
    fn item(&self, offset: u32) -> Option<u32> {
        innermost(
            self.drafts,
            |draft| &draft.range,
            |draft| draft.parent,
            offset,
        )
    }

    /// Returns the parts of each namespace.
    fn blocks(&self) -> FxHashMap<Cursor<'u>, Vec<u32>> {
        let mut blocks: FxHashMap<Cursor<'u>, Vec<u32>> = FxHashMap::default();
        for (at, draft) in (0..).zip(self.drafts) {
            let cursors = draft.cursors.iter();
            for cursor in cursors.filter(|one| one.kind() == CXCursor_Namespace) {
                blocks.entry(cursor.canonical()).or_default().push(at);
            }
        }
        blocks
    }

    /// Returns the items that a name has for sure, with their templates.
    fn targets(&self, cursor: Cursor<'u>) -> Vec<u32> {
        let of = declarations(cursor);
        let templates: Vec<_> = of.iter().filter_map(|of| of.template()).collect();
        let all = of.into_iter().chain(templates);
        let all = all.filter(|of| of.kind() != CXCursor_Namespace);
        let offsets = all.filter_map(|of| of.at(self.unit));
        offsets.filter_map(|at| self.item(at)).collect()
    }

    /// Adds the edges of all references, and the places of names whose declarations are known.
    fn visit(&self, found: &mut References) {
        Cursor::of(self.unit).visit(&mut |cursor| {
            let kind = cursor.kind();
            let Some(at) = cursor.at(self.unit) else {
                return Visit::Within;
            };
            if is_declaration(kind) {
                found.resolved.insert(at);
            }
            if !is_reference(kind) {
                return Visit::Within;
            }
            let Some(from) = self.item(at) else {
                return Visit::Within;
            };
            let mut to = self.targets(cursor);
            let is_code = matches!(
                self.drafts[from as usize].kind,
                ItemKind::Body | ItemKind::Statement
            );
            if !is_code {
                let set = small_set(cursor);
                to.extend(set.iter().filter_map(|of| self.item(of.at(self.unit)?)));
            }
            let is_name = kind != CXCursor_CallExpr;
            if is_name && !declarations(cursor).is_empty() {
                found.resolved.insert(at);
            }
            found.edges.extend(to.into_iter().map(|to| (from, to)));
            Visit::Within
        });
        found.edges.sort_unstable();
        found.edges.dedup();
    }

    /// Adds the items that a `using` names, and the parts of the namespace of a directive.
    fn used(
        &self,
        cursor: Cursor<'u>,
        blocks: &FxHashMap<Cursor<'u>, Vec<u32>>,
        all: &mut Vec<u32>,
    ) {
        for child in cursor.children() {
            let overloads = child.overloads().into_iter();
            all.extend(overloads.filter_map(|of| self.item(of.at(self.unit)?)));
            all.extend(self.targets(child));
        }
        all.extend(self.parts(cursor, blocks));
    }

    /// Returns the parts of the namespace that a using directive or an alias names.
    fn parts<'b>(
        &self,
        cursor: Cursor<'u>,
        blocks: &'b FxHashMap<Cursor<'u>, Vec<u32>>,
    ) -> &'b [u32] {
        let is_named = matches!(
            cursor.kind(),
            CXCursor_UsingDirective | CXCursor_NamespaceAlias
        );
        let last = is_named.then(|| cursor.children().into_iter().next_back());
        let of = last.flatten().and_then(Cursor::referenced);
        of.and_then(|of| blocks.get(&of.canonical()))
            .map_or(&[], Vec::as_slice)
    }

    /// Returns the items that the arguments of a specialization name.
    fn arguments(&self, cursor: Cursor<'u>) -> Vec<u32> {
        let is_head = |child: &Cursor<'u>| is_reference(child.kind());
        let all = cursor.children().into_iter().take_while(|child| {
            is_head(child)
                || matches!(
                    child.kind(),
                    CXCursor_TemplateTypeParameter
                        | CXCursor_NonTypeTemplateParameter
                        | CXCursor_TemplateTemplateParameter
                )
        });
        let heads = all.filter(is_head);
        heads.flat_map(|head| self.targets(head)).collect()
    }

    /// Returns the items that the types of the parameters of a function name.
    fn parameters(&self, cursor: Cursor<'u>) -> Vec<u32> {
        let mut all = vec![];
        let children = cursor.children().into_iter();
        for child in children.filter(|child| child.kind() == CXCursor_ParmDecl) {
            child.visit(&mut |inner| {
                let is_type = matches!(inner.kind(), CXCursor_TypeRef | CXCursor_TemplateRef);
                if is_type {
                    all.extend(self.targets(inner));
                }
                match is_type || inner.kind() == CXCursor_NamespaceRef {
                    true => Visit::Within,
                    // The initializer of a default argument converts to the type of the parameter.
                    false => Visit::Next,
                }
            });
        }
        all
    }
}
