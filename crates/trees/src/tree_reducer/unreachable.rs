use super::program::items::Items;
use super::program::references::References;
use super::search::{Search, SearchMachine};
use super::{Program, TreeReducer};
use crate::tree::{Gone, Outline};
use nubbin_edit::Edit;
use nubbin_engine::work::{Lists, PassInfo, Work};
use std::ops::Range;
use std::sync::Arc;

/// Removes all declarations that nothing needed reaches by name, in one test.
///
/// Most of a large program is not needed by the few lines that fail. A list minimizer finds that
/// out declaration by declaration, since each can be removed only after its users. Here an item,
/// that is, a declaration outside of functions or a statement of a script, needs all items that
/// define a name that it has. One test removes all items that no needed item reaches. If that does
/// not fail, another needed item is found by bisection: in an order in which users come before the
/// items that they use, the longest removable beginning is removed, and the item after it is
/// needed. This item is kept with everything that it reaches. For each half there is a second
/// question: whether everything can be removed that the half does not reach. So a program with one
/// needed item is halved by most tests. The bisection ends early if the few items left weigh
/// little, and most of the program can be removed that they do not reach.
///
/// In an input of several files, an item also needs the items of other files that define a name
/// that its own file does not define: the items of files that its file names, or else of all files.
/// So one test removes everything unneeded from all files.
///
/// At first the entry points and the statements without a name are assumed to be needed, then the
/// last item of the text, then nothing.
///
/// Of a class or the like, members that nothing needed names are removed. In C and C++, a value may
/// be given by the values of its members in their order. So if not all can be removed, the second
/// proposal keeps all variables of the types that are needed.
///
/// In C++, several definitions of one name differ in types: functions in the types of their
/// parameters, specializations in their arguments, and members outside of their class in that
/// class. Such a definition is needed where its types are; an operator in a namespace or a class,
/// which nothing names, is needed where all of its types are.
///
/// A C macro is an item, and each word of its value is a name that it has. What is between `#if`
/// and `#endif` is needed as if it stood by itself, and the `#if` where something in it is.
///
/// No candidate lacks a definition of a name that it still has, as far as names tell. So prefer it
/// to [`Slices`](super::Slices) where candidates must be valid programs and few declarations are
/// needed. The tree reducer removes nothing within functions.
///
/// Cost: three tests, and four and the binary logarithm of the number of items for each needed
/// item that no other one reaches, and one more each time that the program is halved; linear
/// time in the text for each test.
///
/// Source: nubbin, after `remove-unused-function` of C-Reduce (Regehr et al., PLDI 2012), which
/// asks a compiler which functions have no use, and removes them one by one or by halves.
///
/// ```
/// use nubbin_reduce::tree_reducer::{Unreachable, trace};
///
/// let program = "<p> ::= <s>*\n<s> ::= <n> '=' <v> ';'\n<v> ::= <n> | '0'\n<n> ::= [a-z]+\n";
/// let text = "a=zero;b=a;c=b;d=a;e=d;";
/// let run = trace(&Unreachable, program, text, |text| text.contains("d=a"));
/// assert_eq!(run.result, "a=zero;d=a;");
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Unreachable;

impl TreeReducer for Unreachable {
    fn info(&self) -> PassInfo {
        PassInfo::new(
            "unreachable",
            "removes all declarations that nothing needed reaches by name",
            "nubbin, after the removal of unused functions in C-Reduce (Regehr et al., PLDI 2012)",
        )
        .joining_files()
    }

    fn open(&self, outline: &Arc<Outline>, _lists: &Lists) -> Option<Work> {
        let items = Items::of(outline, &outline.fact(References::of));
        shake(vec![Arc::clone(outline)], items)
    }

    fn open_all(&self, program: &Program<'_>, _lists: &Lists) -> Option<Work> {
        shake(program.outlines(), Items::of_program(program))
    }
}

fn shake(outlines: Vec<Arc<Outline>>, items: Items) -> Option<Work> {
    (items.all.len() > 1).then(|| SearchMachine::work(Shaking::new(outlines, items)))
}

