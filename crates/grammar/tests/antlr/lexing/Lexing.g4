// The longest text, then the first rule; nested and lazy rules; hidden tokens.
grammar Lexing;

file : (item | END)* EOF ;
item : 'if' | ID | INT | FLOAT | RANGE | DOTS | TEXT | WORD | OTHER | CHAR ;

IF     : 'if' ;
FLOAT  : INT '.' DIGIT+ ( [eE] [+\-]? INT )? ;
RANGE  : '..' ;
DOTS   : '...' ;
INT    : DIGIT+ ;
ID     : [a-zA-Z_] [a-zA-Z_0-9]* ;
WORD   : [\p{Lu}\p{Ll}]+ ;
TEXT   : '"' ( '\\' . | ~["\\] )* '"' ;
CHAR   : '\'' ( ESC | ~['\\\r\n] ) '\'' ;
OTHER  : [\u{1F600}-\u{1F64F}] | '\u00A7' ;
END    : ';' ( '\n' | EOF ) ;
NESTED : '(*' ( NESTED | . )*? '*)' -> channel(HIDDEN) ;
BLOCK  : '/*' .*? '*/' -> channel(HIDDEN) ;
LINE   : '//' ~[\r\n]* -> skip ;
WS     : [ \t\r\n]+ -> skip ;

fragment DIGIT : [0-9] ;
fragment ESC   : '\\' [nrt'\\] ;
