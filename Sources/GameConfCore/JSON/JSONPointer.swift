// The place of something inside a value, as RFC 6901 writes it.

/// Writes and reads the steps of JSON pointers (RFC 6901).
public enum JSONPointer {
  /// The number of bytes of a name that a pointer shows; a longer one is cut and ends in `…`.
  public static let nameBytesMax = 256

  /// The name as a step of a pointer: `~` is written `~0`, `/` is written `~1`.
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

  /// The name a step stands for, or nil when a `~` is followed by neither `0` nor `1`.
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

  /// The pointer one step further in, to the member of that name.
  public static func appending(_ name: String, to pointer: String) -> String { pointer + "/" + escaped(name) }

  /// The pointer one step further in, to the element at that index.
  public static func appending(_ index: Int, to pointer: String) -> String { pointer + "/" + String(index) }

  /// The names of a pointer's steps, or nil when it is neither empty nor begins with `/`, or has a bad escape.
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

  /// The name, cut to ``nameBytesMax`` bytes.
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
  /// The value a JSON pointer leads to, or nil when it leads nowhere.
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
