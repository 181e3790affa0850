//! The declarations of a program, and the declarations that each of them needs.
//!
//! [`read`] finds both, [`overloads`] what tells several definitions of one name from each other,
//! and [`conditional`] keeps the items that are needed on conditions. [`files`] connects the items
//! of several files. [`reach`] finds all that items need, [`groups`] the items that need each
//! other, and [`removal`] makes the edit that removes some.

mod conditional;
mod files;
mod groups;
mod item;
mod overloads;
mod reach;
mod read;
mod removal;

pub(in crate::tree_reducer) use item::Items;
