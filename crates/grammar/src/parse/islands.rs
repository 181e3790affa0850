//! Trees of texts that do not fit the grammar. The parts that fit are islands.

use super::begun::Begun;
use super::build::{Build, Preferred};
use super::chart::{Chart, Stuck};
use super::item::NONE;
use super::parser::Reading;
use super::productions::{Makes, Step};
use super::{ParseError, Parser};
use crate::tree::{NodeKind, Tree};
use std::sync::Arc;

/// A parser that returns a tree for every text, see [`Parser::parse_islands`].
#[derive(Debug)]
pub struct IslandParser(Parser);

impl IslandParser {
    /// Creates a parser for any text from a parser for texts that fit.
    pub fn new(parser: Parser) -> Self {
        IslandParser(parser)
    }

    /// Returns the parser for texts that fit.
    pub fn parser(&self) -> &Parser {
        &self.0
    }
}

impl Parser {
    /// Returns the tree of any text. Parts that do not fit the grammar are in
    /// [`Error`](NodeKind::Error) nodes.
    ///
    /// A text that fits has the tree of [`Parser::parse`]. Prefer this function if a tree of a text
    /// with a syntax error is better than no tree, for example in a reduction. Otherwise, an error
    /// with its position and the expected tokens has more information.
    ///
    /// The root of any other tree is an `Error` node with a repetition of parts, which can be
    /// removed one by one. From left to right, a part is
    ///
    /// * an *island*: the text up to the first position at which no rule continues, if a rule or
    ///   repetition derives it. If there are several, the start rule is preferred, and then the
    ///   first rule of the grammar;
    /// * otherwise that text as an `Error` node of the rule that has begun at its start. Its parts
    ///   are the complete children of the rule, which are islands, tokens, and at its end an inner
    ///   rule that has begun too. So the contents of an unclosed bracket are kept as islands;
    /// * a token with which no rule can begin. In a grammar without a lexer, this is a character, a
    ///   word, or white space.
    ///
    /// The first part is read with the start rule, and each later one with any rule. Text that is
    /// not a token of the lexer is an `Error` node at its position and ends no part.
    ///
    /// * *Cost:* the cost of two parses and, for each part, of one step with all rules. No text is
    ///   read twice. When the [limit](Parser::step_limit) is reached, the rest is plain tokens.
    /// * *Source:* L. Moonen, "Generating Robust Parsers using Island Grammars", WCRE 2001, where a
    ///   grammar declares its islands. *Changed:* every rule is an island.
    ///
    /// # Errors
    ///
    /// Returns an error if a limit is exceeded before the text is found not to fit.
    ///
    /// ```
    /// use nubbin_grammar::{parse::Parser, read, tree::NodeKind};
    /// use std::sync::Arc;
    ///
    /// let text = "<list> ::= '[' (<item> ',')* ']'\n<item> ::= <list> | [a-z]+";
    /// let parser = Parser::new(Arc::new(read::read(text, None, "lists")?))?;
    /// let tree = parser.parse_islands(b"[a,[b,]")?; // a comma and a bracket are missing
    /// assert_eq!(tree.print(), b"[a,[b,]");
    /// let fits = |text: &[u8]| {
    ///     let mut rules = tree.nodes().filter(|(_, node)| node.kind == NodeKind::Rule);
    ///     rules.any(|(id, _)| tree.text_of(id) == text)
    /// };
    /// assert!(fits(b"a") && fits(b"[b,]"));
    /// assert_eq!(tree.outside_rules(), 1); // the first bracket
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn parse_islands(&self, text: &[u8]) -> Result<Tree, ParseError> {
        let mut reading = self.reading_of(text, |lexer| Ok(lexer.tokens_and_rest(text)))?;
        let tokens = reading.classes.len();
        match self.fit(text, &mut reading, false) {
            Ok((mut chart, record)) => {
                self.choose(&mut chart, record, text, &reading)?;
                let build = self.build(&mut chart, text.into(), &reading);
                Ok(build.tree(record, reading.classes.len(), &mut Preferred)?)
            }
            Err(ParseError::Syntax(_)) => {
                if let Some(end) = self.end_of_text() {
                    self.set_ends(&mut reading, end, tokens + self.usual_ends, text.len());
                }
                self.islands(text, &reading)
            }
            Err(error) => Err(error),
        }
    }

