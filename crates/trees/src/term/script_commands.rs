use super::SortTables;
use super::droppable::{droppable, minor};
use super::script::{Script, Step};
use super::sorts::Sorts;
use nubbin_edit::File;
use nubbin_engine::work::{Context, Pass, PassInfo, Steps, Work, on_document};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Changes commands of a script of s-expressions such as SMT-LIB together with what depends on
/// them, where the [rules](nubbin_grammar::sorts::SortRules) of its language are known.
///
/// In this order:
///
/// 1. scopes, commands, datatypes, their constructors, and fields are deleted, and the terms of the
///    others become the least of their sorts, from the outside in, heaviest first, many in one
///    test, each time with the declarations and bindings that nothing uses any more;
/// 2. commands of kinds that have little of the text, such as options, are deleted;
/// 3. commands that open and close a scope are deleted in pairs;
/// 4. a command becomes one that needs less, as `check-sat-assuming` becomes `check-sat`;
/// 5. the uses of a defined function become its term, and the definition is deleted;
/// 6. all vectors of a width become narrower, with their literals.
///
/// Prefer it to passes over lines and lists, which delete one command at a time: a script without
/// one of a pair is refused.
///
/// Cost: about a test per needed command and term; one test for all pairs of scopes, one per
/// definition, and up to three per width; the tests of a list minimizer where some of them are
/// needed.
///
/// Source: ddSMT (Kremer, Niemetz, Preiner: ddSMT 2.0, CAV 2021), which reduces the width of one
/// variable in a test, and keeps the others by operators between them.
///
/// ```
/// use nubbin_languages::hints::SORTS;
/// use nubbin_reduce::pass::{Facts, ScriptCommands, SortTables, preview_with};
///
/// let script = b"(define-fun f ((x Int)) Int (+ x 1))(push 1)(assert (= (f 2) 3))(pop 1)";
/// let facts = Facts::default().with(SortTables(SORTS));
/// let all = preview_with(&ScriptCommands, &facts, script, 99);
/// assert!(all.contains(&"(push 1)(assert (= 0 3))(pop 1)".into()));
/// assert!(all.contains(&"(define-fun f ((x Int)) Int (+ x 1))(assert (= (f 2) 3))".into()));
/// assert!(all.contains(&"(push 1)(assert (= (+ 2 1) 3))(pop 1)".into()));
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct ScriptCommands;

/// The widths that are tried at most.
const MOST_WIDTHS: usize = 4;

impl Pass for ScriptCommands {
    fn info(&self) -> PassInfo {
        PassInfo::new(
            "script-commands",
            "deletes SMT-LIB scopes, inlines definitions, and makes vectors narrower",
            "ddSMT (Kremer, Niemetz, Preiner 2021)",
        )
    }

    fn open(&self, file: &File<'_>, context: &Context<'_>) -> Option<Work> {
        let sorts = Sorts::of(file.text, SortTables::of(context))?;
        let script = Arc::new(Script::of(&sorts, file.text));
        let minor = minor(&sorts);
        let mut lists = vec![droppable(&sorts, &script, &minor)];
        let minor = minor.into_iter().map(|form| Step::Drop(vec![form], vec![]));
        lists.push((minor.collect(), Steps::AllFirst));
        lists.push((scopes(&sorts), Steps::AllFirst));
        lists.push((plain(&sorts), Steps::AllFirst));
        lists.push((inlined(&sorts), Steps::Some));
        lists.extend(
            narrower(&sorts)
                .into_iter()
                .map(|steps| (steps, Steps::FirstOf)),
        );
        on_document(file, context, script, lists)
    }
}

/// Returns the pairs of commands around a scope.
fn scopes(sorts: &Sorts<'_>) -> Vec<Step> {
    let pairs = sorts.scopes().into_iter();
    let around = pairs.map(|(opens, closes)| Step::All(vec![(opens, vec![]), (closes, vec![])]));
    around.collect()
}

/// Returns the commands that become others with fewer parts.
fn plain(sorts: &Sorts<'_>) -> Vec<Step> {
    let steps = sorts.sexprs.top().filter_map(|form| {
        let head = sorts.head(form);
        let mut known = sorts.rules.plain.iter();
        let (_, other) = known.find(|(name, _)| name.as_bytes() == head)?;
        Some(Step::Replace(form, format!("({other})").into_bytes()))
    });
    steps.collect()
}

/// A function with the term that it stands for.
struct Definition<'s> {
    command: usize,
    name: &'s [u8],
    parameters: Vec<&'s [u8]>,
    body: usize,
}

