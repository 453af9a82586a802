-- How everything is drawn: colours of a theme, the grid, dots, buttons, particles. No picture is a file.

local look = {buttons = {}, said = {}, sparks = {}, shake = 0, clock = 0}
local g = love.graphics

local function hex(text)
  local r, gr, b = text:match("^#(%x%x)(%x%x)(%x%x)$")
  if not r then return {1, 1, 1} end
  return {tonumber(r, 16) / 255, tonumber(gr, 16) / 255, tonumber(b, 16) / 255}
end

local function mix(a, b, part) return {a[1] + (b[1] - a[1]) * part, a[2] + (b[2] - a[2]) * part, a[3] + (b[3] - a[3]) * part} end
look.mix = mix
local white, black = {1, 1, 1}, {0, 0, 0}

-- The same colour, its hue turned by a part of a circle.
local function turned(colour, part)
  local c, s = math.cos(part * 2 * math.pi), math.sin(part * 2 * math.pi)
  local third, root = (1 - c) / 3, math.sqrt(1 / 3) * s
  local r, gr, b = colour[1], colour[2], colour[3]
  local function clamp(x) return math.max(0, math.min(1, x)) end
  return {
    clamp(r * (c + third) + gr * (third - root) + b * (third + root)), clamp(r * (third + root) + gr * (c + third) + b * (third - root)),
    clamp(r * (third - root) + gr * (third + root) + b * (c + third)),
  }
end

-- A theme's colours; a dark accent is lifted until it can be read.
function look.palette(theme)
  local accent, ground = hex(theme.grid), hex(theme.background)
  local light = 0.3 * accent[1] + 0.6 * accent[2] + 0.1 * accent[3]
  if light < 0.45 then accent = mix(accent, {0.55, 0.95, 1}, 0.6) end
  local dots = {}
  for at = 1, 5 do dots[at] = mix(turned(accent, (at - 3) * 0.055), white, 0.12) end
  return {ground = ground, grid = hex(theme.grid), accent = accent, second = turned(accent, 0.32), dots = dots, shape = theme.shape, dim = mix(accent, {0.55, 0.6, 0.68}, 0.75)}
end

function look.load()
  look.fonts = {}
  for _, size in ipairs{11, 13, 15, 18, 24, 34, 52, 76} do look.fonts[size] = g.newFont(size) end
  local data = love.image.newImageData(128, 128)
  data:mapPixel(function(x, y)
    local far = math.sqrt((x - 63.5) ^ 2 + (y - 63.5) ^ 2) / 64
    return 1, 1, 1, math.max(0, 1 - far) ^ 2.4
  end)
  look.halo = g.newImage(data)
end

function look.colour(colour, alpha) g.setColor(colour[1], colour[2], colour[3], alpha or 1) end

