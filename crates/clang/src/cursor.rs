#![allow(unsafe_code, reason = "libclang is a library in C")]

use crate::unit::{Unit, string};
use clang_sys::*;
use std::hash::{Hash, Hasher};
use std::marker::PhantomData;
use std::ops::Range;

/// A node of the tree that libclang exposes.
#[derive(Clone, Copy)]
pub(crate) struct Cursor<'u> {
    raw: CXCursor,
    unit: PhantomData<&'u ()>,
}

impl PartialEq for Cursor<'_> {
    fn eq(&self, other: &Self) -> bool {
        // SAFETY: both cursors are of a living unit.
        unsafe { clang_equalCursors(self.raw, other.raw) != 0 }
    }
}

impl Eq for Cursor<'_> {}

impl Hash for Cursor<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        // SAFETY: the cursor is of a living unit.
        state.write_u32(unsafe { clang_hashCursor(self.raw) });
    }
}

impl<'u> Cursor<'u> {
    /// Returns the cursor of a whole text.
    pub(crate) fn of(unit: &'u Unit<'_>) -> Self {
        // SAFETY: the unit is valid, and the cursor borrows it.
        Cursor::new(unsafe { clang_getTranslationUnitCursor(unit.unit) })
    }

    fn new(raw: CXCursor) -> Self {
        Cursor {
            raw,
            unit: PhantomData,
        }
    }

    pub(crate) fn kind(self) -> CXCursorKind {
        self.raw.kind
    }

    pub(crate) fn spelling(self) -> String {
        // SAFETY: the cursor is of a living unit.
        string(unsafe { clang_getCursorSpelling(self.raw) })
    }

    /// Returns the range of the text that the cursor covers.
    pub(crate) fn range(self, unit: &Unit<'_>) -> Option<Range<u32>> {
        // SAFETY: the cursor is of a living unit.
        let (start, end) = unsafe {
            let extent = clang_getCursorExtent(self.raw);
            (clang_getRangeStart(extent), clang_getRangeEnd(extent))
        };
        let range = unit.offset(start)?..unit.offset(end)?;
        (range.start < range.end).then_some(range)
    }

    /// Returns the offset of the name of the cursor.
    pub(crate) fn at(self, unit: &Unit<'_>) -> Option<u32> {
        // SAFETY: the cursor is of a living unit.
        unit.offset(unsafe { clang_getCursorLocation(self.raw) })
    }

    fn existing(raw: CXCursor) -> Option<Self> {
        // SAFETY: the cursor is of a living unit, or null.
        (unsafe { clang_Cursor_isNull(raw) } == 0).then(|| Cursor::new(raw))
    }

    /// Returns the declaration to which the cursor refers.
    pub(crate) fn referenced(self) -> Option<Self> {
        // SAFETY: the cursor is of a living unit.
        Cursor::existing(unsafe { clang_getCursorReferenced(self.raw) })
    }

    /// Returns the declarations to which an unresolved name may refer.
    pub(crate) fn overloads(self) -> Vec<Self> {
        // SAFETY: the cursor is of a living unit, and each number is below the number of them.
        unsafe {
            let count = clang_getNumOverloadedDecls(self.raw);
            let all = (0..count)
                .filter_map(|number| Cursor::existing(clang_getOverloadedDecl(self.raw, number)));
            all.collect()
        }
    }

    /// Returns the first declaration of the same entity.
    pub(crate) fn canonical(self) -> Self {
        // SAFETY: the cursor is of a living unit.
        Cursor::new(unsafe { clang_getCanonicalCursor(self.raw) })
    }

    /// Returns the declaration with the body or the value.
    pub(crate) fn definition(self) -> Option<Self> {
        // SAFETY: the cursor is of a living unit.
        Cursor::existing(unsafe { clang_getCursorDefinition(self.raw) })
    }

    pub(crate) fn is_definition(self) -> bool {
        // SAFETY: the cursor is of a living unit.
        unsafe { clang_isCursorDefinition(self.raw) != 0 }
    }

    /// Returns the template of which the cursor is a specialization or an instance.
    pub(crate) fn template(self) -> Option<Self> {
        // SAFETY: the cursor is of a living unit.
        Cursor::existing(unsafe { clang_getSpecializedCursorTemplate(self.raw) })
    }

    /// Returns the class of the cursor's value, or the class to which the value points.
    pub(crate) fn class(self) -> Option<Class> {
        // SAFETY: the cursor, its types, and what is around them are of a living unit.
        unsafe {
            let mut of = clang_getCanonicalType(clang_getCursorType(self.raw));
            let pointee = clang_getPointeeType(of);
            if pointee.kind != CXType_Invalid {
                of = clang_getCanonicalType(pointee);
            }
            if of.kind != CXType_Record {
                return None;
            }
            let mut scopes = String::new();
            let mut scope = clang_getTypeDeclaration(of);
            let mut names: Vec<String> = vec![];
            while let Some(around) = Cursor::existing(clang_getCursorSemanticParent(scope)) {
                scope = around.raw;
                if around.kind() == CXCursor_Namespace && !around.is_anonymous() {
                    names.insert(0, around.spelling());
                }
                if around.kind() == CXCursor_TranslationUnit {
                    break;
                }
            }
            for count in 1..=names.len() {
                scopes += &format!("using namespace {}; ", names[..count].join("::"));
            }
            Some(Class {
                name: string(clang_getTypeSpelling(of)).replace("(anonymous namespace)::", ""),
                scopes,
            })
        }
    }

