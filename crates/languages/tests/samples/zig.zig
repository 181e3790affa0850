const std = @import("std");
pub fn main() !void {
    var x: u32 = 1;
    while (x < 10) : (x += 1) {
        if (x == 2) continue else break;
    }
    const s = struct { a: i32 = 1, b: []const u8 };
    _ = s{ .a = 1, .b = "x" };
    defer std.debug.print("{d}\n", .{x});
}
