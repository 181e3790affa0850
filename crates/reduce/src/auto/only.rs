use nubbin_edit::File;
use nubbin_engine::work::{OpenedBy, Pass, Scope};
use std::sync::Arc;

/// Returns a pass that is opened only on files for which `fits` returns `true`. A pass on the input
/// as a whole is always opened, on the first file.
pub(super) fn only_on(
    pass: Arc<dyn Pass>,
    fits: impl Fn(&File<'_>) -> bool + Send + Sync + 'static,
) -> Arc<dyn Pass> {
    OpenedBy::wrap(pass, move |pass, files, context| {
        let opens = |file: &&File<'_>| pass.info().scope == Scope::Input || fits(file);
        let fitting: Vec<File<'_>> = files.iter().filter(opens).copied().collect();
        match fitting.as_slice() {
            [] => None,
            [file] => pass.open(file, context),
            files => pass.open_all(files, context),
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pass;
    use nubbin_edit::Input;
    use nubbin_engine::work::Context;

    #[test]
    fn a_pass_on_some_files_keeps_its_description() {
        let tokens = only_on(pass::by_id("tokens").unwrap(), |file| file.number == 1);
        assert!(tokens.info().tries_everything && tokens.info().scope == Scope::Joined);
        let files = only_on(pass::by_id("files").unwrap(), |_| false);
        assert_eq!(files.info().scope, Scope::Input);

        let input = Input::files([("a", b"x y".to_vec()), ("b", b"x y".to_vec())]).unwrap();
        let views = nubbin_engine::work::Views::default();
        let context = Context::of(&input, &views);
        let opens =
            |pass: &dyn Pass, file| pass.open(&input.file(file).unwrap(), &context).is_some();
        assert_eq!([0, 1].map(|file| opens(&*tokens, file)), [false, true]);
        assert!(opens(&*files, 0));
    }
}
