// Overrides, authors and rows of the audit log in the form of the HTTP answers, with secrets masked.

internal import GameConfAPI
internal import GameConfCore
internal import GameConfEngine
import GameConfStorage

extension Author {
  var wire: WireAuthor { WireAuthor(uid: Int64(uid), name: name, pid: pid.map(Int64.init)) }
}

extension OverrideRecord {
  /// Returns the override for an answer. Its value is null if the key is hidden from the client.
  func wire(hiding hidden: HiddenKeys) -> WireOverride {
    let isHidden = hidden.contains(slot.key)
    return WireOverride(
      key: slot.key, player: slot.player, value: isHidden ? .null : value,
      window: window.map { WireWindow(id: $0.id, from: $0.from, until: $0.until) }, author: author.wire, at: at, reason: reason,
      revision: revision, quarantined: isHidden ? quarantined.map { _ in SecretReaders.hiddenFault } : quarantined)
  }
}

extension ValueInForce {
  /// Returns the value in force for an answer. It is null if the key is hidden from the client, unless the client has just set it.
  /// - Parameter own: The revision of the client's own change.
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
  /// Returns the row of the audit log for an answer. Its values are null if the key is hidden from the client.
  func wire(hiding hidden: HiddenKeys) -> AuditEntry {
    let isHidden = key.map(hidden.contains) ?? false
    // The reason for a quarantine may quote the value.
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

  /// Returns the keys of a game whose values a client with this role may not read.
  func hidden(from role: PeerRole, in game: GameSnapshot) -> HiddenKeys {
    admits(role, to: game.game) ? .none : .secrets(of: game)
  }
}

/// The keys whose values a client may not read.
struct HiddenKeys: Sendable {
  static let none = HiddenKeys(game: nil, isAll: false)
  /// The set of all keys, for a game that is not served: its secret keys are unknown.
  static let all = HiddenKeys(game: nil, isAll: true)

  private let game: GameSnapshot?
  private let isAll: Bool

  /// Returns the secret keys of a game. Keys that are no longer in the catalog are among them, because they may have been secret.
  static func secrets(of game: GameSnapshot) -> HiddenKeys { HiddenKeys(game: game, isAll: false) }

  func contains(_ key: String) -> Bool { isAll || game.map { $0.table.entry(key)?.parameter.isSecret ?? true } ?? false }
}
