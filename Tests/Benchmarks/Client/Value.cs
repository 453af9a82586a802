// What a value costs in Mono, beside an empty C function called the same way: mono value.exe IMAGE; the best of several rounds.
using System;
using System.Diagnostics;
using System.IO;
using System.Runtime.InteropServices;
using GameConf;

static class Value {
  [DllImport("empty")] static extern double empty(IntPtr gc, byte[] key, double fallback);

  static double Best(Func<double> read) {
    const int count = 1000000;
    double least = double.MaxValue, sum = 0;
    var me = Process.GetCurrentProcess();
    for (int round = 0; round < 7; round++) {
      me.Refresh();
      var start = me.TotalProcessorTime;
      for (int at = 0; at < count; at++) sum += read();
      me.Refresh();
      least = Math.Min(least, (me.TotalProcessorTime - start).TotalMilliseconds * 1e6 / count);
    }
    return sum < 0 ? -1 : least;
  }

  static int Main(string[] given) {
    using (var game = new Game("dots", player: "p1", offline: true, image: File.ReadAllBytes(given[0]))) {
      var key = game.Find("speed");
      var name = System.Text.Encoding.UTF8.GetBytes("speed\0");
      double nothing = Best(() => empty(IntPtr.Zero, name, 0));
      Tell("a value by name, Mono", Best(() => game.Double("speed", 0)), nothing);
      Tell("a value by handle, Mono", Best(() => game.DoubleAt(key, 0)), nothing);
    }
    return 0;
  }

  static void Tell(string what, double figure, double nothing) {
    Console.WriteLine("{0,-44} {1,8:0.0} ns  budget {2,6} ns  {3}  an empty C function {4,22:0.0}  ratio {5:0.00}", what, figure, 900,
      figure <= 900 ? "met   " : "MISSED", nothing, figure / nothing);
  }
}
