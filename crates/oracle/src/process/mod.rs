//! Starts processes, waits for them with limits, and kills all processes that a test leaves.

#[cfg(target_os = "linux")]
mod census;
mod end;
pub(crate) mod gate;
mod leftovers;
mod mark;
#[cfg(target_os = "linux")]
mod orphans;
mod pipes;
mod resources;
#[cfg(unix)]
mod spawn;
#[cfg(target_os = "linux")]
mod state;
#[cfg(unix)]
mod unix;
mod wake;
#[cfg(windows)]
mod windows;

pub(crate) use end::{end_all, end_marked};
pub(crate) use leftovers::{Leftovers, cpu_of, machine_count};
pub(crate) use mark::{MARK, mark_value};
#[cfg(target_os = "linux")]
pub(crate) use orphans::{
    ChildList, adopt_orphans, end_descendants, end_tree, has_children, is_running_child,
    kill_child, lives, parent_of,
};
pub(crate) use pipes::Pipes;
pub(crate) use resources::Census;
#[cfg(unix)]
pub(crate) use spawn::{Command, Stdio};
#[cfg(windows)]
pub(crate) use std::process::{Command, Stdio};
#[cfg(unix)]
pub(crate) use unix::{Leader, Process, start};
#[cfg(target_os = "linux")]
pub(crate) use unix::{Readable, wait};
pub(crate) use wake::Wake;
#[cfg(windows)]
pub(crate) use windows::{Leader, Process, start};
