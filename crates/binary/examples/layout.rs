//! Shows how much of some files is read: `cargo run -p nubbin-binary --example layout FILE...`

#![expect(clippy::print_stdout, reason = "an example")]

fn main() -> std::io::Result<()> {
    for path in std::env::args().skip(1) {
        let text = std::fs::read(&path)?;
        let known = nubbin_binary::read(&text).or_else(|| nubbin_binary::read_encoded(&text));
        match known.or_else(|| nubbin_binary::guess(&text)) {
            Some(layout) => {
                let view = layout.view();
                let last = view.regions.iter().map(|(span, _)| span.end).max();
                println!(
                    "{path}: {}, {} bytes, {} in the view, {} regions up to {}, {} fields, {} inner, {} groups",
                    layout.format,
                    text.len(),
                    view.text.len(),
                    view.regions.len(),
                    last.unwrap_or(0),
                    view.fields.len(),
                    layout.inner.len(),
                    layout.groups.len(),
                );
            }
            None => println!("{path}: unknown"),
        }
    }
    Ok(())
}
