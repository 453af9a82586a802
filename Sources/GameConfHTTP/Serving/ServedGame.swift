// A game's snapshot, with the answers that can be encoded before a request.

internal import GameConfAPI
internal import GameConfCore
public import GameConfEngine
internal import GameConfServer

/// A game's snapshot, with the encoded bytes of all answers that change only with the revision.
public final class ServedGame: Sendable {
  /// The positions that encoded answers refer to: of their route in the router, of evaluation counters, and of keys in ``ReadMarks``.
  struct EncodingPositions: Sendable {
    /// The position in the router of the route that reads one value.
    let valueRoute: Int
    let tallies: EvaluationTallies
    let positions: ReadPositions
  }

  /// The game's snapshot whose answers are encoded.
  public let snapshot: GameSnapshot
  let ready: PrecomputedAnswerGroup
  /// The encoded members of the values that are the same for every caller.
  let members: ReadyMembers
  /// The number of values in ``members`` that each layer gave.
  let readyLayers: [Layer: Int]
  /// The positions in ``ReadMarks`` at which reads of the game's keys are recorded.
  let marks: GameReadPositions
  let hasSecrets: Bool
  let catalog: EncodedCatalog

  init(_ snapshot: GameSnapshot, _ encoding: EncodingPositions) {
    self.snapshot = snapshot
    members = ReadyMembers(snapshot.table.entries.map(Self.member))
    readyLayers = Self.layers(of: snapshot)
    hasSecrets = snapshot.catalog.parameters.contains(where: \.isSecret)
    catalog = EncodedCatalog(snapshot.catalog)
    let marks = encoding.positions.positions(of: snapshot)
    self.marks = marks
    ready = PrecomputedAnswerGroup(
      revision: UInt64(clamping: snapshot.revision),
      snapshot.table.entries.enumerated().compactMap { at, entry in
        Self.readyAnswer(entry, mark: marks.key(at: at), game: snapshot.game, encoding)
      })
  }

  /// Encodes the values that differ from another snapshot of the same catalog, and copies the other bytes.
  init(_ snapshot: GameSnapshot, since other: ServedGame, _ encoding: EncodingPositions) {
    self.snapshot = snapshot
    hasSecrets = other.hasSecrets
    catalog = other.catalog
    marks = other.marks
    readyLayers = Self.layers(of: snapshot)
    var members: [Int: [UInt8]?] = [:]
    var answers: [ReadyAnswer] = []
    var gone: Set<String> = []
    for (at, entry) in snapshot.table.entries.enumerated() where entry !== other.snapshot.table.entries[at] {
      members.updateValue(Self.member(entry), forKey: at)
      if let answer = Self.readyAnswer(entry, mark: marks.key(at: at), game: snapshot.game, encoding) {
        answers.append(answer)
      } else {
        gone.insert(Self.target(entry.parameter.key, of: snapshot.game))
      }
    }
    self.members = other.members.replacing(members)
    ready = other.ready.replacing(revision: UInt64(clamping: snapshot.revision), answers, removing: gone)
  }

  private static func layers(of snapshot: GameSnapshot) -> [Layer: Int] {
    var layers: [Layer: Int] = [:]
    for entry in snapshot.table.entries where !entry.parameter.isSecret {
      if let layer = entry.unchanging?.layer { layers[layer, default: 0] += 1 }
    }
    return layers
  }

  private static func target(_ key: String, of game: String) -> String { "/v1/games/\(game)/config/\(key)" }

  private static func member(_ entry: ParameterEntry) -> [UInt8]? {
    guard let answer = entry.unchanging, !entry.parameter.isSecret else { return nil }
    return encoded(entry.parameter.key, answer.value)
  }

  /// Returns the JSON member `"key":value`.
  static func encoded(_ key: String, _ value: Value) -> [UInt8] {
    var bytes: [UInt8] = []
    JSONWriter.append(.string(key), to: &bytes)
    bytes.append(UInt8(ascii: ":"))
    JSONWriter.append(value, to: &bytes)
    return bytes
  }

  private static func readyAnswer(_ entry: ParameterEntry, mark: Int, game: String, _ encoding: EncodingPositions) -> ReadyAnswer? {
    guard let answer = entry.unchanging, !entry.parameter.isSecret else { return nil }
    let wire = ValueAnswer(answer, of: entry, revision: entry.layers.revision).wire
    return ReadyAnswer(
      target: target(entry.parameter.key, of: game), answer: .json(wire), route: encoding.valueRoute,
      counts: AnswerCounterPositions(
        tally: encoding.tallies.position(game: game, layer: answer.layer), mark: mark,
        stamp: UInt32(truncatingIfNeeded: entry.layers.revision)))
  }
}

extension ValueAnswer {
  /// Removes everything from the answer that could reveal a secret value. The name of a variant may equal the value.
  mutating func mask() {
    value = .null
    variant = nil
    isMasked = true
  }

  init(_ answer: EvaluatedValue) { self.init(answer.resolution, of: answer.entry, revision: answer.revision) }

  init(_ answer: Resolution, of entry: ParameterEntry, revision: Int64) {
    self.init(
      key: entry.parameter.key, type: entry.parameter.type.rawValue, value: answer.value, source: answer.layer.rawValue,
      reason: answer.reason.rawValue, variant: answer.variant, revision: revision,
      metadata: entry.parameter.flagd?.metadata ?? ObjectValue(), nextChangeAt: answer.nextChangeAt,
      isTimeDependent: answer.isTimeDependent)
  }
}
