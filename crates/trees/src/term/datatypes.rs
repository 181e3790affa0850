//! The constructors and selectors that a command of datatypes declares.

use nubbin_view::sexprs::Sexprs;
use rustc_hash::FxHashMap;

/// A name that a declaration of datatypes gives to a constructor or a selector.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Member<'a> {
    pub(super) name: &'a [u8],
    /// The sort of its value in written form. The sort of a datatype with parameters is `None`.
    pub(super) sort: Option<&'a [u8]>,
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

/// A datatype that a command declares.
pub(super) struct Datatype<'a> {
    pub(super) name: &'a [u8],
    /// The sorts that stand for others in its fields.
    pub(super) parameters: Vec<&'a [u8]>,
    /// The forms that are deleted with it: its definition, and its name if that is elsewhere.
    own: Vec<usize>,
    /// The forms of its constructors.
    constructors: Vec<usize>,
}

/// The word before the parameters of a datatype.
const PARAMETERS: &[u8] = b"par";

/// Returns the datatypes of a command: `(declare-datatype T (a (b (c Int))))`,
/// `(declare-datatypes ((T 0)) ((a (b (c Int)))))`, where a definition may be `(par (X) (a (b (c
/// X))))`, or the form of SMT-LIB 2.5, `(declare-datatypes (X) ((T a (b (c X)))))`.
pub(super) fn datatypes<'a>(forms: Forms<'_, 'a>, command: usize) -> Vec<Datatype<'a>> {
    let all = forms.children(command);
    let &[_, names, definitions] = all.as_slice() else {
        return vec![];
    };
    if !forms.is_list(names) {
        let name = forms.text(names);
        return vec![defined(forms, name, definitions, vec![])];
    }
    let names = forms.children(names);
    let definitions = forms.children(definitions).into_iter();
    // Only the names of SMT-LIB 2.6 have a number of parameters.
    if names.first().is_some_and(|&name| forms.is_list(name)) {
        let both = definitions.zip(names);
        let both = both.map(|(definition, name)| {
            let own = vec![definition, name];
            defined(forms, forms.head(name), definition, own)
        });
        return both.collect();
    }
    let parameters: Vec<&[u8]> = names.into_iter().map(|name| forms.text(name)).collect();
    let named = definitions.filter_map(|definition| {
        let parts = forms.children(definition);
        let (&name, constructors) = parts.split_first()?;
        (!forms.is_list(name)).then(|| Datatype {
            name: forms.text(name),
            parameters: parameters.clone(),
            own: vec![definition],
            constructors: constructors.to_vec(),
        })
    });
    named.collect()
}

/// Returns the datatype of a definition, which may have parameters.
fn defined<'a>(
    forms: Forms<'_, 'a>,
    name: &'a [u8],
    definition: usize,
    own: Vec<usize>,
) -> Datatype<'a> {
    let parts = forms.children(definition);
    let (parameters, constructors) = match parts.as_slice() {
        &[first, parameters, constructors] if forms.text(first) == PARAMETERS => {
            let parameters = forms.children(parameters).into_iter();
            let parameters = parameters.map(|form| forms.text(form)).collect();
            (parameters, forms.children(constructors))
        }
        _ => (vec![], parts),
    };
    Datatype {
        name,
        parameters,
        own,
        constructors,
    }
}

impl<'a> Datatype<'a> {
    /// Adds the constructors and their selectors. Those of a datatype with parameters have no sort.
    pub(super) fn members(&self, forms: Forms<'_, 'a>, found: &mut Vec<Member<'a>>) {
        let sort = |sort: &'a [u8]| self.parameters.is_empty().then_some(sort);
        for &constructor in &self.constructors {
            let fields = forms.children(constructor);
            let name = match forms.is_list(constructor) {
                true => forms.head(constructor),
                false => forms.text(constructor),
            };
            found.push(Member {
                name,
                sort: sort(self.name),
                is_constant: fields.len() < 2,
            });
            for field in fields.into_iter().skip(1) {
                if let &[selector, of] = forms.children(field).as_slice() {
                    found.push(Member {
                        name: forms.text(selector),
                        sort: sort(forms.text(of)),
                        is_constant: false,
                    });
                }
            }
        }
    }
}

/// Returns the members of the datatypes of a command.
pub(super) fn members<'a>(forms: Forms<'_, 'a>, command: usize) -> Vec<Member<'a>> {
    let mut found = vec![];
    for datatype in datatypes(forms, command) {
        datatype.members(forms, &mut found);
    }
    found
}