    fn islands(&self, text: &[u8], reading: &Reading) -> Result<Tree, ParseError> {
        let mut chart = Chart::new(&self.tables, self.memory(text.len()), self.steps(), false)
            .ended_by(self.end.as_deref());
        let mut build = self.build(&mut chart, text.into(), reading);
        let start = self.grammar().start();
        build.begin(NodeKind::Error, start, None);
        build.begin(NodeKind::Repeat, start, None);
        // The end of the text is not a part by itself.
        let all = reading.classes.len();
        let end = match &reading.tokens {
            Some(tokens) => tokens
                .lexemes
                .partition_point(|token| token.start < token.end),
            None => all,
        };
        // The first step that does not belong to a part yet.
        let mut plain = 0;
        let mut from = 0;
        let mut anywhere = false;
        while from < end {
            build.chart.restart(anywhere);
            let reached = match build.chart.reach(&reading.classes[from..]) {
                Ok(reached) => reached,
                Err(Stuck::Ended) => return Err(ParseError::Ended),
                Err(_) => break,
            };
            let begun = match reached {
                0 => Begun::default(),
                _ => build.chart.begun(),
            };
            // A single token is not a part, even if a rule begins with it.
            if reached > 1 || begun.last.is_some() {
                build.plain(plain, from);
                build.base = from as u32;
                build.choose(&begun)?;
                build.begun(&begun, reached as u32, anywhere);
                plain = from + reached;
            }
            from += match reached {
                0 => usize::from(anywhere),
                reached => reached,
            };
            anywhere = true;
        }
        build.plain(plain, end.max(plain));
        build.end();
        build.base = 0;
        for step in end..=all {
            build.gap(step as u32);
        }
        build.end();
        Ok(build.out.finish()?)
    }
}

impl Build<'_, '_> {
    fn choose(&mut self, begun: &Begun) -> Result<(), ParseError> {
        let records = begun.last.into_iter().collect();
        let items = begun.items.iter().map(|&(item, _)| item).collect();
        match self.chart.choose_in(records, items) {
            Err(Stuck::Ended) => Err(ParseError::Ended),
            // If there are too many derivations to choose from, any derivation is used.
            _ => Ok(()),
        }
    }

    /// Adds rules that have begun, each inside the previous rule, over the text up to `end`.
    fn begun(&mut self, begun: &Begun, end: u32, anywhere: bool) {
        let start = self.grammar.start();
        let mut levels = 0;
        let mut at = 0;
        for (number, &(item, end)) in begun.items.iter().enumerate() {
            let origin = self.chart.items[item as usize].origin;
            self.unexplained(&mut at, origin);
            let symbol = self.chart.symbol_of(item);
            let makes = self.tables.lowered.nonterminals[symbol as usize].makes;
            if let Makes::Rule(rule) = makes
                && (anywhere || number > 0 || rule != start)
            {
                self.gap(origin);
                self.begin(NodeKind::Iteration, self.around(), None);
                self.begin(NodeKind::Error, rule, None);
                self.begin(NodeKind::Repeat, rule, None);
                levels += 3;
            }
            self.parts(item, end);
            at = end;
        }
        if let Some(record) = begun.last {
            let origin = self.chart.records[record as usize].origin;
            self.unexplained(&mut at, origin);
            self.open_part(origin);
            self.whole(record, end);
            self.close_part();
            at = end;
        }
        self.unexplained(&mut at, end);
        for _ in 0..levels {
            self.end();
        }
    }

    /// Adds the steps up to `to` as plain tokens. There are none if the chart explains all.
    fn unexplained(&mut self, at: &mut u32, to: u32) {
        if *at < to {
            let base = self.base;
            self.plain((base + *at) as usize, (base + to) as usize);
            self.base = base;
            *at = to;
        }
    }

