//! The facts of a graph that a walk needs, computed once.

use super::literals::{LiteralTable, Literals};
use super::rank::Rank;
use crate::model::{Graph, Parameter, Signature, SignatureId, TypeId};
use rustc_hash::FxHashSet;

/// The weight of a type that calls and constructions return, where another type has the weight 1:
/// instances are drawn more often than their prototypes, and than functions, which few calls take.
const RESULTS: usize = 8;

/// The height of a type of which no expression can be made.
const NEVER: u32 = u32::MAX;

/// One way to an expression of a type.
#[derive(Clone, Copy, Debug)]
pub(super) enum ExpressionForm {
    /// `this`
    Global,
    /// A property of an expression of a type, by its access.
    Property { of: Rank, access: u32 },
    /// A call of a function.
    Call { of: Rank, signature: u32 },
    /// A construction by a function.
    Construct { of: Rank, signature: u32 },
}

/// The ways to one type, with their heights.
pub(super) type ExpressionForms = Box<[(u32, ExpressionForm)]>;

/// A step of a walk away from an expression of a type.
#[derive(Clone, Copy, Debug)]
pub(super) enum Step {
    Property { access: u32, to: Rank },
    Prototype { to: Rank },
    Call { signature: u32 },
    Construct { signature: u32 },
}

/// The values that fit an argument: types, and literals.
#[derive(Clone, Debug, Default)]
pub(super) struct Place {
    /// The ranks of the types, ascending, each as often as it is drawn. Empty if any type fits.
    pub(super) types: Box<[u32]>,
    /// The literals, ascending.
    pub(super) literals: Box<[u32]>,
    /// Whether any type fits.
    pub(super) is_any: bool,
}

/// A signature with the values that fit its receiver and its parameters.
#[derive(Debug)]
pub(super) struct Call {
    pub(super) receiver: Place,
    pub(super) parameters: Box<[Place]>,
    pub(super) returns: Box<[Rank]>,
}

/// The tables of a graph. In all lists of types, the type of results of which nothing is known is
/// one more type.
pub(super) struct Tables {
    /// The height of the least expression of each type.
    pub(super) heights: Box<[u32]>,
    /// The ways to each type, lowest first.
    pub(super) ways: Box<[ExpressionForms]>,
    /// The indices of the ways to each type that call or construct.
    pub(super) calls: Box<[Box<[u32]>]>,
    pub(super) steps: Box<[Box<[Step]>]>,
    /// For each type, where a value of it is expected.
    pub(super) places: Box<[Place]>,
    pub(super) signatures: Box<[Call]>,
    /// The texts of accesses.
    pub(super) accesses: Box<[Box<[u8]>]>,
    pub(super) literals: Literals,
    /// The ranks of all types, as [`Place::types`].
    pub(super) all: Box<[u32]>,
    /// The numbers from 0 up to the largest number of ways to one type.
    pub(super) indices: Box<[u32]>,
    pub(super) global: Rank,
}

/// A way by the indices of the graph, and the type that it leads to; the number of types stands for
/// the type of which nothing is known.
struct Found {
    to: usize,
    way: FoundWay,
}

enum FoundWay {
    Global,
    Property { of: usize, access: u32 },
    Call { of: usize, signature: SignatureId },
    Construct { of: usize, signature: SignatureId },
}

impl Tables {
    pub(super) fn new(graph: &Graph) -> Self {
        let count = graph.types().len();
        let mut accesses: Vec<Box<[u8]>> = vec![];
        let found = ways(graph, &mut accesses);
        let below = below(graph);
        let heights = heights(graph, &found, &below);
        let ranks = Ranks::new(graph, &heights);
        let mut literals = LiteralTable::new(graph, &ranks.nodes);
        let places = ranks.nodes.iter();
        let places = places.map(|node| ranks.place_of_type(*node, &below, &mut literals));
        let places = places.collect();
        let mut place = |parameter: &Parameter| {
            let fits = |rank: u32| heights[ranks.order[rank as usize]] != NEVER;
            ranks.place_of_parameter(parameter, &below, fits, &mut literals)
        };
        let signatures = graph.signatures().iter().map(|signature| Call {
            receiver: place(&Parameter {
                types: signature.receiver.clone(),
                values: vec![],
            }),
            parameters: signature.parameters.iter().map(&mut place).collect(),
            returns: signature
                .returns
                .iter()
                .map(|id| ranks.of[id.index()])
                .collect(),
        });
        let signatures = signatures.collect();
        let to = ways_to(graph, &found, &heights, &below, &ranks.of);
        let most = to.iter().map(Vec::len).max().unwrap_or(0);
        Tables {
            indices: (0..most.max(1) as u32).collect(),
            heights: ranks.order.iter().map(|&node| heights[node]).collect(),
            calls: to.iter().map(|ways| calls(ways)).collect(),
            ways: to.into_iter().map(Vec::into_boxed_slice).collect(),
            steps: steps(graph, &ranks.nodes, &ranks.of, &found),
            places,
            signatures,
            accesses: accesses.into(),
            literals: literals.finish(),
            all: ranks.all(&(0..=count).collect::<Vec<_>>()),
            global: ranks.of[TypeId::GLOBAL.index()],
        }
    }

