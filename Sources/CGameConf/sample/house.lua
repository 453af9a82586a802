-- What the game knows from the daemon: values, themes, products, answers. Everything else asks here.

local gameconf = require "gameconf"
local house = {themes = {}, products = {}, boards = {}, achievements = {}, toasts = {}, touched = {}, waiting = {}, frame = 0}

house.sources = {[0] = "fallback", "override.player", "override.game", "setting", "remote", "default", "play"}
house.states = {[0] = "no daemon", "embedded defaults", "offline, last known", "live"}

-- What is drawn before the daemon has told more: the catalog's themes and products in short.
local shipped = {
  {"neon", "Neon", "free", "#05060A", "#00F0FF", "circle"}, {"forest", "Forest", "milestone", "#050D07", "#4ADE80", "leaf.fill"},
  {"ocean", "Ocean", "milestone", "#03080F", "#22D3EE", "drop.fill"}, {"cosmos", "Cosmos", "milestone", "#080510", "#A855F7", "moon.stars.fill"},
  {"aurora", "Aurora", "entitlement", "#030A15", "#BAE6FD", "sparkles"}, {"inferno", "Inferno", "entitlement", "#100305", "#F97316", "flame.fill"},
  {"doctorping", "DoctorPing", "entitlement", "#040A10", "#64B5D9", "cross.case.fill"},
  {"spacetravel", "Space Travel", "entitlement", "#041418", "#143d4a", "star.fill"},
}
house.products = {
  {id = "premium", name = "Premium Bundle", what = "every theme, no ads", price = "4.99"},
  {id = "removeads", name = "Remove Ads", what = "no ad breaks", price = "1.99"},
  {id = "theme.aurora", name = "Aurora Theme", what = "lights of the north", price = "0.99"},
  {id = "theme.inferno", name = "Inferno Theme", what = "dots that burn", price = "0.99"},
}

function house.say(...) print(table.concat({...}, " ")) io.stdout:flush() end

function house.toast(text) table.insert(house.toasts, {text = text, age = 0}) end

function house.open(options)
  local values, why = gameconf.open(options)
  if not values then return nil, why end
  house.values, house.player, house.base = values, options.player, "/v1/games/wheresthedot"
  for at, theme in ipairs(shipped) do
    house.themes[at] = {id = theme[1], name = theme[2], kind = theme[3], background = theme[4], grid = theme[5], shape = theme[6], milestone = 0, value = 0}
  end
  values:visit()
  house.fetch()
  return true
end

-- Asks what is no value: themes with their progress, prices.
function house.fetch()
  house.fetched = os.time()
  house.ask("themes", "/players/" .. house.player .. "/themes")
  house.ask("offers", "/products")
end

function house.ask(what, path)
  local number = house.values:call("GET", house.base .. path, nil)
  if number then house.waiting[number] = what end
end

function house.unlocked(theme) return theme.kind == "free" or house.values:theme_unlocked(theme.id) or house.values:string("default_theme", "neon") == theme.id end

function house.theme()
  local chosen = house.values:string("selected_theme", "neon")
  for _, theme in ipairs(house.themes) do if theme.id == chosen then return theme end end
  return house.themes[1]
end

local took = {}

function took.themes(answer)
  local themes = {}
  for at = 0, 31 do
    local path = "/themes/" .. at .. "/"
    local id = answer:string(path .. "theme", nil)
    if not id then break end
    local shape = answer:string(path .. "attributes/dot_shape", nil) or answer:string(path .. "attributes/dot_shape/asset/fallback_symbol", nil)
      or answer:string(path .. "attributes/dot_shape/random_assets/fallback_symbol", "circle")
    themes[#themes + 1] = {
      id = id, name = answer:string(path .. "name", id), kind = answer:string(path .. "kind", "free"), shape = shape,
      background = answer:string(path .. "attributes/background", "#05060A"), grid = answer:string(path .. "attributes/grid", "#00F0FF"),
      milestone = answer:int(path .. "milestone", 0), value = answer:int(path .. "progress/value", 0),
    }
  end
  if #themes > 0 then house.themes = themes end
end

function took.offers(answer)
  for place = 0, 15 do
    local path = "/products/" .. place .. "/"
    for _, product in ipairs(house.products) do
      if answer:string(path .. "id", "") == product.id then product.price = answer:string(path .. "price/USD", product.price) end
    end
  end
end

