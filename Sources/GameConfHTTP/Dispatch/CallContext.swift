// A request for a handler: authorized, its query checked against the call's declaration, and its body decoded.

package import GameConfAPI
internal import GameConfCore

/// A request to an endpoint, with its query checked and its body decoded.
package struct CallContext<Ask: CallBody>: Sendable {
  let endpoint: Endpoint
  package let request: Request
  let body: Ask

  package var role: PeerRole { request.role }

  /// Returns the value of a Boolean parameter; false without it.
  package func flag(_ parameter: QueryParameter) -> Bool { request.query(parameter.name).flatMap(FlagText.read) ?? false }

  /// Returns the value of an integer parameter, or the declaration's default.
  package func number(_ parameter: QueryParameter) -> Int64? {
    guard case .integer(_, let usual) = parameter.kind else { return nil }
    return request.query(parameter.name).flatMap { Int64($0) } ?? usual
  }

  /// Returns the value of a time parameter; nil without it.
  func instant(_ parameter: QueryParameter) -> Instant? { request.query(parameter.name).flatMap { try? Instant(parsing: $0) } }

  /// Returns the value of a text parameter, which is never empty; nil without it.
  package func text(_ parameter: QueryParameter) -> String? { request.query(parameter.name) }

  /// Returns a language tag in BCP 47's canonical form, or `*` if the parameter allows it; nil if the text names no language.
  func locale(_ parameter: QueryParameter) -> String? {
    request.query(parameter.name).flatMap { text in parameter.namesLanguage(text) ? text == "*" ? text : LocaleTag.canonical(text) : nil }
  }

  /// True if a locale parameter names no language. The evaluation ignores it, and a header of the answer reports that.
  var namesNoLanguage: Bool {
    for parameter in endpoint.query {
      if case .locale = parameter.kind, let text = request.query(parameter.name), !parameter.namesLanguage(text) { return true }
    }
    return body.hasContext { context in
      guard let text = context["locale"]?.stringValue, text != "*" else { return false }
      return LocaleTag.canonical(text) == nil
    }
  }

  /// Returns the elements of a comma-separated parameter; nil without it.
  func list(_ parameter: QueryParameter) -> [String]? {
    request.query(parameter.name).map { $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init) }
  }

  /// Returns the decoded value of `{name}` in the endpoint's path.
  func path(_ name: String) -> String { request.path(name) }

  var game: ServedGame { get throws(Problem) { try request.game() } }
}

/// Parses Boolean parameters.
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

  /// True if a text names a language, or is `*` and the parameter allows it.
  fileprivate func namesLanguage(_ text: String) -> Bool {
    if case .locale(everyLocale: true) = kind, text == "*" { return true }
    return LocaleTag.canonical(text) != nil
  }
}