/// Returns the datatypes of a command, their constructors, and fields: the form of each, with the
/// forms that are deleted with it. Those of a datatype are its name and all fields of its sort.
pub(super) fn parts(forms: Forms<'_, '_>, command: usize) -> Vec<(usize, Vec<usize>)> {
    let datatypes = datatypes(forms, command);
    let mut found = vec![];
    let mut fields: FxHashMap<&[u8], Vec<usize>> = FxHashMap::default();
    for Datatype { constructors, .. } in &datatypes {
        for &constructor in constructors.iter().filter(|&&form| forms.is_list(form)) {
            let own = forms.children(constructor).into_iter().skip(1);
            let own: Vec<usize> = own.collect();
            for &field in &own {
                if let Some(&sort) = forms.children(field).get(1) {
                    let name = match forms.is_list(sort) {
                        true => forms.head(sort),
                        false => forms.text(sort),
                    };
                    fields.entry(name).or_default().push(field);
                }
            }
            found.extend(own.into_iter().map(|field| (field, vec![field])));
        }
        let constructors = constructors.iter().filter(|_| constructors.len() > 1);
        found.extend(constructors.map(|&form| (form, vec![form])));
    }
    let several = datatypes.iter().filter(|_| datatypes.len() > 1);
    found.extend(several.filter_map(|datatype| {
        let users = fields.get(datatype.name).into_iter().flatten();
        let gone = datatype.own.iter().chain(users).copied().collect();
        Some((*datatype.own.first()?, gone))
    }));
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all<T>(command: &str, what: impl Fn(Forms<'_, '_>) -> T) -> T {
        let text = command.as_bytes();
        let sexprs = Sexprs::of(text).unwrap();
        what(Forms {
            sexprs: &sexprs,
            text,
        })
    }

    fn written(text: &[u8]) -> String {
        str::from_utf8(text).unwrap().to_owned()
    }

    fn of(command: &str) -> Vec<(String, Option<String>, bool)> {
        all(command, |forms| {
            let members = members(forms, 0).into_iter();
            let members = members.map(|it| {
                let sort = it.sort.map(written);
                (written(it.name), sort, it.is_constant)
            });
            members.collect()
        })
    }

    #[test]
    fn all_notations_have_the_same_members() {
        for command in [
            "(declare-datatype T (a (b (c Int) (d T))))",
            "(declare-datatypes ((T 0)) ((a (b (c Int) (d T)))))",
            "(declare-datatypes () ((T a (b (c Int) (d T)))))",
        ] {
            let wanted = [
                ("a", "T", true),
                ("b", "T", false),
                ("c", "Int", false),
                ("d", "T", false),
            ];
            let wanted =
                wanted.map(|(name, sort, is)| (name.to_owned(), Some(sort.to_owned()), is));
            assert_eq!(of(command), wanted, "{command}");
        }
    }

    #[test]
    fn members_of_datatypes_with_parameters_have_no_sort() {
        for command in [
            "(declare-datatype P (par (X) (a (p (f X) (g (P X))))))",
            "(declare-datatypes ((P 1)) ((par (X) (a (p (f X) (g (P X)))))))",
            "(declare-datatypes (X) ((P a (p (f X) (g P)))))",
        ] {
            let names = ["a", "p", "f", "g"].map(|name| (name.to_owned(), None, name == "a"));
            assert_eq!(of(command), names, "{command}");
            all(command, |forms| {
                let datatypes = datatypes(forms, 0);
                assert_eq!(datatypes.len(), 1, "{command}");
                assert_eq!(datatypes[0].name, b"P");
                assert_eq!(datatypes[0].parameters, [b"X"]);
                // Two fields and two constructors may be deleted, and not the parameters.
                let parts = parts(forms, 0).into_iter();
                let parts: Vec<String> = parts.map(|(form, _)| written(forms.text(form))).collect();
                let has = |part: &str| parts.iter().any(|text| text == part);
                assert!(parts.len() == 4 && has("a") && has("(f X)"), "{parts:?}");
            });
        }
    }

    #[test]
    fn broken_datatypes_have_no_members() {
        for command in ["(declare-datatypes)", "(declare-datatype T)"] {
            assert!(of(command).is_empty(), "{command}");
        }
    }
}
