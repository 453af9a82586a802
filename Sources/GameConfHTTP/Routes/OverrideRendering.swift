// Overrides, authors and audit lines in the form of the HTTP answers, with secrets masked.

internal import GameConfAPI
internal import GameConfCore
internal import GameConfEngine
import GameConfStorage

extension Author {
  var wire: WireAuthor { WireAuthor(uid: Int64(uid), name: name, pid: pid.map(Int64.init)) }
}

extension OverrideRecord {
  /// Returns the override; its value is null if the key is hidden.
  func wire(hiding hidden: HiddenKeys) -> WireOverride {
    let isHidden = hidden.contains(slot.key)
    return WireOverride(
      key: slot.key, player: slot.player, value: isHidden ? .null : value,
      window: window.map { WireWindow(id: $0.id, from: $0.from, until: $0.until) }, author: author.wire, at: at, reason: reason,
      revision: revision, quarantined: isHidden ? quarantined.map { _ in SecretReaders.hiddenFault } : quarantined)
  }
}

extension ValueInForce {
  /// Returns the value in force; null if the key is hidden, except for the value that the caller has just set.
  /// - Parameter own: The revision of the caller's own change.
  func wire(hiding hidden: HiddenKeys, besides own: Int64) -> WireInForce {
    let isHidden = hidden.contains(slot.key) && record?.revision != own
    var answer = WireInForce(
      key: slot.key, player: slot.player, value: isHidden ? .null : value, source: layer.rawValue, why: why)
    answer.isMasked = isHidden
    answer.window = record?.window.map { WireWindow(id: $0.id, from: $0.from, until: $0.until) }
    answer.author = record?.author.wire
    answer.until = until
    return answer
  }
}

extension AuditRecord {
  /// Returns the audit line; its values are null if the key is hidden.
  func wire(hiding hidden: HiddenKeys) -> AuditEntry {
    let isHidden = key.map(hidden.contains) ?? false
    // The reason for which a value was quarantined may quote the value.
    let reason = isHidden && action == .overrideQuarantined ? SecretReaders.hiddenFault : reason
    return AuditEntry(
      id: id, at: at, author: author.wire, action: action.rawValue, game: game, key: key, player: player, window: window,
      before: isHidden ? before.map { _ in .null } : before, after: isHidden ? after.map { _ in .null } : after,
      detail: detail?.objectValue ?? ObjectValue(), reason: reason,
      revision: revision, revertedBy: revertedBy, reverts: reverts, session: session)
  }
}

extension SecretReaders {
  /// The text in place of a reason that may quote a secret.
  static let hiddenFault = "the catalog does not admit it"

  /// Returns the keys of a game whose values a client may not read.
  func hidden(from role: PeerRole, in game: GameSnapshot) -> HiddenKeys {
    admits(role, to: game.game) ? .none : .secrets(of: game)
  }
}

/// The keys whose values a client may not read.
struct HiddenKeys: Sendable {
  static let none = HiddenKeys(game: nil, isAll: false)
  /// Every key is hidden: for a game that is not served, because its secret keys are unknown.
  static let all = HiddenKeys(game: nil, isAll: true)

  private let game: GameSnapshot?
  private let isAll: Bool

  /// The secret keys, and keys that are no longer in the catalog, because they may have been secret.
  static func secrets(of game: GameSnapshot) -> HiddenKeys { HiddenKeys(game: game, isAll: false) }

  func contains(_ key: String) -> Bool { isAll || game.map { $0.table.entry(key)?.parameter.isSecret ?? true } ?? false }
}
