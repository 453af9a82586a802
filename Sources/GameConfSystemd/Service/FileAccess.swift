// The access rule for folders, settings files and key files. No other user may write them, nor read, own or replace a key file.

internal import Glibc

/// Checks who may access a file or folder that the process relies on.
public enum FileAccess {
  /// The kind of file, which decides how strict the check is.
  public enum CheckedFileKind: Sendable {
    case folder
    case settings
    case key
  }

  /// Returns the fault of a file's mode and the command that corrects it; nil if the mode is safe.
  public static func complaint(about path: String, as kind: CheckedFileKind, mode: UInt32) -> String? {
    let others = mode & 0o007
    let shown = "mode 0" + String(mode & 0o777, radix: 8)
    if others & 0o002 != 0 {
      return "every user may write \(kind == .folder ? "in it" : "it") (\(shown)); chmod \(kind == .key ? "o=" : "o-w") \(path)"
    }
    if kind == .key, others != 0 { return "every user may read it (\(shown)); chmod o= \(path)" }
    return nil
  }

  /// Returns the fault of the mode of the file at a path; nil if the mode is safe or the file does not exist.
  public static func complaint(about path: String, as kind: CheckedFileKind) -> String? {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    return complaint(about: path, as: kind, mode: status.st_mode)
  }

  /// Returns the fault of an open file's mode and, for a key, of its owner; nil if both are safe.
  public static func complaint(about path: String, as kind: CheckedFileKind, descriptor: Int32) -> String? {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return nil }
    return complaint(about: path, as: kind, mode: status.st_mode) ?? (kind == .key ? complaint(about: path, owner: status.st_uid) : nil)
  }

  /// Returns the fault by which another user could replace the key file at a path: an unsafe folder of the file, or of the file that a
  /// symbolic link names. Nil if both folders are safe.
  public static func complaint(aroundKey path: String) -> String? {
    var folders: [String] = []
    if let real = realpath(path, nil) {
      folders = [path, String(cString: real)].map(folder(of:))
      free(real)
    }
    for folder in folders {
      var status = stat()
      guard stat(folder, &status) == 0 else { continue }
      if let complaint = complaint(about: folder, as: .folder, mode: status.st_mode) ?? complaint(about: folder, owner: status.st_uid) {
        return "its folder \(folder) is not safe: \(complaint)"
      }
    }
    return nil
  }

  private static func folder(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// Returns the fault if the owner is neither root nor `user`, with the command that corrects it; nil otherwise.
  static func complaint(about path: String, owner: UInt32, user: UInt32 = geteuid()) -> String? {
    owner == 0 || owner == user ? nil : "the user \(owner) owns it, who may change it; chown \(user) \(path)"
  }
}
