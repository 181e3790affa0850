// Texts with several derivations.
grammar Ambiguity;

file : line* EOF ;
line : statement | lists | pairs | lazy | sets | empties ;

statement : 'if' ID 'then' statement ( 'else' statement )? | 'do' ID ';'? ;

lists : 'list' list+ ';' ;
list  : '[' entry ( ',' entry )* ','? ']' ','? | word+ ;
entry : list | word ','? | ;
word  : ID | ID ID ;

pairs : 'pairs' first second? third* ';' ;
first : ID ID? | ID ID ID ;
second : ID? ID ;
third : ID ;

lazy : 'lazy' .*? 'end' ID? | 'some' ID+? ID* ';' ;

sets : 'sets' ~( ';' | 'end' )+ . ;

empties : 'empty' ( empty | some )* ';' ;
empty : ',' | some ',' ;
some : ID | ID ',' ;

ID : [a-z]+ ;
WS : [ \n]+ -> skip ;
