-- Where's The Dot: remember the newest dot and tap it. LÖVE 11, and libgameconf for every number in it.
--
--   love FOLDER-OF-THIS-FILE [--player P] [--socket S] [--library L] [--header H] [--cache FOLDER] [--defaults IMAGE] [--seed N] [--script FILE]

local here = love.filesystem.getSource()
package.path = here .. "/../?.lua;" .. here .. "/../wrappers/?.lua;" .. package.path
local rules, house, look, sound = require "rules", require "house", require "look", require "sound"
local g, white, red = love.graphics, {1, 1, 1}, {1, 0.32, 0.36}
local BOARD = {x = 32, y = 32, width = 664, height = 576}
local STEP = 1 / 60

local options = {game = "wheresthedot", player = "p1", locale = "en"}
local screen, since, palette = "menu", 0, nil
local round, mode, over, seed, games, shownAd = nil, nil, nil, nil, 0, nil

local function go(to)
  screen, since, look.buttons = to, 0, {}
  house.say("screen", to)
end

local function start(chosen)
  mode, games = chosen, games + 1
  local number = chosen == "daily" and rules.seed(house.values:daily_seed("daily_seed", "wheresthedot-daily")) or (seed + games * 7919)
  round = rules.new(chosen, number, BOARD.width, BOARD.height, house.values)
  over = nil
  house.values:event{event = "select_game_mode", mode = chosen}
  house.say("play", chosen, "seed", number)
  go("game")
end

