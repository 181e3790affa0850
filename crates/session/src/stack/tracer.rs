use nubbin_oracle::Tracer;

/// The argument that makes this program the process that traces a test. The argument is not a
/// command for users.
pub const PROCESS: &str = "--stack-process";

/// Whether stacks can be read on this system.
const IS_SUPPORTED: bool = cfg!(all(
    target_os = "linux",
    any(target_arch = "x86_64", target_arch = "aarch64")
));

/// Returns the command line that runs a test under the tracing process. `None` on systems other
/// than Linux.
pub fn tracer() -> Option<Tracer> {
    let program = std::env::current_exe().ok().filter(|_| IS_SUPPORTED)?;
    Some(Tracer::new(vec![program.into(), PROCESS.into()]))
}
