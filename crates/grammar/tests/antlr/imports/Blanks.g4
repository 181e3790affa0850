lexer grammar Blanks;

WS : ' '+ -> skip ;
NL : '\r'? '\n' -> channel(HIDDEN) ;
