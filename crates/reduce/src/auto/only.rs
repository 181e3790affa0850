use crate::input::File;
use crate::pass::{Context, Pass};
use crate::work::Work;
use std::sync::Arc;

/// Returns a pass that is opened on the files for which `fits` returns true. A pass on the input as
/// a whole is opened in any case: it is opened on the first file, whatever that is.
pub(super) fn only_on(
    pass: Arc<dyn Pass>,
    fits: impl Fn(&File<'_>) -> bool + Send + Sync + 'static,
) -> Arc<dyn Pass> {
    Arc::new(Only { pass, fits })
}

struct Only<F> {
    pass: Arc<dyn Pass>,
    fits: F,
}

impl<F: Fn(&File<'_>) -> bool + Send + Sync> Pass for Only<F> {
    fn id(&self) -> &'static str {
        self.pass.id()
    }

    fn about(&self) -> &'static str {
        self.pass.about()
    }

    fn source(&self) -> &'static str {
        self.pass.source()
    }

    fn open(&self, file: &File<'_>, context: &Context<'_>) -> Option<Work> {
        let opens = self.whole_input() || (self.fits)(file);
        opens.then(|| self.pass.open(file, context)).flatten()
    }

    fn open_all(&self, files: &[File<'_>], context: &Context<'_>) -> Option<Work> {
        let fitting: Vec<File<'_>> = files
            .iter()
            .filter(|file| (self.fits)(file))
            .copied()
            .collect();
        self.pass.open_all(&fitting, context)
    }

    fn joins_files(&self) -> bool {
        self.pass.joins_files()
    }

    fn tries_everything(&self) -> bool {
        self.pass.tries_everything()
    }

    fn whole_input(&self) -> bool {
        self.pass.whole_input()
    }

    fn asks_outside(&self) -> bool {
        self.pass.asks_outside()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::Input;
    use crate::pass::{self, Context};
    use crate::work::Lists;

    #[test]
    fn a_pass_on_some_files_keeps_what_it_says_of_itself() {
        let tokens = only_on(pass::by_id("tokens").unwrap(), |file| file.number == 1);
        assert!(tokens.tries_everything() && !tokens.whole_input());
        let files = only_on(pass::by_id("files").unwrap(), |_| false);
        assert!(files.whole_input());

        let input = Input::files([("a", b"x y".to_vec()), ("b", b"x y".to_vec())]).unwrap();
        let lists = Lists::default();
        let context = Context {
            input: &input,
            lists: &lists,
            sorts: &[],
        };
        let opens =
            |pass: &dyn Pass, file| pass.open(&input.file(file).unwrap(), &context).is_some();
        assert_eq!([0, 1].map(|file| opens(&*tokens, file)), [false, true]);
        assert!(opens(&*files, 0));
    }
}
