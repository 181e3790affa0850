lexer grammar Words;

ID : [a-z]+ ;
INT : [0-9]+ ;
