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

function Game:theme_unlocked(theme) return self.c.gameconf_theme_unlocked(self.handle, theme, false, nil) end

-- Queues an event: {event = , mode = , score = , reason = }; its number, or nil and why not.
function Game:event(event)
  local given = ffi.new("gameconf_event_t")
  given.size = ffi.sizeof("gameconf_event_t")
  given.event, given.mode, given.reason, given.details = event.event, event.mode, event.reason, event.details
  given.score, given.scored = event.score or 0, event.score ~= nil
  local number = tonumber(self.c.gameconf_event(self.handle, given))
  if number < 0 then return nil, "errno " .. -number end
  return number
end

function Game:status()
  local status = ffi.new("gameconf_status_t")
  status.size = ffi.sizeof("gameconf_status_t")
  self.c.gameconf_status(self.handle, status)
  return {state = status.state, revision = tonumber(status.revision), queued = status.queued, error = ffi.string(status.last_error)}
end

return module
