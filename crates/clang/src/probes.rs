use crate::cursor::Class;
use std::collections::BTreeSet;
use std::fmt::Write as _;

/// Functions that contain the calls that compilers add to a program: calls of destructors, of
/// constructors without arguments, of the functions of a loop over a range, and of `operator new`.
///
/// libclang shows only the calls that a text contains. So the functions are written after the text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Probes {
    wanted: BTreeSet<String>,
    refused: BTreeSet<String>,
}

impl Probes {
    /// Returns the functions, one per line.
    pub(crate) fn text(&self) -> String {
        let mut text = String::from("\n");
        for (number, probe) in self.accepted().enumerate() {
            let _ = writeln!(text, "namespace __nubbin{number} {{ {probe} }}");
        }
        text
    }

    fn accepted(&self) -> impl Iterator<Item = &String> {
        self.wanted.difference(&self.refused)
    }

    /// Leaves out the functions at some offsets of [`Probes::text`] at which clang reports an
    /// error.
    pub(crate) fn refuse(&mut self, errors: impl Iterator<Item = usize>) {
        let text = self.text();
        let line = |at: usize| text.get(..at).map(|text| text.matches('\n').count());
        let lines: BTreeSet<usize> = errors.filter_map(line).collect();
        let all = (1..).zip(self.accepted());
        let refused = all.filter(|(line, _)| lines.contains(line));
        let refused: Vec<String> = refused.map(|(_, probe)| probe.clone()).collect();
        self.refused.extend(refused);
    }

    /// Adds the calls for a class whose objects a program creates or refers to.
    pub(crate) fn add_objects(&mut self, class: &Class) {
        let Class { scopes, name } = class;
        let name = name.trim_start_matches("const ");
        let name = name.trim_start_matches("volatile ");
        self.add(format!(
            "{scopes}typedef {name} t; void f(t *p) {{ p->~t(); }}"
        ));
        self.add(format!("{scopes}typedef {name} t; void f() {{ t p; }}"));
    }

    /// Adds the calls for a loop over an object of a class.
    pub(crate) fn add_loop(&mut self, class: &Class) {
        let Class { scopes, name } = class;
        let calls = "auto b = p.begin(); ++b; *b; b != p.end();";
        self.add(format!("{scopes}void f({name} &p) {{ {calls} }}"));
    }

    /// Adds the calls for a structured binding of an object of a class.
    pub(crate) fn add_binding(&mut self, class: &Class) {
        let Class { scopes, name } = class;
        for call in ["get<0>(p)", "p.get<0>()"] {
            self.add(format!("{scopes}void f({name} &p) {{ {call}; }}"));
        }
    }

    /// Adds the calls for an expression with `new` or `delete`.
    pub(crate) fn add_new(&mut self) {
        self.add("void f() { ::operator delete(::operator new(1)); }".to_owned());
        self.add("void f() { ::operator delete[](::operator new[](1)); }".to_owned());
        self.add("void f(void *p) { ::operator new(1, p); }".to_owned());
        self.add("void f(void *p) { ::operator new[](1, p); }".to_owned());
    }

    fn add(&mut self, probe: String) {
        // These names cannot be written in source code.
        let unnamed = ["(lambda", "(anonymous", "(unnamed"];
        if !unnamed.iter().any(|name| probe.contains(name)) {
            self.wanted.insert(probe);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refused_function_does_not_come_back() {
        let class = |name: &str| Class {
            name: name.into(),
            scopes: String::new(),
        };
        let mut probes = Probes::default();
        probes.add_objects(&class("const A"));
        probes.add_objects(&class("f(lambda at 3)"));
        probes.add_new();
        let text = probes.text();
        assert_eq!(text.lines().count(), 7);
        probes.refuse(text.find("t p;").into_iter());
        let text = probes.text();
        assert!(text.contains("typedef A t; void f(t *p) { p->~t(); }"));
        assert!(!text.contains("t p;"));
        probes.add_objects(&class("A"));
        assert_eq!(probes.text(), text);
    }
}
