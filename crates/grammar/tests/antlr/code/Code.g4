// Code of a programming language and everything that goes with it, which has no effect.
grammar Code;

options { language = Java; }

@header { import java.util.*; /* } */ }
@parser::members { int depth = 0; String brace = "}"; char c = '}'; }

file
@init { depth = 0; }
@after { /* done */ }
    : ( s=statement[1, "a]"] { depth++; } )* EOF
    ;
    catch [RuntimeException e] { throw e; }
    finally { depth = -1; }

statement [int level, String name] returns [int result, List<String> all]
locals [Map<String, Integer> seen = new HashMap<>()]
    : { level > 0 }? names+=ID ( ',' names+=ID )* op=( '=' | '+=' ) value=INT ';' # assign
    | 'end' { over("}"); } ';' # end
    ;

ID : [a-z]+ { setText(getText().trim()); } ;
INT : [0-9]+ { getText().length() < 9 }? ;
WS : [ \n]+ -> skip ;
