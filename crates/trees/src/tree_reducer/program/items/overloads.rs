use super::item::Items;
use crate::tree::Outline;
use crate::tree_reducer::program::references::References;
use crate::tree_reducer::program::signatures;
use rustc_hash::{FxHashMap, FxHashSet};

/// The names, as numbers of [`References::declared`], that needed items must have for an item to be
/// needed.
#[derive(Default)]
pub(super) struct Conditions {
    /// For definitions of a name that others define as well.
    pub(super) named: FxHashMap<u32, Vec<u32>>,
    /// For items without a name.
    pub(super) unnamed: Vec<(u32, Vec<u32>)>,
}

impl Items {
    /// Finds the differences between definitions with one name, and the types of items without a
    /// name.
    pub(super) fn conditions(
        &self,
        outline: &Outline,
        references: &References,
        declared: &[Vec<u32>],
        users: &[Vec<u32>],
    ) -> Conditions {
        let headers = self.all.iter().map(|item| item.node..item.header_end);
        let signatures: Vec<_> = headers
            .map(|header| signatures::of(outline, header))
            .collect();
        let names = references.declared.iter().map(|name| &*name.name);
        let numbers: FxHashMap<&[u8], u32> = names.zip(0..).collect();
        let is_type = |nth: &u32| {
            let mut definitions = declared[*nth as usize].iter();
            definitions.any(|&at| signatures[at as usize].is_type && !self.is_member(at))
        };
        let mut sorted = declared.to_vec();
        sorted
            .iter_mut()
            .for_each(|definitions| definitions.sort_unstable());
        let defines = |item: u32, nth: u32| sorted[nth as usize].binary_search(&item).is_ok();
        let is_other =
            |item: u32, nth: &u32| !sorted[*nth as usize].is_empty() && !defines(item, *nth);
        let known = |item: u32, names: &[&[u8]]| -> Vec<u32> {
            let known = names.iter().filter_map(|name| numbers.get(name).copied());
            let mut known: Vec<u32> = known.filter(|nth| is_other(item, nth)).collect();
            known.sort_unstable();
            known.dedup();
            known
        };
        // A type that occurs only in parameters is created by a conversion, which names no type.
        let mut is_elsewhere = vec![false; declared.len()];
        for (nth, name) in (0..).zip(&references.declared) {
            let mut users = users[nth as usize].clone();
            users.dedup();
            users.retain(|&user| !defines(user, nth));
            is_elsewhere[nth as usize] = users
                .iter()
                .any(|&user| !signatures[user as usize].names.contains(&&*name.name));
        }
        let types = |item: u32| -> Vec<u32> {
            let mut known = known(item, &signatures[item as usize].names);
            known.retain(|nth| is_type(nth) && is_elsewhere[*nth as usize]);
            known
        };
        let unknown = unknown_names(references);
        let has_name = self.with_names(declared);
        let mut conditions = Conditions::default();
        for definitions in declared.iter().filter(|all| all.len() > 1) {
            let is_one = |&&at: &&u32| {
                let signature = &signatures[at as usize];
                signature.has_parameters || signature.is_type
            };
            let all = definitions.iter().filter(is_one).map(|&at| (at, types(at)));
            let all: Vec<(u32, Vec<u32>)> = all.collect();
            if all.iter().any(|one| one.1 != all[0].1) {
                conditions
                    .named
                    .extend(all.into_iter().filter(|one| !one.1.is_empty()));
            }
        }
        for (at, item) in (0..).zip(&self.all) {
            let signature = &signatures[at as usize];
            // The name of a parameter is not the name of a function.
            let has_no_name = item.is_root || signature.has_parameters && !has_name[at as usize];
            if !has_no_name {
                continue;
            }
            let around = item.around.map(|around| &self.all[around as usize]);
            let is_in_namespace = around.is_some_and(|around| around.is_namespace);
            let is_in_type = around.is_some_and(|around| around.is_type);
            let mut names = signature.all.iter();
            let all = match signature.has_parameters {
                true if is_in_namespace || is_in_type => types(at),
                false if is_in_namespace && !names.any(|name| unknown.contains(name)) => {
                    known(at, &signature.all)
                }
                // The item is needed if its enclosing item is needed.
                _ => vec![],
            };
            conditions.unnamed.push((at, all));
        }
        conditions
    }

