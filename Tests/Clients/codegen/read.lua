-- Compares what generated code reads from its embedded image with what it falls back on.
--
--   luajit read.lua LIBRARY HEADER

local gameconf = require "gameconf"
local config = require "keys"
local options = {game = config.game, library = arg[1], header = arg[2], offline = true}
local without = config.new(assert(gameconf.open(options)))
options.defaults = config.defaults
local game = assert(gameconf.open(options))
local with = config.new(game)

local count = 0
for name, read in pairs(getmetatable(with)) do
  if name ~= "__index" then
    local one, other = read(with), read(without)
    -- There are two zeros.
    if one ~= other or (one == 0 and 1 / one ~= 1 / other) then
      error(("%s is %s with the image and %s without"):format(name, tostring(one), tostring(other)))
    end
    count = count + 1
  end
end
assert(count > 0)
for change in game:update() do assert(change.kind ~= 6 and change.kind ~= 7, change.name) end
if config.game == "hostile" then
  assert(without:class() == true and without:default() == 2 ^ 63 and without["end_"](without) == -2 ^ 63)
  assert(without:self() == 1e308 and 1 / without:self_() < 0 and without:_1up() == 5e-324 and without:a_b_2() == "")
  assert(without:a__b() == "\204\129\"\204\129\\\204\129" and with:string() == "*/")
  assert(config.values.string.class == "class" and config.themes.neon == "neon" and config.entitlements.theme_aurora == "theme.aurora")
end
print(("codegen: %s in Lua: %d keys as their image has them"):format(config.game, count))
