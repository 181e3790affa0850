/* A calculator with four bugs, for the example of a campaign.

   It reads sums such as `1+(2*3)` from a file and prints their value. Compiled with -DFIXED, it has
   the fourth bug no more: that is the version which the other is compared with. */

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *at;
static int depth;

static long sum(void);

static long factor(void) {
    if (*at == '(') {
        at++;
        depth++;
        /* Bug 1: an assertion that does not hold. */
        assert(depth < 6 && "too deep");
        long value = sum();
        depth--;
        if (*at == ')')
            at++;
        return value;
    }
    if (*at == '~') {
        /* Bug 2: a pointer that is not set. */
        long *table = NULL;
        at++;
        return *at == '~' ? table[sum() & 1] : -sum();
    }
    if (*at == '@') {
        at++;
        /* Bug 3: a loop without an end. */
        while (*at == '@')
            ;
        return 0;
    }
    return strtol(at, (char **)&at, 10);
}

static long product(void) {
    long value = factor();
    while (*at == '*' || *at == '/') {
        char op = *at++;
        long right = factor();
        if (op == '*')
            value *= right;
        else
            value = right ? value / right : 0;
    }
    return value;
}

static long sum(void) {
    long value = product();
    while (*at == '+' || *at == '-') {
        char op = *at++;
        long right = product();
#ifdef FIXED
        value = op == '+' ? value + right : value - right;
#else
        /* Bug 4: a wrong answer. */
        value = op == '+' || right == 7 ? value + right : value - right;
#endif
    }
    return value;
}

int main(int argc, char **argv) {
    static char text[1 << 16];
    FILE *file = argc > 1 ? fopen(argv[1], "r") : stdin;
    if (!file)
        return 2;
    text[fread(text, 1, sizeof text - 1, file)] = 0;
    at = text;
    printf("%ld\n", sum());
    return 0;
}