    /// Returns, for each item, whether it defines a name.
    fn with_names(&self, declared: &[Vec<u32>]) -> Vec<bool> {
        let mut has_name = vec![false; self.all.len()];
        for &definition in declared.iter().flatten() {
            has_name[definition as usize] = true;
        }
        has_name
    }
}

/// Returns the names of several statements that may be defined by one that the parser does not
/// know.
fn unknown_names(references: &References) -> FxHashSet<&[u8]> {
    let undeclared = references.undeclared.iter();
    let unknown = undeclared.filter(|(_, mentions)| mentions.iter().any(|at| at != &mentions[0]));
    unknown.map(|(name, _)| &**name).collect()
}

#[cfg(test)]
mod tests {
    use super::super::read::tests::{cpp, kept_from};

    fn kept_from_the_last(text: &str) -> Vec<String> {
        let (outline, items) = cpp(text);
        let is_outer = |at: &u32| items.all[*at as usize].around.is_none();
        let last = (0..items.all.len() as u32).rev().find(is_outer).unwrap();
        kept_from(&outline, &items, last)
    }

    #[test]
    fn of_functions_with_one_name_those_are_needed_whose_types_are() {
        let of_a = "int f(a *x) { return 1; }";
        let text = format!(
            "struct a {{}};\nstruct b {{}};\n{of_a}\nint f(b *x) {{ return 2; }}\n\
             int g(int x) {{ return 3; }}\nint g(b *x, int y) {{ return 4; }}\nb h;\n\
             int last(a *x) {{ return f(x) + g(1); }}\n"
        );
        let last = "int last(a *x) { return f(x) + g(1); }";
        let g = "int g(int x) { return 3; }";
        assert_eq!(kept_from_the_last(&text), ["struct a {};", of_a, g, last]);
        // The call needs the variable, and therefore the other type.
        let text = text.replace("f(x) + g(1)", "f(&h)");
        assert_eq!(kept_from_the_last(&text).len(), 6);
    }

    #[test]
    fn a_specialization_is_needed_where_its_argument_is() {
        let text = "struct a {};\nstruct b {};\ntemplate<class t> struct h {};\n\
                    template<> struct h<a> {};\ntemplate<> struct h<b> {};\n\
                    template<class t> struct c : h<t>::d {};\nb e;\nc<a> last;\n";
        let kept = [
            "struct a {};",
            "template<class t> struct h {};",
            "template<> struct h<a> {};",
            "template<class t> struct c : h<t>::d {};",
            "c<a> last;",
        ];
        assert_eq!(kept_from_the_last(text), kept);
    }

    #[test]
    fn operators_are_needed_where_all_types_of_their_parameters_are() {
        let text = "namespace n {\nstruct a { bool operator()(a *x) { return true; } };\nstruct b {};\n\
                    bool operator<(const a &x, const a &y) { return true; }\n\
                    bool operator<(const a &x, const b &z) { return true; }\nextern b e;\n}\n\
                    n::a last;\n";
        let a = "struct a { bool operator()(a *x) { return true; } };";
        let kept = [
            a,
            "bool operator()(a *x) { return true; }",
            "bool operator<(const a &x, const a &y) { return true; }",
            "n::a last;",
        ];
        assert_eq!(kept_from_the_last(text), kept);
    }

    #[test]
    fn a_member_outside_of_its_class_is_needed_where_the_class_is() {
        let text = "template<class t> struct a { void f(); };\nstruct b { void f(); };\n\
                    template<class t> void a<t>::f() {}\nvoid b::f() {}\nvoid f(int) {}\n\
                    b e;\na<int> g;\nvoid last() { e.f(); }\n";
        let kept = [
            "struct b { void f(); };",
            "void f();",
            "void b::f() {}",
            "void f(int) {}",
            "b e;",
            "void last() { e.f(); }",
        ];
        assert_eq!(kept_from_the_last(text), kept);
    }

    #[test]
    fn an_operator_outside_of_a_namespace_is_needed_wherever_its_parameters_have_names() {
        let text = "struct a {};\nbool operator<(const a &one, const a &two) { return true; }\n\
                    int last;\n";
        let (_, items) = cpp(text);
        let roots: Vec<_> = items.all.iter().map(|item| item.is_root).collect();
        assert_eq!(roots, [false, true, false]);
    }
}
