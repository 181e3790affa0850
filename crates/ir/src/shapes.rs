//! Branches that can have another form with fewer instructions.

use crate::complete::Shape;
use crate::module::Module;

impl Module {
    /// Returns the branches of a function whose two sides can be executed one after the other. An
    /// inner branch comes before an outer one. The result is empty for modules that are not LLVM
    /// IR.
    ///
    /// Cost: linear in the function, times the depth of its branches.
    ///
    /// Source of the idea: J. R. Allen, K. Kennedy, C. Porterfield, J. Warren, "Conversion of
    /// Control Dependence to Data Dependence", 1983.
    ///
    /// ```
    /// let text = "define i32 @f(i1 %0) {\n  br i1 %0, label %2, label %3\n2:\n  br label %3\n3:\n  %4 = phi i32 [ 1, %1 ], [ 2, %2 ]\n  ret i32 %4\n}\n";
    /// let module = nubbin_ir::read(text.as_bytes()).unwrap();
    /// let [branch] = module.straight_branches(0)[..] else { panic!() };
    /// let mut change = nubbin_ir::Change::new(&module);
    /// change.straight.insert(branch);
    /// change.merged.insert(0);
    /// let text = String::from_utf8(module.render(&change)).unwrap();
    /// assert_eq!(text, "define i32 @f(i1 %0) {\n  %2 = select i1 %0, i32 2, i32 1\n  ret i32 %2\n}\n");
    /// ```
    pub fn straight_branches(&self, function: u32) -> Vec<u32> {
        self.branches_of_shape(function, Shape::Straight)
    }

    /// Returns the branches of a function that leave a loop at its start, if they can be moved to
    /// its end. The result is empty for modules that are not LLVM IR.
    ///
    /// Cost: linear in the function, times the depth of its loops.
    ///
    /// Source of the idea: the pass `loop-rotate` of LLVM, which keeps a copy of the condition
    /// before the loop.
    ///
    /// ```
    /// let text = "define void @f() {\n  br label %1\n1:\n  %2 = call i1 @g()\n  br i1 %2, label %3, label %4\n3:\n  br label %1\n4:\n  ret void\n}\n";
    /// let module = nubbin_ir::read(text.as_bytes()).unwrap();
    /// let [branch] = module.turned_branches(0)[..] else { panic!() };
    /// let mut change = nubbin_ir::Change::new(&module);
    /// change.turned.insert(branch);
    /// change.merged.insert(0);
    /// let text = String::from_utf8(module.render(&change)).unwrap();
    /// let wanted = "define void @f() {\n  br label %1\n1:\n  %2 = call i1 @g()\n  br i1 %2, label %1, label %3\n3:\n  ret void\n}\n";
    /// assert_eq!(text, wanted);
    /// ```
    pub fn turned_branches(&self, function: u32) -> Vec<u32> {
        self.branches_of_shape(function, Shape::Turned)
    }
}
