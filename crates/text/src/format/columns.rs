use crate::bracket::comma_lists::{Element, Elements, elements};
use nubbin_edit::{Edit, File, Span};
use nubbin_engine::work::{Chain, Context, Forest, Pass, PassInfo, Units, Views, Work};
use nubbin_view::brackets::{Bracket, Brackets};
use nubbin_view::elements::Elements as Markup;
use nubbin_view::lines::{bounds, indent, is_blank};
use nubbin_view::tokens::{Token, TokenKind, code_in};
use rustc_hash::FxHashMap;
use std::ops::Range;

/// Deletes columns: the cells with the same key, or at the same position, in all rows of a table.
///
/// A program that reads a table expects equal rows, so a single cell cannot be deleted: it is
/// deleted from all rows in one test. Tables are recognized by their layout, in any format:
///
/// * members with the same quoted key in objects (`"name": …` in JSON);
/// * the n-th elements of lists of equal length side by side in a list (`[[1, 2], [3, 4]]`), and of
///   lists after the name of a table in SQL: `CREATE TABLE t (…)`, `INSERT INTO t (…) VALUES (…),
///   (…)`, where a list of column names says which values are meant;
/// * lines that begin with the same key (`name: …`, `name = …`) at the same depth, with the lines
///   indented below them, where half of all lines are such (YAML, TOML, INI); text after
///   a dash counts as the rest of its line, so the first key of an item is left alone;
/// * the n-th cells of lines with equally many commas, semicolons, bars or tabs (CSV);
/// * attributes of the same name in markup, and child elements with the same tag.
///
/// A column has at least [`Columns::ROWS`] cells, of its own rows each. Several columns are deleted
/// in one test while that works, together with their commas.
///
/// Cost: one test per needed column, less where runs can be deleted, and no test in a text without
/// tables.
///
/// Source: nubbin.
///
/// ```
/// use nubbin_reduce::pass::{Columns, preview};
///
/// let all = preview(&Columns, b"[[1, 'a'], [2, 'b'], [3, 'c']]", 9);
/// assert!(all.contains(&"[['a'], ['b'], ['c']]".to_string()));
/// let all = preview(&Columns, b"INSERT INTO t (a, b) VALUES (1, 2);", 9);
/// assert!(all.contains(&"INSERT INTO t (b) VALUES (2);".to_string()));
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Columns;

impl Columns {
    /// The minimum number of cells in a column.
    pub const ROWS: usize = 2;
}

/// The maximum number of columns of a text. Those with the largest number of bytes are taken.
const MOST_COLUMNS: usize = 2_000;

impl Pass for Columns {
    fn info(&self) -> PassInfo {
        PassInfo::new(
            "columns",
            "deletes the values of one key or position in all rows of a table",
            "nubbin",
        )
    }

    fn open(&self, file: &File<'_>, context: &Context<'_>) -> Option<Work> {
        let (text, base) = (file.text, file.span.start);
        let views = context.views;
        let all = elements(views, text, 0);
        let tables = [
            Table::of(in_lists(views, text, &all), all),
            lines_with_keys(text),
            separated(text),
            markup(text),
        ];
        let works = tables.into_iter().filter_map(|table| {
            let roots = vec![None; table.columns.len()];
            // The commas to delete depend on earlier deletions.
            let columns = Forest::new(table.moved(base), &roots).cumulative();
            columns.walk()
        });
        Chain::work(works, context.lists)
    }
}

/// Columns of cells.
struct Table {
    cells: Elements,
    /// The cells of each column, sorted. The columns are in the order of their first cells.
    columns: Vec<Vec<u32>>,
}

impl Table {
    fn of(columns: Vec<Vec<u32>>, cells: Vec<Element>) -> Self {
        let mut columns: Vec<Vec<u32>> = columns
            .into_iter()
            .map(|mut column| {
                column.sort_unstable();
                column.dedup();
                column
            })
            .filter(|column| column.len() >= Columns::ROWS)
            .collect();
        let mut table = Table {
            cells: Elements(cells.into()),
            columns: vec![],
        };
        if columns.len() > MOST_COLUMNS {
            columns.sort_by_key(|column| std::cmp::Reverse(table.bytes(column)));
            columns.truncate(MOST_COLUMNS);
        }
        columns.sort_unstable();
        columns.dedup();
        table.columns = columns;
        table
    }