local function finish()
  over = {score = round.score, reason = round.reason}
  sound.play("wrong")
  if house.values:bool("haptics_enabled", true) then look.shake = 1 end
  local dot = round.dots[#round.dots]
  look.burst(BOARD.x + dot.x, BOARD.y + dot.y, red, 30, 220)
  house.over(mode, round.score, round.reason)
  local places = {}
  for at, each in ipairs(round.dots) do places[at] = ("%d,%d"):format(each.x, each.y) end
  house.say("dots", unpack(places))
  go("over")
end

local function tap(x, y)
  local what, dot = round:tap(x - BOARD.x, y - BOARD.y)
  if what == "right" then
    sound.play("right", round.score)
    look.burst(BOARD.x + dot.x, BOARD.y + dot.y, palette.dots[dot.kind], 22)
    house.values:event{event = "round_correct", mode = mode, score = round.score}
  elseif what == "wrong" then
    finish()
  end
end

local function title(text, under)
  look.text(text, 0, 46, 52, look.mix(palette.accent, white, 0.35), "center", 1024)
  if under then look.text(under, 0, 112, 15, palette.dim, "center", 1024) end
end

local function back() look.button("back", "Back", 32, 580, 110, 38, palette, function() go("menu") end, true) end

local screens = {}

function screens.menu()
  local rise = look.ease(math.min(1, since * 1.6))
  look.text("WHERE'S THE", 0, 92 - 40 * (1 - rise), 34, look.mix(palette.accent, white, 0.5), "center", 1024, rise)
  look.text("D   T", 0, 128 - 40 * (1 - rise), 76, white, "center", 1024, rise)
  local bob = math.sin(look.clock * 2) * 5
  look.dot({kind = 3, turn = look.clock % 6.28}, 512 - 2, 174 + bob, 27, palette, house.values:bool("color_blind_mode_enabled", false))
  local modes = {}
  for _, each in ipairs{{"classic", "Classic", true}, {"arcade", "Arcade", true}, {"daily", "Daily", false}} do
    if house.values:bool(each[1] .. "_mode_enabled", each[3]) then modes[#modes + 1] = each end
  end
  local y = 262
  for _, each in ipairs(modes) do
    look.button(each[1], each[2], 372, y, 280, 58, palette, function() start(each[1]) end)
    y = y + 74
  end
  if #modes == 0 then look.text("Every mode is switched off.", 0, 300, 18, palette.dim, "center", 1024) end
  local small = {{"themes", "Themes", "open_themes"}, {"settings", "Settings", "open_settings"}}
  if house.values:bool("store_enabled", true) then table.insert(small, 2, {"store", "Store", "open_store"}) end
  if house.values:bool("leaderboards_enabled", true) or house.values:bool("achievements_enabled", true) then
    small[#small + 1] = {"scores", "Scores", "leaderboard_opened"}
  end
  local left = 512 - (#small * 130 - 12) / 2
  for at, each in ipairs(small) do
    look.button(each[1], each[2], left + (at - 1) * 130, 510, 118, 40, palette, function()
      house.values:event{event = each[3]}
      if each[1] == "scores" then
        if house.values:bool("leaderboards_enabled", true) then house.ask("classic", "/leaderboards/classic") house.ask("arcade", "/leaderboards/arcade") end
        house.ask("achievements", "/players/" .. house.player .. "/milestones")
      end
      go(each[1])
    end, true)
  end
end

function screens.onboarding()
  title("Remember. Then tap.", "One dot more in every round: find the newest.")
  for at = 1, 3 do
    local x = 232 + (at - 1) * 280
    look.panel(x - 110, 190, 220, 250, palette)
    for other = 1, at do
      local newest = other == at
      look.dot({kind = other + 1, turn = other}, x + ({-46, 40, -8})[other], 300 + ({-30, 10, 66})[other], newest and 22 + 3 * math.sin(look.clock * 4) or 18, palette, false, newest and 1.6 or 0.5)
    end
    look.text(({"It appears.", "Another one. Which?", "And so on."})[at], x - 110, 404, 15, white, "center", 220)
  end
  look.button("begin", "Begin", 412, 480, 200, 54, palette, function() house.values:event{event = "onboarding_completed"} go("menu") end)
  look.button("skip", "Skip", 462, 552, 100, 36, palette, function() house.values:event{event = "onboarding_skipped"} go("menu") end, true)
end

-- The board with its dots; while it is covered only the cover is seen.
local function board(reveal)
  local blind = house.values:bool("color_blind_mode_enabled", false)
  look.panel(BOARD.x, BOARD.y, BOARD.width, BOARD.height, palette, 0.72)
  g.setLineWidth(1)
  look.colour(palette.grid, 0.12)
  for x = BOARD.x + 36, BOARD.x + BOARD.width - 20, 37 do g.line(x, BOARD.y + 2, x, BOARD.y + BOARD.height - 2) end
  for y = BOARD.y + 36, BOARD.y + BOARD.height - 20, 36 do g.line(BOARD.x + 2, y, BOARD.x + BOARD.width - 2, y) end
  if round.phase == "cover" then
    local whole = round.covered or 0.35
    local part = 1 - round.left / whole
    look.colour(look.mix(palette.ground, palette.accent, 0.1), 0.96)
    g.rectangle("fill", BOARD.x + 3, BOARD.y + 3, BOARD.width - 6, BOARD.height - 6, 16)
    look.text(#round.dots == 1 and "Ready?" or "One more…", BOARD.x, BOARD.y + BOARD.height / 2 - 24, 34, palette.accent, "center", BOARD.width, 0.35 + 0.5 * math.sin(part * math.pi))
    return
  end
  for at, dot in ipairs(round.dots) do
    local grown = look.ease(math.min(1, (round.spent or 1) * 5 + 0.35 + at % 3 * 0.1))
    local newest = reveal and at == #round.dots
    if newest then
      look.colour(palette.accent, 0.5 + 0.4 * math.sin(look.clock * 6))
      g.setLineWidth(3)
      g.circle("line", BOARD.x + dot.x, BOARD.y + dot.y, round:radius(dot) * 1.7 + 4 * math.sin(look.clock * 6))
    end
    look.dot(dot, BOARD.x + dot.x, BOARD.y + dot.y, round:radius(dot) * grown, palette, blind, newest and 2 or reveal and 0.35 or 1)
    if reveal and dot == round.missed then
      look.colour(red)
      g.setLineWidth(4)
      local x, y, r = BOARD.x + dot.x, BOARD.y + dot.y, round:radius(dot) * 1.2
      g.line(x - r, y - r, x + r, y + r)
      g.line(x - r, y + r, x + r, y - r)
    end
  end
end

-- The numbers in force, each with where it comes from; what an admin forces glows.
local tuning = {
  {"arcade_time_limit_base", "timer, level 1", "%.2f s"}, {"memory_cover_duration", "cover", "%.2f s"}, {"arcade_difficulty_step", "points a level", "%d"},
  {"arcade_radius_base", "radius", "%.0f pt"}, {"arcade_min_distance_base", "distance", "%.0f pt"}, {"interstitial_every_n_game_overs", "games an ad", "%d"},
}
local function live(x, y, width)
  look.text("LIVE VALUES", x, y, 11, palette.accent)
  for at, each in ipairs(tuning) do
    local line, touched = y + 2 + at * 21, house.touched[each[1]]
    local info = house.values:info(each[1])
    local forced = info.source == 1 or info.source == 2
    if touched and touched > 0 then
      look.colour(palette.second, 0.3 * touched)
      g.rectangle("fill", x - 8, line - 3, width + 16, 20, 6)
    end
    look.text(each[2], x, line, 13, palette.dim)
    look.text(each[3]:format(house.values:double(each[1], 0)), x, line, 13, forced and palette.second or white, "right", width - 74)
    look.text(forced and "override" or house.sources[info.source], x, line + 1, 11, forced and palette.second or palette.dim, "right", width)
  end
end

local function side()
  local x, width = 720, 272
  look.panel(x, 32, width, 576, palette)
  look.text(mode:upper(), x + 24, 54, 15, palette.accent)
  look.text("level " .. round.hard.level, x + 24, 54, 15, palette.dim, "right", width - 48)
  look.text(tostring(round.score), x, 84, 76, white, "center", width)
  look.text(round.score == 1 and "dot found" or "dots found", x, 172, 15, palette.dim, "center", width)
  local cx, cy = x + width / 2, 262
  g.setLineWidth(8)
  look.colour(palette.accent, 0.14)
  g.circle("line", cx, cy, 46)
  if round.hard.seconds then
    local left = round.phase == "choose" and math.max(0, 1 - round.spent / round.hard.seconds) or round.phase == "cover" and 1 or 0
    local colour = left < 0.3 and red or palette.accent
    look.colour(colour)
    g.arc("line", "open", cx, cy, 46, -math.pi / 2, -math.pi / 2 + left * 2 * math.pi, 64)
    look.text(("%.1f"):format(left * round.hard.seconds), x, cy - 15, 24, colour, "center", width)
  else
    look.text("no timer", x, cy - 8, 13, palette.dim, "center", width)
  end
  local nextTheme
  for _, theme in ipairs(house.themes) do
    if theme.kind == "milestone" and not house.unlocked(theme) and not nextTheme then nextTheme = theme end
  end
  if nextTheme then
    local milestone = house.values:int("theme_" .. nextTheme.id .. "_milestone", nextTheme.milestone)
    local have = math.min(milestone, over and house.told and house.lifetime or nextTheme.value + round.score)
    look.text(nextTheme.name .. " at " .. milestone .. " points", x + 24, 336, 13, palette.dim)
    look.text(have .. "", x + 24, 336, 13, white, "right", width - 48)
    look.colour(palette.accent, 0.14)
    g.rectangle("fill", x + 24, 356, width - 48, 8, 4)
    look.colour(palette.accent)
    g.rectangle("fill", x + 24, 356, math.max(8, (width - 48) * have / milestone), 8, 4)
  end
  live(x + 24, 386, width - 48)
end

function screens.game()
  board(false)
  side()
  look.button("quit", "Quit", 800, 556, 112, 36, palette, function()
    house.values:event{event = "game_quit", mode = mode, score = round.score}
    go("menu")
  end, true)
end

function screens.over()
  board(true)
  side()
  local drop = look.ease(math.min(1, since * 2.2))
  local y = 60 + 150 * drop
  look.colour(palette.ground, 0.55 * math.min(1, since * 3))
  g.rectangle("fill", BOARD.x, BOARD.y, BOARD.width, BOARD.height, 18)
  look.panel(BOARD.x + 132, y, 400, 230, palette, 0.97)
  look.text(over.reason == "timeUp" and "Time is up" or "Not that one", BOARD.x + 132, y + 24, 34, white, "center", 400)
  look.text(over.score .. (over.score == 1 and " dot" or " dots"), BOARD.x + 132, y + 76, 24, palette.accent, "center", 400)
  look.text(house.told and "recorded: " .. (house.lifetime or 0) .. " points in all" or "kept, and sent when the daemon is there", BOARD.x + 132, y + 114, 13, palette.dim, "center", 400)
  look.button("again", "Again", BOARD.x + 168, y + 152, 156, 52, palette, function() start(mode) end)
  look.button("menu", "Menu", BOARD.x + 340, y + 152, 156, 52, palette, function() go("menu") end, true)
end

function screens.ad()
  g.clear(0.93, 0.92, 0.88)
  local ink = {0.16, 0.16, 0.2}
  look.text("SIMULATED AD", 0, 60, 18, {0.75, 0.2, 0.2}, "center", 1024)
  look.text("Dotted Lines & Sons", 0, 150, 52, ink, "center", 1024)
  look.text("Fine dots since a moment ago. No such firm exists, nothing is sold, nobody counts this.", 0, 226, 18, ink, "center", 1024)
  for at = 0, 8 do
    local y = 380 + math.sin(look.clock * 2 + at * 0.7) * 34
    look.colour(({{0.93, 0.35, 0.3}, {0.2, 0.55, 0.9}, {0.95, 0.75, 0.2}})[at % 3 + 1])
    g.circle("fill", 192 + at * 80, y, 26)
  end
  local left = 3 - since
  look.text("Ad-free players never see this: removeads or premium in the store.", 0, 478, 15, {0.4, 0.4, 0.45}, "center", 1024)
  local theme = {ground = {0.93, 0.92, 0.88}, accent = {0.25, 0.27, 0.35}, second = white}
  look.button("close", left > 0 and ("Close in %d"):format(math.ceil(left)) or "Close", 412, 536, 200, 50, theme, left <= 0 and function()
    house.values:ad_report("game_over", shownAd, "closed")
    go("over")
  end or nil, false)
end

function screens.themes()
  title("Themes", "Points over all games unlock some; the store has others.")
  local chosen = house.theme()
  for at, theme in ipairs(house.themes) do
    local x, y = 64 + (at - 1) % 4 * 228, 150 + math.floor((at - 1) / 4) * 205
    local own, open = look.palette(theme), house.unlocked(theme)
    look.colour(own.ground)
    g.rectangle("fill", x, y, 212, 186, 16)
    g.setScissor(x, y, 212, 186)
    look.glow(x + 106, y + 76, 120, own.accent, open and 0.3 or 0.12)
    look.colour(own.grid, 0.25)
    g.setLineWidth(1)
    for line = 1, 5 do
      g.line(x, y + line * 31, x + 212, y + line * 31)
      g.line(x + line * 36, y, x + line * 36, y + 186)
    end
    for dot = 1, 3 do look.dot({kind = dot + 1, turn = dot * 2}, x + 50 + (dot - 1) * 56, y + 66 + dot % 2 * 22, 17, own, false, open and 1 or 0.3) end
    if not open then
      look.colour(own.ground, 0.55)
      g.rectangle("fill", x, y, 212, 186, 16)
    end
    g.setScissor()
    look.text(theme.name, x + 16, y + 128, 18, white)
    local state = theme.id == chosen.id and "chosen" or open and "tap to choose" or theme.kind == "milestone"
      and ("%d of %d points"):format(theme.value, house.values:int("theme_" .. theme.id .. "_milestone", theme.milestone)) or "in the store"
    look.text(state, x + 16, y + 154, 13, theme.id == chosen.id and own.accent or palette.dim)
    look.colour(theme.id == chosen.id and own.accent or own.grid, theme.id == chosen.id and 1 or 0.4)
    g.setLineWidth(theme.id == chosen.id and 3 or 1)
    g.rectangle("line", x, y, 212, 186, 16)
    look.area("theme." .. theme.id, x, y, 212, 186, function()
      if open then house.choose(theme) elseif theme.kind == "entitlement" then go("store") else house.toast("Play on: it comes with points") end
    end)
  end
  back()
end

function screens.store()
  title("Store", "Everything here is simulated: nobody pays.")
  if not house.values:bool("store_enabled", true) then
    look.text("The store is closed.", 0, 300, 24, palette.dim, "center", 1024)
    return back()
  end
  for at, product in ipairs(house.products) do
    local x, y = 112 + (at - 1) % 2 * 410, 160 + math.floor((at - 1) / 2) * 190
    local has = house.values:product_purchased(product.id) or house.values:product_purchased("premium")
    look.panel(x, y, 390, 168, palette)
    look.text(product.name, x + 26, y + 24, 24, white)
    look.text(product.what, x + 26, y + 60, 15, palette.dim)
    if has then look.text("yours", x + 26, y + 112, 18, palette.accent)
    else
      local waits = house.shop == product.id
      look.button("buy." .. product.id, waits and "…" or "$" .. product.price, x + 246, y + 100, 118, 44, palette, not waits and function() house.buy(product.id) end or nil)
    end
  end
  look.button("restore", "Restore purchases", 402, 556, 220, 40, palette, function() house.values:restore() end, true)
  back()
end

function screens.settings()
  title("Settings", "Kept by the daemon, for this player on every device.")
  for at, each in ipairs{{"sound_enabled", "Sound", "music and effects"}, {"haptics_enabled", "Haptics", "here: the board shakes"}, {"color_blind_mode_enabled", "Colour-blind mode", "dots with marks"}} do
    local y, on = 170 + (at - 1) * 96, house.values:bool(each[1], at < 3)
    look.panel(252, y, 520, 80, palette)
    look.text(each[2], 280, y + 16, 18, white)
    look.text(each[3] .. " · " .. house.sources[house.values:info(each[1], "bool").source], 280, y + 44, 13, palette.dim)
    look.colour(on and palette.accent or palette.dim, on and 1 or 0.35)
    g.rectangle("fill", 676, y + 24, 64, 32, 16)
    look.colour(white)
    g.circle("fill", on and 724 or 692, y + 40, 12)
    look.area(each[1], 252, y, 520, 80, function() house.switch(each[1]) end)
  end
  back()
end

function screens.scores()
  title("Scores")
  if house.values:bool("leaderboards_enabled", true) then
    for at, each in ipairs{"classic", "arcade"} do
      local x = 48 + (at - 1) * 250
      look.panel(x, 130, 234, 410, palette)
      look.text(each:upper(), x + 22, 148, 15, palette.accent)
      for place, row in ipairs(house.boards[each] or {}) do
        look.text(place .. ".  " .. row.player:sub(1, 14), x + 22, 150 + place * 40, 15, row.player == house.player and palette.accent or white)
        look.text(tostring(row.score), x + 22, 150 + place * 40, 15, white, "right", 190)
      end
    end
  end
  if house.values:bool("achievements_enabled", true) then
    look.panel(548, 130, 428, 410, palette)
    look.text("ACHIEVEMENTS", 570, 148, 15, palette.accent)
    for at, each in ipairs(house.achievements) do
      local x, y = 570 + (at - 1) % 2 * 204, 178 + math.floor((at - 1) / 2) * 58
      look.dot({kind = 3, turn = 0}, x + 14, y + 18, each.done and 11 or 6, palette, false, each.done and 1 or 0)
      look.text(each.name, x + 36, y, 15, each.done and white or palette.dim)
      look.text(each.done and "reached" or each.value .. " of " .. each.target, x + 36, y + 20, 13, palette.dim)
    end
  end
  back()
end

-- The corner: which revision is in force, where it comes from, how long ago the daemon was heard.
local function corner()
  local status = house.values:status()
  local colour = status.state == 3 and {0.3, 0.9, 0.5} or status.state == 0 and red or {1, 0.75, 0.25}
  local text = ("revision %d · %s%s"):format(status.revision, house.states[status.state], status.queued > 0 and (" · %d to send"):format(status.queued) or "")
  local width = look.fonts[11]:getWidth(text)
  look.text(text, 1012 - width, 620, 11, palette.dim)
  look.glow(1000 - width, 627, 12, colour, 0.8)
  look.colour(colour)
  g.circle("fill", 1000 - width, 627, 4)
end

local function draw()
  look.buttons, look.said = {}, {}
  g.push()
  if look.shake > 0 then g.translate(math.sin(look.clock * 90) * 7 * look.shake, math.cos(look.clock * 77) * 5 * look.shake) end
  look.background(palette)
  screens[screen]()
  look.particles()
  g.pop()
  if screen ~= "ad" then corner() end
  for at, toast in ipairs(house.toasts) do
    local y = 24 + (at - 1) * 50 - 60 * (1 - look.ease(math.min(1, toast.age * 4)))
    look.panel(352, y, 320, 42, palette, 0.97)
    look.text(toast.text, 352, y + 11, 15, white, "center", 320)
  end
end

-- Finds out where the buttons are, without a picture: all of it is drawn onto one point.
local point
local function lay()
  point = point or g.newCanvas(1, 1)
  g.setCanvas(point)
  g.origin()
  draw()
  g.setCanvas()
end

local function press(id)
  for at = #look.buttons, 1, -1 do
    if look.buttons[at].id == id then
      sound.play("click")
      look.buttons[at].action()
      return true
    end
  end
end

local function pressed(x, y)
  for at = #look.buttons, 1, -1 do
    local each = look.buttons[at]
    if x >= each.x and x <= each.x + each.width and y >= each.y and y <= each.y + each.height then
      sound.play("click")
      return each.action()
    end
  end
  if screen == "game" then tap(x, y) end
end

-- Scripts: one command a line, each done in a frame of its own when it can be; what cannot be within a minute ends the game with 1.
--   press BUTTON · reads WORDS (they stand on the screen) · right COUNT · wrong · idle (until time is up) · await SCREEN · told · key KEY VALUE · unlocked THEME · adfree · say WORDS
--   hold (until a line is read) · still (time stands, values do not) · shot FILE (its bare pixels too) · frames N · quit
local script, line, began, wanted, pace = nil, 1, 0, false, STEP
local left
local can = {}
function can.press(id)
  wanted = true -- buttons are where they were drawn last
  return press(id)
end
function can.reads(...)
  wanted = true
  local words = table.concat({...}, " ")
  for _, text in ipairs(look.said) do if tostring(text):find(words, 1, true) then return true end end
end
function can.right(count)
  left = left or tonumber(count)
  if screen ~= "game" then error("no game is played") end
  if round.phase ~= "choose" or round.spent < 0.2 then return false end
  local dot = round.dots[#round.dots]
  tap(BOARD.x + dot.x, BOARD.y + dot.y)
  left = left - 1
  if left > 0 then return false end
  left = nil
  return true
end
function can.wrong()
  if round.phase ~= "choose" or round.spent < 0.2 then return false end
  tap(BOARD.x + round.dots[1].x, BOARD.y + round.dots[1].y)
  return screen == "over"
end
function can.choosing() return screen == "game" and round.phase == "choose" and round.spent > 0.25 end
function can.idle() return screen == "over" end
function can.await(name) return screen == name end
function can.told() return house.told end
function can.key(name, value)
  if value == "true" or value == "false" then return tostring(house.values:bool(name, value ~= "true")) == value end
  if tonumber(value) then return house.values:double(name, -1) == tonumber(value) end
  return house.values:string(name, "") == value
end
function can.unlocked(theme) return house.values:theme_unlocked(theme) end
function can.adfree() return house.values:ad_free() end
function can.live() return house.values:status().state == 3 end
function can.sent() return house.values:status().queued == 0 end
function can.say(...) house.say(...) return true end
function can.frames(count)
  left = (left or tonumber(count)) - 1
  if left <= 0 then left = nil end
  return not left
end
-- Nothing of the daemon's is read meanwhile: with `arrived` on the line that ends it, there is something for the next frame to take.
function can.hold()
  house.say("holding", "frame", house.frame)
  local told = io.read("*l")
  if told == "arrived" then
    local ffi = require "ffi"
    ffi.cdef "struct pollfd { int fd; short events, revents; }; int poll(struct pollfd *, unsigned long, int);"
    if ffi.C.poll(ffi.new("struct pollfd[1]", {{house.values:fd(), 1, 0}}), 1, 60000) ~= 1 then house.say("nothing arrived") end
  end
  return told ~= nil
end
function can.still()
  pace = 0
  return true
end
function can.shot(path)
  if left then return left == "taken" and (function() left = nil return true end)() end
  left = "asked"
  g.captureScreenshot(function(image)
    local file = assert(io.open(path, "wb"))
    file:write(image:encode("png"):getString())
    file:close()
    if script then
      file = assert(io.open(path .. ".rgba", "wb"))
      file:write(image:getString())
      file:close()
    end
    house.say("shot", path)
    left = "taken"
  end)
end
function can.quit() love.event.quit(0) return true end

local function follow()
  local words = {}
  for word in (script[line] or "quit"):gmatch("%S+") do words[#words + 1] = word end
  local command = table.remove(words, 1)
  if not can[command] then error("line " .. line .. ": no such command: " .. tostring(command)) end
  if can[command](unpack(words)) then
    line, began = line + 1, love.timer.getTime()
  elseif love.timer.getTime() - began > 60 then
    house.say("stuck", "line", line, script[line], "on", screen)
    love.event.quit(1)
  end
end

function love.load(arguments)
  for at = 1, #arguments - 1, 2 do options[arguments[at]:match("^%-%-(.+)") or "?"] = arguments[at + 1] end
  if options.defaults then
    local file = assert(io.open(options.defaults, "rb"))
    options.defaults = file:read("*a")
    file:close()
  end
  seed = tonumber(options.seed) or os.time()
  if options.script then
    script, began = {}, love.timer.getTime()
    for text in io.lines(options.script) do if text:match("%S") and not text:match("^%s*#") then script[#script + 1] = text end end
  end
  if not options.cache then
    love.filesystem.createDirectory("save")
    options.cache = love.filesystem.getSaveDirectory() .. "/save/"
  end
  local done, why = house.open(options)
  if not done then error("no game without its values: " .. why) end
  look.load()
  sound.load()
  palette = look.palette(house.theme())
  if not script and house.values:bool("onboarding_enabled", true) and not love.filesystem.getInfo("onboarded") then
    love.filesystem.write("onboarded", "1")
    house.values:event{event = "onboarding_started"}
    screen = "onboarding"
  end
end

function love.mousepressed(x, y, button) if button == 1 and not script then pressed(x, y) end end
function love.keypressed(key)
  if key == "escape" then
    if screen == "menu" then love.event.quit() else go("menu") end
  elseif key == "f12" then can.shot("wheresthedot.png") left = nil end
end

local function step(seconds)
  since = since + seconds
  look.step(seconds)
  palette = look.palette(house.theme())
  if screen == "over" and house.ad and since > 1 then
    shownAd, house.ad = house.ad, nil
    if not house.values:ad_free() then
      house.values:ad_report("game_over", shownAd, "shown")
      go("ad")
    end
  end
  if screen == "game" then
    local what = round:step(seconds)
    if what == "timeUp" then finish() elseif what == "open" then sound.play("cover") end
  end
  if house.cheer then
    house.cheer = nil
    sound.play("unlock")
    for at = 1, 5 do look.burst(160 * at + 30, 140, palette.dots[at], 26, 260) end
  end
end

-- The loop: values change once a frame, the game moves in steps of a sixtieth; a script gets exactly one step a frame.
function love.run()
  love.load(love.arg.parseGameArguments(arg))
  love.timer.step()
  local owed = 0
  return function()
    love.event.pump()
    for name, a, b, c in love.event.poll() do
      if name == "quit" then
        house.values:close()
        return a or 0
      end
      if love.handlers[name] then love.handlers[name](a, b, c) end
    end
    local passed, began, busy = love.timer.step(), love.timer.getTime(), os.clock()
    house.update(script and pace or STEP)
    sound.follow(house.values:bool("sound_enabled", true), house.values:bool("music_enabled", true))
    if script then
      follow()
      step(pace)
    else
      owed = math.min(owed + passed, 5 * STEP)
      while owed >= STEP do
        step(STEP)
        owed = owed - STEP
      end
    end
    -- A script's frames are drawn when somebody looks: without a graphics card a picture takes longer than all the rest.
    if not script or left == "asked" then
      g.origin()
      draw()
      g.present()
    elseif wanted then
      lay()
    end
    wanted = false
    -- Where no screen paces it, the loop does, at a step a frame; and where pictures are made by the processor, it takes half of one at most.
    local rest = math.max(STEP, 2 * (os.clock() - busy)) - (love.timer.getTime() - began)
    love.timer.sleep(script and 0.004 or math.max(rest, 0.001))
  end
end
