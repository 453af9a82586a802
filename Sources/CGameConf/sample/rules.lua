-- The rules of a round, without a window: where dots lie, how hard a level is, what a tap means.
--
-- Every number comes from `values`, which reads the game's configuration anew each time: what an admin changes is felt in the round that runs.

local rules = {}

-- A generator of its own, so that a seed gives the same board on every machine: xorshift of 32 bits.
function rules.random(seed)
  local bit = require "bit"
  local state = bit.tobit(seed)
  if state == 0 then state = 0x2545f49 end
  return function()
    state = bit.bxor(state, bit.lshift(state, 13))
    state = bit.bxor(state, bit.rshift(state, 17))
    state = bit.bxor(state, bit.lshift(state, 5))
    return (state % 0x1000000) / 0x1000000
  end
end

-- A seed of 16 hex digits, folded to what the generator takes.
function rules.seed(text)
  local bit = require "bit"
  local high, low = tonumber(text:sub(1, 8), 16) or 1, tonumber(text:sub(9, 16), 16) or 1
  return bit.bxor(bit.tobit(high), bit.tobit(low))
end

-- How hard it is at a score. Only arcade gets harder; classic and daily keep level 1 and have no timer.
function rules.difficulty(mode, score, values)
  local arcade = mode == "arcade"
  local level = arcade and 1 + math.floor(score / math.max(1, values:int("arcade_difficulty_step", 5))) or 1
  local function falling(name, base, per_level, least)
    return math.max(values:double(name .. "_min", least), values:double(name .. "_base", base) - values:double(name .. "_per_level", per_level) * (level - 1))
  end
  local cover = values:double("memory_cover_duration", 0.45)
  local hard = {level = level, radius = falling("arcade_radius", 18, 1, 9), distance = falling("arcade_min_distance", 40, 1.5, 22), variation = 0}
  if arcade then
    hard.seconds = falling("arcade_time_limit", 2.5, 0.08, 0.8)
    cover = math.max(values:double("arcade_cover_min", 0.15), cover - values:double("arcade_cover_per_level", 0.02) * (level - 1))
    local from = values:int("arcade_radius_variation_from_level", 3)
    if level >= from then
      hard.variation = math.min(values:double("arcade_radius_variation_max", 8), values:double("arcade_radius_variation_per_level", 2) * (level - from + 1))
    end
  end
  hard.cover = cover
  return hard
end

local Round = {}
Round.__index = Round

-- A new game on a board of that size. Its phases: cover (the new dot is being added), choose, over.
function rules.new(mode, seed, width, height, values)
  local round = setmetatable({mode = mode, dots = {}, score = 0, time = 0, width = width, height = height, values = values}, Round)
  round.random = rules.random(seed)
  round.hard = rules.difficulty(mode, 0, values)
  round:add()
  round.phase, round.left = "cover", 0.35
  return round
end

-- One more dot, as far from the others as the level asks; where there is no such place, the farthest of those tried.
function Round:add()
  local best, room
  local margin = self.hard.radius + 14
  for _ = 1, 200 do
    local x = margin + self.random() * (self.width - 2 * margin)
    local y = margin + self.random() * (self.height - 2 * margin)
    local nearest = math.huge
    for _, dot in ipairs(self.dots) do nearest = math.min(nearest, math.sqrt((dot.x - x) ^ 2 + (dot.y - y) ^ 2)) end
    if not room or nearest > room then best, room = {x = x, y = y}, nearest end
    if nearest >= self.hard.distance + self.hard.radius then break end
  end
  best.size = self.random() * 2 - 1 -- times the level's variation
  best.kind = 1 + math.floor(self.random() * 5)
  best.turn = self.random() * 2 * math.pi
  self.dots[#self.dots + 1] = best
end

function Round:radius(dot) return math.max(5, self.hard.radius + dot.size * self.hard.variation / 2) end

-- Moves on by one step; what happened: "open" when the cover lifts, "timeUp", or nothing.
function Round:step(seconds)
  self.time = self.time + seconds
  self.hard = rules.difficulty(self.mode, self.score, self.values)
  if self.phase == "cover" then
    self.left = self.left - seconds
    if self.left <= 0 then
      self.phase, self.spent = "choose", 0
      return "open"
    end
  elseif self.phase == "choose" then
    self.spent = self.spent + seconds
    if self.hard.seconds and self.spent >= self.hard.seconds then
      self.phase, self.reason = "over", "timeUp"
      return "timeUp"
    end
  end
end

-- The dot at a place; fingers are thick, so a little beside it counts too.
function Round:at(x, y)
  local found, nearest
  for _, dot in ipairs(self.dots) do
    local distance = math.sqrt((dot.x - x) ^ 2 + (dot.y - y) ^ 2)
    if distance <= self:radius(dot) + 6 and (not nearest or distance < nearest) then found, nearest = dot, distance end
  end
  return found
end

-- A tap: "right", "wrong", or nothing when it hit no dot.
function Round:tap(x, y)
  if self.phase ~= "choose" then return nil end
  local dot = self:at(x, y)
  if not dot then return nil end
  if dot ~= self.dots[#self.dots] then
    self.phase, self.reason, self.missed = "over", "wrongTap", dot
    return "wrong", dot
  end
  self.score = self.score + 1
  self.hard = rules.difficulty(self.mode, self.score, self.values)
  self:add()
  self.phase, self.left, self.covered = "cover", self.hard.cover, self.hard.cover
  return "right", dot
end

return rules
