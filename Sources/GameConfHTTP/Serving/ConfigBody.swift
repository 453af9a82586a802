// Writes the JSON of a game's values, or of some of them, for one caller.

internal import GameConfCore
internal import GameConfEngine
internal import GameConfServer

/// The buffer into which the answer `{"game":…,"revision":…,"values":{…}}` is written.
struct ConfigBody {
  private let served: ServedGame
  private let caller: Caller
  private let readsSecrets: Bool
  private var bytes: [UInt8]
  private let start: Int
  /// The earliest time at which one of the values may change without a new revision; nil if there is no such time.
  private(set) var nextChangeAt: Instant?
  /// True if one of the values may change at a time that cannot be predicted.
  private(set) var isTimeDependent = false
  /// The number of values that each layer gave.
  private(set) var layers: [Layer: Int] = [:]

  init(of served: ServedGame, for caller: Caller, readsSecrets: Bool) {
    self.served = served
    self.caller = caller
    self.readsSecrets = readsSecrets
    bytes = []
    bytes.reserveCapacity(served.members.bytes.count + 1_024)
    bytes += "{\"game\":\"\(served.snapshot.game)\",\"revision\":\(served.snapshot.revision),\"values\":{".utf8
    start = bytes.count
  }

  /// Appends the values of all keys, in the catalog's order.
  mutating func appendAll() {
    guard caller.overrides.isEmpty else {
      for at in served.snapshot.table.entries.indices { resolve(at) }
      return
    }
    for part in served.members.parts {
      switch part {
      case .ready(let run): append(served.members.bytes[run])
      case .open(let at): resolve(at)
      }
    }
    layers.merge(served.readyLayers, uniquingKeysWith: +)
  }

  mutating func append(_ entry: ParameterEntry) {
    guard let at = served.snapshot.table.position(of: entry.parameter.key) else { return }
    if caller.overrides.isEmpty, let member = served.members[at] {
      append(member)
      if let layer = entry.unchanging?.layer { layers[layer, default: 0] += 1 }
    } else {
      resolve(at)
    }
  }

  /// Completes the JSON and returns its bytes.
  /// - Parameters:
  ///   - degraded: The layers that could not be read from the database.
  ///   - unknown: The requested keys that the game's catalog does not declare.
  mutating func finish(degraded: [String], unknown: [String]) -> [UInt8] {
    bytes.append(UInt8(ascii: "}"))
    for (name, texts) in [("degraded", degraded), ("unknown", unknown)] where !texts.isEmpty {
      bytes += ",\"\(name)\":".utf8
      JSONWriter.append(.list(texts.map(Value.string)), to: &bytes)
    }
    bytes.append(UInt8(ascii: "}"))
    return bytes
  }

  /// True if the JSON exceeds the limit of an answer's bytes, or the rules exceed the limit of steps. No further values are appended then.
  var isOver: Bool { bytes.count > Answer.bodyBytesMax || caller.budget?.isExceeded == true }

  private mutating func resolve(_ at: Int) {
    if isOver { return }
    let entry = served.snapshot.table.entries[at]
    if entry.parameter.isSecret, !readsSecrets { return }
    guard let answer = served.snapshot.table.resolve(at: at, for: caller) else { return }
    if let change = answer.nextChangeAt { nextChangeAt = min(nextChangeAt ?? change, change) }
    if answer.isTimeDependent { isTimeDependent = true }
    layers[answer.layer, default: 0] += 1
    append(ServedGame.encoded(entry.parameter.key, answer.value)[...])
  }

  private mutating func append(_ member: ArraySlice<UInt8>) {
    if isOver { return }
    if bytes.count > start { bytes.append(UInt8(ascii: ",")) }
    bytes += member
  }
}
