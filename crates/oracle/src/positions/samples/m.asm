section .text
start:
  mov eax, [missing
  bogus eax