/// The search over the items of a program.
#[derive(Clone)]
struct Shaking {
    outlines: Arc<[Arc<Outline>]>,
    items: Arc<Items>,
    /// The groups of items that need each other. Users come before the items that they use.
    groups: Arc<[Vec<u32>]>,
    assumption: Assumption,
    /// The items that could not be removed.
    needed: Vec<u32>,
    /// The items that are needed or assumed to be needed, with all items that they need.
    kept: Vec<bool>,
    gone: Vec<bool>,
    /// The removed nodes of each tree.
    gone_nodes: Vec<Gone>,
    /// Whether one half of the groups may contain all needed items, as far as is known.
    narrows: bool,
    /// The first question to ask about two halves: the question that was last answered with yes.
    first: Question,
    step: Step,
    asked: Vec<u32>,
}

/// The items that are not tried yet, since they are most likely to be needed.
#[derive(Clone, Copy)]
enum Assumption {
    /// The entry points, and the statements without a name.
    Roots,
    /// The last item of the text: the call that fails, the query, the rest of a script.
    Last,
    Nothing,
}

#[derive(Clone, Copy)]
enum Step {
    /// A proposal to remove all items that are not kept.
    Rest,
    /// A proposal to remove all items that are not kept if types need all their variables.
    Variables,
    /// The groups before `from` are decided. The groups between `from` and `to` are halved at
    /// `middle`.
    Halve {
        from: usize,
        middle: usize,
        to: usize,
        /// Whether it is known that not all groups before `to` can be removed. Otherwise they may
        /// be needed because of items that they reach.
        is_proved: bool,
        question: Question,
        /// Whether the other question was answered with no.
        is_second: bool,
    },
    /// A proposal to remove the group with this number, since it is the only one left of several.
    Single(usize),
}

/// A question about two halves of some groups, of which the first has the users.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Question {
    /// Whether the first half can be removed.
    Cut,
    /// Whether all groups can be removed that the first half does not reach.
    Narrow,
}

/// The divisor of the weight of what is undecided that gives the least weight to narrow by.
const NARROWED: u64 = 4;

/// The divisor of the weight of what is undecided that gives the weight of groups that are not
/// halved any more.
const SMALL_DIVISOR: u64 = 16;

impl Shaking {
    fn new(outlines: Vec<Arc<Outline>>, items: Items) -> Self {
        let count = items.all.len();
        let mut shaking = Shaking {
            gone_nodes: vec![Gone::default(); outlines.len()],
            outlines: outlines.into(),
            groups: items.groups().into(),
            items: Arc::new(items),
            assumption: Assumption::Roots,
            needed: vec![],
            kept: vec![false; count],
            gone: vec![false; count],
            narrows: true,
            first: Question::Narrow,
            step: Step::Rest,
            asked: vec![],
        };
        shaking.assume(Assumption::Roots);
        shaking
    }

    fn assume(&mut self, assumption: Assumption) {
        self.assumption = assumption;
        self.kept.fill(false);
        self.items
            .reach(self.needed.iter().copied(), &mut self.kept);
        let left = (0..)
            .zip(&self.items.all)
            .filter(|(at, _)| !self.gone[*at as usize]);
        let outer = left.filter(|(_, item)| self.items.is_outer(item));
        let assumed: Vec<u32> = match assumption {
            Assumption::Roots => outer
                .filter(|(_, item)| item.is_root)
                .map(|(at, _)| at)
                .collect(),
            Assumption::Last => outer.map(|(at, _)| at).last().into_iter().collect(),
            Assumption::Nothing => vec![],
        };
        self.items.reach(assumed, &mut self.kept);
    }

    /// Returns the items of some groups that are not decided.
    fn undecided(&self, groups: Range<usize>) -> Vec<u32> {
        let all = self.groups[groups].iter().flatten().copied();
        all.filter(|&at| !self.kept[at as usize] && !self.gone[at as usize])
            .collect()
    }

    fn weight(&self, items: &[u32]) -> u64 {
        let weight = |&at: &u32| u64::from(self.items.all[at as usize].weight.max(1));
        items.iter().map(weight).sum()
    }

    /// Returns the bound between two that divides the weight of what is undecided between them.
    fn middle(&self, from: usize, to: usize) -> usize {
        if to - from < 2 {
            return to;
        }
        let total = self.weight(&self.undecided(from..to));
        let mut before = 0;
        for at in from..to - 1 {
            before += self.weight(&self.undecided(at..at + 1));
            if before * 2 >= total {
                return at + 1;
            }
        }
        to - 1
    }

