// Rules of other files, one of which is replaced here.
grammar Main;

import Values, Blanks;

file : value ( ',' value )* EOF ;
name : '@' ID ;