    /// Adds each step of an item as a separate part.
    fn parts(&mut self, item: u32, end: u32) {
        let tables = self.tables;
        let state = self.chart.items[item as usize].state;
        let number = tables.production[state as usize];
        let production = &tables.lowered.productions[number as usize];
        let mut dot = state - tables.base[number as usize];
        let (mut next, mut to) = (item, end);
        let mut steps = vec![];
        while next != NONE && dot > 0 {
            dot -= 1;
            let item = self.chart.items[next as usize];
            let from = match item.child.record() {
                Some(record) => self.chart.records[record as usize].origin,
                None if item.child.is_null() => to,
                None => to - 1,
            };
            steps.push((production.rhs[dot as usize], item.child, from, to, dot));
            (next, to) = (item.before, from);
        }
        // An incomplete token of several bytes.
        let cut = match steps.first() {
            Some(&(Step::Byte { index, len, .. }, ..)) if index + 1 < len => index + 1,
            _ => 0,
        };
        for (step, child, from, to, place) in steps.into_iter().rev() {
            let is_whole = match step {
                Step::Byte { index, len, .. } => index + 1 == len,
                _ => from < to,
            };
            if !is_whole {
                continue;
            }
            // The iterations so far are the first step of the production that adds a further
            // iteration.
            let so_far = production.wraps.first().filter(|_| production.goes_on);
            let repeat = so_far.filter(|wrap| place < wrap.start);
            self.open_part(from);
            if let Some(repeat) = repeat {
                self.begin(NodeKind::Repeat, self.around(), Some(repeat.expr));
            }
            self.part(step, child, (from, to), None);
            self.close_part();
            if repeat.is_some() {
                self.end();
            }
        }
        self.unexplained(&mut (end - cut), end);
    }

    fn open_part(&mut self, from: u32) {
        self.gap(from);
        self.begin(NodeKind::Iteration, self.around(), None);
    }

    /// Builds the nodes on the stack, and ends the part with them.
    fn close_part(&mut self) {
        self.build(&mut Preferred, NONE);
        self.end();
    }

    /// Adds steps of the text as separate parts: tokens, or words and characters.
    fn plain(&mut self, from: usize, to: usize) {
        self.base = 0;
        if let Some(tokens) = self.tokens {
            for (step, lexeme) in tokens.lexemes[..to].iter().enumerate().skip(from) {
                // The end-of-text token is empty.
                if lexeme.start < lexeme.end {
                    self.open_part(step as u32);
                    let len = lexeme.end - lexeme.start;
                    self.token(lexeme.symbol, None, len);
                    self.close_part();
                }
            }
            return;
        }
        let text = Arc::clone(&self.text);
        let mut rest = &text[from..to];
        while let Some(word) = first_word(rest) {
            self.open_part(0);
            self.gap_of(self.around(), word.len() as u32);
            self.close_part();
            rest = &rest[word.len()..];
        }
    }
}

/// Returns the first word, run of white space, or other character of a text that is not empty.
fn first_word(text: &[u8]) -> Option<&[u8]> {
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || !byte.is_ascii();
    let kind = |byte: u8| (is_word(byte), byte.is_ascii_whitespace());
    let first = *text.first()?;
    let len = match kind(first) {
        (false, false) => 1,
        same => text.iter().take_while(|&&byte| kind(byte) == same).count(),
    };
    Some(&text[..len])
}

#[cfg(test)]
mod tests {
    use super::super::tests::brief;
    use super::*;
    use crate::read::{antlr, read};

    const LISTS: &str = "<list> ::= '[' <item> (',' <item>)* ']' | '[' ']'
<item> ::= <list> | <pair> | <word>
<pair> ::= 'key' '=' <item>
<word> ::= [a-z]+
";

