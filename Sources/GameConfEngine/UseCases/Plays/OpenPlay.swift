// Opens a play: pins what every key answers for a player now, for as long as the play is kept.
public import GameConfCore
public import GameConfStorage

/// The values that a play is to pin, read and written out before the writer's transaction.
public struct PlayContent: Sendable {
  /// The values.
  public let values: PinnedValues
  /// The values as they are kept.
  public let bytes: [UInt8]
  /// The SHA-256 digest of ``bytes``, in hex.
  public let digest: String
  /// The game's revision at which they were read.
  public let revision: Int64
  /// The context of the caller in the call.
  public let context: ObjectValue

  /// Reads the values of an evaluation that answers every language.
  /// - Parameters:
  ///   - keys: which; nil for all of the game.
  ///   - pinsSecrets: whether secret keys are pinned too; they never are for who may not read them.
  public init(of seen: Evaluation, keys: [String]?, pinsSecrets: Bool, context: ObjectValue) {
    let locales = seen.game.catalog.locales
    var pinned: [PinnedValue] = []
    for key in keys ?? seen.game.table.entries.map(\.parameter.key) {
      guard let answer = seen.answer(for: key), pinsSecrets || !answer.isSecret else { continue }
      let parameter = answer.entry.parameter
      pinned.append(
        PinnedValue(
          key: key, type: parameter.type, value: answer.value, texts: parameter.places(ofTextsIn: answer.value, locales: locales),
          layer: answer.layer, variant: answer.resolution.variant, isSecret: parameter.isSecret))
    }
    values = PinnedValues(pinned, locales: locales)
    bytes = values.encoded
    digest = SHA256.hex(SHA256.digest(of: bytes))
    revision = seen.game.revision
    self.context = context
  }
}

extension PlayContent {
  /// Throws `.playTooLarge` or `.playContextTooLarge` for what no play may pin.
  public func check() throws(ChangeRefusal) {
    if bytes.count > PlayLimits.pinnedBytesMax { throw .playTooLarge(bytes: bytes.count, max: PlayLimits.pinnedBytesMax) }
    let contextBytes = JSONWriter.bytes(.object(context)).count
    if contextBytes > PlayerLimits.contextBytesMax { throw .playContextTooLarge(bytes: contextBytes, max: PlayerLimits.contextBytesMax) }
  }
}

extension PlayerAct<StoredPlay> {
  /// Stores values under a new play of the player; the play and its values are durable then.
  ///
  /// It throws `.tooManyOpenPlays` and `.userPlaysTooLarge`.
  /// - Parameters:
  ///   - content: The values, which ``PlayContent/check()`` has admitted.
  ///   - play: The new play's id, unlike any other's.
  ///   - userBytesMax: The bytes that the plays that one user opened may take.
  public static func openPlay(_ content: PlayContent, as play: String, userBytesMax: Int64 = PlayLimits.userBytesMax) -> Self {
    Self { edit in try edit.open(content, as: play, userBytesMax: userBytesMax) }
  }
}

extension PlayerEdit {
  fileprivate func open(_ content: PlayContent, as id: String, userBytesMax: Int64) throws -> PlayerChangeOutcome<StoredPlay> {
    guard try transaction.playCounts(of: self.id).open < PlayLimits.openMax else {
      throw ChangeRefusal.tooManyOpenPlays(max: PlayLimits.openMax)
    }
    let play = StoredPlay(
      id: id, openedAt: view.now, revision: content.revision, keysCount: content.values.values.count, digest: content.digest,
      bytesCount: content.bytes.count, uid: change.author.uid, context: content.context)
    try admit(play, by: change.author.uid, bytesMax: userBytesMax)
    var line = line(.playOpened)
    line.detail = .object(play.told)
    let changed = try commit(PlayerWrite(state: view.state), lines: [line], play)
    try transaction.add(play, of: self.id, values: content.bytes, pinning: content.values)
    try transaction.dropPlays(of: self.id, host: change.now)
    return changed
  }

  /// Holds what a user's plays take against the limit; values that another play has already take nothing more.
  private func admit(_ play: StoredPlay, by uid: UInt32, bytesMax: Int64) throws {
    let taken = try transaction.playBytes(of: uid)
    if taken + play.chargedBytes <= bytesMax { return }
    let isKnown = try transaction.pinnedValues(play.digest) != nil
    if taken + (isKnown ? play.ownBytes : play.chargedBytes) > bytesMax {
      throw ChangeRefusal.userPlaysTooLarge(max: bytesMax)
    }
  }
}

extension StoredPlay {
  /// The play as the audit log describes it.
  var told: ObjectValue {
    ObjectValue([("play", .string(id)), ("revision", .integer(revision)), ("keys", .integer(Int64(keysCount)))])
  }
}
