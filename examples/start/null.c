/* gcc warns of a null pointer here, with some of the flags only. */
#include <stdio.h>

static int *find(int is_there)
{
    static int value = 1;
    if (is_there)
        return &value;
    return 0;
}

static void show(const char *name, int number)
{
    printf("%s: %d\n", name, number);
}

int main(void)
{
    int total = 0;
    for (int i = 0; i < 3; i++)
        total += i;
    show("total", total);
    return *find(0);
}
