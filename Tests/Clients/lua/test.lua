-- The Lua client without a daemon: the sample's image embedded, events queued, misuse told.
--
--   luajit test.lua LIBRARY HEADER IMAGE

local gameconf = require "gameconf"
local library, header, path = arg[1], arg[2], arg[3]
local file = assert(io.open(path, "rb"))
local image = file:read("*a")
file:close()

local function same(is, wanted, what)
  if is ~= wanted then error(("%s is %s rather than %s"):format(what, tostring(is), tostring(wanted)), 2) end
end

local game = assert(gameconf.open{game = "dots", player = "p1", socket = "/nowhere", defaults = image, library = library, header = header})
same(game:int("lives", 1), 5, "lives")
same(game:double("speed", 0), 2.5, "speed")
same(game:double("lives", 0), 5, "lives as a double")
same(game:bool("shadows", false), true, "shadows")
same(game:string("title", ""), "Où est le point ?", "title")
same(game:string("nothing", "fallback"), "fallback", "nothing")
same(game:double("title", 0.5), 0.5, "title as a double")
same(game:double_at(game:find("speed"), 0), 2.5, "speed by handle")
same(game:status().state, 1, "the state")
local told = {}
for change in game:update() do told[change.name] = change.kind end
same(told.nothing, 7, "what is told of nothing")
same(told.title, 6, "what is told of title")
same(game:event{event = "game_over", score = 0}, 1, "the first event's number")
same(game:status().queued, 1, "what waits")
local none, why = gameconf.open{game = "a/b"}
same(none, nil, "a game that is none")
same(why, "errno 22", "why")

-- What a value costs here, as Lua's compiler makes it of it; told, not judged: other programs run beside this one.
local sum, rounds = 0, 20000000
local start = os.clock()
for _ = 1, rounds do sum = sum + game:double("speed", 0) end
local by_name = (os.clock() - start) / rounds * 1e9
local key = game:find("speed")
start = os.clock()
for _ = 1, rounds do sum = sum + game:double_at(key, 0) end
print(("lua: all as it should be; a value by name %.0f ns, by handle %.0f ns"):format(by_name, (os.clock() - start) / rounds * 1e9))
game:close()
