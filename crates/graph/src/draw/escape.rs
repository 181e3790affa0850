//! Escapes texts from outside in markup.

/// Returns a text for the content and the attributes of XML and HTML.
///
/// Characters that XML does not have, even as a reference, become U+FFFD.
pub(super) fn markup(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '\t' | '\n' => out.push(' '),
            '\u{0}'..='\u{1f}' | '\u{7f}'..='\u{9f}' | '\u{fffe}' | '\u{ffff}' => {
                out.push('\u{fffd}');
            }
            _ => out.push(character),
        }
    }
    out
}

/// Returns JSON for the content of a script element.
///
/// In JSON, `<` is only in strings. Without it, the text has no end tag, and no `<!--`, after which
/// a parser of HTML takes a start tag of a script for the beginning of another one.
pub(super) fn script(json: &str) -> String {
    json.replace('<', "\\u003c")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_of_others_is_text() {
        assert_eq!(
            markup("</script><img onerror='a' title=\"&\">\u{0}\n"),
            "&lt;/script&gt;&lt;img onerror=&#39;a&#39; title=&quot;&amp;&quot;&gt;\u{fffd} "
        );
    }

    #[test]
    fn json_in_a_script_says_the_same() {
        let text = serde_json::to_string("</script><!--<script>").unwrap();
        let escaped = script(&text);
        assert!(!escaped.contains('<'));
        let same: String = serde_json::from_str(&escaped).unwrap();
        assert_eq!(same, "</script><!--<script>");
    }
}
