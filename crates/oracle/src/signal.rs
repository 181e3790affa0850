//! Signals by name and number.

/// Names (without `SIG`) and numbers of the signals that kill a process.
#[cfg(unix)]
const SIGNALS: &[(&str, i32)] = {
    use rustix::process::Signal;
    &[
        ("SEGV", Signal::SEGV.as_raw()),
        ("ABRT", Signal::ABORT.as_raw()),
        ("BUS", Signal::BUS.as_raw()),
        ("FPE", Signal::FPE.as_raw()),
        ("ILL", Signal::ILL.as_raw()),
        ("TRAP", Signal::TRAP.as_raw()),
        ("SYS", Signal::SYS.as_raw()),
        ("KILL", Signal::KILL.as_raw()),
        ("TERM", Signal::TERM.as_raw()),
        ("INT", Signal::INT.as_raw()),
        ("QUIT", Signal::QUIT.as_raw()),
        ("HUP", Signal::HUP.as_raw()),
        ("PIPE", Signal::PIPE.as_raw()),
        ("ALRM", Signal::ALARM.as_raw()),
        ("XCPU", Signal::XCPU.as_raw()),
        ("XFSZ", Signal::XFSZ.as_raw()),
        ("USR1", Signal::USR1.as_raw()),
        ("USR2", Signal::USR2.as_raw()),
        ("VTALRM", Signal::VTALARM.as_raw()),
        ("PROF", Signal::PROF.as_raw()),
    ]
};
#[cfg(not(unix))]
const SIGNALS: &[(&str, i32)] = &[
    ("SEGV", 11),
    ("ABRT", 22),
    ("FPE", 8),
    ("ILL", 4),
    ("TRAP", 5),
    ("INT", 2),
    ("TERM", 15),
];

/// The Windows exceptions that correspond to a signal, by the exit code of a program that did
/// not handle them.
const EXCEPTIONS: &[(u32, &str)] = &[
    (0xC000_0005, "SEGV"),
    // The code of a stack overflow.
    (0xC000_00FD, "SEGV"),
    // The code of a call of `abort`, and of a failed check of the run-time library.
    (0xC000_0409, "ABRT"),
    (0xC000_0374, "ABRT"),
    (0xC000_0094, "FPE"),
    (0xC000_0095, "FPE"),
    (0xC000_001D, "ILL"),
    (0x8000_0003, "TRAP"),
];

const HIGHEST: i32 = 64;

/// The number of a signal written as `SEGV`, `SIGSEGV` (any case), or `11`.
pub(crate) fn number(text: &str) -> Option<i32> {
    let text = text.trim().to_ascii_uppercase();
    if let Ok(number) = text.parse() {
        return (1..=HIGHEST).contains(&number).then_some(number);
    }
    let name = text.strip_prefix("SIG").unwrap_or(&text);
    let name = if name == "IOT" { "ABRT" } else { name };
    SIGNALS
        .iter()
        .find(|(known, _)| *known == name)
        .map(|&(_, number)| number)
}

/// Returns the signals that a program gets for its own errors.
pub(crate) fn crashes() -> impl Iterator<Item = i32> {
    const CRASHES: [&str; 7] = ["SEGV", "ABRT", "BUS", "FPE", "ILL", "TRAP", "SYS"];
    CRASHES.into_iter().filter_map(number)
}

/// The name of a signal: `SIGSEGV`, or `signal 40` if the signal has no known name.
pub(crate) fn name(number: i32) -> String {
    match SIGNALS.iter().find(|&&(_, known)| known == number) {
        Some((name, _)) => format!("SIG{name}"),
        None => format!("signal {number}"),
    }
}

/// The signal that an exit code stands for: a code above 128, as shells report it, or the number of
/// an exception (Windows). Only signals of crashes count, since programs use other codes above 128
/// for other purposes.
pub(crate) fn of_exit_code(code: i32) -> Option<i32> {
    if let Some((_, name)) = EXCEPTIONS
        .iter()
        .find(|(exception, _)| exception.cast_signed() == code)
    {
        return number(name);
    }
    let crashes = [
        "SEGV", "ABRT", "BUS", "FPE", "ILL", "TRAP", "SYS", "KILL", "XCPU", "XFSZ",
    ];
    let number = code - 128;
    SIGNALS
        .iter()
        .any(|(name, known)| *known == number && crashes.contains(name))
        .then_some(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_signal_is_recognized_in_each_spelling() {
        for text in ["SEGV", "SIGSEGV", "sigsegv", "Segv", "11"] {
            assert_eq!(number(text), Some(11), "{text}");
        }
        assert_eq!(number("SIGIOT"), number("ABRT"));
        for text in ["", "SIGFOO", "0", "-11", "65"] {
            assert_eq!(number(text), None, "{text}");
        }
        assert_eq!(name(11), "SIGSEGV");
        assert_eq!(name(40), "signal 40");
    }

    #[test]
    fn exit_codes_of_shells_stand_for_crashes_only() {
        assert_eq!(of_exit_code(139), Some(11));
        assert_eq!(of_exit_code(130), None, "an interrupt is not a crash");
        assert_eq!(of_exit_code(11), None);
    }

    #[test]
    fn every_exception_stands_for_a_signal() {
        for (code, name) in EXCEPTIONS {
            assert!(number(name).is_some(), "{name}");
            assert_eq!(of_exit_code(code.cast_signed()), number(name), "{code:x}");
        }
        assert_eq!(of_exit_code(-1), None);
    }
}
