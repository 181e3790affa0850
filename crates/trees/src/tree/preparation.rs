use super::{Outline, empty, flatten, flatten_chains, hide, hide_nodes, squeeze};
use nubbin_grammar::suggest::nearest;
use std::fmt;
use std::str::FromStr;

/// The steps that prepare a tree for reduction. Each step can be left out.
///
/// The steps are applied in the order of the fields: flattening looks for nodes of one rule, which
/// squeezing would hide, and a node that squeezing has dropped need not be hidden. If both ways to
/// flatten or to hide are chosen, the more thorough one is used.
///
/// ```
/// use nubbin_reduce::tree::Preparation;
///
/// assert_eq!("flatten,hide".parse::<Preparation>()?.to_string(), "flatten,hide");
/// assert_eq!("all".parse::<Preparation>()?, Preparation::ALL);
/// assert_eq!("published".parse::<Preparation>()?, Preparation::PUBLISHED);
/// assert_eq!("none".parse::<Preparation>()?, Preparation::NONE);
/// # Ok::<(), nubbin_reduce::tree::PreparationError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Preparation {
    /// Remove nodes [without text](empty()).
    pub empty: bool,
    /// Convert [recursion](flatten()) to lists.
    pub flatten: bool,
    /// Convert recursion to lists [across chains of rules](flatten_chains()).
    pub flatten_chains: bool,
    /// Merge a [chain](squeeze()) of nodes into one node.
    pub squeeze: bool,
    /// Hide tokens that equal their own [smallest text](hide()).
    pub hide: bool,
    /// Hide [all nodes](hide_nodes()) that equal their own smallest text.
    pub hide_nodes: bool,
}

/// The name and the description of each step.
const STEPS: [(&str, &str); 6] = [
    ("empty", "leave out nodes without text"),
    ("flatten", "make lists of left and right recursion"),
    (
        "flatten-chains",
        "as flatten, also where a chain of rules leads to the recursion",
    ),
    (
        "squeeze",
        "merge a chain of nodes with one smallest text into one node",
    ),
    ("hide", "never try tokens that are their own smallest text"),
    (
        "hide-nodes",
        "never try nodes that are their own smallest text",
    ),
];

impl Preparation {
    /// Every step in its most thorough form: the preparation of the default plan.
    pub const ALL: Preparation = Preparation {
        empty: true,
        flatten_chains: true,
        squeeze: true,
        hide_nodes: true,
        ..Preparation::NONE
    };

    /// Every step as it was published: the removal of empty nodes as in picireny, and the other
    /// steps as in Hodován's thesis.
    pub const PUBLISHED: Preparation = Preparation {
        empty: true,
        flatten: true,
        squeeze: true,
        hide: true,
        ..Preparation::NONE
    };

    /// No step: the tree is used as it was parsed.
    pub const NONE: Preparation = Preparation {
        empty: false,
        flatten: false,
        flatten_chains: false,
        squeeze: false,
        hide: false,
        hide_nodes: false,
    };

    /// Returns the name and the description of each step.
    pub fn steps() -> &'static [(&'static str, &'static str)] {
        &STEPS
    }

    /// Prepares a tree.
    ///
    /// The time is linear in the number of nodes. There is no recursion. At any time there are at
    /// most two outlines.
    pub fn apply(&self, mut outline: Outline) -> Outline {
        if self.empty {
            outline = empty(outline);
        }
        if self.flatten_chains {
            outline = flatten_chains(outline);
        } else if self.flatten {
            outline = flatten(outline);
        }
        if self.squeeze {
            outline = squeeze(outline);
        }
        if self.hide_nodes {
            outline = hide_nodes(outline);
        } else if self.hide {
            outline = hide(outline);
        }
        outline
    }

    fn flags(&self) -> [bool; STEPS.len()] {
        [
            self.empty,
            self.flatten,
            self.flatten_chains,
            self.squeeze,
            self.hide,
            self.hide_nodes,
        ]
    }
}

impl Default for Preparation {
    fn default() -> Self {
        Preparation::ALL
    }
}

impl fmt::Display for Preparation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut comma = "";
        for ((name, _), _) in STEPS.iter().zip(self.flags()).filter(|(_, on)| *on) {
            write!(f, "{comma}{name}")?;
            comma = ",";
        }
        if comma.is_empty() {
            f.write_str("none")?;
        }
        Ok(())
    }
}

/// An error for an unknown step.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown preparation `{name}`{}", match .like {
    Some(like) => format!(", did you mean `{like}`?"),
    None => "; there are `all`, `published`, `none`, `empty`, `flatten`, `flatten-chains`, `squeeze`, \
             `hide`, and `hide-nodes`".to_owned(),
})]
pub struct PreparationError {
    /// The unknown name.
    pub name: String,
    /// A step with a similar name.
    pub like: Option<&'static str>,
}

impl FromStr for Preparation {
    type Err = PreparationError;

    fn from_str(text: &str) -> Result<Self, PreparationError> {
        let mut preparation = Preparation::NONE;
        for name in text.split(',').map(str::trim) {
            match name {
                "all" => preparation = Preparation::ALL,
                "published" => preparation = Preparation::PUBLISHED,
                "none" => preparation = Preparation::NONE,
                "empty" => preparation.empty = true,
                "flatten" => preparation.flatten = true,
                "flatten-chains" => preparation.flatten_chains = true,
                "squeeze" => preparation.squeeze = true,
                "hide" => preparation.hide = true,
                "hide-nodes" => preparation.hide_nodes = true,
                _ => {
                    let groups = ["all", "published", "none"];
                    let known = STEPS.iter().map(|(name, _)| *name).chain(groups);
                    return Err(PreparationError {
                        name: name.into(),
                        like: nearest(name, known),
                    });
                }
            }
        }
        Ok(preparation)
    }
}
