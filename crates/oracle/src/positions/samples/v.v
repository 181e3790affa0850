module inner(input a, output b); assign b = ~a; endmodule
module outer(input x, output y);
  wire z;
  inner one(.a(x), .c(y));
endmodule
