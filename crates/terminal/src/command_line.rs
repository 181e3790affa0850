use std::ffi::OsString;

/// Returns a command line for logs and pages. The command line omits the values of variables
/// (`--env NAME=VALUE`), which may be secret.
pub fn command_line(args: impl IntoIterator<Item = OsString>) -> Vec<String> {
    const FLAG: &str = "--env";
    let mut line: Vec<String> = vec![];
    // The words of the test, after `--`, are printed as the user wrote them.
    let mut is_own = true;
    let mut is_variable = false;
    for arg in args {
        let arg = arg.to_string_lossy().into_owned();
        is_own &= arg != "--";
        let attached = arg.strip_prefix(FLAG).and_then(|arg| arg.strip_prefix('='));
        line.push(match attached {
            _ if is_variable => hidden(&arg),
            Some(variable) if is_own => format!("{FLAG}={}", hidden(variable)),
            _ => arg.clone(),
        });
        is_variable = is_own && arg == FLAG;
    }
    line
}

fn hidden(variable: &str) -> String {
    let name = variable.split_once('=').map_or(variable, |(name, _)| name);
    format!("{name}=…")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_of_variables_are_left_out() {
        let line =
            "nubbin reduce x --env A=secret --env=B=se=cret -- env --env C=shown --env=D=shown";
        let args = line.split(' ').map(OsString::from);
        assert_eq!(
            command_line(args).join(" "),
            "nubbin reduce x --env A=… --env=B=… -- env --env C=shown --env=D=shown"
        );
    }
}
