// A request of a call as its handler sees it: allowed, its query held against the declaration, its body read.

internal import GameConfAPI
internal import GameConfCore

/// One request of a call.
struct CallContext<Ask: CallBody>: Sendable {
  let call: Endpoint
  let request: Request
  let body: Ask

  var role: PeerRole { request.role }

  /// True if a flag is set.
  func flag(_ parameter: QueryParameter) -> Bool { request.query(parameter.name).flatMap(FlagText.read) ?? false }

  /// A whole number, or what is usual where there is none.
  func number(_ parameter: QueryParameter) -> Int64? {
    guard case .integer(_, let usual) = parameter.kind else { return nil }
    return request.query(parameter.name).flatMap { Int64($0) } ?? usual
  }

  /// An instant; nil where there is none.
  func instant(_ parameter: QueryParameter) -> Instant? { request.query(parameter.name).flatMap { try? Instant(parsing: $0) } }

  /// A text; never empty.
  func text(_ parameter: QueryParameter) -> String? { request.query(parameter.name) }

  /// A language tag as BCP 47 writes it, or `*` where that is taken; nil for a text that names no language.
  func locale(_ parameter: QueryParameter) -> String? {
    request.query(parameter.name).flatMap { text in parameter.namesLanguage(text) ? text == "*" ? text : LocaleTag.canonical(text) : nil }
  }

  /// True if a locale it gives names no language. Such an attribute is left out of what the answer is made by; the answer says so.
  var namesNoLanguage: Bool {
    for parameter in call.query {
      if case .locale = parameter.kind, let text = request.query(parameter.name), !parameter.namesLanguage(text) { return true }
    }
    return body.hasContext { context in
      guard let text = context["locale"]?.stringValue, text != "*" else { return false }
      return LocaleTag.canonical(text) == nil
    }
  }

  /// Texts separated by commas.
  func list(_ parameter: QueryParameter) -> [String]? {
    request.query(parameter.name).map { $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init) }
  }

  /// The value of a name in the path.
  func path(_ name: String) -> String { request.path(name) }

  var game: ServedGame { get throws(Problem) { try request.game() } }
}

/// The spellings of a flag.
enum FlagText {
  static func read(_ text: String) -> Bool? {
    switch text {
    case "true", "1": true
    case "false", "0": false
    default: nil
    }
  }
}

extension QueryParameter {
  /// Holds a text against what the parameter takes.
  func check(_ text: String) throws(Problem) {
    func refuse(_ words: String) -> Problem { .query(.malformedQueryParameter, name, "\(name) is “\(text)”; \(words).") }
    switch kind {
    case .flag: if FlagText.read(text) == nil { throw refuse("write true or false") }
    case .integer(let bounds, _):
      guard let number = Int64(text), bounds.contains(number) else {
        throw refuse("it takes a whole number from \(bounds.lowerBound)" + (bounds.upperBound < .max ? " to \(bounds.upperBound)" : " on"))
      }
    case .word(let words):
      guard words.contains(text) else {
        throw refuse(words.count == 1 ? "the only word it takes is \(words[0])" : "it takes \(words.joined(separator: ", "))")
      }
    case .text(let bytesMax):
      if let bytesMax, text.utf8.count > bytesMax || text.hasControlCharacter {
        throw .query(.malformedQueryParameter, name, "\(name) may have \(bytesMax) bytes and no control characters.")
      }
    case .instant:
      do throws(Fault) { _ = try Instant(parsing: text) } catch {
        throw refuse("it takes an instant such as 2026-12-01T00:00:00Z")
      }
    case .player: _ = try RequestCaller.player(text)
    case .storedPlayer: if !OverrideLimits.admits(storedPlayer: text) { throw RequestCaller.malformedPlayer(text) }
    case .locale, .list: break
    }
  }

  /// True if a text names a language, or all of them where that is taken.
  fileprivate func namesLanguage(_ text: String) -> Bool {
    if case .locale(everyLocale: true) = kind, text == "*" { return true }
    return LocaleTag.canonical(text) != nil
  }
}
