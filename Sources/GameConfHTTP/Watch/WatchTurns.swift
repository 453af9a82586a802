// Who is told everything next, by user in turn.

/// Watchers that wait to be told everything, by user, so that one with a thousand does not keep the others waiting.
struct WatchTurns {
  private var byUser: [UInt32: [Watcher]] = [:]
  private var users: [UInt32] = []

  var isEmpty: Bool { users.isEmpty }

  mutating func add(_ watcher: Watcher) {
    if byUser[watcher.user] == nil { users.append(watcher.user) }
    byUser[watcher.user, default: []].append(watcher)
  }

  /// Whether some user's watcher may be told.
  func canTake(_ bytes: [UInt32: Int], _ bytesMax: Int) -> Bool { users.contains { (bytes[$0] ?? 0) < bytesMax } }

  /// The next user's oldest watcher, passing over users who have enough under way.
  mutating func take(_ bytes: [UInt32: Int], _ bytesMax: Int) -> Watcher? {
    guard let at = users.firstIndex(where: { (bytes[$0] ?? 0) < bytesMax }) else { return nil }
    let user = users.remove(at: at)
    guard var waiting = byUser[user], !waiting.isEmpty else { return nil }
    // From the end: all of them are told the same state, whoever comes first.
    let watcher = waiting.removeLast()
    byUser[user] = waiting.isEmpty ? nil : waiting
    if !waiting.isEmpty { users.append(user) }
    return watcher
  }
}
