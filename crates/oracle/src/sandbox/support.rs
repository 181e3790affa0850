/// The parts of a sandbox that this kernel supports. All kernels with a sandbox restrict the files
/// that a test can create, write, rename, and remove.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SandboxSupport {
    /// Files outside cannot be truncated by their names (Linux 6.2).
    pub truncation: bool,
    /// TCP connections are restricted (Linux 6.7, and with a filter of system calls any).
    pub network: bool,
    /// System calls are filtered: other ways to TCP connections are restricted, and so are memory
    /// and semaphores of System V, message queues, and keyrings (x86-64, ARM64, and RISC-V).
    pub calls: bool,
    /// Commands to devices are restricted (Linux 6.10).
    pub devices: bool,
    /// Signals and abstract Unix sockets are restricted (Linux 6.12).
    pub signals: bool,
}

impl SandboxSupport {
    /// Returns the parts that this kernel does not support, in words.
    pub fn gaps(self) -> Vec<&'static str> {
        [
            (self.truncation, "the truncation of files"),
            (self.network, "the network"),
            (self.calls, "system calls"),
            (self.devices, "commands to devices"),
            (self.signals, "signals"),
        ]
        .into_iter()
        .filter(|(is_there, _)| !is_there)
        .map(|(_, name)| name)
        .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_gaps_of_an_old_kernel_are_named() {
        let mut support = SandboxSupport {
            truncation: true,
            network: true,
            calls: true,
            devices: true,
            signals: true,
        };
        assert!(support.gaps().is_empty());
        (support.network, support.signals) = (false, false);
        assert_eq!(support.gaps(), ["the network", "signals"]);
    }
}
