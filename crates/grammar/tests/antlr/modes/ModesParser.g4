// The parser of the modes.
parser grammar ModesParser;

options { tokenVocab = ModesLexer; }

file : value* EOF ;
value : NAME | RAWTEXT | text | block ;
block : '{' value* '}' ;
text : QUOTE ( PART | OPEN value* CLOSE )* QUOTE ;