/// Returns the definitions that can be inlined, each with all its uses.
fn inlined(sorts: &Sorts<'_>) -> Vec<Step> {
    let definitions = sorts
        .sexprs
        .top()
        .filter_map(|form| definition(sorts, form));
    let forms = sorts.sexprs.forms();
    let step = |definition: Definition<'_>| {
        let mut uses: Vec<(usize, Vec<u8>)> = vec![];
        let (mut before, mut end) = (0, 0);
        for at in 0..forms.len() {
            let is_own =
                (definition.command as u32..forms[definition.command].end).contains(&(at as u32));
            if at < end || is_own || !is_use(sorts, &definition, at) {
                continue;
            }
            end = forms[at].end as usize;
            before += sorts.text(at).len();
            // The change as a whole must save bytes.
            let room = 4 * sorts.text(at).len() + sorts.text(definition.command).len();
            uses.push((at, expanded(sorts, &definition, at, (0, room))?));
        }
        let after: usize = uses.iter().map(|(_, text)| text.len()).sum();
        let is_smaller = after < before + sorts.text(definition.command).len();
        uses.push((definition.command, vec![]));
        is_smaller.then_some(Step::All(uses))
    };
    definitions.filter_map(step).collect()
}

fn definition<'s>(sorts: &Sorts<'s>, form: usize) -> Option<Definition<'s>> {
    let known = sorts.declaration(form).filter(|known| known.has_body)?;
    let children = sorts.children(form);
    let parameters = match known.parameters {
        Some(at) => sorts.children(*children.get(at)?),
        None => vec![],
    };
    let definition = Definition {
        command: form,
        name: sorts.text(*children.get(1)?),
        parameters: parameters.into_iter().map(|of| sorts.head(of)).collect(),
        body: *children.get(known.sort? + 1)?,
    };
    // A recursive function cannot be inlined.
    let forms = sorts.sexprs.forms();
    let mut within = definition.body..forms[definition.body].end as usize;
    let is_recursive = within.any(|at| sorts.text(at) == definition.name);
    (!is_recursive).then_some(definition)
}

/// Returns whether a form is a call of a function, or the name of a constant.
fn is_use(sorts: &Sorts<'_>, definition: &Definition<'_>, form: usize) -> bool {
    match definition.parameters.is_empty() {
        true => !sorts.is_list(form) && sorts.text(form) == definition.name,
        false => {
            let count = definition.parameters.len() + 1;
            sorts.head(form) == definition.name && sorts.children(form).len() == count
        }
    }
}

/// The deepest nesting of calls that are expanded, which bounds the recursion of [`expanded`].
const MAX_CALLS: usize = 64;

/// Returns the text of a form in which each call is the body of the function, or `None` if calls
/// are nested deeper than [`MAX_CALLS`], or the text has more than `room` bytes: a body that names
/// its parameter twice makes it twice as long for each level.
fn expanded(
    sorts: &Sorts<'_>,
    definition: &Definition<'_>,
    form: usize,
    (depth, room): (usize, usize),
) -> Option<Vec<u8>> {
    if depth > MAX_CALLS {
        return None;
    }
    let within = (depth + 1, room);
    let mut values: FxHashMap<&[u8], Vec<u8>> = FxHashMap::default();
    if is_use(sorts, definition, form) {
        let arguments = sorts.children(form).into_iter().skip(1);
        for (name, argument) in definition.parameters.iter().zip(arguments) {
            values.insert(name, expanded(sorts, definition, argument, within)?);
        }
        return with_values(sorts, definition.body, room, &|at| {
            let value = values.get(sorts.text(at));
            value.filter(|_| !sorts.is_list(at)).cloned().map(Some)
        });
    }
    with_values(sorts, form, room, &|at| {
        is_use(sorts, definition, at).then(|| expanded(sorts, definition, at, within))
    })
}

/// Returns the text of a form with other texts in the place of some forms within it; `None` if it
/// has more than `room` bytes, or one of these has no text.
fn with_values(
    sorts: &Sorts<'_>,
    form: usize,
    room: usize,
    value: &dyn Fn(usize) -> Option<Option<Vec<u8>>>,
) -> Option<Vec<u8>> {
    let forms = sorts.sexprs.forms();
    let whole = sorts.span(form);
    let text = sorts.text(form);
    let (mut out, mut done, mut at) = (vec![], whole.start, form);
    while at < forms[form].end as usize {
        match value(at) {
            Some(value) => {
                let span = sorts.span(at);
                out.extend_from_slice(
                    &text[(done - whole.start) as usize..(span.start - whole.start) as usize],
                );
                out.extend(value?);
                if out.len() > room {
                    return None;
                }
                done = span.end;
                at = forms[at].end as usize;
            }
            None => at += 1,
        }
    }
    out.extend_from_slice(&text[(done - whole.start) as usize..]);
    (out.len() <= room).then_some(out)
}

