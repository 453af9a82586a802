// JSON pointers (RFC 6901), which name a position inside a value.

/// Builds and parses JSON pointers (RFC 6901).
public enum JSONPointer {
  /// The size limit of a member's name in a pointer, in bytes. A longer name is cut and ends in `…`.
  public static let nameBytesMax = 256

  /// Returns a name as a reference token, with `~` written as `~0` and `/` as `~1`.
  public static func escaped(_ name: String) -> String {
    let shown = clipped(name)
    guard shown.utf8.contains(where: { $0 == UInt8(ascii: "~") || $0 == UInt8(ascii: "/") }) else { return shown }
    var text = ""
    for scalar in shown.unicodeScalars {
      switch scalar {
      case "~": text += "~0"
      case "/": text += "~1"
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text
  }

  /// Returns the name that a reference token represents; nil if a `~` is not followed by `0` or `1`.
  public static func unescaped(_ step: some StringProtocol) -> String? {
    var name = String.UnicodeScalarView()
    var scalars = step.unicodeScalars.makeIterator()
    while let scalar = scalars.next() {
      guard scalar == "~" else {
        name.append(scalar)
        continue
      }
      switch scalars.next() {
      case "0": name.append("~")
      case "1": name.append("/")
      default: return nil
      }
    }
    return String(name)
  }

  /// Appends the name of an object's member to a pointer.
  public static func appending(_ name: String, to pointer: String) -> String { pointer + "/" + escaped(name) }

  /// Appends the index of a list's element to a pointer.
  public static func appending(_ index: Int, to pointer: String) -> String { pointer + "/" + String(index) }

  /// Returns the names of a pointer's reference tokens; nil if the pointer is malformed.
  public static func steps(of pointer: some StringProtocol) -> [String]? {
    if pointer.isEmpty { return [] }
    guard pointer.unicodeScalars.first == "/" else { return nil }
    var steps: [String] = []
    for part in pointer.unicodeScalars.dropFirst().split(separator: "/", omittingEmptySubsequences: false) {
      guard let name = unescaped(String(String.UnicodeScalarView(part))) else { return nil }
      steps.append(name)
    }
    return steps
  }

  /// Returns the name, cut to a size in bytes without splitting a character.
  static func clipped(_ name: String, bytesMax: Int = nameBytesMax) -> String {
    guard name.utf8.count > bytesMax else { return name }
    var shown = String.UnicodeScalarView()
    var bytes = 0
    for scalar in name.unicodeScalars {
      bytes += UTF8.width(scalar)
      if bytes > bytesMax { break }
      shown.append(scalar)
    }
    return String(shown) + "…"
  }
}

extension Value {
  /// Returns the value at a JSON pointer; nil if the pointer is malformed or no value is at its position.
  public func value(at pointer: some StringProtocol) -> Value? {
    guard let steps = JSONPointer.steps(of: pointer) else { return nil }
    var value = self
    for step in steps {
      switch value {
      case .object(let object):
        guard let member = object[step] else { return nil }
        value = member
      case .list(let elements):
        guard let index = Int(step), String(index) == step, elements.indices.contains(index) else { return nil }
        value = elements[index]
      default: return nil
      }
    }
    return value
  }
}
