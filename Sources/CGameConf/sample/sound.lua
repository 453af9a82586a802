-- Every sound is made here, of sines and a little noise; none is a file.

local rate = 22050
local sound = {on = true}

-- A source of so many seconds; `wave` answers a sample for a time.
local function made(seconds, wave)
  local data = love.sound.newSoundData(math.floor(seconds * rate), rate, 16, 1)
  for at = 0, data:getSampleCount() - 1 do
    local t = at / rate
    data:setSample(at, math.max(-1, math.min(1, wave(t) * math.min(1, t / 0.004) * math.min(1, (seconds - t) / 0.02))))
  end
  return love.audio.newSource(data, "static")
end

local function tone(frequency, t) return math.sin(2 * math.pi * frequency * t) end
local function note(step) return 440 * 2 ^ (step / 12) end
local scale = {0, 2, 4, 7, 9, 12, 14, 16, 19, 21, 24}

-- Notes one after the other, each dying away.
local function arpeggio(steps, each)
  return made(each * #steps + 0.35, function(t)
    local sum = 0
    for at, step in ipairs(steps) do
      local since = t - (at - 1) * each
      if since > 0 then sum = sum + (tone(note(step), since) + 0.3 * tone(note(step + 12), since)) * math.exp(-since * 9) end
    end
    return sum * 0.22
  end)
end

function sound.load()
  if not love.audio then return end
  sound.right = {}
  for at, step in ipairs(scale) do
    sound.right[at] = made(0.3, function(t) return (tone(note(step), t) + 0.4 * tone(2 * note(step), t)) * math.exp(-t * 14) * 0.3 end)
  end
  sound.wrong = made(0.5, function(t) return (tone(110 - 60 * t, t) + 0.5 * tone(117 - 60 * t, t)) * math.exp(-t * 5) * 0.4 end)
  sound.click = made(0.06, function(t) return tone(880, t) * math.exp(-t * 70) * 0.25 end)
  sound.cover = made(0.14, function(t) return (love.math.noise(t * 4000) * 2 - 1) * math.exp(-t * 30) * 0.12 end)
  sound.unlock = arpeggio({0, 4, 7, 12, 16}, 0.09)
  sound.bought = arpeggio({7, 12, 19}, 0.07)
  -- Four chords of two bars each, as a bed under the game.
  local chords = {{-24, -12, -8, -5}, {-27, -15, -12, -8}, {-19, -12, -7, -3}, {-17, -10, -5, -1}}
  sound.music = made(16, function(t)
    local chord, since = chords[math.floor(t / 4) % 4 + 1], t % 4
    local sum, swell = 0, math.min(1, since) * math.min(1, (4 - since) * 2)
    for _, step in ipairs(chord) do sum = sum + tone(note(step), t) end
    local beat = t % 0.5
    local high = chord[math.floor(t * 2) % 3 + 2] + 24
    return sum * swell * 0.035 + tone(note(high), beat) * math.exp(-beat * 8) * 0.05
  end)
  sound.music:setLooping(true)
end

-- Plays one of the above; `at` chooses among several.
function sound.play(name, at)
  local source = sound[name]
  if not sound.on or not source then return end
  if type(source) == "table" then source = source[math.min(#source, at or 1)] end
  source:stop()
  source:play()
end

-- Follows the settings: sound off is silence, music only where the game has it on.
function sound.follow(on, music)
  sound.on = on
  if not sound.music then return end
  local playing = sound.music:isPlaying()
  if on and music and not playing then sound.music:play() elseif playing and not (on and music) then sound.music:pause() end
end

return sound
