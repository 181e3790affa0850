use super::references::References;

impl References {
    /// Leaves out everything that some statements mention, as if these statements were empty.
    pub(in crate::tree_reducer) fn without_mentions_in(&mut self, statements: &[u32]) {
        let mut is_inside = vec![false; self.statements.len()];
        for &outer in statements {
            let end = self.statements[outer as usize].end;
            is_inside[outer as usize..end as usize].fill(true);
        }
        let is_outside = |at: &u32| !is_inside[*at as usize];
        for declared in &mut self.declared {
            declared.mentions.retain(is_outside);
        }
        for entity in &mut self.entities {
            entity.users.retain(is_outside);
        }
        for (_, mentions) in &mut self.undeclared {
            mentions.retain(is_outside);
        }
        for (statement, is_inside) in self.statements.iter_mut().zip(&is_inside) {
            if *is_inside {
                statement.uses.clear();
            }
        }
    }

    /// Returns the outermost bodies that `wanted` holds for.
    pub(in crate::tree_reducer) fn bodies(&self, wanted: impl Fn(u32) -> bool) -> Vec<u32> {
        let mut bodies = vec![];
        let mut end = 0;
        for (at, statement) in (0..).zip(&self.statements) {
            if at >= end && statement.is_body {
                if wanted(at) {
                    bodies.push(at);
                }
                end = statement.end;
            }
        }
        bodies
    }
}
