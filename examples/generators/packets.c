/* Generates packets with a correct length and checksum from a string of bytes, like a
 * structure-aware fuzz target. The bytes come from the file argument or from standard input. After
 * the last byte, the program uses zeros. README.md has commands that use it.
 */
#include <stdio.h>

static FILE *source;

static unsigned take(void) {
  int byte = getc(source);
  return byte == EOF ? 0 : (unsigned)byte;
}

int main(int argc, char **argv) {
  source = argc > 1 ? fopen(argv[1], "rb") : stdin;
  if (!source) {
    perror(argv[1]);
    return 1;
  }
  unsigned packets = take() % 8;
  for (unsigned i = 0; i < packets; i++) {
    unsigned kind = take() % 4, length = take() % 16, sum = kind + length;
    printf("packet kind=%u length=%u data=", kind, length);
    for (unsigned j = 0; j < length; j++) {
      unsigned byte = take();
      sum += byte;
      printf("%02x", byte);
    }
    printf(" sum=%u\n", sum % 256);
  }
  return 0;
}
