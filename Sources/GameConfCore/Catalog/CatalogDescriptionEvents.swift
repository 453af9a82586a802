// The JSON form of a catalog's events and leaderboards.

extension CatalogDescription {
  static func event(_ event: EventDefinition) -> Value {
    var object = ObjectValue()
    object["event"] = .string(event.name)
    object["reasons"] = texts(event.reasons)
    object["score"] = .bool(event.carriesScore)
    if event.isAnalytics { object["kind"] = "analytics" }
    if !event.modes.isEmpty { object["modes"] = texts(event.modes) }
    if !event.details.isEmpty { object["details"] = .object(ObjectValue(event.details.map { ($0.name, detail($0)) })) }
    if !event.bestBy.isEmpty { object["best_by"] = .string(event.bestBy.joined(separator: ".")) }
    object["history"] = event.history.map(number)
    if !event.checks.isEmpty { object["checks"] = .list(event.checks.map(check)) }
    return .object(object)
  }

  private static func check(_ check: EventCheck) -> Value {
    var object: ObjectValue = ["id": .string(check.id)]
    object["when"] = check.condition?.source
    object["require"] = check.require.source
    object["message"] = .string(check.message)
    return .object(object)
  }

  private static func detail(_ detail: EventDetail) -> Value {
    let admits = detail.admits
    var object = ObjectValue()
    object["type"] = .string(admits.type.rawValue)
    if detail.isOptional { object["optional"] = true }
    object["unit"] = admits.unit.map(Value.string)
    object["range"] = admits.range.map(range)
    object["enum"] = admits.allowed.map(Value.list)
    object["one_of"] = admits.oneOf.map(oneOf)
    object["pattern"] = admits.pattern.map { .string($0.source) }
    object["max_length"] = admits.lengthMax.map { .integer(Int64($0)) }
    object["schema"] = admits.schema?.source
    if !admits.description.isEmpty { object["description"] = .string(admits.description) }
    return .object(object)
  }

  static func leaderboard(_ board: Leaderboard) -> Value {
    var object = ObjectValue()
    object["id"] = .string(board.id)
    object["event"] = .string(board.event)
    object["mode"] = board.mode.map(Value.string)
    let per = board.per.map { key -> Value in ["parameter": .string(key)] }
    if !per.isEmpty { object["per"] = per.count == 1 ? per[0] : .list(per) }
    object["rows"] = number(board.rows)
    object["enabled"] = number(board.enabled)
    return .object(object)
  }
}
