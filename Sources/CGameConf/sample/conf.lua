-- What LÖVE reads before it opens the window.
function love.conf(t)
  t.identity = "wheresthedot"
  t.window.title = "Where's The Dot"
  t.window.width, t.window.height = 1024, 640
  t.window.msaa = 4
  t.modules.physics, t.modules.joystick, t.modules.video, t.modules.thread = false, false, false, false
end
