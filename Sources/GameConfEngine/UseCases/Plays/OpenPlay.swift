// Opens a play, which pins the present values of keys for a player until the play is removed.
public import GameConfCore
public import GameConfStorage

/// The parameter values that a new play pins, evaluated and serialized before the writer's transaction.
public struct PlayContent: Sendable {
  /// The values with their keys, decoded.
  public let values: PinnedValues
  /// The values in stored form, from which ``digest`` is computed.
  public let bytes: [UInt8]
  /// The SHA-256 digest of ``bytes``, in hex.
  public let digest: String
  /// The game's revision at which the values were evaluated.
  public let revision: Int64
  /// The context of the call that opens the play.
  public let context: ObjectValue

  /// Creates the content from an evaluation's values, each in every language.
  /// - Parameters:
  ///   - keys: The keys to pin; nil for all of the game.
  ///   - pinsSecrets: True to pin secret keys too; false for callers who may not read them.
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
  /// Throws `.playTooLarge` or `.playContextTooLarge` if a size limit is exceeded.
  public func check() throws(ChangeRefusal) {
    if bytes.count > PlayLimits.pinnedBytesMax { throw .playTooLarge(bytes: bytes.count, max: PlayLimits.pinnedBytesMax) }
    let contextBytes = JSONWriter.bytes(.object(context)).count
    if contextBytes > PlayerLimits.contextBytesMax { throw .playContextTooLarge(bytes: contextBytes, max: PlayerLimits.contextBytesMax) }
  }
}

extension PlayerAct<StoredPlay> {
  /// Stores values as a new play of the player, durably.
  ///
  /// It throws `.tooManyOpenPlays` and `.userPlaysTooLarge`.
  /// - Parameters:
  ///   - content: The values, checked by ``PlayContent/check()``.
  ///   - play: The new play's unique id.
  ///   - userBytesMax: The quota of bytes for the plays that one user opened.
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
    line.detail = .object(play.detail)
    let changed = try commit(PlayerWrite(state: view.state), lines: [line], play)
    try transaction.add(play, of: self.id, values: content.bytes, pinning: content.values)
    try transaction.dropPlays(of: self.id, host: change.now)
    return changed
  }

  /// Refuses the play if it would exceed the user's quota of bytes. Pinned values that another play has already do not count again.
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
  /// The play's id, revision and number of keys in the form of the audit log.
  var detail: ObjectValue {
    ObjectValue([("play", .string(id)), ("revision", .integer(revision)), ("keys", .integer(Int64(keysCount)))])
  }
}
