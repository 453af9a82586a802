// Parses the settings of gameconf-fetch: the source of each game's template. All faults are reported with their positions.

import GameConfCore
import GameConfFormats

struct FetchSettings: Sendable {
  static let standardPath = "/etc/gameconfd/fetch.yaml"
  static let fileBytesMax = 1 << 20

  private(set) var sources: [FetchSource] = []
  private(set) var faults: [CatalogFault] = []
  private let document: SettingsFileContent?
  private let credentials: String?

  /// Parses a settings file.
  /// - Parameter credentials: The folder of systemd credentials, where a key file without a slash in its name is looked up.
  init(_ file: NamedFile, credentials: String?) {
    self.credentials = credentials
    let reading = SettingsFileContent.read(file)
    document = reading.settings
    faults = reading.faults
    if let document { read(document.value) }
  }

  private mutating func read(_ value: Value) {
    guard case .object(let top) = value else { return fault("", "The file must be a mapping with “games”.") }
    for name in top.names where name != "games" && !name.hasPrefix("x-") {
      fault(Self.pointer(name), "There is no setting “\(name)”; the only setting is “games”.")
    }
    guard let games = top["games"] else { return fault("", "The file lacks “games”: a mapping of each game's id to its source.") }
    guard case .object(let members) = games else { return fault("/games", "“games” must be a mapping of each game's id to its source.") }
    if members.members.count > FetchLimits.sourcesMax { fault("/games", "At most \(FetchLimits.sourcesMax) games may have a source.") }
    for member in members.members {
      let before = faults.count
      let source = source(of: member.name, member.value)
      if let source, faults.count == before { sources.append(source) }
    }
  }

  private static let names = [
    "https", "firebase", "project", "key", "base_url", "token_url", "interval", "timeout", "max_bytes", "ca_file", "proxy",
  ]
  private static let ofFirebase: Set<String> = ["project", "key", "base_url", "token_url"]

  private static func pointer(_ steps: String...) -> String {
    steps.map { "/" + $0.replacing("~", with: "~0").replacing("/", with: "~1") }.joined()
  }

  private mutating func fault(_ pointer: String, _ message: String) {
    if let document { faults.append(document.fault(at: pointer, message)) }
  }

  private mutating func source(of game: String, _ value: Value) -> FetchSource? {
    let place = Self.pointer("games", game)
    if let complaint = CatalogNames.complaint(about: game, as: .game) {
      fault(place, complaint)
      return nil
    }
    if case .list = value {
      fault(place, "A game has one source, not a list of them.")
      return nil
    }
    guard case .object(let members) = value else {
      fault(place, "A source is {https: ADDRESS} or {firebase: client or server, project: …, key: …}.")
      return nil
    }
    var texts: [String: String] = [:]
    for member in members.members where !member.name.hasPrefix("x-") {
      if !Self.names.contains(member.name) {
        fault(
          place + Self.pointer(member.name),
          "A source has no “\(member.name)”.\(NearestNames.hint(for: member.name, among: Self.names))")
      } else if case .string(let text) = member.value, !text.isEmpty {
        texts[member.name] = text
      } else {
        fault(place + Self.pointer(member.name), "“\(member.name)” takes one value.")
      }
    }
    guard let kind = kind(texts, at: place) else { return nil }
    var source = FetchSource(game: game, kind: kind)
    take(texts, into: &source, at: place)
    return source
  }

  private mutating func kind(_ texts: [String: String], at place: String) -> FetchSource.Kind? {
    switch (texts["https"], texts["firebase"]) {
    case (nil, nil):
      fault(place, "The source says neither “https” nor “firebase”.")
      return nil
    case (_?, _?):
      fault(place, "The game has two sources, “https” and “firebase”; it may have one.")
      return nil
    case (let text?, nil):
      for name in texts.keys.sorted() where Self.ofFirebase.contains(name) {
        fault(place + Self.pointer(name), "“\(name)” is for “firebase”, not for “https”.")
      }
      return address(text, at: place + "/https").map { .web($0) }
    case (nil, let text?):
      return firebase(text, texts, at: place).map { .firebase($0) }
    }
  }

