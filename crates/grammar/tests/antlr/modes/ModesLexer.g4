// Modes with a stack, tokens in parts, and other types.
lexer grammar ModesLexer;

tokens { NAME }

QUOTE  : '"' -> pushMode(TEXT) ;
WORD   : [a-z]+ -> type(NAME) ;
SIGIL  : '$' [a-z]+ -> type(NAME) ;
CLOSE  : '}' -> popMode ;
OPEN   : '{' -> pushMode(DEFAULT_MODE) ;
START  : '<<' -> more, mode(RAW) ;
WS     : [ \n]+ -> channel(HIDDEN) ;

mode TEXT;
PART   : ~["{]+ ;
INNER  : '{' -> type(OPEN), pushMode(DEFAULT_MODE) ;
ENDED  : '"' -> type(QUOTE), popMode ;

mode RAW;
RAWTEXT : '>>' -> mode(DEFAULT_MODE) ;
ANY     : . -> more ;
