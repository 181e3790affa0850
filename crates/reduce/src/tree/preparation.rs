use super::{Outline, empty, flatten, hide, squeeze};
use nubbin_grammar::suggest::nearest;
use std::fmt;
use std::str::FromStr;

/// The steps that prepare a tree for reduction. Each step can be left out.
///
/// The steps are applied in the order of the fields: flattening looks for nodes of one rule, which
/// squeezing would hide, and a node that squeezing has dropped need not be hidden.
///
/// ```
/// use nubbin_reduce::tree::Preparation;
///
/// assert_eq!("flatten,hide".parse::<Preparation>()?.to_string(), "flatten,hide");
/// assert_eq!("all".parse::<Preparation>()?, Preparation::ALL);
/// assert_eq!("none".parse::<Preparation>()?, Preparation::NONE);
/// # Ok::<(), nubbin_reduce::tree::PreparationError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Preparation {
    /// Drop nodes [without text](empty()).
    pub empty: bool,
    /// Turn [recursion](flatten()) into lists.
    pub flatten: bool,
    /// Merge a [chain](squeeze()) into one node.
    pub squeeze: bool,
    /// Hide nodes that are their own [smallest text](hide()).
    pub hide: bool,
}

/// The name and the description of each step.
const STEPS: [(&str, &str); 4] = [
    ("empty", "leave out nodes without text"),
    ("flatten", "make lists of left and right recursion"),
    (
        "squeeze",
        "merge a chain of nodes with one smallest text into one node",
    ),
    ("hide", "never try nodes that are their own smallest text"),
];

impl Preparation {
    /// Every step.
    pub const ALL: Preparation = Preparation {
        empty: true,
        flatten: true,
        squeeze: true,
        hide: true,
    };

    /// No step: the tree as it was parsed.
    pub const NONE: Preparation = Preparation {
        empty: false,
        flatten: false,
        squeeze: false,
        hide: false,
    };

    /// The name and the description of each step.
    pub fn steps() -> &'static [(&'static str, &'static str)] {
        &STEPS
    }

    /// Prepares a tree.
    ///
    /// It takes time linear in the nodes, without recursion. At any time there are at most two
    /// outlines.
    pub fn apply(&self, mut outline: Outline) -> Outline {
        if self.empty {
            outline = empty(outline);
        }
        if self.flatten {
            outline = flatten(outline);
        }
        if self.squeeze {
            outline = squeeze(outline);
        }
        if self.hide {
            outline = hide(outline);
        }
        outline
    }

    fn flags(&self) -> [bool; 4] {
        [self.empty, self.flatten, self.squeeze, self.hide]
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
    None => "; there are `all`, `none`, `empty`, `flatten`, `squeeze`, and `hide`".to_owned(),
})]
pub struct PreparationError {
    /// The unknown name.
    pub name: String,
    /// A similar name of a step.
    pub like: Option<&'static str>,
}

impl FromStr for Preparation {
    type Err = PreparationError;

    fn from_str(text: &str) -> Result<Self, PreparationError> {
        let mut preparation = Preparation::NONE;
        for name in text.split(',').map(str::trim) {
            match name {
                "all" => preparation = Preparation::ALL,
                "none" => preparation = Preparation::NONE,
                "empty" => preparation.empty = true,
                "flatten" => preparation.flatten = true,
                "squeeze" => preparation.squeeze = true,
                "hide" => preparation.hide = true,
                _ => {
                    let known = STEPS.iter().map(|(name, _)| *name).chain(["all", "none"]);
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
