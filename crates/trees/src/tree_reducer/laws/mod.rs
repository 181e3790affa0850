//! Properties that hold for every tree reducer, or for every member of a family.

pub(super) mod cases;
mod every_reducer;
mod hdd_family;