    /// Returns the items to remove next; none at the end.
    fn choose(&mut self) -> Vec<u32> {
        loop {
            match self.step {
                Step::Rest => {
                    let left = self.undecided(0..self.groups.len());
                    if !left.is_empty() {
                        return left;
                    }
                    match self.assumption {
                        Assumption::Roots => self.assume(Assumption::Last),
                        Assumption::Last => self.assume(Assumption::Nothing),
                        Assumption::Nothing => return vec![],
                    }
                }
                Step::Variables => {
                    let whole = self.items.with_variables(&self.kept);
                    let mut left = self.undecided(0..self.groups.len());
                    let all = self.weight(&left);
                    left.retain(|&at| !whole[at as usize]);
                    let weight = self.weight(&left);
                    // Otherwise the question would be the same again, or would save too little.
                    if weight < all && weight * 2 >= all {
                        return left;
                    }
                    self.step = self.next_step(false);
                }
                Step::Halve { from, to, .. } if self.undecided(from..to).is_empty() => {
                    self.step = Step::Rest;
                }
                Step::Halve {
                    from,
                    to,
                    is_proved: true,
                    ..
                } if self.is_small(from, to) => self.need(from..to),
                Step::Halve {
                    from,
                    to,
                    is_proved,
                    ..
                } if self.undecided(from..to - 1).is_empty() => match is_proved {
                    true => self.need(to - 1..to),
                    false => self.step = Step::Single(to - 1),
                },
                Step::Single(group) => return self.undecided(group..group + 1),
                Step::Halve {
                    from,
                    middle,
                    question: Question::Cut,
                    ..
                } => {
                    let cut = self.cut(from, middle);
                    if !cut.is_empty() {
                        return cut;
                    }
                    self.step = self.next_step(false);
                }
                Step::Halve {
                    from,
                    middle,
                    is_second,
                    ..
                } => {
                    let outside = self.outside(from, middle);
                    let all = self.undecided(0..self.groups.len());
                    if self.narrows && self.weight(&outside) * NARROWED >= self.weight(&all) {
                        return outside;
                    }
                    // The question would save too little.
                    match (&mut self.step, is_second) {
                        (Step::Halve { question, .. }, false) => *question = Question::Cut,
                        _ => self.step = self.next_step(false),
                    }
                }
            }
        }
    }

    /// Returns whether the given groups weigh little, and do not reach most of the undecided
    /// weight.
    fn is_small(&self, from: usize, to: usize) -> bool {
        let all = self.weight(&self.undecided(0..self.groups.len()));
        self.weight(&self.undecided(from..to)) * SMALL_DIVISOR <= all
            && self.weight(&self.outside(from, to)) * 2 >= all
    }

    /// Keeps groups of which one is needed, with all that they reach.
    fn need(&mut self, groups: Range<usize>) {
        let needed = self.undecided(groups);
        self.items.reach(needed.iter().copied(), &mut self.kept);
        self.needed.extend(needed);
        self.narrows = true;
        self.step = Step::Rest;
    }

    /// Returns the step that halves the groups between two bounds.
    fn halve(&self, from: usize, to: usize, is_proved: bool) -> Step {
        Step::Halve {
            from,
            middle: self.middle(from, to),
            to,
            is_proved,
            question: self.first,
            is_second: false,
        }
    }

    /// Returns the step after an answer.
    fn next_step(&self, adopted: bool) -> Step {
        match self.step {
            Step::Rest | Step::Variables if adopted => Step::Rest,
            Step::Rest => Step::Variables,
            Step::Variables => self.halve(0, self.groups.len(), true),
            Step::Single(_) => Step::Rest,
            Step::Halve {
                from,
                middle,
                to,
                is_proved,
                question,
                is_second,
            } => match (adopted, is_second, question) {
                // The first half could not be removed.
                (true, true, Question::Narrow) | (false, true, _) => self.halve(from, middle, true),
                (true, false, Question::Narrow) => self.halve(from, middle, false),
                // Removed items are no longer undecided.
                (true, _, Question::Cut) => self.halve(from, to, is_proved),
                (false, false, _) => Step::Halve {
                    from,
                    middle,
                    to,
                    is_proved,
                    question: match question {
                        Question::Cut => Question::Narrow,
                        Question::Narrow => Question::Cut,
                    },
                    is_second: true,
                },
            },
        }
    }

