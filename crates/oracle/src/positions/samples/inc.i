# 0 "inc.c"
# 0 "<built-in>"
# 0 "<command-line>"
# 1 "/usr/include/stdc-predef.h" 1 3 4
# 0 "<command-line>" 2
# 1 "inc.c"
# 1 "inc.h" 1
struct first { int a; };
struct second { int b; };
# 2 "inc.c" 2
int third(struct second *s) { return s->a; }
