//! The union of two graphs.

use crate::error::GraphError;
use crate::model::{Builder, CallForm, Graph, Kind, Parameter, Signature, TypeId};

impl Graph {
    /// Returns a graph with all nodes and edges of both graphs. Types with the same name are
    /// merged.
    ///
    /// The types of this graph keep their indices. If a type has two different prototypes, the
    /// prototype in this graph is kept.
    ///
    /// # Errors
    /// Returns [`GraphError::OtherEngine`] if the graphs are of engines with different names, and
    /// [`GraphError::OtherLanguage`] if their expressions are in different languages.
    pub fn merged(self, other: &Graph) -> Result<Graph, GraphError> {
        if let (Some(this), Some(other)) = (&self.engine, &other.engine)
            && this.name != other.name
        {
            return Err(GraphError::OtherEngine(
                this.name.clone(),
                other.name.clone(),
            ));
        }
        if self.language != other.language {
            return Err(GraphError::OtherLanguage(
                self.language.title(),
                other.language.title(),
            ));
        }
        let engine = self.engine.clone().or_else(|| other.engine.clone());
        let mut builder = Builder::of(self);
        let ids: Vec<TypeId> = other
            .types()
            .iter()
            .map(|node| {
                let id = builder.graph.intern(&node.name);
                if node.kind != Kind::Object {
                    builder.set_kind(id, node.kind);
                }
                id
            })
            .collect();
        let map = |list: &[TypeId]| list.iter().map(|id| ids[id.index()]).collect();
        for (&id, node) in ids.iter().zip(other.types()) {
            if let Some(prototype) = node.prototype {
                builder.prototype(id, ids[prototype.index()]);
            }
            for (key, value) in &node.properties {
                builder.property(id, key, ids[value.index()]);
            }
            for value in &node.values {
                builder.value(id, value);
            }
            let calls = node.call.iter().map(|call| (CallForm::Call, call));
            let constructs = node
                .construct
                .iter()
                .map(|call| (CallForm::Construct, call));
            for (how, &signature) in calls.chain(constructs) {
                let from = other.signature(signature);
                let parameters = from.parameters.iter().map(|parameter| Parameter {
                    types: map(&parameter.types),
                    values: parameter.values.clone(),
                });
                let signature = Signature {
                    receiver: map(&from.receiver),
                    parameters: parameters.collect(),
                    returns: map(&from.returns),
                    learned: from.learned,
                };
                builder.signature(id, how, &signature);
            }
        }
        builder.graph.engine = engine;
        Ok(builder.graph)
    }
}
