// The JSON form of an override, for last-good.json and for the state that an undo restores.
public import GameConfCore

/// Converts an override to a value and back. Instants are milliseconds since 1970.
public enum OverrideDocument {
  /// Returns the document of an override. It has no members for a nil player, window, reason or quarantine.
  public static func document(of record: OverrideRecord) -> Value {
    var document = ObjectValue([("game", .string(record.slot.game)), ("key", .string(record.slot.key))])
    document["player"] = record.slot.player.map(Value.string)
    if let window = record.window {
      document["window"] = [
        "id": .string(window.id), "from_ms": .integer(window.from.milliseconds), "until_ms": .integer(window.until.milliseconds),
        "is_open": .bool(window.isOpen),
      ]
    }
    document["value"] = record.value
    document["author"] = author(record.author)
    document["reason"] = record.reason.map(Value.string)
    document["at_ms"] = .integer(record.at.milliseconds)
    document["revision"] = .integer(record.revision)
    document["quarantined"] = record.quarantined.map(Value.string)
    return .object(document)
  }

  /// Returns the override in a document; nil if the document is not one.
  public static func record(in document: Value) -> OverrideRecord? {
    guard let game = document["game"]?.stringValue, let key = document["key"]?.stringValue, let value = document["value"],
      let author = document["author"].flatMap(author(in:)), let at = document["at_ms"]?.instantValue,
      let revision = document["revision"]?.countValue
    else { return nil }
    var window: OverrideWindow?
    if let described = document["window"] {
      guard let id = described["id"]?.stringValue, let from = described["from_ms"]?.instantValue,
        let until = described["until_ms"]?.instantValue, let isOpen = described["is_open"]?.boolValue
      else { return nil }
      window = OverrideWindow(id: id, from: from, until: until, isOpen: isOpen)
    }
    return OverrideRecord(
      slot: OverrideSlot(game: game, player: document["player"]?.stringValue, key: key), window: window, value: value, author: author,
      reason: document["reason"]?.stringValue, at: at, revision: revision,
      quarantined: document["quarantined"]?.stringValue)
  }

  private static func author(_ author: Author) -> Value {
    var document = ObjectValue([("uid", .integer(Int64(author.uid))), ("name", .string(author.name))])
    document["pid"] = author.pid.map { .integer(Int64($0)) }
    return .object(document)
  }

  private static func author(in document: Value) -> Author? {
    guard let uid = document["uid"]?.integerValue.flatMap(UInt32.init(exactly:)), let name = document["name"]?.stringValue else {
      return nil
    }
    return Author(uid: uid, name: name, pid: document["pid"]?.integerValue.flatMap(Int32.init(exactly:)))
  }
}
