// The watchers of one game on one event loop, with the encoded events that several of them get.

internal import GameConfCore
internal import GameConfEngine

final class GameWatchers {
  private struct SharedChangeKey: Hashable {
    let step: ObjectIdentifier
    let selection: WatchSelection
  }

  /// The maximum number of encoded changes in the cache.
  private static let textsMax = 64
  /// The maximum number of encoded whole states in the cache.
  private static let stateTextsMax = 8

  let game: String
  private(set) var frame: WatchedSnapshot
  private(set) var watchers: [Watcher] = []
  /// The number of watchers that the present round over all watchers still has to notify: those with the lowest indexes. The last of them
  /// is notified first, so that adding or removing a watcher meanwhile skips no other.
  var unnotified = 0
  /// True if the game has changed since the last round over its watchers began.
  var isMoved = false
  var players: [ByteText: WatchedPlayer] = [:]
  private var steps: [ObjectIdentifier: WatchStep] = [:]
  private var sharedChanges: [SharedChangeKey: SharedChange] = [:]
  private var stateTexts: [WatchScope: [UInt8]] = [:]
  private var members: ReadyMembers?

  init(_ snapshot: GameSnapshot) {
    game = snapshot.game
    frame = WatchedSnapshot(snapshot)
  }

  func add(_ watcher: Watcher) {
    watcher.place = watchers.count
    watchers.append(watcher)
  }

  func remove(_ watcher: Watcher) {
    watchers.swapAt(watcher.place, watchers.count - 1)
    watchers[watcher.place].place = watcher.place
    watchers.removeLast()
    unnotified = min(unnotified, watchers.count)
  }

  /// Replaces the game's snapshot, and empties the caches of encoded events.
  /// - Returns: False if the snapshot is the present one.
  func move(to snapshot: GameSnapshot) -> Bool {
    if snapshot === frame.game { return false }
    frame = WatchedSnapshot(snapshot)
    steps = [:]
    sharedChanges = [:]
    stateTexts = [:]
    members = nil
    return true
  }

  /// Returns the difference between an earlier snapshot and the present one.
  func step(from before: GameSnapshot) -> WatchStep {
    let id = ObjectIdentifier(before)
    if let known = steps[id] { return known }
    let step = WatchStep(from: before, to: frame)
    steps[id] = step
    return step
  }

  /// Returns the encoded change from an earlier snapshot. All watchers with the same selection of values get the same bytes.
  func sharedChange(_ step: WatchStep, _ selection: WatchSelection, _ images: WatchImage) -> SharedChange {
    let id = SharedChangeKey(step: ObjectIdentifier(step), selection: selection)
    if let known = sharedChanges[id] { return known }
    let difference = step.shared(selection)
    let made = SharedChange(
      difference.isEmpty
        ? [] : change(difference, WatchScope(EvaluationContext(), selection), WatchedState(frame.game, host: images.host), images))
    if sharedChanges.count >= Self.textsMax { sharedChanges = [:] }
    sharedChanges[id] = made
    return made
  }

  /// Returns the encoded change for one caller; nil if it exceeds the limit of an event.
  func change(_ difference: WatchDifference, _ scope: WatchScope, _ state: WatchedState, _ images: WatchImage) -> [UInt8]? {
    if scope.selection.isWhole { return images.patch(difference, scope, state) }
    let isTroubled = scope.context.player != nil && state.player == nil
    return WatchEventEncoder.event(
      .change, difference, of: state.game, showsValues: scope.selection.showsValues, degraded: isTroubled ? [.setting] : [])
  }

  /// Returns the encoded whole state. It is cached if all callers of this scope see the same state. Returns nil if it exceeds the limit.
  func stateBytes(_ scope: WatchScope, _ state: WatchedState, _ images: WatchImage) -> [UInt8]? {
    let isForAll = scope.context.player == nil && frame.clockPositions.isEmpty
    if isForAll, let known = stateTexts[scope] { return known }
    guard let text = scope.selection.isWhole ? images.whole(scope, state) : makeState(scope, state) else { return nil }
    if isForAll {
      // Clients with many different scopes empty the cache, so that it cannot grow without limit.
      if stateTexts.count >= Self.stateTextsMax { stateTexts = [:] }
      stateTexts[scope] = text
    }
    return text
  }

  private func makeState(_ scope: WatchScope, _ state: WatchedState) -> [UInt8] {
    let view = state.view(of: scope.context)
    let seen = state.evaluation(for: scope.context, view)
    guard scope.selection.keys == nil, scope.selection.showsValues, seen.caller.overrides.isEmpty, seen.play == nil else {
      return WatchEventEncoder.event(
        .state, scope.everything(of: state), of: state.game, showsValues: scope.selection.showsValues, degraded: seen.degraded)
    }
    let members = readyMembers()
    let part = WatchDifference(everythingOf: view.map(WatchedPlayerPart.init))
    return WatchEventEncoder.state(
      values: { bytes in
        let start = bytes.count
        for each in members.parts {
          switch each {
          case .ready(let run):
            if bytes.count > start { bytes.append(UInt8(ascii: ",")) }
            bytes += members.bytes[run]
          case .open(let at):
            guard scope.selection.shows(state.game.table.entries[at].parameter), let answer = seen.answer(at: at) else { continue }
            if bytes.count > start { bytes.append(UInt8(ascii: ",")) }
            WatchEventEncoder.append(answer, to: &bytes)
          }
        }
      }, part, of: state.game, degraded: seen.degraded)
  }

  /// Returns the encoded members of the values that are the same for every caller.
  private func readyMembers() -> ReadyMembers {
    if let members { return members }
    let everyone = Evaluation(EvaluationContext(), in: frame.game, host: Instant(milliseconds: 0))
    let made = ReadyMembers(
      frame.game.table.entries.indices.map { at -> [UInt8]? in
        let entry = frame.game.table.entries[at]
        guard entry.unchanging != nil, !entry.parameter.isSecret, let answer = everyone.answer(at: at) else { return nil }
        var bytes: [UInt8] = []
        WatchEventEncoder.append(answer, to: &bytes)
        return bytes
      })
    members = made
    return made
  }
}
