// A game's configuration in C#: libgameconf by P/Invoke, without a thread and without waiting.
//
//   using (var game = new GameConf.Game("wheresthedot", player: "p1", cache: "save/")) {
//     while (running) {
//       foreach (var change in game.Update()) Console.WriteLine(change.Name);
//       double limit = game.Double("arcade_time_limit_base", 2.5);
//     }
//   }
using System;
using System.Collections.Generic;
using System.Runtime.InteropServices;
using System.Text;

namespace GameConf {
  public enum Source { Fallback, PlayerOverride, GameOverride, Setting, Remote, Default, Play }
  public enum State { None, Defaults, Cached, Live }

  [StructLayout(LayoutKind.Sequential)]
  public struct Info {
    public Source Source;
    public int Reason;
    public uint Flags, Type;
    public long Revision, NextChangeAt;
    internal IntPtr variant;
    internal UIntPtr length;
    ulong reserved0, reserved1;
  }

  [StructLayout(LayoutKind.Sequential)]
  struct Options {
    public UIntPtr size;
    public IntPtr game, player, locale, context, socket, cache, defaults;
    public UIntPtr defaultsSize;
    public uint flags;
    public IntPtr images;
  }

  [StructLayout(LayoutKind.Sequential)]
  struct RawChange {
    public int kind, oldSource, newSource;
    public uint flags;
    public IntPtr name;
    ulong reserved0, reserved1, reserved2;
  }

  [StructLayout(LayoutKind.Sequential)]
  struct RawAnswer {
    public long number;
    public int kind, status;
    public uint flags, length;
    public IntPtr player, body, context;
    ulong reserved0, reserved1;
  }

  [StructLayout(LayoutKind.Sequential)]
  public struct Status {
    internal UIntPtr size;
    public State State;
    public uint Queued, Answers, Views;
    public ulong Epoch;
    public long Revision, PlayerRevision, AgeMs, OfflineSinceMs;
    internal IntPtr lastError, client;
    [MarshalAs(UnmanagedType.I1)] public bool Pending;
    [MarshalAs(UnmanagedType.I1)] public bool QueueSurvives;
    public string LastError { get { return Text.From(lastError) ?? ""; } }
  }

  [StructLayout(LayoutKind.Sequential)]
  struct RawEvent {
    public UIntPtr size;
    public IntPtr name, mode, reason;
    public long score;
    [MarshalAs(UnmanagedType.I1)] public bool scored;
    public IntPtr details;
  }

  public struct Change {
    public int Kind;
    public string Name;
    public int OldSource, NewSource;
  }

  public struct Answer {
    public long Number;
    public int Kind, Status;
    public uint Flags;
    public string Player, Body;
  }

  static class Text {
    public static string From(IntPtr text) {
      if (text == IntPtr.Zero) return null;
      int length = 0;
      while (Marshal.ReadByte(text, length) != 0) length++;
      var bytes = new byte[length];
      Marshal.Copy(text, bytes, 0, length);
      return Encoding.UTF8.GetString(bytes);
    }
    // UTF-8 with a NUL behind it; the caller frees it.
    public static IntPtr Copy(string text) {
      if (text == null) return IntPtr.Zero;
      if (text.IndexOf('\0') >= 0) throw new ArgumentException("a text holds NUL");
      var bytes = Encoding.UTF8.GetBytes(text);
      var copy = Marshal.AllocHGlobal(bytes.Length + 1);
      Marshal.Copy(bytes, 0, copy, bytes.Length);
      Marshal.WriteByte(copy, bytes.Length, 0);
      return copy;
    }
  }

