//! Building graphs node by node.

use super::{Graph, Key, Kind, Signature, SignatureId, TypeId};
use rustc_hash::FxHashMap;

/// The maximum number of texts of values for one type or parameter. More would be drawn seldom.
const MOST_VALUES: usize = 64;
/// The maximum number of bytes of a value.
const LONGEST_VALUE: usize = 1_000;
/// The maximum number of signatures that are learned for one type.
const MOST_SIGNATURES: usize = 64;
/// The maximum number of edges for one property.
const MOST_TYPES: usize = 4;

/// The form of a call of a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum CallForm {
    Call,
    Construct,
}

/// The identity of a signature among the signatures of one type: everything except its values.
#[derive(PartialEq, Eq, Hash)]
struct Shape {
    of: TypeId,
    how: CallForm,
    learned: bool,
    receiver: Vec<TypeId>,
    parameters: Vec<Vec<TypeId>>,
    returns: Vec<TypeId>,
}

impl Shape {
    fn new(of: TypeId, how: CallForm, signature: &Signature) -> Self {
        let parameters = signature.parameters.iter();
        Shape {
            of,
            how,
            learned: signature.learned,
            receiver: signature.receiver.clone(),
            parameters: parameters
                .map(|parameter| parameter.types.clone())
                .collect(),
            returns: signature.returns.clone(),
        }
    }
}

/// A graph to which nodes and edges are added. Nothing is added twice.
#[derive(Default)]
pub(crate) struct Builder {
    pub(crate) graph: Graph,
    known: FxHashMap<Shape, SignatureId>,
    learned: FxHashMap<TypeId, usize>,
}

impl Builder {
    pub(crate) fn of(graph: Graph) -> Self {
        let mut builder = Builder::default();
        for id in graph.ids() {
            let node = graph.type_of(id);
            let calls = node.call.iter().map(|call| (CallForm::Call, call));
            let constructs = node
                .construct
                .iter()
                .map(|call| (CallForm::Construct, call));
            for (how, &signature) in calls.chain(constructs) {
                let shape = Shape::new(id, how, graph.signature(signature));
                builder.count(id, shape.learned);
                builder.known.insert(shape, signature);
            }
        }
        builder.graph = graph;
        builder
    }

    fn count(&mut self, of: TypeId, learned: bool) {
        *self.learned.entry(of).or_default() += usize::from(learned);
    }

    pub(crate) fn set_kind(&mut self, id: TypeId, kind: Kind) {
        self.graph.types[id.index()].kind = kind;
    }

    /// Adds a prototype edge, unless the type has one or the edge would close a cycle.
    pub(crate) fn prototype(&mut self, id: TypeId, prototype: TypeId) {
        let next = |id: &TypeId| self.graph.type_of(*id).prototype;
        let is_cycle = std::iter::successors(Some(prototype), next).any(|above| above == id);
        let node = &mut self.graph.types[id.index()];
        if !is_cycle && node.prototype.is_none() {
            node.prototype = Some(prototype);
        }
    }

    pub(crate) fn property(&mut self, id: TypeId, key: &Key, value: TypeId) {
        let edges = &mut self.graph.types[id.index()].properties;
        let same = edges.iter().filter(|(known, _)| known == key);
        if same.clone().count() < MOST_TYPES && !same.clone().any(|(_, known)| *known == value) {
            edges.push((key.clone(), value));
        }
    }

    pub(crate) fn value(&mut self, id: TypeId, text: &str) {
        add_value(&mut self.graph.types[id.index()].values, text);
    }

    /// Adds a signature, or the values of one that is known.
    pub(crate) fn signature(&mut self, of: TypeId, how: CallForm, signature: &Signature) {
        let shape = Shape::new(of, how, signature);
        if let Some(&id) = self.known.get(&shape) {
            let known = &mut self.graph.signatures[id.index()].parameters;
            for (known, new) in known.iter_mut().zip(&signature.parameters) {
                for value in &new.values {
                    add_value(&mut known.values, value);
                }
            }
            return;
        }
        if signature.learned && self.learned.get(&of).is_some_and(|&n| n >= MOST_SIGNATURES) {
            return;
        }
        self.count(of, signature.learned);
        let id = SignatureId(self.graph.signatures.len() as u32);
        self.known.insert(shape, id);
        let mut new = signature.clone();
        for parameter in &mut new.parameters {
            for value in std::mem::take(&mut parameter.values) {
                add_value(&mut parameter.values, &value);
            }
        }
        self.graph.signatures.push(new);
        let node = &mut self.graph.types[of.index()];
        match how {
            CallForm::Call => node.call.push(id),
            CallForm::Construct => node.construct.push(id),
        }
    }
}

fn add_value(values: &mut Vec<String>, text: &str) {
    let fits = values.len() < MOST_VALUES && text.len() <= LONGEST_VALUE;
    if fits && !values.iter().any(|known| known == text) {
        values.push(text.to_owned());
    }
}
