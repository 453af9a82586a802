// Compares what generated code reads from its embedded image with what it falls back on.
using System;
using System.Reflection;
using System.Runtime.InteropServices;
using System.Text;

// As much of the library as the generated code asks for.
public sealed class GameConf
{
    [StructLayout(LayoutKind.Sequential)]
    struct Options
    {
        public UIntPtr size;
        public IntPtr game, player, locale, context, socket, cache, defaults;
        public UIntPtr defaultsSize;
        public uint flags;
        public IntPtr images;
    }

    [DllImport("gameconf")] static extern int gameconf_open(out IntPtr gc, ref Options options);
    [DllImport("gameconf")] [return: MarshalAs(UnmanagedType.I1)]
    static extern bool gameconf_bool(IntPtr gc, byte[] key, [MarshalAs(UnmanagedType.I1)] bool fallback);
    [DllImport("gameconf")] static extern long gameconf_int(IntPtr gc, byte[] key, long fallback);
    [DllImport("gameconf")] static extern double gameconf_double(IntPtr gc, byte[] key, double fallback);
    [DllImport("gameconf")] static extern IntPtr gameconf_string(IntPtr gc, byte[] key, IntPtr fallback);
    [DllImport("gameconf")] static extern IntPtr gameconf_json(IntPtr gc, byte[] key, IntPtr fallback);

    readonly IntPtr handle;
    public int Found;

    public GameConf(string game, byte[] image)
    {
        var options = new Options { size = (UIntPtr)(uint)Marshal.SizeOf(typeof(Options)), flags = 1 };
        options.game = GCHandle.Alloc(Bytes(game), GCHandleType.Pinned).AddrOfPinnedObject();
        if (image != null)
        {
            options.defaults = GCHandle.Alloc(image, GCHandleType.Pinned).AddrOfPinnedObject();
            options.defaultsSize = (UIntPtr)(uint)image.Length;
        }
        if (gameconf_open(out handle, ref options) != 0) throw new Exception("gameconf_open");
    }

    static byte[] Bytes(string text) { return Encoding.UTF8.GetBytes(text + "\0"); }

    string Text(IntPtr text, string fallback)
    {
        if (text == IntPtr.Zero) return fallback;
        Found++;
        int length = 0;
        while (Marshal.ReadByte(text, length) != 0) length++;
        var bytes = new byte[length];
        Marshal.Copy(text, bytes, 0, length);
        return Encoding.UTF8.GetString(bytes);
    }

    public bool Bool(string key, bool fallback) { return gameconf_bool(handle, Bytes(key), fallback); }
    public long Int(string key, long fallback) { return gameconf_int(handle, Bytes(key), fallback); }
    public double Double(string key, double fallback) { return gameconf_double(handle, Bytes(key), fallback); }
    public string String(string key, string fallback) { return Text(gameconf_string(handle, Bytes(key), IntPtr.Zero), fallback); }
    public string Json(string key, string fallback) { return Text(gameconf_json(handle, Bytes(key), IntPtr.Zero), fallback); }
}

public static class Read
{
    static void Check(bool holds, string says)
    {
        if (holds) return;
        Console.Error.WriteLine("codegen: C#: " + says);
        Environment.Exit(1);
    }

    public static void Main()
    {
        int games = 0;
        foreach (var type in typeof(Read).Assembly.GetTypes())
        {
            if (type.Name != "Config" || type.GetField("Game") == null) continue;
            string game = (string)type.GetField("Game").GetRawConstantValue();
            var image = (byte[])type.Assembly.GetType(type.Namespace + ".Defaults").GetField("Image").GetValue(null);
            var read = new GameConf(game, image);
            object with = Activator.CreateInstance(type, read), without = Activator.CreateInstance(type, new GameConf(game, null));
            int texts = 0, count = 0;
            foreach (var property in type.GetProperties(BindingFlags.Public | BindingFlags.Instance | BindingFlags.DeclaredOnly))
            {
                object one = property.GetValue(with, null), other = property.GetValue(without, null);
                if (one is double) { one = BitConverter.DoubleToInt64Bits((double)one); other = BitConverter.DoubleToInt64Bits((double)other); }
                Check(one.Equals(other), game + ": " + property.Name + " is " + one + " with the image and " + other + " without");
                if (one is string) texts++;
                count++;
            }
            Check(count > 0 && texts == read.Found, game + ": " + (texts - read.Found) + " texts are not in the image");
            Console.WriteLine("codegen: " + game + " in C#: " + count + " keys as their image has them");
            games++;
        }
        var known = new Hostile.Config(new GameConf("hostile", null));
        Check(known.Class && known.Default == long.MaxValue && known.End == long.MinValue && known.Self == 1e308, "what is known is otherwise");
        Check(1 / known.Self_2 < 0 && known._1up == double.Epsilon, "what is known of doubles is otherwise");
        Check(known.AB2 == "", "what is known of texts is otherwise");
        Check(games > 0, "there is no game");
    }
}
