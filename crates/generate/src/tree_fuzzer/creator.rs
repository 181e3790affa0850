use super::creators::{
    delete_quantified, generate, hoist_rule, insert_local_node, insert_quantified, regenerate_rule,
    replace_node, replicate_quantified, shuffle_quantifieds, swap_local_nodes, unrestricted_delete,
    unrestricted_hoist_rule,
};
use super::mutant::Piece;
use super::parent::Parents;
use crate::choices::Choices;
use std::fmt;
use std::str::FromStr;

/// A way to create a new text from the trees of other texts, with its name in Grammarinator.
///
/// The texts of all creators except the last two fit the grammar. A *quantifier* is an optional
/// part or a repetition. Its *elements* are the optional part or the iterations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Creator {
    /// A new text of the start rule is generated, without a parent.
    Generate,
    /// A rule or token is generated again.
    RegenerateRule,
    /// An element of a quantifier is deleted, if there are more than its minimum.
    DeleteQuantified,
    /// An element of a quantifier is copied to another place of the same quantifier.
    ReplicateQuantified,
    /// The elements of a quantifier are put into another order.
    ShuffleQuantifieds,
    /// An instance of a rule is replaced with an inner instance of the same rule.
    HoistRule,
    /// Two instances of the same rule or token, adjacent or not, are swapped.
    SwapLocalNodes,
    /// An element of a quantifier is copied into another instance of the same quantifier.
    InsertLocalNode,
    /// An instance of a rule or token is replaced with an instance in another parent.
    ReplaceNode,
    /// An element of a quantifier is copied into an instance of the same quantifier in another
    /// parent.
    InsertQuantified,
    /// An instance of a rule is deleted, whether or not the grammar allows that.
    UnrestrictedDelete,
    /// An instance of a rule is replaced with any rule inside it.
    UnrestrictedHoistRule,
}

/// The error for a name that no [`Creator`] has.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown creator `{0}`")]
pub struct UnknownCreator(String);

impl Creator {
    /// All creators.
    pub const ALL: [Creator; 12] = [
        Creator::Generate,
        Creator::RegenerateRule,
        Creator::DeleteQuantified,
        Creator::ReplicateQuantified,
        Creator::ShuffleQuantifieds,
        Creator::HoistRule,
        Creator::SwapLocalNodes,
        Creator::InsertLocalNode,
        Creator::ReplaceNode,
        Creator::InsertQuantified,
        Creator::UnrestrictedDelete,
        Creator::UnrestrictedHoistRule,
    ];

    /// Returns the name of the creator: its name in Grammarinator, with hyphens.
    pub fn name(self) -> &'static str {
        match self {
            Creator::Generate => "generate",
            Creator::RegenerateRule => "regenerate-rule",
            Creator::DeleteQuantified => "delete-quantified",
            Creator::ReplicateQuantified => "replicate-quantified",
            Creator::ShuffleQuantifieds => "shuffle-quantifieds",
            Creator::HoistRule => "hoist-rule",
            Creator::SwapLocalNodes => "swap-local-nodes",
            Creator::InsertLocalNode => "insert-local-node",
            Creator::ReplaceNode => "replace-node",
            Creator::InsertQuantified => "insert-quantified",
            Creator::UnrestrictedDelete => "unrestricted-delete",
            Creator::UnrestrictedHoistRule => "unrestricted-hoist-rule",
        }
    }

    /// Returns whether the texts of the creator fit the grammar.
    pub fn keeps_grammar(self) -> bool {
        !matches!(
            self,
            Creator::UnrestrictedDelete | Creator::UnrestrictedHoistRule
        )
    }

    /// Returns the pieces of a mutant, or `None` if the creator can change nothing.
    pub(super) fn create<'p>(
        self,
        parents: &Parents<'p>,
        choices: &mut Choices,
    ) -> Option<Vec<Piece<'p>>> {
        let create = match self {
            Creator::Generate => generate::create,
            Creator::RegenerateRule => regenerate_rule::create,
            Creator::DeleteQuantified => delete_quantified::create,
            Creator::ReplicateQuantified => replicate_quantified::create,
            Creator::ShuffleQuantifieds => shuffle_quantifieds::create,
            Creator::HoistRule => hoist_rule::create,
            Creator::SwapLocalNodes => swap_local_nodes::create,
            Creator::InsertLocalNode => insert_local_node::create,
            Creator::ReplaceNode => replace_node::create,
            Creator::InsertQuantified => insert_quantified::create,
            Creator::UnrestrictedDelete => unrestricted_delete::create,
            Creator::UnrestrictedHoistRule => unrestricted_hoist_rule::create,
        };
        create(parents, choices)
    }
}

impl fmt::Display for Creator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Creator {
    type Err = UnknownCreator;

    /// Returns the creator with a name. Underscores are accepted instead of hyphens.
    fn from_str(name: &str) -> Result<Self, UnknownCreator> {
        let hyphened = name.replace('_', "-");
        let found = Creator::ALL
            .into_iter()
            .find(|each| each.name() == hyphened);
        found.ok_or_else(|| UnknownCreator(name.to_owned()))
    }
}
