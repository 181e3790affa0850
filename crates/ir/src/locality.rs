use crate::llvm::LOCAL;
use crate::{ItemKind, Module};

impl Module {
    /// Returns the word that makes a function local, if there is one.
    ///
    /// A local function is removed with its last use. A change that removes the word keeps it.
    ///
    /// ```
    /// use nubbin_ir::{Change, read};
    ///
    /// let text = "define internal void @f() {\n  ret void\n}\ndefine void @g() {\n  call void @f()\n  ret void\n}\n";
    /// let module = read(text.as_bytes()).unwrap();
    /// let mut change = Change::new(&module);
    /// change.bodies.insert(1);
    /// assert_eq!(module.render(&change), b"");
    ///
    /// change.words.extend(module.locality(0));
    /// assert_eq!(module.render(&change), b"define void @f() {\n  ret void\n}\n");
    /// ```
    pub fn locality(&self, item: u32) -> Option<u32> {
        let item = self.items.get(item as usize)?;
        if !item.is_local || !matches!(item.kind, ItemKind::Function(_)) {
            return None;
        }
        item.words.clone().find(|&at| {
            let span = &self.words[at as usize].span;
            span.end <= item.name_span.start && LOCAL.contains(&self.bytes(span).trim_ascii())
        })
    }
}
