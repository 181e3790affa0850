/// The standard input, output, and error of a process, as far as they are pipes.
pub(crate) type Pipes = (
    Option<std::process::ChildStdin>,
    Option<std::process::ChildStdout>,
    Option<std::process::ChildStderr>,
);
