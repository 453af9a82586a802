-- A game of the soak in Lua: luajit game.lua BOARD PLACE PLAYER SOCKET CACHE; LUA_PATH finds the client, GAMECONF_LIBRARY and GAMECONF_HEADER the library.

local ffi = require "ffi"
local gameconf = require "gameconf"
ffi.cdef[[
  bool soak_open(const char *board, int place);
  bool soak_begin(void);
  void soak_seen(int handle, int state, const char *epoch, int64_t revision, int64_t queued, int64_t beat, double still, const char *label);
  int64_t soak_due(void);
  void soak_recorded(int64_t number, int64_t score);
  void soak_answer(int64_t number, int status, const char *body);
  void soak_end(void);
]]
local soak = ffi.load("soak")
local board, place, player, socket, cache = unpack(arg)
if not soak.soak_open(board, tonumber(place)) then os.exit(2) end

local function open(options)
  options.game, options.socket, options.library, options.header = "soak", socket, os.getenv("GAMECONF_LIBRARY"), os.getenv("GAMECONF_HEADER")
  return assert(gameconf.open(options))
end
local handles = {[0] = open{player = player, cache = cache}, open{}}

while soak.soak_begin() do
  for number = 0, 1 do
    local game = handles[number]
    for _ in game:update() do end
    local status = game:status()
    soak.soak_seen(number, status.state, status.epoch, status.revision, status.queued, game:int("beat", -1), game:double("still", -1), game:string("label", ""))
  end
  for answer in handles[0]:answers() do soak.soak_answer(answer.number, answer.status, answer:string("/code", "")) end
  local score = tonumber(soak.soak_due())
  if score > 0 then soak.soak_recorded(handles[0]:event{event = "game_over", mode = "classic", score = score} or -1, score) end
  soak.soak_end()
end
handles[0]:close()
handles[1]:close()
