// The answer with every value of a game at one revision.

package import GameConfCore

/// Answer of `GET …/config`: every value of a game, or the requested ones, at one revision.
public struct ConfigAnswer: WireObject {
  /// The values, bare or with their sources.
  package enum ConfigValues: Sendable, Hashable {
    /// The values by key, in the catalog's order.
    case bare(ObjectValue)
    /// The values with their sources, for `?detail=full`. On the wire this is an object by key, and each entry also has its key.
    case full([ValueAnswer])
  }

  package var game = ""
  package var revision: Int64 = 0
  package var values = ConfigValues.bare(ObjectValue())
  package var degraded: [String] = []
  package var unknown: [String] = []

  package init() {}

  package init(game: String, revision: Int64, values: ConfigValues, degraded: [String] = [], unknown: [String] = []) {
    self.game = game
    self.revision = revision
    self.values = values
    self.degraded = degraded
    self.unknown = unknown
  }

  /// Reads the answer to a request with `?detail=full`. Other initializers expect values without sources.
  package init(fullWire: Value) throws(Fault) {
    try self.init(wire: fullWire)
    guard case .bare(let members) = values else { return }
    var answers: [ValueAnswer] = []
    for member in members.members {
      answers.append(try ValueAnswer(wire: member.value, at: "/values/" + JSONPointer.escaped(member.name)))
    }
    values = .full(answers)
  }

  package static var about: String { "Every value of a game at one revision." }

  package mutating func walk(_ fields: inout some FieldWalker) {
    fields.required("game", &game, "The game's id.")
    fields.required("revision", &revision, "The game's revision at which all of the values were read.")
    fields.required("values", &values, "Values by key; with detail=full each is an object like the answer for one key.", .parameterValues)
    fields.whenSet("degraded", &degraded, "The layers that could not be read.")
    fields.whenSet("unknown", &unknown, "The requested keys that the game does not have.")
  }
}

extension ConfigAnswer.ConfigValues: WireMember {
  package var memberValue: Value {
    switch self {
    case .bare(let values): .object(values)
    case .full(let answers): .object(ObjectValue(answers.map { ($0.key, $0.wire) }))
    }
  }

  package func append(to json: inout JSONBuilder) {
    guard case .full(let answers) = self else { return json.value(memberValue) }
    json.beginObject()
    for answer in answers {
      json.name(answer.key)
      answer.append(to: &json)
    }
    json.endObject()
  }

  package init(member value: Value) throws(Fault) { self = .bare(try ObjectValue(member: value)) }

  package static var memberSchema: Value { ["type": "object", "additionalProperties": [:]] }
}
