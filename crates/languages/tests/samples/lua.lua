#!/usr/bin/lua
local t, u <const> = { 1, 2; x = 3, ["k"] = { nested = true }, f() }, nil
function mod.sub:method(a, ...) local n = select('#', ...) return a, n end
local function g(x) if x > 1 then return -x elseif not x then goto done else x = x .. "s" end ::done:: end
for i = 1, 10, 2 do print(i) end
for k, v in pairs(t) do if k then break end end
while true do repeat local z = #t until z == 0 or z ~= 1 end
print [[long
string]] (function() end)() t.x["y"] = 0x1F ^ 2 // 3
--[==[ block
comment ]==]
-- end
