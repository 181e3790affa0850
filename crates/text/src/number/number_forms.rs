use super::integers::{Number, equal_numbers, numbers, rewritten};
use nubbin_edit::{Edit, File};
use nubbin_engine::work::{Alternatives, Context, Pass, PassInfo, Work};

/// Writes large numbers in a shorter way, or replaces them with a number that is written in a
/// shorter way.
///
/// For a number of at least four digits it tries, until one of them keeps the failure: the same
/// value as a power (`1<<30`, `2**30`, `1e9`), the next power of ten above it, and `-1`, which is
/// as large where a number has no sign. Equal numbers are replaced together.
///
/// A number in the hundred millions is often only a limit that must be passed. Run it after
/// [`IntegerValues`](crate::IntegerValues), which finds the least value.
///
/// Cost: up to five tests per large number that must stay.
///
/// Source: ours.
///
/// ```
/// use nubbin_reduce::pass::{NumberForms, preview};
///
/// let first = preview(&NumberForms, b"f(536870912)", 4);
/// assert_eq!(first, ["f(1<<29)", "f(2**29)", "f(1e9)", "f(-1)"]);
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct NumberForms;

impl Pass for NumberForms {
    fn info(&self) -> PassInfo {
        PassInfo::new(
            "number-forms",
            "writes large numbers in a shorter way",
            "ours",
        )
    }

    fn open(&self, file: &File<'_>, _context: &Context<'_>) -> Option<Work> {
        let numbers = numbers(file.text);
        let groups = equal_numbers(file.text, &numbers).into_iter();
        let places: Vec<Vec<Edit>> = groups
            .filter_map(|group| {
                let first = group.first().filter(|first| first.is_decimal())?;
                let digits = file.text.get(first.digits.clone())?;
                let edit = |form: String| {
                    let places = group.iter().map(|number: &Number| number.digits.clone());
                    rewritten(file.span.start, places, form.as_bytes())
                };
                Some(forms(digits).into_iter().map(edit).collect())
            })
            .filter(|edits: &Vec<Edit>| !edits.is_empty())
            .collect();
        (!places.is_empty()).then(|| Work::Machine(Box::new(Alternatives::new(places).together())))
    }
}

/// Returns shorter texts for a number. Texts with the same value come first.
fn forms(digits: &[u8]) -> Vec<String> {
    if digits.len() < 4 || digits.first() == Some(&b'0') {
        return vec![];
    }
    let mut forms = vec![];
    let value = std::str::from_utf8(digits)
        .ok()
        .and_then(|text| text.parse::<u128>().ok());
    if let Some(value) = value.filter(|value| value.is_power_of_two()) {
        let power = value.trailing_zeros();
        forms.extend([format!("1<<{power}"), format!("2**{power}")]);
    }
    let zeros = digits
        .iter()
        .rev()
        .take_while(|&&digit| digit == b'0')
        .count();
    let (head, _) = digits.split_at(digits.len() - zeros);
    if zeros > 0 {
        forms.push(format!("{}e{zeros}", String::from_utf8_lossy(head)));
    }
    if head != b"1" {
        forms.push(format!("1e{}", digits.len()));
    }
    forms.push("-1".to_owned());
    forms.retain(|form| form.len() < digits.len());
    forms
}

#[cfg(test)]
mod tests {
    use super::*;
    use nubbin_engine::testing::{proposals, reduce_with};

    #[test]
    fn only_shorter_forms_are_proposed() {
        assert_eq!(forms(b"4096"), ["1e4", "-1"]);
        assert_eq!(forms(b"20000"), ["2e4", "1e5", "-1"]);
        assert_eq!(forms(b"1000000"), ["1e6", "-1"]);
        assert!(forms(b"999").is_empty() && forms(b"0000").is_empty());
        assert!(forms(&b"7".repeat(5_000)).len() == 2);
    }

    #[test]
    fn equal_numbers_become_one_form() {
        let same = |text: &[u8]| text.split(|&byte| byte == b'=').all(|side| side == b"1e6");
        let left = reduce_with(&NumberForms, b"1000000=1000000", same);
        assert_eq!(left, b"1e6=1e6");
    }

    #[test]
    fn texts_without_large_numbers_give_nothing() {
        assert!(proposals(&NumberForms, b"x1234 0x12345 123 \xff1").is_empty());
    }
}
