// The rule for the modes of folders, settings and keys: no other user may write them, and no other user may read a key.

internal import Glibc

/// Judges the mode of a file or folder that the process relies on.
public enum FileAccess {
  /// A thing that is relied on.
  public enum Kind: Sendable {
    case folder
    case settings
    case key
  }

  /// Returns what is wrong with a mode, and the command that corrects it; nil if nothing is.
  public static func complaint(about path: String, as kind: Kind, mode: UInt32) -> String? {
    let others = mode & 0o007
    let shown = "mode 0" + String(mode & 0o777, radix: 8)
    if others & 0o002 != 0 {
      return "every user may write \(kind == .folder ? "in it" : "it") (\(shown)); chmod \(kind == .key ? "o=" : "o-w") \(path)"
    }
    if kind == .key, others != 0 { return "every user may read it (\(shown)); chmod o= \(path)" }
    return nil
  }

  /// Returns what is wrong with the mode of the folder or file at a path; nil if nothing is, or if nothing is there.
  public static func complaint(about path: String, as kind: Kind) -> String? {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    return complaint(about: path, as: kind, mode: status.st_mode)
  }

  /// Returns what is wrong with the mode of an open file; nil if nothing is.
  public static func complaint(about path: String, as kind: Kind, descriptor: Int32) -> String? {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return nil }
    return complaint(about: path, as: kind, mode: status.st_mode)
  }
}
