module counter #(parameter W = 8) (input wire clk, input rst, output reg [W-1:0] q);
  wire a, b;
  assign a = b & ~rst;
  always @(posedge clk) begin
    if (rst) q <= 0;
    else q <= q + 1;
  end
endmodule
