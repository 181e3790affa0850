//! calculator: a division by zero that nobody wrote.

use nubbin_generate::Choices;
use std::fmt;

pub(super) enum Term {
    Number(i64),
    Sum(Box<[Term; 2]>),
    Quotient(Box<[Term; 2]>),
}

impl fmt::Debug for Term {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Term::Number(number) => write!(f, "{number}"),
            Term::Sum(parts) => write!(f, "('+', {:?}, {:?})", parts[0], parts[1]),
            Term::Quotient(parts) => write!(f, "('/', {:?}, {:?})", parts[0], parts[1]),
        }
    }
}

pub(super) fn make(choices: &mut Choices) -> Term {
    choices.span("term", |choices| {
        let parts = |choices: &mut Choices| Box::new([make(choices), make(choices)]);
        match choices.choose(3, 0) {
            0 => Term::Number(choices.any_integer()),
            1 => Term::Sum(parts(choices)),
            _ => Term::Quotient(parts(choices)),
        }
    })
}

/// The value, or nothing where something is divided by zero.
fn value(term: &Term) -> Option<i128> {
    match term {
        Term::Number(number) => Some(i128::from(*number)),
        Term::Sum(parts) => Some(value(&parts[0])?.wrapping_add(value(&parts[1])?)),
        Term::Quotient(parts) => {
            let (left, right) = (value(&parts[0])?, value(&parts[1])?);
            // Rounded down, as the original does.
            let rounded = left.checked_div(right)?;
            let below = left % right != 0 && (left < 0) != (right < 0);
            Some(rounded - i128::from(below))
        }
    }
}

/// Whether something is divided by the number zero itself.
fn divides_by_zero(term: &Term) -> bool {
    match term {
        Term::Number(_) => false,
        Term::Sum(parts) => parts.iter().any(divides_by_zero),
        Term::Quotient(parts) => {
            matches!(parts[1], Term::Number(0)) || parts.iter().any(divides_by_zero)
        }
    }
}

pub(super) fn fails(term: &Term) -> bool {
    !divides_by_zero(term) && value(term).is_none()
}

pub(super) fn size(term: &Term) -> usize {
    match term {
        Term::Number(_) => 1,
        Term::Sum(parts) | Term::Quotient(parts) => 1 + size(&parts[0]) + size(&parts[1]),
    }
}
