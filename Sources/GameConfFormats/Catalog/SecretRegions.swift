// The regions of a catalog's text that hold values which no message may quote.

/// The parts of a catalog's files in which values of secret parameters stand: their defaults, rules, lists, flags and schemas.
///
/// What is wrong with a catalog is shown to everybody who asks how the daemon is. Whatever finds something wrong says so in its own words, with
/// what it found; only here, where all of it comes by, is known whose value it is.
struct SecretRegions {
  /// The fields of a parameter in which its values stand.
  static let valueFields = ["default", "rules", "enum", "flagd", "schema"]

  private struct Part {
    var file: Int
    var offsets: Range<Int>
    var owner: String
  }

  private var parts: [Part] = []

  /// - Parameters:
  ///   - root: the catalog with its drop-ins.
  ///   - hasSecrets: whether a file says of anything that it is secret; what stands where a parameter's fields should may then be a secret too.
  ///   - isUncertain: whether text was lost in which it may say of any parameter that it is secret.
  init(root: YAMLNode, hasSecrets: Bool, isUncertain: Bool) {
    let parameters = root["parameters"]?.value.entries ?? []
    // A field ends where the next one begins, in whichever mapping.
    var starts: [Int: [Int]] = [:]
    for entry in (root.entries ?? []) + parameters + parameters.flatMap({ $0.value.entries ?? [] }) {
      starts[entry.namePlace.file, default: []].append(entry.namePlace.offset)
    }
    for file in starts.keys { starts[file]?.sort() }
    func add(_ place: TextPosition, of entry: YAMLEntry) {
      let end = starts[place.file]?.first { $0 > place.offset } ?? Int.max
      parts.append(Part(file: place.file, offsets: place.offset..<end, owner: entry.name))
    }
    for entry in parameters {
      guard let fields = entry.value.entries else {
        if hasSecrets { add(entry.value.place, of: entry) }
        continue
      }
      guard isUncertain || Self.isSecret(entry.value) else { continue }
      for field in fields where isUncertain || Self.valueFields.contains(field.name) { add(field.namePlace, of: entry) }
    }
  }

  /// The fault, without its words where they may quote a secret.
  /// - Parameter ifQuoting: leaves words that quote nothing: the check of the whole catalog knows of secrets, and what it quotes are names.
  func told(_ fault: TextFault, ifQuoting: Bool = false) -> TextFault {
    if ifQuoting, !fault.message.contains(where: { "“\"".contains($0) }) { return fault }
    guard let part = parts.first(where: { $0.file == fault.place.file && $0.offsets.contains(fault.place.offset) }) else { return fault }
    let message = "This value does not fit; “\(part.owner)” is or may be secret, so it is not quoted."
    return TextFault(place: fault.place, message: message)
  }

  /// True if a text says of anything that it is secret.
  static func isSecret(_ text: [UInt8]) -> Bool {
    let word = Array("secret".utf8)
    guard text.count >= word.count else { return false }
    return (0...(text.count - word.count)).contains { at in text[at] == word[0] && text[at..<(at + word.count)].elementsEqual(word) }
  }

  /// A fault of text that is no YAML, without what it quotes: whose value that is cannot be known.
  static func unquoted(_ fault: TextFault) -> TextFault {
    var message = fault.message
    // What is quoted may hold these marks itself: everything between the first and the last goes, for each of the two kinds.
    for (opening, closing) in [("“", "”"), ("\"", "\"")] as [(Character, Character)] {
      guard let first = message.firstIndex(of: opening) else { continue }
      let start = message.index(after: first)
      let end = message.lastIndex(of: closing).flatMap { $0 < start ? nil : $0 } ?? message.endIndex
      message.replaceSubrange(start..<end, with: "…")
    }
    return TextFault(place: fault.place, message: message)
  }

  /// Whatever is not plainly `false` may be meant as true.
  private static func isSecret(_ parameter: YAMLNode) -> Bool {
    guard let entry = parameter["secret"] else { return false }
    if case .scalar("false", isQuoted: false) = entry.value.content { return false }
    return true
  }
}
