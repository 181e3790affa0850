use nubbin_reduce::ModuleSize;
use nubbin_reduce::input::Input;

/// The sizes of the original and of the result as modules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Modules {
    pub(super) before: ModuleSize,
    pub(super) after: ModuleSize,
}

/// Returns the size of all files that are modules, or `None` if no file is a module.
pub(super) fn module_size(input: &Input) -> Option<ModuleSize> {
    let files = input.present();
    let sizes = files.filter_map(|file| ModuleSize::of(file.text));
    sizes.reduce(|sum, size| sum + size)
}
