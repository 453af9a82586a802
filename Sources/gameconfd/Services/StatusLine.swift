// The status line that `systemctl status` shows.

import GameConfEngine
import GameConfStorage
import GameConfSystemd
import Synchronization

/// Keeps systemd's status line up to date with the games and degradations.
final class StatusLine: Sendable {
  private let live: LiveWorld
  private let list: DegradationList
  private let notifier: ServiceNotifier
  private let shown = Mutex("")

  init(live: LiveWorld, list: DegradationList, notifier: ServiceNotifier) {
    self.live = live
    self.list = list
    self.notifier = notifier
  }

  /// Notifies systemd that the daemon serves, with the first status line.
  func ready() {
    let line = line()
    shown.withLock { $0 = line }
    notifier.ready(status: line)
  }

  /// Sends the status line to systemd if it has changed.
  func refresh() {
    let line = line()
    let isNew = shown.withLock { shown in
      defer { shown = line }
      return shown != line
    }
    if isNew { notifier.status(line) }
  }

  private func line() -> String {
    let world = live.present.world
    let games = world.games
    let degraded = list.present(in: world).map { each in each.game.map { "\($0) (\(each.kind.rawValue))" } ?? each.kind.rawValue }
    var line = "\(games.count) games, " + games.map { "\($0.game)@\($0.revision)" }.joined(separator: " ")
    if !degraded.isEmpty { line += "; degraded: \(degraded.joined(separator: ", "))" }
    return line
  }
}