  private mutating func firebase(_ word: String, _ texts: [String: String], at place: String) -> FirebaseSource? {
    guard let template = FirebaseSource.TemplateKind(rawValue: word) else {
      fault(place + "/firebase", "“firebase” is client or server: the project's template for clients or for servers.")
      return nil
    }
    guard let project = texts["project"], let key = texts["key"] else {
      fault(place, "“firebase” needs “project”, the project's id, and “key”, its service account's key.")
      return nil
    }
    guard project.utf8.count <= 64, project.utf8.allSatisfy({ Self.isPlain($0) }) else {
      fault(place + "/project", "A project's id has letters, digits and dashes, at most 64.")
      return nil
    }
    let base = address(texts["base_url"] ?? FirebaseSource.usualBase, at: place + "/base_url")
    let token = texts["token_url"].flatMap { address($0, at: place + "/token_url") }
    guard let keyFile = keyFile(key, at: place + "/key"), let base else { return nil }
    if base.text.hasSuffix("/") || base.text.contains("?") || base.text.contains("#") {
      fault(place + "/base_url", "A base ends without a slash and has no query.")
    }
    return FirebaseSource(template: template, project: project, keyFile: keyFile, base: base, tokenAddress: token)
  }

  /// Returns the path of a key file. The setting has an absolute path, or the name of a systemd credential.
  private mutating func keyFile(_ key: String, at place: String) -> String? {
    if key.hasPrefix("/") { return key }
    if key.contains("/") || key == "." || key == ".." {
      fault(place, "A key is an absolute path, or the name of a credential without a slash.")
      return nil
    }
    guard let credentials else {
      fault(place, "“\(key)” is the name of a credential, but systemd passes no credentials ($CREDENTIALS_DIRECTORY); see LoadCredential=.")
      return nil
    }
    return credentials + "/" + key
  }

  private mutating func take(_ texts: [String: String], into source: inout FetchSource, at place: String) {
    let isNear = source.isOnLoopback
    let least = isNear ? FetchLimits.loopbackIntervalMillisecondsMin : FetchLimits.intervalMillisecondsMin
    if let text = texts["interval"] {
      source.intervalMilliseconds =
        length(text, least...FetchLimits.intervalMillisecondsMax, "interval", place) ?? source.intervalMilliseconds
    }
    if let text = texts["timeout"] {
      let bounds = FetchLimits.timeoutMillisecondsMin...FetchLimits.timeoutMillisecondsMax
      source.timeoutMilliseconds = length(text, bounds, "timeout", place) ?? source.timeoutMilliseconds
    }
    if let text = texts["max_bytes"] {
      if let bytes = Int(text), (FetchLimits.bytesMin...FetchLimits.bytesMax).contains(bytes) {
        source.bytesMax = bytes
      } else {
        fault(place + "/max_bytes", "“max_bytes” is a number from \(FetchLimits.bytesMin) to \(FetchLimits.bytesMax).")
      }
    }
    if let path = texts["ca_file"] {
      if path.hasPrefix("/") { source.authoritiesFile = path } else { fault(place + "/ca_file", "“ca_file” is an absolute path.") }
    }
    if let text = texts["proxy"] { source.proxy = proxy(text, of: source, at: place + "/proxy") }
  }

  private mutating func length(_ text: String, _ bounds: ClosedRange<Int64>, _ name: String, _ place: String) -> Int64? {
    let (least, most) = (DurationText.text(milliseconds: bounds.lowerBound), DurationText.text(milliseconds: bounds.upperBound))
    do throws(Fault) {
      let length = try DurationText.milliseconds(in: text)
      if bounds.contains(length) { return length }
      fault(place + Self.pointer(name), "“\(name)” is from \(least) to \(most).")
    } catch { fault(place + Self.pointer(name), error.message) }
    return nil
  }

  private mutating func proxy(_ text: String, of source: FetchSource, at place: String) -> ProxyAddress? {
    guard source.isSecure else {
      fault(place, "“proxy” is for “https://”: a plain “http://” request never leaves this machine.")
      return nil
    }
    do throws(Fault) { return try ProxyAddress(text) } catch {
      fault(place, error.message.prefix(1).uppercased() + error.message.dropFirst() + ".")
      return nil
    }
  }

  private mutating func address(_ text: String, at place: String) -> WebAddress? {
    do throws(Fault) { return try WebAddress(text) } catch {
      fault(place, error.message.prefix(1).uppercased() + error.message.dropFirst() + ".")
      return nil
    }
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
      UInt8(ascii: "-"):
      true
    default: false
    }
  }
}

extension FetchSource {
  /// True if every request for the source is encrypted.
  fileprivate var isSecure: Bool {
    switch kind {
    case .web(let address): address.isSecure
    case .firebase(let firebase): firebase.base.isSecure && firebase.tokenAddress?.isSecure ?? true
    }
  }

  /// True if every request for the source goes to this host.
  fileprivate var isOnLoopback: Bool {
    switch kind {
    case .web(let address): address.isLoopback
    case .firebase(let firebase): firebase.base.isLoopback && firebase.tokenAddress?.isLoopback ?? false
    }
  }
}
