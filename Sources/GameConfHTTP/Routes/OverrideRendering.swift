// Overrides, authors and audit lines as they go on the wire, secrets masked.

internal import GameConfAPI
internal import GameConfCore
internal import GameConfEngine
import GameConfStorage

extension Author {
  var wire: WireAuthor { WireAuthor(uid: Int64(uid), name: name, pid: pid.map(Int64.init)) }
}

extension OverrideRecord {
  /// The override; its value is null where the key is among those hidden from the caller.
  func wire(hiding hidden: HiddenKeys) -> WireOverride {
    let isHidden = hidden.contains(slot.key)
    return WireOverride(
      key: slot.key, player: slot.player, value: isHidden ? .null : value,
      window: window.map { WireWindow(id: $0.id, from: $0.from, until: $0.until) }, author: author.wire, at: at, reason: reason,
      revision: revision, quarantined: isHidden ? quarantined.map { _ in SecretReaders.hiddenFault } : quarantined)
  }
}

extension ValueInForce {
  /// The value in force; null where the key is among those hidden from the caller, unless the caller has just set it.
  /// - Parameter own: the revision of the caller's own change.
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
  /// The line; its values are null where the key is among those hidden from the caller.
  func wire(hiding hidden: HiddenKeys) -> AuditEntry {
    let isHidden = key.map(hidden.contains) ?? false
    // Why a value was refused may quote it.
    let reason = isHidden && action == .overrideQuarantined ? SecretReaders.hiddenFault : reason
    return AuditEntry(
      id: id, at: at, author: author.wire, action: action.rawValue, game: game, key: key, player: player, window: window,
      before: isHidden ? before.map { _ in .null } : before, after: isHidden ? after.map { _ in .null } : after,
      detail: detail?.objectValue ?? ObjectValue(), reason: reason,
      revision: revision, revertedBy: revertedBy, reverts: reverts, session: session)
  }
}

extension SecretReaders {
  /// The replacement of words that may quote a secret.
  static let hiddenFault = "the catalog does not admit it"

  /// The keys of a game whose values this caller may not see.
  func hidden(from role: PeerRole, in game: GameSnapshot) -> HiddenKeys {
    admits(role, to: game.game) ? .none : .secrets(of: game)
  }
}

/// Keys whose values somebody may not see.
struct HiddenKeys: Sendable {
  /// Nothing is hidden.
  static let none = HiddenKeys(game: nil, isAll: false)
  /// Everything is: of a game that is not served, nobody knows what is secret.
  static let all = HiddenKeys(game: nil, isAll: true)

  private let game: GameSnapshot?
  private let isAll: Bool

  /// The secret ones, and those that the catalog has no more: what was overridden there may have been secret.
  static func secrets(of game: GameSnapshot) -> HiddenKeys { HiddenKeys(game: game, isAll: false) }

  func contains(_ key: String) -> Bool { isAll || game.map { $0.table.entry(key)?.parameter.isSecret ?? true } ?? false }
}