    /// Returns whether the value of a variable is in another text.
    pub(crate) fn is_extern(self) -> bool {
        // SAFETY: the cursor is of a living unit.
        unsafe { clang_Cursor_getStorageClass(self.raw) == CX_SC_Extern }
    }

    /// Returns whether the cursor is a destructor, or a constructor that copies, moves, or has no
    /// arguments.
    pub(crate) fn is_implicit_call(self) -> bool {
        // SAFETY: the cursor is of a living unit.
        let makes = unsafe {
            clang_CXXConstructor_isDefaultConstructor(self.raw) != 0
                || clang_CXXConstructor_isCopyConstructor(self.raw) != 0
                || clang_CXXConstructor_isMoveConstructor(self.raw) != 0
        };
        makes || self.kind() == CXCursor_Destructor
    }

    /// Returns whether the cursor declares a structured binding, such as `auto [a, b]`.
    pub(crate) fn is_binding(self) -> bool {
        self.spelling().is_empty() || self.spelling().starts_with('[')
    }

    pub(crate) fn is_virtual(self) -> bool {
        // SAFETY: the cursor is of a living unit.
        unsafe { clang_CXXMethod_isVirtual(self.raw) != 0 }
    }

    pub(crate) fn is_anonymous(self) -> bool {
        // SAFETY: the cursor is of a living unit.
        unsafe { clang_Cursor_isAnonymous(self.raw) != 0 }
    }

    pub(crate) fn is_inline_namespace(self) -> bool {
        // SAFETY: the cursor is of a living unit.
        unsafe { clang_Cursor_isInlineNamespace(self.raw) != 0 }
    }

    /// Returns the virtual functions that the cursor overrides.
    pub(crate) fn overridden(self) -> Vec<Self> {
        let (mut found, mut count) = (std::ptr::null_mut(), 0);
        // SAFETY: libclang returns so many cursors, which are disposed of after they are copied.
        unsafe {
            clang_getOverriddenCursors(self.raw, &raw mut found, &raw mut count);
            if found.is_null() {
                return vec![];
            }
            let all = std::slice::from_raw_parts(found, count as usize);
            let all = all.iter().map(|&raw| Cursor::new(raw)).collect();
            clang_disposeOverriddenCursors(found);
            all
        }
    }

    /// Returns the fields of the class of a member whose declarations have a value.
    ///
    /// libclang does not show the members of an instance of a class template, so those of the
    /// template are returned.
    pub(crate) fn initialized_fields(self) -> Vec<Self> {
        // SAFETY: the cursor is of a living unit.
        let class = Cursor::existing(unsafe { clang_getCursorSemanticParent(self.raw) });
        let Some(class) = class else {
            return vec![];
        };
        let is_value = |child: &Cursor<'_>| {
            (CXCursor_UnexposedExpr..CXCursor_UnexposedStmt).contains(&child.kind())
        };
        let mut fields = class.template().unwrap_or(class).children();
        fields.retain(|field| field.kind() == CXCursor_FieldDecl);
        fields.retain(|field| field.children().iter().any(is_value));
        fields
    }

    /// Returns the children of the cursor.
    pub(crate) fn children(self) -> Vec<Self> {
        let mut found = vec![];
        self.visit(&mut |child| {
            found.push(child);
            Visit::Next
        });
        found
    }

    /// Calls a function on the children, and on their children if the function requests it.
    pub(crate) fn visit(self, each: &mut dyn FnMut(Cursor<'u>) -> Visit) {
        extern "C" fn step(
            cursor: CXCursor,
            _parent: CXCursor,
            data: CXClientData,
        ) -> CXChildVisitResult {
            // SAFETY: the data is the pointer that `visit` gives, to a function that outlives it.
            let each = unsafe { &mut *data.cast::<&mut dyn FnMut(Cursor<'static>) -> Visit>() };
            match each(Cursor::new(cursor)) {
                Visit::Next => CXChildVisit_Continue,
                Visit::Within => CXChildVisit_Recurse,
            }
        }
        let mut each = each;
        let data: *mut &mut dyn FnMut(Cursor<'u>) -> Visit = &raw mut each;
        // SAFETY: the cursor is of a living unit, and the function is called during this call only.
        unsafe {
            clang_visitChildren(self.raw, step, data.cast());
        }
    }
}

/// A class in a form in which a text can name it.
pub(crate) struct Class {
    pub(crate) name: String,
    /// The directives after which the name has its meaning.
    pub(crate) scopes: String,
}

/// The cursor to visit after another one.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Visit {
    /// The next cursor at the same level.
    Next,
    /// The cursors directly below.
    Within,
}