    /// Returns the ranks of a list that an expression of at most the given height can have.
    pub(super) fn up_to<'a>(&self, ranks: &'a [u32], height: u32) -> &'a [u32] {
        let fits = ranks.partition_point(|&rank| self.heights[rank as usize] <= height);
        &ranks[..fits]
    }
}

/// Returns the indices of the ways that call or construct.
fn calls(ways: &[(u32, ExpressionForm)]) -> Box<[u32]> {
    let is_call = |way: &ExpressionForm| {
        matches!(
            way,
            ExpressionForm::Call { .. } | ExpressionForm::Construct { .. }
        )
    };
    let calls = (0..).zip(ways).filter(|(_, (_, way))| is_call(way));
    calls.map(|(at, _)| at).collect()
}

/// The types by rank.
struct Ranks {
    /// The nodes by rank.
    order: Vec<usize>,
    /// The ranks by node.
    of: Vec<Rank>,
    /// As `order`, without the type of which nothing is known.
    nodes: Vec<Option<usize>>,
    /// The nodes that a signature returns.
    returned: FxHashSet<usize>,
}

impl Ranks {
    fn new(graph: &Graph, heights: &[u32]) -> Self {
        let count = graph.types().len();
        let mut order: Vec<usize> = (0..=count).collect();
        order.sort_by_key(|&node| (heights[node], node));
        let mut of = vec![Rank(0); count + 1];
        for (place, &node) in (0..).zip(&order) {
            of[node] = Rank(place);
        }
        let nodes = order.iter().map(|&node| (node < count).then_some(node));
        let nodes = nodes.collect();
        let returned = graph.signatures().iter().flat_map(|node| &node.returns);
        Ranks {
            returned: returned.map(|id| id.index()).collect(),
            order,
            of,
            nodes,
        }
    }

    /// Returns the ranks of the given nodes. A type occurs as often as it is drawn.
    fn all(&self, nodes: &[usize]) -> Box<[u32]> {
        let nodes: FxHashSet<usize> = nodes.iter().copied().collect();
        let often = |node: usize| match self.returned.contains(&node) {
            true => RESULTS,
            false => 1,
        };
        let ranks = nodes
            .into_iter()
            .flat_map(|node| std::iter::repeat_n(self.of[node].0, often(node)));
        let mut ranks: Vec<u32> = ranks.collect();
        ranks.sort_unstable();
        ranks.into_boxed_slice()
    }

    /// Returns the place of a value of this type.
    fn place_of_type(
        &self,
        node: Option<usize>,
        below: &[Vec<usize>],
        literals: &mut LiteralTable,
    ) -> Place {
        let Some(node) = node else {
            return Place {
                is_any: true,
                ..Place::default()
            };
        };
        let types = self.all(&below[node]);
        Place {
            literals: literals.of_types(&types),
            types,
            is_any: false,
        }
    }

    /// Returns the place of an argument. `fits` says which ranks have an expression.
    fn place_of_parameter(
        &self,
        parameter: &Parameter,
        below: &[Vec<usize>],
        fits: impl Fn(u32) -> bool,
        literals: &mut LiteralTable,
    ) -> Place {
        let mut nodes: Vec<usize> = vec![];
        for id in &parameter.types {
            nodes.extend(&below[id.index()]);
        }
        let types = self.all(&nodes);
        let fit: Vec<Rank> = types.iter().map(|&rank| Rank(rank)).collect();
        let can_be = types.iter().any(|&rank| fits(rank));
        let literals = literals.of_parameter(parameter, &fit);
        Place {
            is_any: parameter.types.is_empty() || (!can_be && literals.is_empty()),
            types,
            literals,
        }
    }
}

fn ways(graph: &Graph, accesses: &mut Vec<Box<[u8]>>) -> Vec<Found> {
    let unknown = graph.types().len();
    let mut found = vec![Found {
        to: TypeId::GLOBAL.index(),
        way: FoundWay::Global,
    }];
    for id in graph.ids() {
        let (node, of) = (graph.type_of(id), id.index());
        // A property that leads back to the global object, such as `globalThis`, would only make
        // expressions longer.
        let edges = node.properties.iter().filter(|(_, value)| *value != id);
        for (key, value) in edges {
            let mut text = vec![];
            key.access(&mut text);
            found.push(Found {
                to: value.index(),
                way: FoundWay::Property {
                    of,
                    access: accesses.len() as u32,
                },
            });
            accesses.push(text.into());
        }
        let mut call = |signature: SignatureId, way: fn(usize, SignatureId) -> FoundWay| {
            let returns = graph.signature(signature).returns.iter();
            let returns: Vec<usize> = returns.map(|id| id.index()).collect();
            let to = match returns.is_empty() {
                true => vec![unknown],
                false => returns,
            };
            found.extend(to.into_iter().map(|to| Found {
                to,
                way: way(of, signature),
            }));
        };
        for &signature in &node.call {
            call(signature, |of, signature| FoundWay::Call { of, signature });
        }
        for &signature in &node.construct {
            call(signature, |of, signature| FoundWay::Construct {
                of,
                signature,
            });
        }
    }
    found
}

