// A game of the soak in C#: mono soak.exe BOARD PLACE PLAYER SOCKET CACHE.
using System;
using System.Runtime.InteropServices;
using System.Text;
using GameConf;

static class Soak {
  [DllImport("soak")] static extern byte soak_open(byte[] board, int place);
  [DllImport("soak")] static extern byte soak_begin();
  [DllImport("soak")]
  static extern void soak_seen(int handle, int state, byte[] epoch, long revision, long queued, long beat, double still, byte[] label);
  [DllImport("soak")] static extern long soak_due();
  [DllImport("soak")] static extern void soak_recorded(long number, long score);
  [DllImport("soak")] static extern void soak_answer(long number, int status, byte[] body);
  [DllImport("soak")] static extern void soak_end();

  static byte[] Bytes(string text) { return Encoding.UTF8.GetBytes(text + "\0"); }

  static int Main(string[] given) {
    if (soak_open(Bytes(given[0]), int.Parse(given[1])) == 0) return 2;
    using (var own = new Game("soak", player: given[2], socket: given[3], cache: given[4]))
    using (var all = new Game("soak", socket: given[3])) {
      var handles = new[] { own, all };
      while (soak_begin() != 0) {
        for (int number = 0; number < 2; number++) {
          var game = handles[number];
          game.Update();
          var status = game.Status;
          soak_seen(number, (int)status.State, Bytes(status.Epoch.ToString()), status.Revision, status.Queued, game.Int("beat", -1),
            game.Double("still", -1), Bytes(game.String("label", "")));
        }
        foreach (var answer in own.Answers()) soak_answer(answer.Number, answer.Status, Bytes(answer.Body ?? ""));
        long score = soak_due();
        if (score > 0) soak_recorded(own.Event("game_over", mode: "classic", score: score), score);
        soak_end();
      }
    }
    return 0;
  }
}