/// Returns, for each width of vectors, the narrower ones: 1 bit, 2 bits, and a half.
fn narrower(sorts: &Sorts<'_>) -> Vec<Vec<Step>> {
    let mut by_width: FxHashMap<u32, (Vec<usize>, Vec<usize>)> = FxHashMap::default();
    for form in 0..sorts.sexprs.forms().len() {
        if let Some(width) = sorts.width(sorts.text(form)) {
            by_width.entry(width).or_default().0.push(form);
        } else if let Some((width, _)) = vector(sorts, form) {
            by_width.entry(width).or_default().1.push(form);
        }
    }
    let mut widths: Vec<u32> = by_width
        .keys()
        .copied()
        .filter(|&width| width > 1)
        .collect();
    widths.sort_unstable();
    widths.reverse();
    let of_width = |width: u32| {
        let mut others = vec![1, 2, width / 2];
        others.retain(|&other| 0 < other && other < width);
        others.dedup();
        let vectors = &sorts.rules.vectors;
        let (sizes, literals) = &by_width[&width];
        let step = |other: u32| {
            let sort = format!("{}{other}{}", vectors.sort_before, vectors.sort_behind);
            let sizes = sizes.iter().map(|&form| (form, sort.clone().into_bytes()));
            let literals = literals.iter().map(|&form| {
                let value = vector(sorts, form).map_or(0, |(_, value)| value);
                let rest = value & ((1u128 << other.min(127)) - 1);
                let digits = match other {
                    1..=64 => format!("{}{rest:0other$b}", vectors.binary, other = other as usize),
                    _ => format!("({} {}{rest} {other})", vectors.index, vectors.number),
                };
                (form, digits.into_bytes())
            });
            Step::All(sizes.chain(literals).collect())
        };
        others.into_iter().map(step).collect()
    };
    widths.into_iter().take(MOST_WIDTHS).map(of_width).collect()
}

