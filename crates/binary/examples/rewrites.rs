//! Writes a file without some of its regions, so many times: `cargo run -p nubbin-binary --example
//! rewrites FILE FOLDER COUNT [KIND...]`, of some kinds of regions only. `scripts/binary-rewrites`
//! has them checked by the format's tools.

use nubbin_binary::{Cut, read};
use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [file, folder, count, kinds @ ..] = &args[..] else {
        return Err("give a file, a folder, and a count".into());
    };
    let text = std::fs::read(file)?;
    let layout = read(&text).ok_or("the format is unknown")?;
    let mut regions = layout.view().regions;
    regions.retain(|(_, kind)| kinds.is_empty() || kinds.iter().any(|wanted| wanted == kind));
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut random = move |below: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state % below.max(1) as u64) as usize
    };
    for nth in 0..count.parse()? {
        // One region at first, and more later; all but a few at last.
        let share = [0, 1, 5, 20, 50, 90, 98][nth * 7 / count.parse::<usize>()?.max(1)];
        let mut cuts: Vec<Cut> = regions
            .iter()
            .filter(|_| random(100) < share)
            .map(|(span, _)| Cut::remove(span.clone()))
            .collect();
        if cuts.is_empty() && !regions.is_empty() {
            cuts.push(Cut::remove(regions[random(regions.len())].0.clone()));
        }
        let mut change: Vec<Cut> = vec![];
        for cut in cuts {
            if change
                .last()
                .is_none_or(|last| last.span.end <= cut.span.start)
            {
                change.push(cut);
            }
        }
        let cuts = layout.rewrite(&change);
        std::fs::write(format!("{folder}/{nth}"), Cut::render(&cuts, &text))?;
    }
    Ok(())
}
