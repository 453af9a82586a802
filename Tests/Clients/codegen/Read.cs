// Compares what generated code reads from its embedded image with what it falls back on.
using System;
using System.Reflection;
using GameConf;

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
            var read = new Game(game, image: image, offline: true);
            object with = Activator.CreateInstance(type, read), without = Activator.CreateInstance(type, new Game(game, offline: true));
            int count = 0;
            foreach (var property in type.GetProperties(BindingFlags.Public | BindingFlags.Instance | BindingFlags.DeclaredOnly))
            {
                object one = property.GetValue(with, null), other = property.GetValue(without, null);
                if (one is double) { one = BitConverter.DoubleToInt64Bits((double)one); other = BitConverter.DoubleToInt64Bits((double)other); }
                Check(one.Equals(other), game + ": " + property.Name + " is " + one + " with the image and " + other + " without");
                count++;
            }
            // 6 is another type than the key has, 7 a key that the image has not.
            foreach (var change in read.Update()) Check(change.Kind != 6 && change.Kind != 7, game + ": " + change.Name + " is not in the image");
            Check(count > 0, game + ": no keys");
            Console.WriteLine("codegen: " + game + " in C#: " + count + " keys as their image has them");
            games++;
        }
        var known = new Hostile.Config(new Game("hostile", offline: true));
        Check(known.Class && known.Default == long.MaxValue && known.End == long.MinValue && known.Self == 1e308, "what is known is otherwise");
        Check(1 / known.Self_2 < 0 && known._1up == double.Epsilon, "what is known of doubles is otherwise");
        Check(known.AB2 == "", "what is known of texts is otherwise");
        Check(games > 0, "there is no game");
    }
}