    fn bytes(&self, column: &[u32]) -> u32 {
        column
            .iter()
            .map(|&cell| self.cells.weight(cell))
            .fold(0, u32::saturating_add)
    }

    fn moved(self, by: u32) -> Self {
        let moved = |span: Span| Span::new(span.start + by, span.end + by);
        let cells = self.cells.0.iter().map(|cell| Element {
            span: moved(cell.span),
            end: cell.end + by,
            ..*cell
        });
        Table {
            cells: Elements(cells.collect()),
            columns: self.columns,
        }
    }
}

impl Units for Table {
    fn len(&self) -> u32 {
        self.columns.len() as u32
    }

    fn weight(&self, unit: u32) -> u32 {
        self.columns
            .get(unit as usize)
            .map_or(1, |column| self.bytes(column).max(1))
    }

    fn edit(&self, units: &[Range<u32>]) -> Edit {
        let columns = units.iter().flat_map(|range| {
            self.columns
                .get(range.start as usize..range.end as usize)
                .unwrap_or_default()
        });
        let mut cells: Vec<u32> = columns.flatten().copied().collect();
        cells.sort_unstable();
        cells.dedup();
        let mut ranges: Vec<Range<u32>> = vec![];
        for cell in cells {
            match ranges.last_mut() {
                Some(last) if last.end == cell => last.end += 1,
                _ => ranges.push(cell..cell + 1),
            }
        }
        self.cells.edit(&ranges)
    }
}

/// Columns of lists in brackets: by quoted key, and by place.
fn in_lists(views: &Views, text: &[u8], all: &[Element]) -> Vec<Vec<u32>> {
    let brackets = views.of::<Brackets>(text);
    let mut lists: FxHashMap<u32, Vec<u32>> = FxHashMap::default();
    let mut keyed: FxHashMap<&[u8], Vec<u32>> = FxHashMap::default();
    let mut next = 0;
    let mut around: Vec<u32> = vec![];
    for (number, element) in (0u32..).zip(all) {
        // Finds the innermost enclosing group without a search, since groups and elements are in
        // the order of the text.
        while let Some(group) = brackets
            .groups()
            .get(next)
            .filter(|group| group.open < element.span.start)
        {
            while around
                .pop_if(|at| brackets.groups()[*at as usize].close < group.open)
                .is_some()
            {}
            around.push(next as u32);
            next += 1;
        }
        while around
            .pop_if(|at| brackets.groups()[*at as usize].close < element.span.start)
            .is_some()
        {}
        let Some(&group) = around.last() else {
            continue;
        };
        if brackets.groups()[group as usize].kind == Bracket::Curly {
            let written = text.get(element.span.range()).unwrap_or_default();
            if let Some(key) = quoted_key(written) {
                keyed.entry(key).or_default().push(number);
            }
        } else {
            lists.entry(group).or_default().push(number);
        }
    }
    let mut columns: Vec<Vec<u32>> = keyed.into_values().collect();
    let rows = rows(views, text, &brackets);
    let mut groups: Vec<(&u32, &Vec<u32>)> = lists.iter().collect();
    groups.sort_unstable();
    // The rows of one table with the same length, in order.
    let mut tables: FxHashMap<Row<'_>, Vec<OfLength<'_>>> = FxHashMap::default();
    for (group, list) in groups {
        let Some(row) = rows.get(group) else { continue };
        let lengths = tables.entry(*row).or_default();
        match lengths.iter_mut().find(|(length, _)| *length == list.len()) {
            Some((_, rows)) => rows.push(list),
            None => lengths.push((list.len(), vec![list])),
        }
    }
    for lengths in tables.values() {
        let name = |list: &Vec<u32>, at: usize| {
            let cell = all.get(*list.get(at)? as usize)?;
            let written = text.get(cell.span.range())?;
            written.split(|byte| byte.is_ascii_whitespace()).next()
        };
        for (first, (length, rows)) in lengths.iter().enumerate() {
            for at in 0..*length {
                let mut column: Vec<u32> = rows.iter().map(|row| row[at]).collect();
                // Rows of another length identify the column by its name.
                let wanted = rows.first().and_then(|row| name(row, at));
                for (_, others) in lengths.iter().skip(first + 1) {
                    let header = others.first();
                    let place =
                        header.and_then(|row| (0..row.len()).find(|&at| name(row, at) == wanted));
                    if let Some(place) = place {
                        column.extend(others.iter().filter_map(|row| row.get(place)));
                    }
                }
                columns.push(column);
            }
        }
    }
    columns
}

