-- A game's configuration in LuaJIT, as LÖVE has it: the C library by ffi, its declarations cut from the installed header.
--
--   local gameconf = require "gameconf"
--   local game = gameconf.open{game = "wheresthedot", player = "p1", cache = "save/"}
--   function love.update()
--     for change in game:update() do print(change.name, "changed") end
--     limit = game:double("arcade_time_limit_base", 2.5)
--   end

local ffi = require "ffi"

-- The header without what only a C compiler reads.
local function declarations(path)
  local file = assert(io.open(path))
  local text = file:read("*a")
  file:close()
  text = text:gsub("/%*.-%*/", ""):gsub("\n%s*#[^\n]*", ""):gsub("^%s*#[^\n]*", "")
  text = text:gsub("GAMECONF_API ", ""):gsub('extern "C" {', ""):gsub("\n}%s*$", "\n")
  return text
end

local module = {}
local library

-- Loads the library; `header` and `path` are where it is installed unless they are given.
function module.load(path, header)
  if library then return library end
  ffi.cdef(declarations(header or "/usr/include/gameconf.h"))
  library = ffi.load(path or "gameconf")
  return library
end

local Game = {}
Game.__index = Game

-- Opens a game. Options: game, player, locale, context (JSON), socket, cache, defaults (an image's bytes), offline.
function module.open(options)
  local c = module.load(options.library, options.header)
  local given = ffi.new("gameconf_options")
  given.size = ffi.sizeof("gameconf_options")
  for _, name in ipairs{"game", "player", "locale", "context", "socket", "cache"} do given[name] = options[name] end
  if options.defaults then given.defaults, given.defaults_size = ffi.cast("const char *", options.defaults), #options.defaults end
  given.flags = options.offline and 1 or 0
  local handle = ffi.new("gameconf *[1]")
  local code = c.gameconf_open(handle, given)
  if code < 0 then return nil, "errno " .. -code end
  -- The image is read where it lies: the string must live as long as the game.
  return setmetatable({c = c, handle = ffi.gc(handle[0], c.gameconf_close), defaults = options.defaults}, Game)
end

function Game:close()
  if self.handle then self.c.gameconf_close(ffi.gc(self.handle, nil)) end
  self.handle = nil
end

function Game:bool(key, fallback) return self.c.gameconf_bool(self.handle, key, fallback) end
function Game:int(key, fallback) return tonumber(self.c.gameconf_int(self.handle, key, fallback)) end
function Game:double(key, fallback) return self.c.gameconf_double(self.handle, key, fallback) end

function Game:string(key, fallback)
  local text = self.c.gameconf_string(self.handle, key, nil)
  return text ~= nil and ffi.string(text) or fallback
end

-- The value of a key whose default is {daily_hash: salt}; without a daemon it is made from the salt.
function Game:daily_seed(key, salt) return ffi.string(self.c.gameconf_daily_seed(self.handle, key, salt)) end

-- A list or an object as JSON.
function Game:json(key, fallback)
  local text = self.c.gameconf_json(self.handle, key, nil)
  return text ~= nil and ffi.string(text) or fallback
end

-- A key for `double_at`, which costs less.
function Game:find(key) return self.c.gameconf_find(self.handle, key) end
function Game:double_at(key, fallback) return self.c.gameconf_double_at(self.handle, key, fallback) end

-- Reads what has arrived, sends what is due, and tells what changed.
function Game:update()
  self.c.gameconf_update(self.handle)
  local change = ffi.new("gameconf_change")
  return function()
    if not self.c.gameconf_next_change(self.handle, change) then return nil end
    return {kind = change.kind, name = ffi.string(change.name), old_source = change.old_source, new_source = change.new_source}
  end
end

-- A descriptor to poll for reading, for event loops; -1 for none.
function Game:fd() return self.c.gameconf_fd(self.handle) end

-- As update, after at most that many seconds; for loading screens and tools.
function Game:wait(seconds)
  self.c.gameconf_wait(self.handle, math.floor(seconds * 1000))
  return self:update()
end

-- What is known of a value that is read as "double" (or "bool", "int", "string", "json"): its source, revision and flags.
local none = {bool = false, int = 0, double = 0}
function Game:info(key, kind)
  local info = ffi.new("gameconf_info")
  kind = kind or "double"
  self.c["gameconf_" .. kind .. "_info"](self.handle, key, none[kind], info)
  return {source = info.source, reason = info.reason, flags = info.flags, revision = tonumber(info.revision)}
end

function Game:theme_unlocked(theme) return self.c.gameconf_theme_unlocked(self.handle, theme, false, nil) end
function Game:ad_free() return self.c.gameconf_ad_free(self.handle, false, nil) end
function Game:product_purchased(product) return self.c.gameconf_product_purchased(self.handle, product, false, nil) end

local function numbered(number)
  number = tonumber(number)
  if number < 0 then return nil, "errno " .. -number end
  return number
end

-- Each answers a number that the answer carries, or nil and why not.
function Game:visit() return numbered(self.c.gameconf_visit(self.handle)) end
function Game:state(play, json) return numbered(self.c.gameconf_state(self.handle, play, json)) end
function Game:setting(key, json) return numbered(self.c.gameconf_setting(self.handle, key, json)) end
function Game:ad_report(placement, decision, outcome)
  return numbered(self.c.gameconf_ad_report(self.handle, placement, decision, outcome))
end
function Game:purchase(product) return numbered(self.c.gameconf_purchase(self.handle, product, nil)) end
function Game:restore() return numbered(self.c.gameconf_restore(self.handle)) end
function Game:finish(transaction) return numbered(self.c.gameconf_finish(self.handle, transaction)) end
function Game:call(method, path, json) return numbered(self.c.gameconf_call(self.handle, method, path, json)) end

-- What the daemon has answered; an answer's body can be asked until the next one is taken.
function Game:answers()
  local answer = ffi.new("gameconf_answer")
  local c = self.c
  return function()
    if not c.gameconf_next_answer(self.handle, answer) then return nil end
    return {
      number = tonumber(answer.number), kind = answer.kind, status = answer.status, flags = answer.flags,
      bool = function(_, pointer, fallback) return c.gameconf_answer_bool(answer, pointer, fallback) end,
      int = function(_, pointer, fallback) return tonumber(c.gameconf_answer_int(answer, pointer, fallback)) end,
      string = function(_, pointer, fallback)
        local text = c.gameconf_answer_string(answer, pointer, nil)
        return text ~= nil and ffi.string(text) or fallback
      end,
    }
  end
end

-- Queues an event: {event = , mode = , score = , reason = }; its number, or nil and why not.
function Game:event(event)
  local given = ffi.new("gameconf_event_t")
  given.size = ffi.sizeof("gameconf_event_t")
  given.event, given.mode, given.reason, given.details = event.event, event.mode, event.reason, event.details
  given.score, given.scored = event.score or 0, event.score ~= nil
  return numbered(self.c.gameconf_event(self.handle, given))
end

function Game:status()
  local status = ffi.new("gameconf_status_t")
  status.size = ffi.sizeof("gameconf_status_t")
  self.c.gameconf_status(self.handle, status)
  return {state = status.state, revision = tonumber(status.revision), epoch = tostring(status.epoch), age = tonumber(status.age_ms), queued = status.queued, error = ffi.string(status.last_error)}
end

return module
