use super::only::only_on;
use super::rows::by_ids;
use nubbin_edit::{File, Input};
use nubbin_engine::plan::Plan;
use nubbin_engine::work::{Pass, Views};
use nubbin_text::{Copies, Files, LinePairs, SharedWords};
use std::sync::Arc;

/// Moves the passes over files that belong together to the start, if the input has such files.
pub(super) fn begin_with_what_belongs_together(plan: &mut Plan, input: &Input) {
    let of_some = |fits: fn(&File<'_>) -> bool| input.present().any(|file| fits(&file));
    let mut ids = vec![];
    if of_some(LinePairs::are_most) {
        ids.push("line-pairs");
    }
    if of_some(SharedWords::is_log) {
        ids.push("shared-words");
    }
    if Copies::are_most(input, &Views::default()) {
        ids.push("copies");
    }
    let opening = plan.tiers.iter_mut().find(|tier| tier.name == "opening");
    if let Some(tier) = opening {
        insert_first(&mut tier.passes, where_they_fit(&ids));
        // Later passes over one file then see declarations and uses together.
        if Files::are_chained(input, &Views::default()) {
            let behind = tier.passes.iter().position(|pass| pass.id() == "files");
            let at = behind.map_or(0, |at| at + 1);
            tier.passes.splice(at..at, by_ids(&["inline-files"]));
        }
    }
}

/// Returns passes over files that belong together, opened on such files only.
pub(super) fn where_they_fit(ids: &[&'static str]) -> Vec<Arc<dyn Pass>> {
    let fits = |pass: Arc<dyn Pass>| match pass.id() {
        "line-pairs" => only_on(pass, LinePairs::are_most),
        "shared-words" => only_on(pass, SharedWords::is_log),
        _ => pass,
    };
    by_ids(ids).into_iter().map(fits).collect()
}

/// Inserts passes into the first tier, after those that remove whole files and comments.
pub(super) fn insert_first(tier: &mut Vec<Arc<dyn Pass>>, passes: Vec<Arc<dyn Pass>>) {
    let behind = ["comments", "empty-files"];
    let before = tier.iter();
    let before = before.take_while(|pass| !behind.contains(&pass.id()));
    let at = (before.count() + 1).min(tier.len());
    tier.splice(at..at, passes);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn first_passes(text: &str) -> Vec<&'static str> {
        let input = Input::single("input.txt", text).unwrap();
        let plan = super::super::plan(&input);
        let opening = plan
            .tiers
            .iter()
            .find(|tier| tier.name == "opening")
            .unwrap();
        let first = opening.passes.iter().map(|pass| pass.id());
        let together = ["line-pairs", "shared-words", "copies"];
        first.filter(|id| together.contains(id)).collect()
    }

    #[test]
    fn an_input_decides_about_its_first_passes() {
        let of = |line: &str| {
            (0..9)
                .map(|nth| line.replace('#', &nth.to_string()))
                .collect::<String>()
        };
        let log = [of("open h#\n"), of("use h#\n"), of("close h#\n")].concat();
        assert_eq!(first_passes(&log), ["line-pairs", "shared-words"]);
        assert_eq!(first_passes("f(a, g(b), c) == f(a, g(b), c)"), ["copies"]);
        assert!(first_passes("int main(void) { return 0; }\n").is_empty());
    }

    #[test]
    fn headers_that_include_each_other_become_one_file_early() {
        let early = |files: &[(&str, &str)]| {
            let files = files.iter().map(|&(name, text)| (name, text.into()));
            let plan = super::super::plan(&Input::files(files).unwrap());
            let opening = plan.tiers.iter().find(|tier| tier.name == "opening");
            let first = opening.unwrap().passes.iter().map(|pass| pass.id());
            first.take(2).collect::<Vec<_>>()
        };
        let files = [
            ("main.c", "#include \"a.h\"\n"),
            ("a.h", "#include \"b.h\"\n"),
            ("b.h", "#include \"c.h\"\n"),
            ("c.h", "int c;\n"),
        ];
        assert_eq!(early(&files), ["files", "inline-files"]);
        assert_eq!(early(&files[..2]), ["files", "empty-files"]);
    }
}
