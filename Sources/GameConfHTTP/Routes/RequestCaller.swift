// The caller for whom values are evaluated, as the request's query or body names it.

package import GameConfAPI
package import GameConfCore
package import GameConfEngine

package struct RequestCaller {
  /// The player, attributes and language of the caller.
  var context: EvaluationContext
  /// The requested keys; nil for all keys.
  var keys: [String]?

  /// Parses the query `?player= &locale= &keys=`.
  init(_ call: CallContext<NoBody>) throws(Problem) {
    let player = call.text(.player)
    let locale = call.locale(.anyLocale)
    var attributes = ObjectValue()
    if let locale, locale != "*" { attributes["locale"] = .string(locale) }
    context = EvaluationContext(player: player, attributes: attributes, locale: locale)
    context.playID = try Self.play(call.text(.play), of: player) { words in .query(.malformedQueryParameter, "play", words) }
    keys = call.list(.keys)
    if let (_, words) = keys.flatMap(Self.fault) { throw .query(.malformedQueryParameter, "keys", words) }
  }

  /// Returns the index of the first key that is repeated or beyond the maximum number of keys, with a sentence for the client. Such a key
  /// is refused, because each named key adds its whole value to the answer.
  static func fault(of keys: [String]) -> (at: Int, words: String)? {
    let keysMax = EvaluateRequest.keysMax
    if keys.count > keysMax { return (keysMax, "A request may name \(keysMax) keys, not \(keys.count).") }
    var seen: Set<ByteText> = []
    for (at, key) in keys.enumerated() where !seen.insert(ByteText(key)).inserted {
      return (at, "“\(key)” is named twice; name each key once.")
    }
    return nil
  }

  /// Parses the body `{player, context, play, keys}`.
  init(_ body: EvaluateRequest?) throws(Problem) {
    let body = body ?? EvaluateRequest()
    var player = try Self.player(body.player, pointer: "/player")
    if let key = body.context["targetingKey"] {
      guard let text = key.stringValue else {
        throw Problem(.malformedRequest, "targetingKey must be a string: the player's id.", pointer: "/context/targetingKey")
      }
      if let player, !ByteText.areSame(player, text) {
        throw Problem(
          .playersDiffer, "player is “\(player)” and context.targetingKey “\(text)”; give one, or the same twice.", pointer: "/player")
      }
      player = try Self.player(text, pointer: "/context/targetingKey")
    }
    context = try Self.context(player, body.context)
    context.playID = try Self.play(body.play, of: player) { words in Problem(.malformedRequest, words, pointer: "/play") }
    keys = body.keys
    if let (at, words) = keys.flatMap(Self.fault) { throw Problem(.malformedRequest, words, pointer: "/keys/\(at)") }
  }

  /// Returns the requested keys in the requested order, separated into known and unknown ones. A key may be unknown because the game is
  /// newer than its catalog. If `keys` is nil, it returns all keys in the catalog's order, followed by keys that only the play has.
  package static func keys(_ keys: [String]?, of seen: Evaluation) -> (known: [String], unknown: [String]) {
    guard let keys else { return (seen.game.table.entries.map(\.parameter.key) + seen.keysGone, []) }
    var (known, unknown): ([String], [String]) = ([], [])
    for key in keys {
      if seen.play?.values[key] != nil || seen.game.table.entry(key) != nil { known.append(key) } else { unknown.append(key) }
    }
    return (known, unknown)
  }

  /// Returns the player's id; nil without one. Throws if it is malformed.
  package static func player(_ text: String?, pointer: String? = nil) throws(Problem) -> String? {
    guard let text else { return nil }
    if OverrideLimits.admits(player: text) { return text }
    throw malformedPlayer(text, pointer: pointer)
  }

  /// Returns the problem of a malformed player id.
  static func malformedPlayer(_ text: String, pointer: String? = nil) -> Problem {
    let given = PercentEncoding.isFolded(text) ? "This one is “\(text)”." : "This one has \(text.utf8.count) bytes."
    return Problem(.malformedPlayerID, "\(OverrideLimits.playerForm) \(given)", pointer: pointer)
  }

  /// Creates a context for an evaluation. Its language is the attribute `locale`.
  package static func context(_ player: String?, _ attributes: ObjectValue) throws(Problem) -> EvaluationContext {
    let attributes = try canonical(attributes)
    return EvaluationContext(player: player, attributes: attributes, locale: attributes["locale"]?.stringValue)
  }

  /// Returns the attributes with `locale` in BCP 47's canonical form.
  /// - Parameters:
  ///   - pointer: The pointer to the attributes in the body.
  ///   - isStored: True if the attributes are to be stored; a locale that names no language then throws. Otherwise the locale is left out,
  ///     the answer is in the game's first language, and a header of the answer reports that.
  static func canonical(_ attributes: ObjectValue, at pointer: String = "/context", isStored: Bool = false) throws(Problem) -> ObjectValue {
    guard let locale = attributes["locale"], locale.stringValue != "*" else { return attributes }
    var canonical = attributes
    if let tag = locale.stringValue.flatMap(LocaleTag.canonical) {
      canonical["locale"] = .string(tag)
    } else if isStored || locale.stringValue == nil {
      throw Problem(.malformedRequest, "locale must be a language tag such as fr or fr-CA.", pointer: pointer + "/locale")
    } else {
      canonical["locale"] = nil
    }
    return canonical
  }

  /// Returns the play's id; nil without one. Throws if the request names no player, because a play belongs to a player.
  package static func play(_ id: String?, of player: String?, _ problem: (String) -> Problem) throws(Problem) -> String? {
    if id != nil, player == nil { throw problem("A play belongs to a player; name the player too.") }
    return id
  }
}

extension GameSnapshot {
  /// Returns the catalog's entry of a key.
  /// - Throws: `UNKNOWN_KEY`, with the most similar keys.
  func entry(_ key: String) throws(Problem) -> ParameterEntry {
    if let entry = table.entry(key) { return entry }
    let hint = NearestNames.hint(for: key, among: catalog.parameters.map(\.key))
    throw Problem(.unknownKey, "“\(key)” is not a parameter of \(game).\(hint)")
  }
}