/// Returns the ways to each type, by its rank, each with its height, lowest first.
fn ways_to(
    graph: &Graph,
    found: &[Found],
    heights: &[u32],
    below: &[Vec<usize>],
    rank: &[Rank],
) -> Vec<Vec<(u32, ExpressionForm)>> {
    let mut to: Vec<Vec<(u32, ExpressionForm)>> = vec![vec![]; rank.len()];
    for Found { to: node, way } in found {
        let height = height(graph, way, heights, below);
        if height == NEVER {
            continue;
        }
        let way = match *way {
            FoundWay::Global => ExpressionForm::Global,
            FoundWay::Property { of, access } => ExpressionForm::Property {
                of: rank[of],
                access,
            },
            FoundWay::Call { of, signature } => ExpressionForm::Call {
                of: rank[of],
                signature: signature.0,
            },
            FoundWay::Construct { of, signature } => ExpressionForm::Construct {
                of: rank[of],
                signature: signature.0,
            },
        };
        to[rank[*node].index()].push((height, way));
    }
    for ways in &mut to {
        ways.sort_by_key(|(height, _)| *height);
    }
    to
}

/// Returns for each type itself and all types with it in their prototype chain.
fn below(graph: &Graph) -> Vec<Vec<usize>> {
    let mut below: Vec<Vec<usize>> = vec![vec![]; graph.types().len()];
    for id in graph.ids() {
        let next = |above: &TypeId| graph.type_of(*above).prototype;
        for above in std::iter::successors(Some(id), next) {
            below[above.index()].push(id.index());
        }
    }
    below
}

/// Returns the height of the least expression of each type, by rounds until nothing changes.
fn heights(graph: &Graph, found: &[Found], below: &[Vec<usize>]) -> Vec<u32> {
    let mut heights = vec![NEVER; graph.types().len() + 1];
    loop {
        let mut changed = false;
        for Found { to, way } in found {
            let height = height(graph, way, &heights, below);
            if height < heights[*to] {
                heights[*to] = height;
                changed = true;
            }
        }
        if !changed {
            return heights;
        }
    }
}

fn height(graph: &Graph, way: &FoundWay, heights: &[u32], below: &[Vec<usize>]) -> u32 {
    let least = |ids: &[usize]| ids.iter().map(|&id| heights[id]).min().unwrap_or(NEVER);
    match *way {
        FoundWay::Global => 0,
        FoundWay::Property { of, .. } => least(&below[of]).saturating_add(1),
        FoundWay::Call { of, signature } | FoundWay::Construct { of, signature } => {
            let Signature { parameters, .. } = graph.signature(signature);
            let parameters = parameters.iter().map(|parameter| {
                let types = parameter.types.iter();
                let least = types.map(|id| least(&below[id.index()])).min();
                // The argument is `this` if the type of the parameter is unknown, or if no
                // expression has that type.
                least.filter(|&height| height != NEVER).unwrap_or(0)
            });
            parameters.fold(heights[of], u32::max).saturating_add(1)
        }
    }
}

fn steps(
    graph: &Graph,
    by_rank: &[Option<usize>],
    rank: &[Rank],
    found: &[Found],
) -> Box<[Box<[Step]>]> {
    let mut steps: Vec<Vec<Step>> = vec![vec![]; by_rank.len()];
    for Found { to, way } in found {
        let (of, step) = match *way {
            FoundWay::Global => continue,
            FoundWay::Property { of, access } => (
                of,
                Step::Property {
                    access,
                    to: rank[*to],
                },
            ),
            FoundWay::Call { of, signature } => (
                of,
                Step::Call {
                    signature: signature.0,
                },
            ),
            FoundWay::Construct { of, signature } => (
                of,
                Step::Construct {
                    signature: signature.0,
                },
            ),
        };
        steps[rank[of].index()].push(step);
    }
    for (steps, node) in steps.iter_mut().zip(by_rank) {
        let node = node.map(|index| &graph.types()[index]);
        if let Some(prototype) = node.and_then(|node| node.prototype) {
            steps.push(Step::Prototype {
                to: rank[prototype.index()],
            });
        }
    }
    steps.into_iter().map(Vec::into_boxed_slice).collect()
}
