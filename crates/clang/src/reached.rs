use crate::cursor::{Cursor, Visit};
use crate::probes::Probes;
use crate::unit::Unit;
use clang_sys::*;
use rustc_hash::FxHashSet;

/// The text of a program, and the positions of its items.
pub(crate) struct Program<'a, 'u> {
    pub(crate) unit: &'u Unit<'u>,
    /// The number of bytes of the text. Probes follow it.
    pub(crate) len: u32,
    /// Returns the item at an offset.
    pub(crate) item: &'a dyn Fn(u32) -> Option<u32>,
    /// The items at which the program begins.
    pub(crate) roots: &'a FxHashSet<u32>,
}

impl<'u> Program<'_, 'u> {
    /// Returns the items that the program may reach when it runs, sorted. The calls in these items
    /// that libclang does not expose are added to `probes`.
    ///
    /// libclang does not show the instances of templates below the text. But each call refers to
    /// the function that it calls, and the body of an instance has the overloads that its
    /// instantiation has chosen.
    pub(crate) fn reached(&self, mut probes: Option<&mut Probes>) -> Vec<u32> {
        let mut todo = self.starts();
        let mut found: FxHashSet<u32> = FxHashSet::default();
        let mut seen: FxHashSet<Cursor<'u>> = FxHashSet::default();
        while let Some(code) = todo.pop() {
            if !seen.insert(code) {
                continue;
            }
            found.extend(self.item(code));
            code.visit(&mut |cursor| {
                // The body of a member may be defined outside of its class.
                found.extend(self.item(cursor));
                if let Some(probes) = &mut probes {
                    add_hidden_calls(cursor, probes);
                }
                if let Some(of) = cursor.referenced() {
                    found.extend(self.item(of));
                    if is_code(of.kind()) {
                        todo.push(of.definition().unwrap_or(of));
                    }
                    // A constructor gives the fields the values of their declarations.
                    if of.kind() == CXCursor_Constructor {
                        todo.extend(of.initialized_fields());
                    }
                }
                Visit::Within
            });
        }
        let mut items: Vec<u32> = found.into_iter().collect();
        items.sort_unstable();
        items
    }

    fn item(&self, cursor: Cursor<'_>) -> Option<u32> {
        let at = cursor.at(self.unit).filter(|at| *at < self.len);
        at.and_then(self.item)
    }

    /// Returns the functions and variables at which the program begins, and the probes.
    fn starts(&self) -> Vec<Cursor<'u>> {
        let mut found = vec![];
        Cursor::of(self.unit).visit(&mut |cursor| {
            match cursor.kind() {
                CXCursor_Namespace
                | CXCursor_LinkageSpec
                | CXCursor_StructDecl
                | CXCursor_ClassDecl
                | CXCursor_UnionDecl
                | CXCursor_ClassTemplate
                | CXCursor_ClassTemplatePartialSpecialization
                // Older versions of libclang report `extern "C"` as this kind.
                | CXCursor_UnexposedDecl => return Visit::Within,
                kind if !is_code(kind) => return Visit::Next,
                _ => {}
            }
            let is_probe = cursor.at(self.unit).is_some_and(|at| at >= self.len);
            let is_root = self.item(cursor).is_some_and(|at| self.roots.contains(&at));
            if is_probe || is_root || makes_object(cursor) {
                found.push(cursor);
            }
            Visit::Next
        });
        found
    }
}

fn add_hidden_calls(cursor: Cursor<'_>, probes: &mut Probes) {
    if let Some(class) = cursor.class() {
        probes.add_objects(&class);
    }
    match cursor.kind() {
        CXCursor_CXXForRangeStmt => {
            let children = cursor.children().into_iter();
            let classes = children.filter_map(Cursor::class);
            classes.for_each(|class| probes.add_loop(&class));
        }
        CXCursor_CXXNewExpr | CXCursor_CXXDeleteExpr => probes.add_new(),
        // libclang does not expose the declaration of a structured binding.
        CXCursor_UnexposedDecl | CXCursor_VarDecl if cursor.is_binding() => {
            if let Some(class) = cursor.class() {
                probes.add_binding(&class);
            }
        }
        _ => {}
    }
}

/// Returns whether this is a variable outside of functions whose constructor runs before `main`
/// begins.
fn makes_object(variable: Cursor<'_>) -> bool {
    let mut found = false;
    if variable.kind() == CXCursor_VarDecl && !variable.is_extern() {
        variable.visit(&mut |cursor| {
            let of = cursor.referenced();
            let is_constructor = of.is_some_and(|of| of.kind() == CXCursor_Constructor);
            found |= cursor.kind() == CXCursor_CallExpr && is_constructor;
            Visit::Within
        });
    }
    found
}

/// Returns whether a declaration has code or a value that a program reaches through it.
fn is_code(kind: CXCursorKind) -> bool {
    matches!(
        kind,
        CXCursor_FunctionDecl
            | CXCursor_CXXMethod
            | CXCursor_Constructor
            | CXCursor_Destructor
            | CXCursor_ConversionFunction
            | CXCursor_VarDecl
    )
}