/// Returns the key of a member, with its quotes.
fn quoted_key(element: &[u8]) -> Option<&[u8]> {
    let quote = *element
        .first()
        .filter(|byte| matches!(byte, b'"' | b'\''))?;
    let end = 1 + element.get(1..)?.iter().position(|&byte| byte == quote)?;
    let rest = element.get(end + 1..)?;
    let colon = rest.iter().find(|byte| !byte.is_ascii_whitespace());
    (colon == Some(&b':')).then(|| &element[..=end])
}

/// Lists of one length, as the numbers of their elements.
type OfLength<'l> = (usize, Vec<&'l Vec<u32>>);

/// The table of a row. Lists with the same value are rows of one table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Row<'t> {
    /// The rows are the elements of this group.
    Within(u32),
    /// The rows belong to the table with this name.
    Of(&'t [u8]),
}

/// Returns the groups that are rows, with their tables.
fn rows<'t>(views: &Views, text: &'t [u8], brackets: &Brackets) -> FxHashMap<u32, Row<'t>> {
    let mut rows: FxHashMap<u32, Row<'t>> = FxHashMap::default();
    let mut tokens: Vec<Token> = vec![];
    // For each closed group, the table of which it is a row, by the position of its closing
    // bracket.
    let mut closed: FxHashMap<u32, u32> = FxHashMap::default();
    let mut next = 0;
    let word = |token: Option<&Token>| {
        let token =
            token.filter(|token| matches!(token.kind, TokenKind::Word | TokenKind::String))?;
        Some(token.text(text))
    };
    for token in code_in(views, text).filter(|token| token.kind != TokenKind::Comment) {
        if let Some(group) = brackets
            .groups()
            .get(next)
            .filter(|group| group.open == token.span.start)
        {
            let number = next as u32;
            next += 1;
            let before = |back: usize| tokens.len().checked_sub(back).and_then(|at| tokens.get(at));
            let closed_before = |back| {
                before(back)
                    .and_then(|token| closed.get(&token.span.start))
                    .copied()
            };
            let of = |group: Option<u32>| group.and_then(|group| rows.get(&group).copied());
            let is = |token: Option<&Token>, wanted: &[u8]| {
                word(token).is_some_and(|word| word.eq_ignore_ascii_case(wanted))
            };
            let is_list = group.kind != Bracket::Curly;
            let row = if !is_list {
                None
            } else if is(before(1), b"values") {
                let named = word(before(2))
                    .filter(|_| is(before(3), b"into"))
                    .map(Row::Of);
                named.or_else(|| of(closed_before(2)).filter(|row| matches!(row, Row::Of(_))))
            } else if let Some(row @ Row::Of(_)) = of(closed_before(2))
                .filter(|_| before(1).is_some_and(|token| token.text(text) == b","))
            {
                Some(row)
            } else if [&b"table"[..], b"into", b"exists"]
                .iter()
                .any(|word| is(before(2), word))
            {
                word(before(1)).map(Row::Of)
            } else {
                let first = before(1)
                    .is_some_and(|token| matches!(token.text(text), b"[" | b"(" | b"{" | b","));
                group.parent.filter(|_| first).map(Row::Within)
            };
            if let Some(row) = row {
                rows.insert(number, row);
            }
            closed.insert(group.close, number);
        }
        tokens.push(token);
    }
    // Two similar lists may be a coincidence, but three are a table.
    let mut count: FxHashMap<Row<'t>, usize> = FxHashMap::default();
    for row in rows.values() {
        *count.entry(*row).or_default() += 1;
    }
    rows.retain(|_, row| {
        matches!(row, Row::Of(_)) || count.get(row).is_some_and(|&count| count >= Columns::ROWS)
    });
    rows
}

