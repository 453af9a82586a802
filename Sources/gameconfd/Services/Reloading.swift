// A reload by hand, by signal or by a saved file: told to systemd, done, and logged.

import GameConfEngine
import GameConfSystemd
import Logging

/// Reloads the catalogs and says how it went.
struct Reloading: Sendable {
  let reload: ReloadCatalogs
  let clock: any HostClock
  let logger: Logger
  let notes: ReloadNotes
  let notifier: ServiceNotifier
  let status: StatusLine

  /// Reloads; what is wrong is logged and stands in status.
  func callAsFunction(because cause: String) async {
    notifier.reloading()
    do throws(StoreError) {
      let outcomes = try await reload(now: clock.now)
      notes.note(outcomes)
      let changed = outcomes.filter { $0.kind == .changed }.map(\.game)
      logger.notice("reloaded (\(cause)): \(changed.isEmpty ? "nothing changed" : changed.joined(separator: ", "))")
    } catch {
      logger.error("reload failed: \(error)")
    }
    status.ready()
  }
}
