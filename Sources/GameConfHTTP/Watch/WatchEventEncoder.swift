// Encodes the events of a watch as server-sent events with JSON data.

internal import GameConfAPI
internal import GameConfCore
internal import GameConfEngine

/// The encoder of server-sent events. It encodes an event without its id, because thousands of watchers get the same event with different
/// ids.
enum WatchEventEncoder {
  enum Kind: String { case state, change }

  /// Returns the line with the id, which is the first line of an event.
  static func id(_ position: WatchPosition) -> String { "id: \(position.text)\n" }

  /// Returns an event without the line with its id.
  static func event(
    _ kind: Kind, _ difference: WatchDifference, of game: GameSnapshot, showsValues: Bool, degraded: [Layer] = []
  ) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(128 + difference.values.count * 96)
    begin(kind, of: game, &bytes)
    if showsValues {
      if kind == .state || !difference.values.isEmpty {
        bytes += ",\"values\":{".utf8
        for (at, value) in difference.values.enumerated() {
          if at > 0 { bytes.append(UInt8(ascii: ",")) }
          append(value, to: &bytes)
        }
        bytes.append(UInt8(ascii: "}"))
      }
    } else if kind == .change, !difference.values.isEmpty {
      bytes += ",\"keys\":".utf8
      JSONWriter.append(.list(difference.values.map { .string($0.key) }), to: &bytes)
    }
    append(rest: difference, degraded, to: &bytes)
    return bytes
  }

  /// Returns a `state` event from values that are already encoded.
  static func state(
    values: (inout [UInt8]) -> Void, _ difference: WatchDifference, of game: GameSnapshot, degraded: [Layer]
  ) -> [UInt8] {
    var bytes: [UInt8] = []
    begin(.state, of: game, &bytes)
    bytes += ",\"values\":{".utf8
    values(&bytes)
    bytes.append(UInt8(ascii: "}"))
    append(rest: difference, degraded, to: &bytes)
    return bytes
  }

  /// Appends the JSON member `"key":{"value":…,"source":…,"reason":…}`.
  static func append(_ answer: EvaluatedValue, to bytes: inout [UInt8]) {
    JSONWriter.append(.string(answer.key), to: &bytes)
    bytes += ":{\"value\":".utf8
    JSONWriter.append(answer.value, to: &bytes)
    bytes += ",\"source\":\"\(answer.layer.rawValue)\",\"reason\":\"\(answer.resolution.reason.rawValue)\"".utf8
    if let variant = answer.resolution.variant {
      bytes += ",\"variant\":".utf8
      JSONWriter.append(.string(variant), to: &bytes)
    }
    bytes.append(UInt8(ascii: "}"))
  }

  private static func begin(_ kind: Kind, of game: GameSnapshot, _ bytes: inout [UInt8]) {
    bytes += "event: \(kind.rawValue)\ndata: {\"game\":\"\(game.game)\",\"revision\":\(game.revision)".utf8
  }

  private static func append(rest difference: WatchDifference, _ degraded: [Layer], to bytes: inout [UInt8]) {
    var members = ObjectValue()
    if !difference.removed.isEmpty { members["removed"] = .list(difference.removed.map(Value.string)) }
    if let themes = difference.themes {
      members["themes"] = .object(
        ObjectValue(themes.map { ($0.id, .object(ObjectValue([("unlocked", .bool($0.isUnlocked))]))) }))
    }
    if let part = difference.entitlements { members["entitlements"] = part.entitlementsWire }
    if let ads = difference.ads {
      members["ads"] = .object(
        ObjectValue(
          ads.map { ($0.placement, .object(ObjectValue([("owed", .bool($0.isOwed)), ("forced", .bool($0.isForced))]))) }))
    }
    if !degraded.isEmpty { members["degraded"] = .list(degraded.map { .string($0.rawValue) }) }
    for member in members.members {
      bytes += ",\"\(member.name)\":".utf8
      JSONWriter.append(member.value, to: &bytes)
    }
    bytes += "}\n\n".utf8
  }
}

extension WatchedPlayerPart {
  /// The player's active entitlements by id, as JSON.
  fileprivate var entitlementsWire: Value {
    var object = ObjectValue([("environment", .string(ShopTransaction.environment))])
    object["is_ad_free"] = .bool(isAdFree)
    object["held"] = .object(ObjectValue(held.map { ($0.id, $0.wire.wire) }))
    object["purchased"] = .object(ObjectValue(purchased.map { ($0.product, .bool($0.isPurchased)) }))
    return .object(object)
  }
}