    const BLOCKS: &str = "grammar Blocks;
file : 'package'? decl* EOF ;
decl : 'class' ID '{' decl* '}' | 'def' ID '(' (ID (',' ID)*)? ')' block ;
block : '{' stmt* '}' ;
stmt : block | ID '=' e ';' | 'if' '(' e ')' stmt ;
e : e '*' e | e '+' e | '(' e ')' | ID ;
ID : [a-z] ;
C : '/*' .*? '*/' -> skip ;
WS : [ \\n] -> skip ;
";

    fn parser(text: &str) -> Parser {
        let grammar = match text.starts_with("grammar") {
            true => antlr::read(text, "test", &mut |_| None).unwrap().grammar,
            false => read(text, None, "test").unwrap(),
        };
        Parser::new(Arc::new(grammar)).unwrap()
    }

    #[test]
    fn parts_that_fit_are_islands_and_the_rest_is_tokens() {
        const WORDS: &str = "<s> ::= <s> <s> | 'ab' 'cde' | '(' <s> ')'\n";
        let cases = [
            (LISTS, "", "list!({})"),
            (
                LISTS,
                "[key=[]]",
                "list([item(pair(key=item(list([])))){}])",
            ),
            // A bracket is missing at the end, in the middle, and at the start.
            (
                LISTS,
                "[a,[b]",
                "list!({ [ item(word({ a})) { ,item(list([item(word({ b})){}]))}})",
            ),
            (
                LISTS,
                "[a,[key=,b]]",
                "list!({ [ item(word({ a})) , list!({ [ pair!({ key =})}) { ,item(word({ b}))} ] ]})",
            ),
            (LISTS, "a]", "list!({ item(word({ a})) ]})"),
            // Words and characters that begin no part.
            (LISTS, "]??01 B", "list!({ ] ? ? 01   B})"),
            (WORDS, "abcde)(abcde", "s!({ s(abcde) ) s!({ ( s(abcde)})})"),
            // A token of several bytes is incomplete.
            (WORDS, "(abcd", "s!({ ( s!({ ab cd})})"),
            (
                BLOCKS,
                "class a { def f() {} {} def g() {}",
                "file!({ decl!({ class  a  {  { decl(def f([]) block({{}}))}})  block({{}})  \
                 file([]{ decl(def g([]) block({{}}))})})",
            ),
            (
                BLOCKS,
                "{{ x=y; {y=z;",
                "file!({ block!({ { block!({ {  { stmt(x=e(y);)}  block!({ { { stmt(y=e(z);)}})})})})",
            ),
            (
                BLOCKS,
                "x = x+y*; { x=(y); }",
                "file!({ stmt!({ x  =  e!({ e(x) + e!({ e(y) *})})}) ;  block({ { stmt(x=e((e(y)));)} })})",
            ),
            (BLOCKS, "/*a*/ ) /*b*/", "file!({/*a*/  )} /*b*/)"),
            // Text that is not a token does not end a part.
            (
                BLOCKS,
                "{#x=$y; }??\u{e4}\u{f6}",
                "file!({ block({block!(#){ stmt(x=stmt!($)e(y);)} })}file!(?)file!(?)file!(\u{e4}\u{f6}))",
            ),
            (
                BLOCKS,
                "class #a {}",
                "file([]{ decl(class decl!(#)a {{}})})",
            ),
        ];
        for (grammar, text, expected) in cases {
            let tree = parser(grammar).parse_islands(text.as_bytes()).unwrap();
            assert_eq!(brief(&tree), expected, "{text}");
        }
    }

    #[test]
    fn text_outside_rules_is_counted() {
        for (grammar, text, expected) in [
            (LISTS, "", 0),
            (LISTS, "[a,[b]", 1),
            (LISTS, "[a,[key=,b]]", "[,[key=]]".len()),
            (LISTS, "]??01 B", "]??01B".len()),
            (BLOCKS, "{ } # /* } */ ) { }", "#)".len()),
        ] {
            let tree = parser(grammar).parse_islands(text.as_bytes()).unwrap();
            assert_eq!(tree.outside_rules(), expected, "{text}");
        }
    }
}
