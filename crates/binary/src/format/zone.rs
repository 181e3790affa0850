use super::Format;
use super::builder::Builder;
use crate::Number;
use std::ops::Range;

/// The format of time zones (TZif): transitions with their types, types with their names, and leap
/// seconds, in one or two blocks. The second block has wider times.
///
/// Source: RFC 8536, The Time Zone Information Format (TZif).
pub(super) const TZIF: Format = Format {
    name: "TZif",
    fits: |text| text.starts_with(b"TZif") && text.get(5..20) == Some(&[0; 15]),
    read: |file| {
        let version = *file.bytes(4..5)?.first()?;
        block(file, 4)?;
        if version > 0 {
            block(file, 8)?;
        }
        // The rule for the time after the last transition, between two line ends.
        let footer = file.at..file.text.len();
        if footer.len() > 2 {
            file.region(footer.start + 1..footer.end - 1, "rule");
        }
        Some(())
    },
};

const WORD: Number = Number::Big(4);
const BYTE: Number = Number::Big(1);

/// The items of an array, one after the other.
struct Array {
    start: usize,
    len: usize,
    count: usize,
}

impl Array {
    fn item(&self, nth: usize) -> Option<Range<usize>> {
        let start = self.start + nth * self.len;
        (nth < self.count).then_some(start..start + self.len)
    }
}

fn block(file: &mut Builder<'_>, width: usize) -> Option<()> {
    let head = file.skip(44)?.start;
    let mut counts = [0; 6];
    for (nth, count) in counts.iter_mut().enumerate() {
        *count = usize::try_from(file.peek(head + 20 + 4 * nth, WORD)?).ok()?;
    }
    let [universal, standard, leaps, times, types, letters] = counts;
    let mut array = |count: usize, len: usize| {
        let start = file.skip(count.checked_mul(len)?)?.start;
        Some(Array { start, len, count })
    };
    let times = array(times, width)?;
    let indexes = array(times.count, 1)?;
    let types = array(types, 6)?;
    let letters = array(letters, 1)?;
    let leaps = array(leaps, width + 4)?;
    let standard = array(standard, 1)?;
    let universal = array(universal, 1)?;
    // Each array has its count in the head. The array of the indexes has the same count as the
    // array of the times.
    let counted = [&universal, &standard, &leaps, &times, &types];
    let kinds = ["mark", "mark", "leap second", "time", "type"];
    let mut lists = [0; 5];
    for (nth, array) in counted.into_iter().enumerate() {
        let list = file.list();
        lists[nth] = list;
        let at = head + 20 + 4 * nth;
        file.counts(at..at + 4, WORD, list);
        for item in (0..array.count).filter_map(|nth| array.item(nth)) {
            file.bytes(item.clone())?;
            file.item(list, item.clone());
            file.region(item, kinds[nth]);
        }
    }
    for nth in 0..times.count {
        let (time, index) = (times.item(nth)?, indexes.item(nth)?);
        let value = file.peek(index.start, BYTE)?;
        file.refers(index.clone(), BYTE, lists[4], value);
        file.group([time, index]);
    }
    let names = letters.start..letters.start + letters.count;
    for nth in 0..types.count {
        let own = types.item(nth)?;
        let name = usize::try_from(file.peek(own.end - 1, BYTE)?).ok()?;
        if name <= letters.count {
            file.points(own.end - 1..own.end, BYTE, names.start + name, names.start);
        }
        let marks = [standard.item(nth), universal.item(nth)];
        file.group(marks.into_iter().flatten().chain([own]));
    }
    file.measures(head + 40..head + 44, WORD, names.clone());
    let mut start = names.start;
    for at in names.clone() {
        if file.text[at] == 0 {
            file.region(start..at + 1, "name");
            file.region(start..at, "text");
            start = at + 1;
        }
    }
    Some(())
}
