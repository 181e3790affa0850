// Rules in any case, and one rule that is not.
grammar Cases;

options { caseInsensitive = true; }

file : ( 'select' ID | 'from' ID | HEX | FLAG )* EOF ;

FLAG options { caseInsensitive = false; } : '-' [a-c] ;
HEX : '0x' [0-9a-f]+ ;
ID : [a-zé_]+ ;
WS : [ \n]+ -> skip ;
