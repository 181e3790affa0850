//! The constructors and selectors that a command of datatypes declares.

use nubbin_view::sexprs::Sexprs;
use rustc_hash::FxHashMap;

/// A name that a declaration of datatypes gives to a constructor or a selector.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Member<'a> {
    pub(super) name: &'a [u8],
    /// The sort of its value in written form.
    pub(super) sort: &'a [u8],
    /// Whether it takes no arguments.
    pub(super) is_constant: bool,
}

/// A text with its s-expressions.
#[derive(Clone, Copy)]
pub(super) struct Forms<'s, 'a> {
    pub(super) sexprs: &'s Sexprs,
    pub(super) text: &'a [u8],
}

impl<'a> Forms<'_, 'a> {
    fn text(self, form: usize) -> &'a [u8] {
        let form = self.sexprs.forms().get(form);
        form.and_then(|form| self.text.get(form.span.range()))
            .unwrap_or_default()
    }

    fn is_list(self, form: usize) -> bool {
        let form = self.sexprs.forms().get(form);
        form.is_some_and(|form| form.is_list)
    }

    fn children(self, form: usize) -> Vec<usize> {
        self.sexprs.children(form).collect()
    }

    /// The first word of a list.
    fn head(self, form: usize) -> &'a [u8] {
        let first = self.sexprs.children(form).next();
        first.map_or(b"", |first| self.text(first))
    }
}

/// Returns the members of the datatypes of a command: `(declare-datatype T (a (b (c Int))))`,
/// `(declare-datatypes ((T 0)) ((a (b (c Int)))))`, or the form of SMT-LIB 2.5,
/// `(declare-datatypes () ((T a (b (c Int)))))`. A datatype with parameters has none.
pub(super) fn members<'a>(forms: Forms<'_, 'a>, command: usize) -> Vec<Member<'a>> {
    let parts = forms.children(command);
    let &[_, names, definitions] = parts.as_slice() else {
        return vec![];
    };
    let mut found = vec![];
    if !forms.is_list(names) {
        constructors(
            forms,
            forms.text(names),
            &forms.children(definitions),
            &mut found,
        );
        return found;
    }
    let names = forms.children(names);
    for (at, definition) in forms.children(definitions).into_iter().enumerate() {
        let parts = forms.children(definition);
        match (parts.split_first(), names.get(at)) {
            (Some((&name, rest)), None) if !forms.is_list(name) => {
                constructors(forms, forms.text(name), rest, &mut found);
            }
            (Some((&first, _)), Some(&name))
                if forms.is_list(name) && forms.text(first) != b"par" =>
            {
                constructors(forms, forms.head(name), &parts, &mut found);
            }
            _ => {}
        }
    }
    found
}

/// Returns the names of the datatypes of a command.
pub(super) fn datatypes<'a>(forms: Forms<'_, 'a>, command: usize) -> Vec<&'a [u8]> {
    let parts = forms.children(command);
    let &[_, names, definitions] = parts.as_slice() else {
        return vec![];
    };
    if !forms.is_list(names) {
        return vec![forms.text(names)];
    }
    let mut all = forms.children(names);
    if all.is_empty() {
        all = forms.children(definitions);
    }
    all.into_iter().map(|of| forms.head(of)).collect()
}

/// Returns the datatypes of a command, their constructors, and fields: the form of each, with the
/// forms that are deleted with it. Those of a datatype are its name and all fields of its sort.
pub(super) fn parts(forms: Forms<'_, '_>, command: usize) -> Vec<(usize, Vec<usize>)> {
    let all = forms.children(command);
    let &[_, names, definitions] = all.as_slice() else {
        return vec![];
    };
    let mut found = vec![];
    // Each datatype: its name, its form with the form of its name, and its constructors.
    let mut datatypes: Vec<(&[u8], Vec<usize>, Vec<usize>)> = vec![];
    if !forms.is_list(names) {
        datatypes.push((forms.text(names), vec![], forms.children(definitions)));
    } else {
        let names = forms.children(names);
        for (at, definition) in forms.children(definitions).into_iter().enumerate() {
            let mut constructors = forms.children(definition);
            match names.get(at) {
                Some(&name) => {
                    datatypes.push((forms.head(name), vec![definition, name], constructors));
                }
                None if !constructors.is_empty() => {
                    let name = constructors.remove(0);
                    datatypes.push((forms.text(name), vec![definition], constructors));
                }
                None => {}
            }
        }
    }
    let mut fields: FxHashMap<&[u8], Vec<usize>> = FxHashMap::default();
    for (_, _, constructors) in &datatypes {
        for &constructor in constructors.iter().filter(|&&form| forms.is_list(form)) {
            let own = forms.children(constructor).into_iter().skip(1);
            let own: Vec<usize> = own.collect();
            for &field in &own {
                if let Some(&sort) = forms.children(field).get(1) {
                    fields.entry(forms.text(sort)).or_default().push(field);
                }
            }
            found.extend(own.into_iter().map(|field| (field, vec![field])));
        }
        let constructors = constructors.iter().filter(|_| constructors.len() > 1);
        found.extend(constructors.map(|&form| (form, vec![form])));
    }
    let several = datatypes.iter().filter(|_| datatypes.len() > 1);
    found.extend(several.filter_map(|(name, own, _)| {
        let users = fields.get(name).into_iter().flatten();
        let gone = own.iter().chain(users).copied().collect();
        Some((*own.first()?, gone))
    }));
    found
}

/// Adds the constructors of a datatype, with their selectors.
fn constructors<'a>(
    forms: Forms<'_, 'a>,
    datatype: &'a [u8],
    all: &[usize],
    found: &mut Vec<Member<'a>>,
) {
    for &constructor in all {
        let fields = forms.children(constructor);
        let name = match forms.is_list(constructor) {
            true => forms.head(constructor),
            false => forms.text(constructor),
        };
        found.push(Member {
            name,
            sort: datatype,
            is_constant: fields.len() < 2,
        });
        for field in fields.into_iter().skip(1) {
            if let &[selector, sort] = forms.children(field).as_slice() {
                found.push(Member {
                    name: forms.text(selector),
                    sort: forms.text(sort),
                    is_constant: false,
                });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(command: &str) -> Vec<Member<'_>> {
        let text = command.as_bytes();
        let sexprs = Sexprs::of(text).unwrap();
        let forms = Forms {
            sexprs: &sexprs,
            text,
        };
        members(forms, 0)
    }

    #[test]
    fn all_notations_have_the_same_members() {
        for command in [
            "(declare-datatype T (a (b (c Int) (d T))))",
            "(declare-datatypes ((T 0)) ((a (b (c Int) (d T)))))",
            "(declare-datatypes () ((T a (b (c Int) (d T)))))",
        ] {
            let members = of(command).into_iter();
            let members: Vec<_> = members
                .map(|it| (str::from_utf8(it.name).unwrap(), it.sort, it.is_constant))
                .collect();
            let wanted = [
                ("a", &b"T"[..], true),
                ("b", b"T", false),
                ("c", b"Int", false),
                ("d", b"T", false),
            ];
            assert_eq!(members, wanted, "{command}");
        }
    }

    #[test]
    fn datatypes_with_parameters_and_broken_ones_have_none() {
        for command in [
            "(declare-datatypes ((P 1)) ((par (X) ((p (f X))))))",
            "(declare-datatypes)",
            "(declare-datatype T)",
        ] {
            let members = of(command);
            assert!(members.is_empty(), "{command} {members:?}");
        }
    }
}