  // Belongs to the thread that calls Update.
  public sealed class Game : IDisposable {
    // Texts go as bytes with a NUL: Mono's own conversion of a string costs more than the value. Keys are converted once.
    const string L = "gameconf";
    [DllImport(L)] static extern int gameconf_open(out IntPtr gc, ref Options options);
    [DllImport(L)] static extern void gameconf_close(IntPtr gc);
    [DllImport(L)] static extern int gameconf_update(IntPtr gc);
    [DllImport(L)] static extern int gameconf_wait(IntPtr gc, int milliseconds);
    [DllImport(L)] static extern int gameconf_status(IntPtr gc, ref Status status);
    [DllImport(L)] static extern byte gameconf_bool(IntPtr gc, byte[] key, byte fallback);
    [DllImport(L)] static extern long gameconf_int(IntPtr gc, byte[] key, long fallback);
    [DllImport(L)] static extern double gameconf_double(IntPtr gc, byte[] key, double fallback);
    [DllImport(L)] static extern IntPtr gameconf_string(IntPtr gc, byte[] key, IntPtr fallback);
    [DllImport(L)] static extern IntPtr gameconf_daily_seed(IntPtr gc, byte[] key, byte[] salt);
    [DllImport(L)] static extern IntPtr gameconf_json(IntPtr gc, byte[] key, IntPtr fallback);
    [DllImport(L)] static extern byte gameconf_bool_info(IntPtr gc, byte[] key, byte fallback, out Info info);
    [DllImport(L)] static extern long gameconf_int_info(IntPtr gc, byte[] key, long fallback, out Info info);
    [DllImport(L)] static extern double gameconf_double_info(IntPtr gc, byte[] key, double fallback, out Info info);
    [DllImport(L)] static extern IntPtr gameconf_string_info(IntPtr gc, byte[] key, IntPtr fallback, out Info info);
    [DllImport(L)] static extern uint gameconf_find(IntPtr gc, byte[] key);
    [DllImport(L)] static extern double gameconf_double_at(IntPtr gc, uint key, double fallback);
    [DllImport(L)] static extern byte gameconf_next_change(IntPtr gc, out RawChange change);
    [DllImport(L)] static extern byte gameconf_next_answer(IntPtr gc, out RawAnswer answer);
    [DllImport(L)] static extern int gameconf_set_player(IntPtr gc, byte[] player);
    [DllImport(L)] static extern byte gameconf_theme_unlocked(IntPtr gc, byte[] theme, byte fallback, IntPtr info);
    [DllImport(L)] static extern byte gameconf_ad_free(IntPtr gc, byte fallback, IntPtr info);
    [DllImport(L)] static extern long gameconf_event(IntPtr gc, ref RawEvent given);
    [DllImport(L)] static extern long gameconf_setting(IntPtr gc, byte[] key, byte[] json);
    [DllImport(L)] static extern long gameconf_purchase(IntPtr gc, byte[] product, byte[] currency);

    IntPtr handle, defaults;
    readonly Dictionary<string, byte[]> keys = new Dictionary<string, byte[]>();

    public Game(string game, string player = null, string locale = null, string socket = null, string cache = null, byte[] image = null, bool offline = false) {
      var options = new Options { size = (UIntPtr)Marshal.SizeOf(typeof(Options)), flags = offline ? 1u : 0 };
      var copies = new List<IntPtr>();
      Func<string, IntPtr> copy = text => { var made = Text.Copy(text); copies.Add(made); return made; };
      try {
        options.game = copy(game);
        options.player = copy(player);
        options.locale = copy(locale);
        options.socket = copy(socket);
        options.cache = copy(cache);
        if (image != null) {
          // The library reads it where it lies, so it must not move.
          defaults = Marshal.AllocHGlobal(image.Length);
          Marshal.Copy(image, 0, defaults, image.Length);
          options.defaults = defaults;
          options.defaultsSize = (UIntPtr)image.Length;
        }
        int code = gameconf_open(out handle, ref options);
        if (code < 0) {
          Marshal.FreeHGlobal(defaults);
          throw new ArgumentException("gameconf_open: errno " + -code);
        }
      } finally {
        foreach (var made in copies) Marshal.FreeHGlobal(made);
      }
    }

    // Afterwards every value is its fallback.
    public void Dispose() {
      gameconf_close(handle);
      handle = IntPtr.Zero;
      Marshal.FreeHGlobal(defaults);
      defaults = IntPtr.Zero;
    }

    static byte[] Bytes(string text) { return text == null ? null : Encoding.UTF8.GetBytes(text + "\0"); }

    byte[] Key(string key) {
      byte[] bytes;
      if (!keys.TryGetValue(key, out bytes)) keys[key] = bytes = Bytes(key);
      return bytes;
    }

    public List<Change> Update() {
      gameconf_update(handle);
      return Changes();
    }

