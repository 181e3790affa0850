//! The engine, which tests the candidates that passes propose and keeps the candidates that still
//! fail. See [`nubbin_engine`].

pub use nubbin_engine::{
    Control, Ended, Event, Flaky, Form, FormLimits, Observer, Outcome, PassStatistics, ReduceError,
    Reduction, Reproduction, Statistics, Stop, SyntaxFilter, TestTime, Waiting,
};