/// Returns the width and the value of a literal of bits.
fn vector(sorts: &Sorts<'_>, form: usize) -> Option<(u32, u128)> {
    let vectors = &sorts.rules.vectors;
    let text = str::from_utf8(sorts.text(form)).ok()?;
    for (begin, radix, bits) in [(vectors.binary, 2, 1), (vectors.hexadecimal, 16, 4)] {
        if let Some(digits) = text.strip_prefix(begin).filter(|_| !sorts.is_list(form)) {
            let value = u128::from_str_radix(digits, radix).ok()?;
            return Some((digits.len() as u32 * bits, value));
        }
    }
    let children = sorts.children(form);
    let &[index, number, width] = children.as_slice() else {
        return None;
    };
    let value = str::from_utf8(sorts.text(number))
        .ok()?
        .strip_prefix(vectors.number)?;
    let is_indexed = sorts.text(index) == vectors.index.as_bytes();
    let width = str::from_utf8(sorts.text(width)).ok()?.parse().ok()?;
    is_indexed.then_some((width, value.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::super::testing::with_sorts;
    use super::*;
    use nubbin_engine::testing::{proposals, reduce_with};
    use nubbin_languages::hints::SORTS;

    fn all(script: &str) -> Vec<String> {
        let all = proposals(&*with_sorts(ScriptCommands), script.as_bytes());
        all.into_iter()
            .map(|text| String::from_utf8(text).unwrap())
            .collect()
    }

    #[test]
    fn commands_and_terms_are_removed_with_their_declarations() {
        let script = "(declare-sort S 0)(declare-const s S)(declare-fun f (S) Int)\n\
                      (assert (let ((x (f s))) (< x 9)))\n(assert (or b (= s t)))\n(check-sat)";
        let has = |text: &[u8], part: &str| {
            text.windows(part.len())
                .any(|window| window == part.as_bytes())
        };
        let fails = |text: &[u8]| has(text, "(assert (o");
        let left = reduce_with(&*with_sorts(ScriptCommands), script.as_bytes(), fails);
        let left = String::from_utf8(left).unwrap();
        assert_eq!(left, "(assert (or b false))\n(check-sat)");
        let fails = |text: &[u8]| has(text, "(< ");
        let left = reduce_with(&*with_sorts(ScriptCommands), script.as_bytes(), fails);
        let left = String::from_utf8(left).unwrap();
        assert_eq!(left, "(assert (< 0 0))\n(check-sat)");
    }

    #[test]
    fn datatypes_are_removed_with_the_fields_of_their_sort() {
        let script = "(declare-datatypes ((T 0) (U 0)) ((a (b (c Int))) ((d (e T) (f Int)) (g))))\n\
                      (declare-const u U)(assert ((_ is d) u))(check-sat)";
        let fails = |text: &[u8]| {
            let text = String::from_utf8_lossy(text);
            let is_known = text.contains("(T 0)") || !text.contains(" T)");
            is_known && text.contains("((d") && text.contains("((_ is d) u)")
        };
        let left = reduce_with(&*with_sorts(ScriptCommands), script.as_bytes(), fails);
        let left = String::from_utf8(left).unwrap();
        let words: Vec<&str> = left.split_whitespace().collect();
        assert_eq!(
            words.join(" "),
            "(declare-datatypes ( (U 0)) ( ((d ) ))) (declare-const u U)(assert ((_ is d) u))(check-sat)"
        );
    }

    #[test]
    fn scopes_are_removed_in_pairs_and_with_their_commands() {
        let script = "(push 1)(assert a)(push 1)(assert b)(pop 1)(check-sat)(pop 1)";
        let all = all(script);
        let without_pairs = "(assert a)(assert b)(check-sat)".to_string();
        assert!(all.contains(&without_pairs), "{all:?}");
        assert!(
            all.contains(&"(push 1)(assert a)(check-sat)(pop 1)".into()),
            "{all:?}"
        );
    }

    #[test]
    fn commands_of_minor_kinds_are_kept_while_many_others_are_deleted() {
        let asserts: String = (0..64)
            .map(|nth| format!("(assert (or a (= b{nth} c{nth}) (= d{nth} e{nth})))\n"))
            .collect();
        let script = format!("(minimize x)(minimize y)\n{asserts}(check-sat)");
        let all = all(&script);
        let has_both = |text: &&String| text.contains("(minimize x)(minimize y)");
        assert!(
            all[..2]
                .iter()
                .all(|text| text.len() < script.len() * 2 / 3)
        );
        assert!(all.iter().take(40).all(|text| has_both(&text)));
        let without_one = all.iter().filter(|text| !has_both(text));
        let texts: Vec<&String> = without_one.collect();
        assert!(
            texts[0].starts_with("(assert ") && texts.len() == 3,
            "{texts:?}"
        );
    }

    #[test]
    fn a_command_becomes_one_that_needs_less() {
        let script = "(assert a)(check-sat-assuming (a b))";
        assert_eq!(all(script), ["(assert a)(check-sat)"]);
    }

    #[test]
    fn a_definition_is_inlined_also_in_its_own_arguments() {
        let script =
            "(define-fun f ((x Int) (y Int)) Int (+ x (* y y)))(assert (= (f 1 (f 2 3)) 0))";
        let wanted = "(assert (= (+ 1 (* (+ 2 (* 3 3)) (+ 2 (* 3 3)))) 0))";
        assert!(all(script).contains(&wanted.into()));
        let script = "(define-fun c () Int (+ 1 2))(assert (= c c))";
        assert!(all(script).contains(&"(assert (= (+ 1 2) (+ 1 2)))".into()));
        let script = "(define-fun-rec f ((x Int)) Int (f (- x 1)))(assert (= (f 1) 0))";
        let is_inlined = |text: &String| text.contains("(assert (= (f (- 1 1)) 0))");
        assert!(!all(script).iter().any(is_inlined));
    }

    #[test]
    fn definitions_whose_expansion_is_deep_or_long_are_left() {
        for (body, depth) in [("(+ x x)", 40), ("(+ x 1)", 100_000)] {
            let call = "(f ".repeat(depth) + "1" + &")".repeat(depth);
            let text = format!("(define-fun f ((x Int)) Int {body})\n(assert (= 0 {call}))\n");
            let sorts = Sorts::of(text.as_bytes(), SORTS).unwrap();
            for step in inlined(&sorts) {
                let Step::All(forms) = step else {
                    panic!("not one change of several forms");
                };
                let len: usize = forms.iter().map(|(_, by)| by.len()).sum();
                assert!(len <= text.len());
            }
        }
    }

    #[test]
    fn all_vectors_of_a_width_become_narrower() {
        let script = "(declare-const a (_ BitVec 8))(assert (= a #xfe (_ bv5 8) #b1))";
        let all = all(script);
        for narrower in [
            "(declare-const a (_ BitVec 1))(assert (= a #b0 #b1 #b1))",
            "(declare-const a (_ BitVec 2))(assert (= a #b10 #b01 #b1))",
        ] {
            assert!(all.contains(&narrower.into()), "{all:?}");
        }
    }
}