fn alone(span: Span) -> Element {
    Element {
        span,
        before: None,
        behind: None,
        end: span.end,
    }
}

/// Columns of lines that begin with the same key at the same depth.
fn lines_with_keys(text: &[u8]) -> Table {
    let bounds = bounds(text);
    let lines: Vec<(&[u8], Span)> = bounds
        .windows(2)
        .map(|pair| Span::new(pair[0], pair[1]))
        .filter_map(|span| Some((text.get(span.range())?, span)))
        .filter(|(line, _)| !is_blank(line))
        .collect();
    let key = |line: &'_ [u8]| -> Option<Range<usize>> {
        let start = line.iter().position(|byte| !b" \t".contains(byte))?;
        let rest = line.get(start..)?;
        let end = rest
            .iter()
            .position(|byte| !(byte.is_ascii_alphanumeric() || b"_-.\"".contains(byte)))?;
        let behind = rest.get(end..)?.trim_ascii_start();
        let is_key =
            end > 0 && matches!(behind.first(), Some(b':' | b'=')) && !rest.starts_with(b"-");
        is_key.then_some(start..start + end)
    };
    let first = |line: &[u8]| line.trim_ascii_start().first().copied();
    let keyed =
        |line: &[u8]| key(line).is_some() || matches!(first(line), Some(b'-' | b'#' | b'['));
    let ends = |line: &[u8]| {
        matches!(
            line.trim_ascii_end().last(),
            Some(b';' | b'{' | b',' | b'(')
        )
    };
    let data = lines
        .iter()
        .filter(|(line, _)| keyed(line) && !ends(line))
        .count();
    if data * 2 < lines.len() {
        return Table::of(vec![], vec![]);
    }
    let mut cells: Vec<Element> = vec![];
    let mut columns: FxHashMap<(u32, &[u8]), Vec<u32>> = FxHashMap::default();
    for (number, (line, span)) in lines.iter().enumerate() {
        let (Some(key), Some(depth)) = (key(line), indent(line)) else {
            continue;
        };
        let below = lines.iter().skip(number + 1).take(200);
        let below = below.take_while(|(line, _)| indent(line).is_some_and(|other| other > depth));
        let end = below.last().map_or(span.end, |(_, span)| span.end);
        let column = columns
            .entry((depth, line.get(key).unwrap_or_default()))
            .or_default();
        column.push(cells.len() as u32);
        cells.push(alone(Span::new(span.start, end)));
    }
    Table::of(columns.into_values().collect(), cells)
}

/// Columns of lines of cells.
fn separated(text: &[u8]) -> Table {
    let bounds = bounds(text);
    let lines: Vec<Span> = bounds
        .windows(2)
        .map(|pair| Span::new(pair[0], pair[1]))
        .filter(|span| text.get(span.range()).is_some_and(|line| !is_blank(line)))
        .collect();
    if lines.len() < Columns::ROWS {
        return Table::of(vec![], vec![]);
    }
    for separator in *b",;\t|" {
        let rows: Vec<Vec<Span>> = lines
            .iter()
            .map(|&line| split(text, line, separator))
            .collect();
        let most = rows.first().map_or(1, Vec::len);
        let alike = || rows.iter().filter(|row| row.len() == most);
        // A token at the end of every line does not separate cells: the lines are statements.
        let ends = alike().all(|row| row.last().is_none_or(|cell| cell.is_empty()));
        if most < 2 || alike().count() * 10 < rows.len() * 9 || ends {
            continue;
        }
        let mut cells: Vec<Element> = vec![];
        let mut columns: Vec<Vec<u32>> = vec![vec![]; most];
        for spans in rows {
            let (first, count) = (cells.len() as u32, spans.len() as u32);
            for (at, span) in (0..count).zip(spans) {
                if let Some(column) = columns
                    .get_mut(at as usize)
                    .filter(|_| count as usize == most)
                {
                    column.push(first + at);
                }
                cells.push(Element {
                    span,
                    before: at.checked_sub(1).map(|before| first + before),
                    behind: (at + 1 < count).then_some(first + at + 1),
                    end: span.end,
                });
            }
        }
        return Table::of(columns, cells);
    }
    Table::of(vec![], vec![])
}