function look.text(text, x, y, size, colour, align, width, alpha)
  g.setFont(look.fonts[size])
  look.said[#look.said + 1] = text
  look.colour(colour, alpha)
  g.printf(text, math.floor(x), math.floor(y), width or 1000, align or "left")
end

function look.glow(x, y, radius, colour, alpha)
  g.setBlendMode("add")
  look.colour(colour, alpha)
  g.draw(look.halo, x, y, 0, radius / 64, radius / 64, 64, 64)
  g.setBlendMode("alpha")
end

-- The floor of every screen: a grid that runs away to a horizon, and light above it.
function look.background(palette)
  g.clear(palette.ground[1], palette.ground[2], palette.ground[3])
  local width, height, horizon = 1024, 640, 300
  look.glow(width / 2, horizon + 20, 620, palette.accent, 0.16)
  look.glow(180, 90, 340, palette.second, 0.07)
  g.setLineWidth(1)
  for at = -22, 22 do
    look.colour(palette.grid, 0.22)
    g.line(width / 2 + at * 26, horizon, width / 2 + at * 150, height)
  end
  for at = 0, 13 do
    local far = ((at + look.clock * 0.35 % 1) / 13) ^ 2.4
    look.colour(palette.grid, 0.08 + 0.3 * far)
    g.line(0, horizon + far * (height - horizon), width, horizon + far * (height - horizon))
  end
  for at = 1, 46 do
    local x, y = (at * 379) % width, (at * 211) % horizon
    look.colour(white, 0.12 + 0.14 * math.sin(look.clock * 1.3 + at))
    g.circle("fill", x, y, at % 3 == 0 and 1.3 or 0.8)
  end
end

local function star(points, outer, inner, turn)
  local line = {}
  for at = 0, points * 2 - 1 do
    local radius, angle = at % 2 == 0 and outer or inner, turn + at * math.pi / points
    line[#line + 1], line[#line + 2] = math.sin(angle) * radius, -math.cos(angle) * radius
  end
  return line
end

local function filled(line)
  for _, triangle in ipairs(love.math.triangulate(line)) do g.polygon("fill", triangle) end
end

-- A drop upright (leaf, water, flame differ by how it is bent).
local function drop(radius, bend)
  local line = {}
  for at = 0, 27 do
    local angle = at / 28 * 2 * math.pi
    local narrow = math.sin(angle / 2) ^ bend
    line[#line + 1], line[#line + 2] = radius * 1.05 * math.sin(angle) * narrow, -radius * math.cos(angle) * 1.1
  end
  return line
end

local shapes = {}
shapes["leaf.fill"] = function(r) filled(drop(r, 0.6)) end
shapes["drop.fill"] = function(r) filled(drop(r, 1.5)) end
shapes["flame.fill"] = function(r, palette)
  filled(drop(r * 1.15, 1.7))
  look.colour({1, 0.9, 0.45}, 0.9)
  g.translate(0, r * 0.32)
  filled(drop(r * 0.6, 1.6))
  g.translate(0, -r * 0.32)
  look.colour(palette.accent, 0)
end
shapes["moon.stars.fill"] = function(r, palette)
  g.circle("fill", 0, 0, r)
  look.colour(palette.ground, 0.85)
  g.circle("fill", r * 0.42, -r * 0.28, r * 0.78)
  look.colour(white, 0.95)
  filled(star(4, r * 0.42, r * 0.13, 0, 0))
end
shapes["sparkles"] = function(r) filled(star(4, r * 1.25, r * 0.42, 0)) end
shapes["star.fill"] = function(r) filled(star(5, r * 1.2, r * 0.55, 0)) end
shapes["cross.case.fill"] = function(r, palette)
  g.rectangle("fill", -r, -r * 0.8, r * 2, r * 1.6, r * 0.35)
  look.colour(palette.ground, 0.9)
  g.rectangle("fill", -r * 0.16, -r * 0.5, r * 0.32, r)
  g.rectangle("fill", -r * 0.5, -r * 0.16, r, r * 0.32)
end

-- One dot; `blind` gives it a white rim and marks that tell it apart without its colour.
function look.dot(dot, x, y, radius, palette, blind, bright)
  local colour = palette.dots[dot.kind]
  look.glow(x, y, radius * 3.1, colour, 0.34 * (bright or 1))
  g.push()
  g.translate(x, y)
  local turn = palette.shape == "leaf.fill" and dot.turn or palette.shape == "sparkles" and dot.turn / 8 or 0
  g.rotate(turn)
  look.colour(colour)
  local shape = shapes[palette.shape]
  if shape then shape(radius, palette) else
    g.circle("fill", 0, 0, radius)
    look.colour(white, 0.5)
    g.circle("fill", -radius * 0.3, -radius * 0.34, radius * 0.3)
  end
  g.rotate(-turn)
  if blind then
    look.colour(white)
    g.setLineWidth(2)
    g.circle("line", 0, 0, radius * 1.28)
    for at = 1, dot.kind do
      local angle = at / dot.kind * 2 * math.pi + dot.turn
      look.colour(black)
      g.circle("fill", math.cos(angle) * radius * 0.5, math.sin(angle) * radius * 0.5, math.max(2, radius * 0.15))
    end
  end
  g.pop()
end

function look.panel(x, y, width, height, palette, alpha)
  look.colour(mix(palette.ground, palette.accent, 0.07), alpha or 0.86)
  g.rectangle("fill", x, y, width, height, 18)
  look.colour(palette.accent, 0.28)
  g.setLineWidth(1.2)
  g.rectangle("line", x, y, width, height, 18)
end

-- A capsule with a gloss; remembered with what it does, for the pointer, the keys and scripts.
function look.button(id, text, x, y, width, height, palette, action, quiet)
  local px, py = love.mouse.getPosition()
  local over = px >= x and px <= x + width and py >= y and py <= y + height
  local colour = quiet and mix(palette.ground, palette.accent, over and 0.34 or 0.2) or mix(palette.accent, white, over and 0.25 or 0.05)
  if not quiet then look.glow(x + width / 2, y + height / 2, width * 0.62, palette.accent, over and 0.3 or 0.16) end
  look.colour(colour, action and 1 or 0.35)
  g.rectangle("fill", x, y, width, height, height / 2)
  look.colour(white, quiet and 0.05 or 0.2)
  g.rectangle("fill", x + 8, y + 3, width - 16, height * 0.42, height * 0.21)
  local size = height >= 50 and 24 or height >= 38 and 18 or 13
  look.text(text, x, y + (height - look.fonts[size]:getHeight()) / 2, size, quiet and mix(palette.accent, white, 0.55) or mix(palette.ground, black, 0.3), "center", width)
  if action then look.buttons[#look.buttons + 1] = {id = id, x = x, y = y, width = width, height = height, action = action} end
end

-- An area that can be pressed and draws itself.
function look.area(id, x, y, width, height, action)
  look.buttons[#look.buttons + 1] = {id = id, x = x, y = y, width = width, height = height, action = action}
end

function look.burst(x, y, colour, count, speed)
  for _ = 1, count do
    local angle, fast = love.math.random() * 2 * math.pi, (0.25 + love.math.random()) * (speed or 170)
    look.sparks[#look.sparks + 1] = {
      x = x, y = y, dx = math.cos(angle) * fast, dy = math.sin(angle) * fast, left = 0.5 + love.math.random() * 0.5, size = 1.5 + love.math.random() * 2.5,
      colour = colour,
    }
  end
end

function look.step(seconds)
  look.clock = look.clock + seconds
  look.shake = math.max(0, look.shake - seconds * 2.6)
  for at = #look.sparks, 1, -1 do
    local spark = look.sparks[at]
    spark.x, spark.y, spark.left = spark.x + spark.dx * seconds, spark.y + spark.dy * seconds, spark.left - seconds
    spark.dx, spark.dy = spark.dx * 0.965, spark.dy * 0.965 + 90 * seconds
    if spark.left <= 0 then table.remove(look.sparks, at) end
  end
end

function look.particles()
  for _, spark in ipairs(look.sparks) do look.glow(spark.x, spark.y, spark.size * 4, spark.colour, math.min(1, spark.left * 2)) end
end

-- Eases 0…1: fast at first, a little over the mark, then home.
function look.ease(part)
  if part >= 1 then return 1 end
  local rest = part - 1
  return 1 + 2.7 * rest ^ 3 + 1.7 * rest ^ 2
end

return look
