// Marks and cuts text that players wrote: an assistant reads it with its user's rights.

import GameConfCore

/// Marks the text of players in the answers about a game.
struct PlayersText: Equatable {
  /// The member that holds it.
  static let mark = "players_text"
  /// The longest piece, in characters. A player's id is never cut.
  static let charactersMax = 256

  private static let always: Set<String> = ["player", "from_player", "transferred_from", "details", "next_after"]

  /// The parameters whose values players choose.
  let settings: Set<String>

  init(settings: Set<String> = []) { self.settings = settings }

  /// The settings of a catalog's answer.
  init(catalog: Value) {
    let chosen = (catalog["parameters"]?.listValue ?? []).filter { $0["player_setting"] == .bool(true) }
    self.init(settings: Set(chosen.compactMap { $0["key"]?.stringValue }))
  }

  /// The answer with what players wrote as the only member of an object, cut.
  func marked(_ value: Value) -> Value {
    switch value {
    case .list(let values): .list(values.map(marked))
    case .object(let object):
      .object(
        ObjectValue(
          object.members.map { member in
            (
              member.name,
              Self.holdsText(member.value) && isPlayers(member, in: object) ? [Self.mark: Self.cut(member.value)] : marked(member.value)
            )
          }))
    default: value
    }
  }

  /// True if a member of the object is what a player wrote.
  private func isPlayers(_ member: ObjectValue.Member, in object: ObjectValue) -> Bool {
    switch member.name {
    case "context": object["player"] != nil
    case "state": object["play"] != nil
    case "settings": object["player"] != nil && object["settings"]?.objectValue != nil
    // Of a line of the audit log an object; of a best the player's words, joined.
    case "detail": object["action"] != nil || object["event"] != nil || object["is_best"] != nil
    case "before", "after": object["action"]?.stringValue?.hasPrefix("player.") ?? false
    case "value": Self.isSetting(object) || object["effective"] != nil
    case "effective", "pinned", "now": Self.isSetting(object)
    // In a map by key: the value, or an object that holds it.
    default: Self.always.contains(member.name) || settings.contains(member.name) && member.value["value"] == nil
    }
  }

  private static func isSetting(_ object: ObjectValue) -> Bool { object["source"] == "setting" || object["layer"] == "setting" }

  /// True unless it is numbers, switches and nothing, which say nothing to a reader.
  private static func holdsText(_ value: Value) -> Bool {
    switch value {
    case .string: true
    case .list(let values): values.contains(where: holdsText)
    case .object(let object): !object.isEmpty
    default: false
    }
  }

  /// The value with every text and name cut.
  private static func cut(_ value: Value) -> Value {
    switch value {
    case .string(let text): .string(cut(text))
    case .list(let values): .list(values.map(cut))
    case .object(let object): .object(ObjectValue(object.members.map { (cut($0.name), cut($0.value)) }))
    default: value
    }
  }

  private static func cut(_ text: String) -> String {
    text.unicodeScalars.count <= charactersMax ? text : String(String.UnicodeScalarView(text.unicodeScalars.prefix(charactersMax))) + "…"
  }
}