    /// Returns the items that are not decided and that no group between two bounds reaches.
    fn outside(&self, from: usize, to: usize) -> Vec<u32> {
        self.unreached(self.undecided(from..to))
    }

    /// Returns the items of some groups that are not decided and that no other item reaches.
    fn cut(&self, from: usize, to: usize) -> Vec<u32> {
        let behind = self.undecided(to..self.groups.len());
        self.unreached([self.undecided(0..from), behind].concat())
    }

    /// Returns the items that are not decided and that none of these reaches.
    fn unreached(&self, from: Vec<u32>) -> Vec<u32> {
        let mut reached = self.kept.clone();
        self.items.reach(from, &mut reached);
        let mut all = self.undecided(0..self.groups.len());
        all.retain(|&at| !reached[at as usize]);
        all
    }
}

impl Search for Shaking {
    fn propose(&mut self) -> Option<Edit> {
        self.asked = self.choose();
        (!self.asked.is_empty()).then(|| {
            let (outlines, gone) = (&self.outlines, &self.gone_nodes);
            self.items.removal(outlines, gone, &self.asked, &[])
        })
    }

    fn settle(&mut self, adopted: bool) {
        let asked = std::mem::take(&mut self.asked);
        if adopted {
            for at in asked {
                self.gone[at as usize] = true;
                let item = &self.items.all[at as usize];
                self.gone_nodes[item.tree as usize].insert(item.node);
            }
        }
        if let Step::Halve {
            question,
            is_second,
            ..
        } = self.step
        {
            if adopted {
                self.first = question;
            } else if is_second {
                // Neither half contains all needed items.
                self.narrows = false;
            }
        }
        match self.step {
            Step::Single(group) if !adopted => self.need(group..group + 1),
            _ => self.step = self.next_step(adopted),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::cases::stays_in_the_grammar;
    use super::super::{trace, trace_with};
    use super::*;
    use nubbin_languages::catalogue;

    #[test]
    fn every_candidate_fits_the_grammar() {
        stays_in_the_grammar(&Unreachable);
    }

    #[test]
    fn functions_globals_and_metadata_of_llvm_go_with_all_that_names_them() {
        let syntax = catalogue::named("llvm").unwrap().syntax().unwrap();
        let needed = [
            "%pair = type { i32, i32 }\n",
            "@place = global %pair zeroinitializer\n",
            "declare void @leave(%pair*)\n",
            "define i32 @last() #1 !dbg !1 { call void @leave(%pair* @place) ret i32 7 }\n",
            "attributes #1 = { nounwind }\n",
            "!1 = !{!2}\n",
            "!2 = !{!\"b\"}\n",
        ];
        let [pair, place, leave, last, attributes, one, two] = needed;
        let text = [
            pair,
            "%other = type { i8 }\n",
            "@text = constant [2 x i8] c\"a\\00\"\n",
            place,
            "declare i32 @puts(i8*)\n",
            leave,
            "define i32 @first(%other* %x) { %y = call i32 @puts(i8* null) ret i32 %y }\n",
            "define i32 @second() { %y = call i32 @first(%other* null) ret i32 %y }\n",
            last,
            "attributes #0 = { nounwind }\n",
            attributes,
            "!0 = !{!\"a\"}\n",
            one,
            two,
        ]
        .concat();
        let fails = |text: &[u8]| text.windows(9).any(|part| part == b"ret i32 7");
        let lists = Lists::default();
        let run = trace_with(&Unreachable, &*syntax, text.as_bytes(), &lists, fails);
        let left: String = run.result.lines().filter(|line| !line.is_empty()).collect();
        assert_eq!(left, needed.map(str::trim_end).concat());
    }

    #[test]
    fn variables_of_needed_types_stay_if_the_program_needs_one_that_nothing_names() {
        let syntax = catalogue::named("cpp").unwrap().syntax().unwrap();
        let text = "struct a { int m; int n; int o() { return 1; } };\n\
                    struct b { int n() { return 456; } int o() { return 789; } };\n\
                    int c(b *e) { return e->o(); }\nint main() { a e = {1, 2}; return e.m; }\n";
        let fails = |text: &[u8]| {
            let has = |needle: &[u8]| text.windows(needle.len()).any(|part| part == needle);
            has(b"int n;") && has(b"{1, 2}")
        };
        let lists = Lists::default();
        let run = trace_with(&Unreachable, &*syntax, text.as_bytes(), &lists, fails);
        let (first, second) = (&run.tests[0], &run.tests[1]);
        assert!(
            !first.1 && first.0.contains("struct a { int m;   };"),
            "{}",
            first.0
        );
        assert!(
            second.1 && second.0.contains("struct a { int m; int n;  };"),
            "{}",
            second.0
        );
    }

    const PROGRAM: &str =
        "<p> ::= <s>*\n<s> ::= 'use ' <n> ';' | 'def ' <n> '{' <s>* '}'\n<n> ::= [a-z]+\n";

    #[test]
    fn all_that_one_definition_does_not_need_goes_in_one_test_after_it_is_found() {
        let mut text = String::from("def a{}");
        for (before, name) in (b'a'..b'y').zip(b'b'..=b'z') {
            text += &format!("def {}{{use {};}}", name as char, before as char);
        }
        // Each definition is used by the next one.
        let fails = |text: &str| text.contains("def d{use c;}");
        let run = trace(&Unreachable, PROGRAM, &text, fails);
        assert_eq!(run.result, "def a{}def b{use a;}def c{use b;}def d{use c;}");
        assert!(run.tests.len() <= 8, "{:#?}", run.texts());
    }

    #[test]
    fn a_program_with_one_needed_item_is_halved_by_most_tests() {
        let name = |at: usize| {
            (
                (b'a' + (at / 26) as u8) as char,
                (b'a' + (at % 26) as u8) as char,
            )
        };
        let text: String = (0..256)
            .map(name)
            .map(|(first, second)| format!("def {first}{second}{{}}"))
            .collect();
        let run = trace(&Unreachable, PROGRAM, &text, |text| {
            text.contains("def dd{")
        });
        assert_eq!(run.result, "def dd{}");
        let half = run
            .texts()
            .iter()
            .position(|tested| tested.len() * 2 <= text.len() + 8);
        assert!(half.is_some_and(|at| at <= 4), "{half:?}");
        assert!(run.tests.len() <= 16, "{}", run.tests.len());
    }

    #[test]
    fn the_bisection_ends_early_where_most_can_go() {
        let name = |at: u8| (b'a' + at / 16) as char;
        let other = |at: u8| (b'a' + at % 16) as char;
        let text: String = (0..=255)
            .map(|at| format!("def {}{}{{}}", name(at), other(at)))
            .collect();
        let run = trace(&Unreachable, PROGRAM, &text, |text| {
            text.contains("def cd{") && text.contains("def mn{")
        });
        // A sixteenth of the undecided items is kept with the second needed definition, since
        // searching it would take four more tests.
        let rest: String = "ijklmnop"
            .chars()
            .map(|last| format!("def m{last}{{}}"))
            .collect();
        assert_eq!(run.result, format!("def cd{{}}{rest}"));
        assert_eq!(run.tests.len(), 20);
    }

    #[test]
    fn members_required_by_an_interface_are_kept_with_its_implementation() {
        let syntax = catalogue::named("rust").unwrap().syntax().unwrap();
        let text = "struct A;impl Drop for A{fn drop(&mut self){}}fn a(){}fn b(){let _=A;}";
        let fails = |text: &[u8]| {
            let text = std::str::from_utf8(text).unwrap();
            let is_whole = |part: &str, rest: &str| !text.contains(part) || text.contains(rest);
            assert!(is_whole("impl Drop", "fn drop"), "{text}");
            text.contains("let _=A")
        };
        let run = trace_with(
            &Unreachable,
            &*syntax,
            text.as_bytes(),
            &Lists::default(),
            fails,
        );
        assert_eq!(run.result, "struct A;fn b(){let _=A;}");
    }
}
