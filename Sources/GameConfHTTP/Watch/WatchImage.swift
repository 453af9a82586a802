// Encodes the state and the changes of a watcher's values as images and patches.

internal import GameConfAPI
internal import GameConfCore
internal import GameConfEngine
import GameConfStorage

/// The encoder of a watcher's state and changes in the image format.
struct WatchImage {
  let epoch: UInt64
  /// The host's time when this encoder was created.
  let host: Instant
  let isFrozen: Bool

  init(epoch: UInt64, _ clock: any HostClock) {
    self.epoch = epoch
    host = clock.now
    isFrozen = clock.isFrozen
  }

  /// Returns the image of a caller's whole state; nil if it exceeds the limit.
  func whole(_ scope: WatchScope, _ state: WatchedState, bytesMax: Int = ImageWriter.bytesMax) -> [UInt8]? {
    let view = state.view(of: scope.context)
    let seen = state.evaluation(for: scope.context, view)
    return ImageWriter.bytes(content(scope.everything(of: state), scope, state, degraded: seen.degraded), limit: bytesMax)
  }

  /// Returns the patch for one caller. A patch without a player is valid for every caller who sees the same values, and does not change the
  /// player's data in the image.
  func patch(_ difference: WatchDifference, _ scope: WatchScope, _ state: WatchedState) -> [UInt8]? {
    let isTroubled = scope.context.player != nil && state.player == nil
    var content = content(difference, scope, state, degraded: isTroubled ? [.setting] : [])
    content.flags.insert(.patch)
    content.removed = difference.removed
    return ImageWriter.bytes(content)
  }

  private func content(
    _ difference: WatchDifference, _ scope: WatchScope, _ state: WatchedState, degraded: [Layer]
  ) -> ImageContent {
    let game = state.game
    var flags: ImageContent.Flags = []
    if !degraded.isEmpty { flags.insert(.degraded) }
    if isFrozen { flags.insert(.frozen) }
    var content = ImageContent(
      game: game.game, player: scope.context.player, locale: scope.context.locale, context: scope.context.attributes, epoch: epoch,
      revision: game.revision, playerRevision: state.player?.revision ?? 0, madeAt: state.host, clock: game.clock,
      playerClock: state.player?.clock ?? .game, flags: flags, entries: difference.values.map(ImageEntry.init))
    content.base = scope.base(of: difference.values, in: state).map(ImageEntry.init)
    content.themes = difference.themes.map { themes in themes.map { ImageContent.Theme(id: $0.id, isUnlocked: $0.isUnlocked) } }
    if let part = difference.entitlements {
      content.entitlements = part.entitlements(of: game.catalog)
      content.products = part.purchased.filter(\.isPurchased).map(\.product)
    }
    return content
  }
}

extension WatchedPlayerPart {
  /// Returns the player's entitlements. Each one that alone ends ads has `endsAds`. If ads end only by several entitlements together, the
  /// one that expires first has it.
  fileprivate func entitlements(of catalog: Catalog) -> [ImageContent.Entitlement] {
    func endsAds(_ id: String) -> Bool {
      catalog.placements.isEmpty ? id == "ad_free" : catalog.placements.allSatisfy { $0.exempt.contains(id) }
    }
    var listed = held.map { ImageContent.Entitlement(id: $0.id, endsAds: endsAds($0.id), until: $0.expiresAt) }
    if isAdFree, !listed.contains(where: \.endsAds) {
      let latest = Instant(milliseconds: .max)
      let first = listed.indices.min { (listed[$0].until ?? latest) < (listed[$1].until ?? latest) }
      if let first { listed[first].endsAds = true }
    }
    return listed
  }
}

extension ImageEntry {
  init(_ answer: EvaluatedValue) {
    var flags: Flags = []
    if !answer.entry.variation.subtracting(.clock).isEmpty { flags.insert(.variesByCaller) }
    if answer.layer == .playerOverride || answer.layer == .gameOverride { flags.insert(.overridden) }
    if !answer.degraded.isEmpty { flags.insert(.degraded) }
    if answer.resolution.isTimeDependent { flags.insert(.timeDependent) }
    self.init(
      key: answer.key, type: answer.entry.parameter.type, value: answer.value, source: EntrySource(answer.layer),
      reason: answer.resolution.reason, variant: answer.resolution.variant, revision: answer.revision,
      nextChangeAt: answer.resolution.nextChangeAt, flags: flags)
  }
}
