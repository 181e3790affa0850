// The end of the text is matched more than once.
grammar Ends;

file : statement* EOF ;
statement : ID+ stop ;
stop : ';' | NL+ | EOF ;

ID : [a-z]+ ;
NL : '\n' ;
WS : ' ' -> skip ;