    // For loading screens and tools.
    public List<Change> Wait(int milliseconds) {
      gameconf_wait(handle, milliseconds);
      return Changes();
    }

    static readonly List<Change> nothing = new List<Change>();
    List<Change> Changes() {
      RawChange change;
      if (gameconf_next_change(handle, out change) == 0) return nothing;
      var changes = new List<Change>();
      do {
        changes.Add(new Change { Kind = change.kind, Name = Text.From(change.name), OldSource = change.oldSource, NewSource = change.newSource });
      } while (gameconf_next_change(handle, out change) != 0);
      return changes;
    }

    public bool Bool(string key, bool fallback) { return gameconf_bool(handle, Key(key), (byte)(fallback ? 1 : 0)) != 0; }
    public long Int(string key, long fallback) { return gameconf_int(handle, Key(key), fallback); }
    public double Double(string key, double fallback) { return gameconf_double(handle, Key(key), fallback); }
    public string String(string key, string fallback) { return Text.From(gameconf_string(handle, Key(key), IntPtr.Zero)) ?? fallback; }
    // A list or an object as compact JSON.
    /// <summary>The value of a key whose default is {daily_hash: salt}; without a daemon it is made from the salt.</summary>
    public string DailySeed(string key, string salt) { return Text.From(gameconf_daily_seed(handle, Key(key), Key(salt))); }
    public string Json(string key, string fallback) { return Text.From(gameconf_json(handle, Key(key), IntPtr.Zero)) ?? fallback; }
    public bool Bool(string key, bool fallback, out Info info) { return gameconf_bool_info(handle, Key(key), (byte)(fallback ? 1 : 0), out info) != 0; }
    public long Int(string key, long fallback, out Info info) { return gameconf_int_info(handle, Key(key), fallback, out info); }
    public double Double(string key, double fallback, out Info info) { return gameconf_double_info(handle, Key(key), fallback, out info); }
    public string String(string key, string fallback, out Info info) {
      return Text.From(gameconf_string_info(handle, Key(key), IntPtr.Zero, out info)) ?? fallback;
    }
    // A key looked up once costs less.
    public uint Find(string key) { return gameconf_find(handle, Key(key)); }
    public double DoubleAt(uint key, double fallback) { return gameconf_double_at(handle, key, fallback); }

    public bool ThemeUnlocked(string theme) { return gameconf_theme_unlocked(handle, Key(theme), 0, IntPtr.Zero) != 0; }
    public bool AdFree { get { return gameconf_ad_free(handle, 0, IntPtr.Zero) != 0; } }

    public Status Status {
      get {
        var status = new Status { size = (UIntPtr)Marshal.SizeOf(typeof(Status)) };
        gameconf_status(handle, ref status);
        return status;
      }
    }

    public void SetPlayer(string player) { Checked(gameconf_set_player(handle, Bytes(player))); }

    static long Checked(long number) {
      if (number < 0) throw new InvalidOperationException("errno " + -number);
      return number;
    }

    // Sent when the daemon can be reached, in order, once; its number comes back with the answer.
    public long Event(string name, string mode = null, long? score = null, string reason = null, string details = null) {
      var raw = new RawEvent {
        size = (UIntPtr)Marshal.SizeOf(typeof(RawEvent)), name = Text.Copy(name), mode = Text.Copy(mode), reason = Text.Copy(reason), score = score ?? 0,
        scored = score.HasValue, details = Text.Copy(details),
      };
      try {
        return Checked(gameconf_event(handle, ref raw));
      } finally {
        foreach (var text in new[] { raw.name, raw.mode, raw.reason, raw.details }) Marshal.FreeHGlobal(text);
      }
    }

    public long Setting(string key, string json) { return Checked(gameconf_setting(handle, Key(key), Bytes(json))); }
    public long Purchase(string product) { return Checked(gameconf_purchase(handle, Bytes(product), null)); }

    public List<Answer> Answers() {
      var answers = new List<Answer>();
      RawAnswer answer;
      while (gameconf_next_answer(handle, out answer) != 0)
        answers.Add(new Answer {
          Number = answer.number, Kind = answer.kind, Status = answer.status, Flags = answer.flags, Player = Text.From(answer.player), Body = Text.From(answer.body),
        });
      return answers;
    }
  }
}
