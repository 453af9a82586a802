// The JSON format of last-good.json.
import GameConfCore

enum LastGoodDocument {
  private static let version: Int64 = 1

  static func document(of lastGood: LastGoodState) -> Value {
    var document: ObjectValue = [
      "gameconfd_last_good": .integer(version),
      "saved_at_ms": .integer(lastGood.savedAt.milliseconds),
    ]
    for member in StateKinds.lastGood { document[member.name] = member.value(lastGood.state) }
    if let fleet = lastGood.fleet { document["fleet"] = .string(fleet) }
    return .object(document)
  }

  static func state(in document: Value) -> LastGoodState? {
    guard document["gameconfd_last_good"]?.integerValue == version, let saved = document["saved_at_ms"]?.instantValue else { return nil }
    var state = StoredState()
    for member in StateKinds.lastGood where !member.read(document[member.name], &state) { return nil }
    var lastGood = LastGoodState(savedAt: saved, state: state)
    lastGood.fleet = document["fleet"]?.stringValue
    return lastGood
  }
}