/// Returns the cells of a line, without its end.
fn split(text: &[u8], line: Span, separator: u8) -> Vec<Span> {
    let written = text.get(line.range()).unwrap_or_default();
    let end = written.len()
        - written
            .iter()
            .rev()
            .take_while(|byte| matches!(byte, b'\r' | b'\n'))
            .count();
    let (mut cells, mut start, mut in_quotes) = (vec![], 0, false);
    for (at, &byte) in written[..end].iter().enumerate() {
        in_quotes ^= byte == b'"';
        if byte == separator && !in_quotes {
            cells.push(Span::at(line.start, start..at));
            start = at + 1;
        }
    }
    cells.push(Span::at(line.start, start..end));
    cells
}

/// Two names: of an element and its parent, or of an element and its attribute.
type Named<'t> = (&'t [u8], &'t [u8]);

/// Attributes with the same name in elements with the same tag, and children with the same tag.
fn markup(text: &[u8]) -> Table {
    let markup = Markup::of(text);
    let name = |tag: Span| -> &[u8] {
        let inside = text.get(tag.range()).unwrap_or_default();
        let inside = inside.get(1..).unwrap_or_default();
        let end = inside
            .iter()
            .position(|byte| byte.is_ascii_whitespace() || b"/>".contains(byte));
        &inside[..end.unwrap_or(inside.len())]
    };
    let mut cells: Vec<(Span, Named<'_>)> = vec![];
    for element in markup.elements() {
        let tag = name(element.open);
        if let Some(parent) = element
            .parent
            .and_then(|parent| markup.elements().get(parent as usize))
        {
            cells.push((element.span(), (tag, name(parent.open))));
        }
        for (attribute, span) in attributes(text, element.open) {
            cells.push((span, (tag, attribute)));
        }
    }
    cells.sort_unstable_by_key(|(span, _)| (span.start, std::cmp::Reverse(span.end)));
    let mut columns: FxHashMap<Named<'_>, Vec<u32>> = FxHashMap::default();
    for (number, (_, key)) in (0u32..).zip(&cells) {
        columns.entry(*key).or_default().push(number);
    }
    let cells = cells.into_iter().map(|(span, _)| alone(span)).collect();
    Table::of(columns.into_values().collect(), cells)
}

/// Returns the attributes of a tag, each with the white space before it.
fn attributes(text: &[u8], tag: Span) -> Vec<(&[u8], Span)> {
    let written = text.get(tag.range()).unwrap_or_default();
    let mut found = vec![];
    let mut at = written
        .iter()
        .position(u8::is_ascii_whitespace)
        .unwrap_or(written.len());
    while at < written.len() {
        let start = at;
        let count = |from: usize, more: &dyn Fn(&u8) -> bool| {
            written
                .get(from..)
                .unwrap_or_default()
                .iter()
                .take_while(|byte| more(byte))
                .count()
        };
        at += count(at, &u8::is_ascii_whitespace);
        let name = at..at
            + count(at, &|byte| {
                !byte.is_ascii_whitespace() && !b"=/>".contains(byte)
            });
        at = name.end;
        if written.get(at) == Some(&b'=') {
            at += 1;
            at += match written.get(at) {
                Some(&quote @ (b'"' | b'\'')) => 2 + count(at + 1, &|byte| *byte != quote),
                _ => count(at, &|byte| !byte.is_ascii_whitespace() && *byte != b'>'),
            };
        }
        at = at.min(written.len());
        if name.is_empty() {
            break;
        }
        if let Some(name) = written.get(name) {
            found.push((name, Span::at(tag.start, start..at)));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use nubbin_engine::testing::{proposals, reduce_with};

    fn left(text: &str, needed: &[&str], alike: impl Fn(&str) -> bool) -> String {
        let fails = |text: &[u8]| {
            let text = std::str::from_utf8(text).unwrap();
            needed.iter().all(|needed| text.contains(needed)) && alike(text)
        };
        String::from_utf8(reduce_with(&Columns, text.as_bytes(), fails)).unwrap()
    }

    /// Returns whether all pieces of a text contain a character equally often.
    fn even<'t>(pieces: impl Iterator<Item = &'t str>, of: char) -> bool {
        let mut counts = pieces.map(|piece| piece.matches(of).count());
        let first = counts.next();
        counts.all(|count| Some(count) == first)
    }

    #[test]
    fn a_key_is_removed_from_all_objects() {
        let text = r#"[{"a": 1, "b": [2], "c": 3}, {"a": 4, "b": [], "c": 5}, {"a": 6, "b": [7], "c": 8}]"#;
        let objects = |text: &str| even(text.split('}').filter(|piece| piece.contains('{')), ':');
        assert_eq!(
            left(text, &["5"], objects),
            r#"[{"c": 3}, {"c": 5}, {"c": 8}]"#
        );
    }

    #[test]
    fn a_cell_is_removed_from_all_lines() {
        let lines = |text: &str| even(text.lines(), ',');
        let text = "a,b,c\n1,\"x,y\",3\n4,,6\n";
        assert_eq!(
            left(text, &["6", "1"], |text| lines(&text.replace("x,y", ""))),
            "a,c\n1,3\n4,6\n"
        );
        assert_eq!(
            left(text, &["6"], |text| lines(&text.replace("x,y", ""))),
            "c\n3\n6\n"
        );
    }

    #[test]
    fn values_are_removed_with_their_column() {
        let text = "CREATE TABLE t (a INT, b TEXT, c INT);\nINSERT INTO t VALUES (1, 'x', 2), (3, 'y', 4);\n\
                    insert into t (c, a) values (5, 6);\n";
        let alike = |text: &str| {
            let lists = |line: &str| {
                line.split('(')
                    .skip(1)
                    .map(|list| list.matches(',').count() - usize::from(list.contains("),")))
                    .collect::<Vec<_>>()
            };
            let lines: Vec<Vec<usize>> = text.lines().map(lists).collect();
            lines[1].iter().all(|count| *count == lines[0][0])
                && lines[2][0] == lines[2][1]
                && text.lines().next().unwrap().contains("a INT") == text.contains("6")
        };
        assert_eq!(
            left(text, &["c INT", "4", "5"], alike),
            "CREATE TABLE t (c INT);\nINSERT INTO t VALUES (2), (4);\ninsert into t (c) values (5);\n"
        );
    }

    #[test]
    fn the_lines_of_a_key_are_removed_with_the_lines_below() {
        let text = "all:\n  - name: a\n    size:\n      w: 1\n    ok: true\n  - name: b\n    size:\n      w: 2\n    ok: false\n";
        let even = |text: &str| {
            text.matches("size").count().is_multiple_of(2)
                && text.matches("ok").count().is_multiple_of(2)
                && text.matches("w:").count().is_multiple_of(2)
        };
        assert_eq!(
            left(text, &["false"], even),
            "all:\n  - name: a\n    ok: true\n  - name: b\n    ok: false\n"
        );
    }

    #[test]
    fn an_attribute_is_removed_from_all_elements() {
        let text = "<l><i a='1' b=\"2\"><d/></i><i a='3' b=\"4\"><d/></i></l>";
        let even = |text: &str| {
            ["a=", "b=", "<d"]
                .iter()
                .all(|key| text.matches(key).count().is_multiple_of(2))
                && text.matches("<i").count() == 2
        };
        assert_eq!(
            left(text, &["4"], even),
            "<l><i b=\"2\"></i><i b=\"4\"></i></l>"
        );
    }

    #[test]
    fn programs_have_no_columns() {
        for text in [
            "int f(int a, int b) { x = 1; x = 2; return g(a, b) + g(b, a); }\n",
            "fn f(a: u8) -> u8 {\n    let x = g(a, a);\n    let y = g(a, x);\n    h(x, y)\n}\n",
            "def f(a, b):\n    g(a, b)\n    return h(a)\n",
        ] {
            assert!(proposals(&Columns, text.as_bytes()).is_empty(), "{text}");
        }
    }
}
