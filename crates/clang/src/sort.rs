//! Messages that mean the same for different texts.

/// Returns a message without template arguments and without other names of types, since clang
/// writes them differently if other names are declared.
pub(crate) fn sort_of(message: &str) -> String {
    let mut sort = String::new();
    for (at, part) in message.split('\'').enumerate() {
        let is_quoted = at % 2 == 1;
        match is_quoted {
            true if sort.ends_with("(aka ") => {}
            true => sort.push_str(part.split('<').next().unwrap_or_default()),
            false => sort.push_str(part),
        }
    }
    sort
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_that_differ_in_arguments_of_templates_are_of_one_sort() {
        let long = "no member named 'x' in 'std::vector<int, std::allocator<int>>'";
        let short = "no member named 'x' in 'std::vector<int>'";
        assert_eq!(sort_of(long), sort_of(short));
        let alias = "cannot convert 'pointer' (aka 'char *') to 'int'";
        assert_eq!(sort_of(alias), "cannot convert pointer (aka ) to int");
        let other = "no member named 'y' in 'std::vector<int>'";
        assert_ne!(sort_of(other), sort_of(short));
    }
}
