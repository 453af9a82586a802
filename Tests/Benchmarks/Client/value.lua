-- What a value costs in LuaJIT, beside an empty C function called the same way: value.lua IMAGE; processor time, the best of several rounds.
local ffi = require "ffi"
local gameconf = require "gameconf"
ffi.cdef "double empty(void *gc, const char *key, double fallback);"
local c = ffi.load("empty")
local file = assert(io.open(arg[1], "rb"))
local image = file:read("*a")
file:close()
local game = assert(gameconf.open{
  game = "dots", player = "p1", offline = true, defaults = image, library = os.getenv("GAMECONF_LIBRARY"), header = os.getenv("GAMECONF_HEADER")})
local key, sum, count = game:find("speed"), 0, 5000000

local function best(read)
  local least = math.huge
  for _ = 1, 7 do
    local start = os.clock()
    read()
    least = math.min(least, (os.clock() - start) / count * 1e9)
  end
  return least
end
local by_name = best(function() for _ = 1, count do sum = sum + game:double("speed", 0) end end)
local by_handle = best(function() for _ = 1, count do sum = sum + game:double_at(key, 0) end end)
local nothing = best(function() for _ = 1, count do sum = sum + c.empty(game.handle, "speed", 0) end end)
assert(sum > 0)
for _, each in ipairs{{"a value by name, LuaJIT", by_name}, {"a value by handle, LuaJIT", by_handle}} do
  print(("%-44s %8.1f ns  budget %6d ns  %s  an empty C function %22.1f  ratio %.2f"):format(each[1], each[2], 50, each[2] <= 50 and "met   " or "MISSED", nothing, each[2] / nothing))
end
