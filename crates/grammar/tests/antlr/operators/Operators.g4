// Levels of operators: infix, suffix, prefix, to the right, and a loose suffix operator.
grammar Operators;

file : (e ';')* EOF ;

e
    : e '.' ID                      # field
    | <assoc = right> e '^' e       # power
    | '-' e                         # minus
    | e ('*' | '/') e               # product
    | e ('+' | '-') e               # sum
    | e '(' (e (',' e)*)? ')'       # call
    | 'not' e                       # not
    | e '==' e                      # equal
    | <assoc = right> e '?' e ':' e # choice
    | <assoc = right> e '=' e       # assignment
    | 'fun' ID '->' e               # function
    | '(' e ')'                     # group
    | ID                            # name
    | INT                           # number
    ;

ID  : [a-z]+ ;
INT : [0-9]+ ;
WS  : [ \t\r\n]+ -> skip ;
