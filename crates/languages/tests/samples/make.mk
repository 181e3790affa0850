CC := gcc
SRC = $(wildcard *.c)
ifeq ($(CC),gcc)
FLAGS += -O2
endif
all: $(SRC:.c=.o) other
	$(CC) -o $@ $^
.PHONY: all
