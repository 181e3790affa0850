grammar Values;

import Words;

value : name | number | '[' value* ']' ;
name : ID ;
number : INT ;
