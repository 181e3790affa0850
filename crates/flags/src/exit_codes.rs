//! The table of exit codes for the help.

/// The table of all exit codes of the commands that run a test.
pub const EXIT_CODES: &str = "\
Exit codes:
    0  the result is written (complete, or a budget was used up)
    2  the command line is wrong
    3  the original input does not fail, or the passing input does not pass
    4  the test cannot be run
    5  an input cannot be read, is empty, or does not differ
    6  a result cannot be written
    7  the result is written, but failed to reproduce: the test is flaky
    8  a limit ended the run before its first success; an earlier result is kept
    9  an empty input fails too: the command is wrong, or does not read its input
  130  stopped by a signal or a key; the best so far is written, if there is one";

#[cfg(test)]
mod tests {
    use super::*;
    use nubbin_terminal::exit::Exit;

    #[test]
    fn the_table_in_the_help_lists_every_code() {
        let all = [
            Exit::Done,
            Exit::Usage,
            Exit::NotFailing,
            Exit::Test,
            Exit::Input,
            Exit::Output,
            Exit::Flaky,
            Exit::NoResult,
            Exit::EmptyFails,
            Exit::Stopped,
        ];
        let listed: Vec<u8> = EXIT_CODES
            .lines()
            .skip(1)
            .map(|line| line.split_whitespace().next().unwrap().parse().unwrap())
            .collect();
        assert_eq!(listed, all.map(|exit| exit as u8));
    }
}