local function board(mode)
  return function(answer)
    local rows = {}
    for at = 0, 7 do
      local player = answer:string("/rows/" .. at .. "/player", nil)
      if not player then break end
      rows[#rows + 1] = {player = player, score = answer:int("/rows/" .. at .. "/score", 0)}
    end
    house.boards[mode] = rows
  end
end
took.classic, took.arcade = board("classic"), board("arcade")

function took.achievements(answer)
  local all = {}
  for at = 0, 63 do
    local path = "/milestones/" .. at .. "/"
    local id = answer:string(path .. "milestone", nil)
    if not id then break end
    if answer:bool(path .. "achievement", false) then
      all[#all + 1] = {
        name = answer:string(path .. "name", id), done = answer:bool(path .. "unlocked", false), value = answer:int(path .. "value", 0),
        target = answer:int(path .. "target", 1),
      }
    end
  end
  house.achievements = all
end

-- The answer to a game over: what it unlocked, and whether an ad is due.
local function over(answer)
  house.lifetime = answer:int("/scores/lifetime_score", 0)
  house.say("recorded", answer:int("/scores/lifetime_score", -1), "games", answer:int("/scores/games_played", -1), "best", answer:int("/scores/best_score", -1))
  for _, theme in ipairs(house.themes) do
    if answer:string("/unlocked/themes/" .. theme.id .. "/name", nil) then
      house.say("unlocked", theme.id)
      house.toast(theme.name .. " theme unlocked")
      house.values:event{event = "theme_unlocked", details = ('{"theme": "%s"}'):format(theme.id)}
      house.cheer = true
    end
  end
  house.ad = answer:bool("/ads/game_over/show", false) and answer:string("/ads/game_over/decision_id", "") or nil
  house.say("ad", house.ad and "show" or answer:string("/ads/game_over/reason", "none"))
  house.told = true
  house.fetched = 0 -- how far the themes are
end

local function bought(answer, what)
  local status = answer:string("/status", answer:string("/code", "offline"))
  house.say(what, status)
  house.shop = nil
  if status == "success" then
    house.toast(what == "restore" and "Purchases restored" or "Thank you!")
    house.cheer = true
    local transaction = answer:string("/transaction/id", nil)
    if transaction then
      house.values:finish(transaction)
      house.values:event{event = "purchase_completed", details = ('{"product": "%s"}'):format(answer:string("/transaction/product", ""))}
    end
  else
    house.toast("The store says: " .. status:lower():gsub("_", " "))
  end
end

-- Once a frame: what changed, what was answered.
function house.update(seconds)
  house.frame = house.frame + 1
  for change in house.values:update() do
    if change.kind == 1 then
      house.touched[change.name] = 1
      house.say("changed", change.name, "frame", house.frame, house.sources[change.new_source] or "?")
      if change.name:find("milestone") or change.name == "default_theme" then house.fetched = 0 end
    elseif change.kind == 2 or change.kind == 3 or change.kind == 4 then
      house.fetched = 0
      house.say(({[2] = "theme", [3] = "entitlement", [4] = "product"})[change.kind], change.name, change.new_source > 0 and "on" or "off")
    elseif change.kind == 5 then
      house.say("state", house.states[change.new_source] or "?")
      if change.new_source == 3 then house.fetched = 0 end
    elseif change.kind == 6 or change.kind == 7 then
      house.say("misread", change.name)
    end
  end
  for answer in house.values:answers() do
    local what = house.waiting[answer.number]
    house.waiting[answer.number] = nil
    if what == "over" then over(answer)
    elseif answer.kind == 6 then bought(answer, "purchase")
    elseif answer.kind == 7 then bought(answer, "restore")
    elseif answer.status >= 400 then
      house.say("refused", answer.kind, answer:string("/code", "?"))
      house.toast(answer:string("/title", "Refused"))
    elseif what and took[what] and answer.status == 200 then took[what](answer) end
  end
  -- Themes are asked for again when something said that they changed, else at most as often as the game may.
  if house.fetched == 0 or os.time() - house.fetched > math.max(60, house.values:int("remote_min_fetch_interval", 3600)) then house.fetch() end
  for name, left in pairs(house.touched) do house.touched[name] = left - seconds > -3 and left - seconds or nil end
  for at = #house.toasts, 1, -1 do
    house.toasts[at].age = house.toasts[at].age + seconds
    if house.toasts[at].age > 3.5 then table.remove(house.toasts, at) end
  end
end

function house.over(mode, score, reason)
  house.told, house.ad = false, nil
  local number = house.values:event{event = "game_over", mode = mode, score = score, reason = reason}
  if number then house.waiting[number] = "over" end
  house.values:event{event = "game_ended", mode = mode, score = score, reason = reason}
  house.say("over", mode, score, reason)
end

function house.buy(product)
  house.values:event{event = "purchase_initiated", details = ('{"product": "%s"}'):format(product)}
  if house.values:purchase(product) then house.shop = product end
end

function house.choose(theme)
  house.values:setting("selected_theme", '"' .. theme.id .. '"')
  house.values:event{event = "select_theme", details = ('{"theme": "%s"}'):format(theme.id)}
end

-- A switch among the settings, with its word for analytics.
function house.switch(key)
  local on = not house.values:bool(key, key ~= "color_blind_mode_enabled")
  house.values:setting(key, tostring(on))
  house.values:event{event = key:gsub("_enabled$", "") .. (on and "_enabled" or "_disabled")}
end

return house
