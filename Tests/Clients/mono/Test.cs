// The C# client: without a daemon from an embedded image; with one by values, infos, changes and events with their answers.
//
//   mono test.exe IMAGE [SOCKET]
using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.IO;
using System.Linq;
using System.Runtime.InteropServices;
using GameConf;

static class Test {
  [DllImport("empty")] static extern double empty(IntPtr gc, byte[] key, double fallback);

  static void Same(object found, object wanted, string what) {
    if (!Equals(found, wanted)) throw new Exception(what + " is " + found + " rather than " + wanted);
  }

  static void Offline(byte[] image) {
    using (var game = new Game("dots", player: "p1", socket: "/nowhere", image: image)) {
      Same(game.Int("lives", 1), 5L, "lives");
      Same(game.Double("speed", 0), 2.5, "speed");
      Same(game.Double("lives", 0), 5.0, "lives as a double");
      Same(game.Bool("shadows", false), true, "shadows");
      Same(game.String("title", ""), "Où est le point ?", "title");
      Same(game.Json("colours", ""), "[\"red\",\"blue\"]", "colours");
      Same(game.DoubleAt(game.Find("speed"), 0), 2.5, "speed by handle");
      Info info;
      game.Int("lives", 1, out info);
      Same(info.Source, Source.PlayerOverride, "the source of lives");
      Same(info.Revision, 42L, "the revision of lives");
      Same(game.Int("nothing", 9), 9L, "nothing");
      Same(game.Double("title", 0.5), 0.5, "title as a double");
      var told = game.Update().ToDictionary(change => change.Name, change => change.Kind);
      Same(told["nothing"], 7, "what is told of nothing");
      Same(told["title"], 6, "what is told of title");
      Same(game.Status.State, State.Defaults, "the state");
      Same(game.Event("game_over", mode: "classic", score: 0), 1L, "the first event's number");
      Same(game.Status.Queued, 1u, "what waits");
    }
    foreach (var bad in new[] { "", "a\nb", new string('x', 257) }) {
      bool refused = false;
      try { new Game("dots", player: bad, offline: true).Dispose(); } catch (ArgumentException) { refused = true; }
      Same(refused, true, "a bad player");
    }
    var closed = new Game("dots", offline: true, image: image);
    closed.Dispose();
    Same(closed.Int("lives", 7), 7L, "a value after the end");
    closed.Dispose();
  }

  // Waits for something; what changed meanwhile.
  static List<Change> Until(Game game, string what, Func<bool> condition) {
    var changes = new List<Change>();
    var clock = Stopwatch.StartNew();
    while (!condition()) {
      changes.AddRange(game.Wait(100));
      if (clock.Elapsed.TotalSeconds > 60) throw new Exception("not within a minute: " + what + "; " + game.Status.LastError);
    }
    return changes;
  }

  // Against a daemon with the shipped games.
  static void Live(string socket) {
    using (var game = new Game("wheresthedot", player: "mono", socket: socket)) {
      Until(game, "live", () => game.Status.State == State.Live);
      Info info;
      Same(game.Double("arcade_time_limit_base", 0, out info), 2.5, "the timer");
      Same(info.Source, Source.Default, "its source");
      Same(game.Double("arcade_time_limit_base", 0), 2.5, "the timer");
      game.Update();
      long setting = game.Setting("sound_enabled", "false");
      var answers = new List<Answer>();
      var changes = Until(game, "the setting", () => !game.Bool("sound_enabled", true));
      Same(changes.Any(change => change.Name == "sound_enabled" && change.NewSource == (int)Source.Setting), true, "the change of sound_enabled");
      long first = game.Event("game_over", mode: "classic", score: 30, reason: "timeUp");
      long second = game.Event("game_over", mode: "classic", score: 25, reason: "wrongTap");
      Until(game, "three answers", () => { answers.AddRange(game.Answers()); return answers.Count >= 3; });
      Same(string.Join(" ", answers.Select(answer => answer.Number)), setting + " " + first + " " + second, "the answers' numbers");
      Same(answers.All(answer => answer.Status == 200), true, "all answers are good");
      Same(answers[2].Body.Contains("\"lifetime_score\":55"), true, "the score " + answers[2].Body);
      Until(game, "forest", () => game.ThemeUnlocked("forest"));
      Same(game.AdFree, false, "free of ads");
      game.Purchase("removeads");
      Until(game, "free of ads", () => game.AdFree);
      game.SetPlayer("mono2");
      Same(game.ThemeUnlocked("forest"), false, "forest of another player");
    }
  }

  // What a value costs here, beside an empty C function called the same way; told, not judged: other programs run beside this one.
  static void Measure(byte[] image) {
    using (var game = new Game("dots", player: "p1", offline: true, image: image)) {
      const int rounds = 3000000;
      var name = System.Text.Encoding.UTF8.GetBytes("speed\0");
      double sum = 0;
      Func<Func<double>, double> cost = read => {
        for (int at = 0; at < 100000; at++) sum += read();
        var clock = Stopwatch.StartNew();
        for (int at = 0; at < rounds; at++) sum += read();
        return clock.Elapsed.TotalMilliseconds * 1e6 / rounds;
      };
      uint key = game.Find("speed");
      double byName = cost(() => game.Double("speed", 0)), byHandle = cost(() => game.DoubleAt(key, 0));
      double nothing = cost(() => empty(IntPtr.Zero, name, 0));
      Console.WriteLine("mono: all as it should be; a value by name {0:0} ns, by handle {1:0} ns, an empty C function {2:0} ns", byName, byHandle, nothing);
    }
  }

  static int Main(string[] arguments) {
    var image = File.ReadAllBytes(arguments[0]);
    Offline(image);
    if (arguments.Length > 1) Live(arguments[1]);
    Measure(image);
    return 0;
  }
}
