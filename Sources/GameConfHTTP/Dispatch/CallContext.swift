// A request as a handler gets it: authorized, its query checked against the call's declaration, and its body decoded.

package import GameConfAPI
internal import GameConfCore

/// A request as the handler of a call gets it, with its query checked and its body decoded.
package struct CallContext<Ask: CallBody>: Sendable {
  let endpoint: Endpoint
  package let request: Request
  let body: Ask

  package var role: PeerRole { request.role }

  /// Returns the value of a Boolean query parameter; false if the request does not have it.
  package func flag(_ parameter: QueryParameter) -> Bool { request.query(parameter.name).flatMap(BooleanQueryParser.read) ?? false }

  /// Returns the value of an integer query parameter, or the declared default.
  package func number(_ parameter: QueryParameter) -> Int64? {
    guard case .integer(_, let usual) = parameter.kind else { return nil }
    return request.query(parameter.name).flatMap { Int64($0) } ?? usual
  }

  /// Returns the value of an instant's query parameter; nil if the request does not have it.
  func instant(_ parameter: QueryParameter) -> Instant? { request.query(parameter.name).flatMap { try? Instant(parsing: $0) } }

  /// Returns the text of a query parameter, which is never empty; nil if the request does not have it.
  package func text(_ parameter: QueryParameter) -> String? { request.query(parameter.name) }

  /// Returns the language tag in a query parameter, in BCP 47's canonical form, or `*` if the parameter allows it. Returns nil if the text
  /// names no language.
  func locale(_ parameter: QueryParameter) -> String? {
    request.query(parameter.name).flatMap { text in parameter.namesLanguage(text) ? text == "*" ? text : LocaleTag.canonical(text) : nil }
  }

  /// True if a locale in the request's query or body is not a valid language tag. The evaluation ignores the locale, and a header of the
  /// answer reports that.
  var namesNoLanguage: Bool {
    for parameter in endpoint.query {
      if case .locale = parameter.kind, let text = request.query(parameter.name), !parameter.namesLanguage(text) { return true }
    }
    return body.hasContext { context in
      guard let text = context["locale"]?.stringValue, text != "*" else { return false }
      return LocaleTag.canonical(text) == nil
    }
  }

  /// Returns the elements of a comma-separated query parameter; nil if the request does not have it.
  func list(_ parameter: QueryParameter) -> [String]? {
    request.query(parameter.name).map { $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init) }
  }

  /// Returns the decoded value of the variable `{name}` in the call's path.
  func path(_ name: String) -> String { request.path(name) }

  var game: ServedGame { get throws(Problem) { try request.game() } }
}

/// The parser of Boolean query parameters.
enum BooleanQueryParser {
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
    case .flag: if BooleanQueryParser.read(text) == nil { throw refuse("write true or false") }
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

  /// True if the text is a valid language tag, or `*` and the parameter allows it.
  fileprivate func namesLanguage(_ text: String) -> Bool {
    if case .locale(everyLocale: true) = kind, text == "*" { return true }
    return LocaleTag.canonical(text) != nil
  }
}
