// Decodes the catalog's events, the checks of their details, and leaderboards.

import GameConfCore

extension CatalogDecoder {
  mutating func event(_ name: String, _ node: YAMLNode) -> EventDefinition {
    var event = EventDefinition(name: name, reasons: texts(node["reasons"]), carriesScore: boolean(node["score"]) ?? false)
    event.modes = texts(node["modes"])
    event.isAnalytics = text(node["kind"]) == CatalogFormat.analytics
    event.details = named(node["details"], nil) { decoder, name, node in
      EventDetail(decoder.detail(name, node), isOptional: decoder.boolean(node["optional"]) ?? false)
    }
    event.bestBy = text(node["best_by"])?.split(separator: ".", omittingEmptySubsequences: false).map(String.init) ?? []
    event.history = number(node["history"])
    event.checks = named(node["checks"], nil) { $0.check($1, $2) }
    return event
  }

  private mutating func check(_ id: String, _ node: YAMLNode) -> EventCheck? {
    var words = logic
    words.admitsFacts = true
    let condition = expression(node["when"], words)
    guard let require = expression(node["require"], words), let message = text(node["message"]) else { return nil }
    return EventCheck(id: id, condition: condition, require: require, message: message)
  }

  mutating func leaderboard(_ id: String, _ node: YAMLNode) -> Leaderboard? {
    guard let event = text(node["event"]) else { return nil }
    var board = Leaderboard(id: id, event: event, mode: text(node["mode"]))
    if let entry = node["per"] {
      board.per = (entry.value.elements ?? [entry.value]).compactMap { parameterReference($0) }
    }
    if let rows = number(node["rows"]) { board.rows = rows }
    if let enabled = switching(node["enabled"]) { board.enabled = enabled }
    return board
  }
}
