// Prevents error messages from quoting the values of secret parameters.

/// The regions of a catalog's files that contain values of secret parameters: their defaults, rules, lists, flags and schemas.
///
/// The faults of a catalog are public in the daemon's status. The code that finds a fault may quote a value without knowing whose value it
/// is. All faults pass through this type, which knows the secret regions.
struct SecretRegions {
  static let valueFields = ["default", "rules", "enum", "flagd", "schema"]

  private struct SecretRegion {
    var file: Int
    var offsets: Range<Int>
    var owner: String
  }

  private var parts: [SecretRegion] = []

  /// - Parameters:
  ///   - root: The catalog's syntax tree with drop-ins applied.
  ///   - hasSecrets: True if any file contains the word `secret`. A parameter whose declaration is not a mapping of fields then counts as
  ///     secret.
  ///   - isUncertain: True if the parser lost a part of the text, in which any parameter may be declared secret.
  init(root: YAMLNode, hasSecrets: Bool, isUncertain: Bool) {
    let parameters = root["parameters"]?.value.entries ?? []
    // A region ends where the next field begins, in whatever mapping that field is.
    var starts: [Int: [Int]] = [:]
    for entry in (root.entries ?? []) + parameters + parameters.flatMap({ $0.value.entries ?? [] }) {
      starts[entry.namePlace.file, default: []].append(entry.namePlace.offset)
    }
    for file in starts.keys { starts[file]?.sort() }
    func add(_ place: TextPosition, of entry: YAMLEntry) {
      let end = starts[place.file]?.first { $0 > place.offset } ?? Int.max
      parts.append(SecretRegion(file: place.file, offsets: place.offset..<end, owner: entry.name))
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

  /// Returns the fault. Its message is replaced by a neutral one if it may quote a secret value.
  /// - Parameter ifQuoting: If true, messages without quotation marks are unchanged. It is true for the check of the whole catalog, which
  ///   itself takes care of secrets and quotes only names.
  func redacted(_ fault: TextFault, ifQuoting: Bool = false) -> TextFault {
    if ifQuoting, !fault.message.contains(where: { "“\"".contains($0) }) { return fault }
    guard let part = parts.first(where: { $0.file == fault.place.file && $0.offsets.contains(fault.place.offset) }) else { return fault }
    let message = "This value does not fit; “\(part.owner)” is or may be secret, so it is not quoted."
    return TextFault(place: fault.place, message: message)
  }

  /// True if the file contains the word `secret` anywhere.
  static func isSecret(_ text: [UInt8]) -> Bool {
    let word = Array("secret".utf8)
    guard text.count >= word.count else { return false }
    return (0...(text.count - word.count)).contains { at in text[at] == word[0] && text[at..<(at + word.count)].elementsEqual(word) }
  }

  /// Returns a fault of the YAML syntax without its quotations, because it is not known to which parameters they belong.
  static func unquoted(_ fault: TextFault) -> TextFault {
    var message = fault.message
    // A quotation may itself contain quotation marks. Everything between the first and the last mark of each kind is therefore removed.
    for (opening, closing) in [("“", "”"), ("\"", "\"")] as [(Character, Character)] {
      guard let first = message.firstIndex(of: opening) else { continue }
      let start = message.index(after: first)
      let end = message.lastIndex(of: closing).flatMap { $0 < start ? nil : $0 } ?? message.endIndex
      message.replaceSubrange(start..<end, with: "…")
    }
    return TextFault(place: fault.place, message: message)
  }

  /// True unless the field `secret` is plainly `false`, so that a malformed declaration counts as secret.
  private static func isSecret(_ parameter: YAMLNode) -> Bool {
    guard let entry = parameter["secret"] else { return false }
    if case .scalar("false", isQuoted: false) = entry.value.content { return false }
    return true
  }
}
