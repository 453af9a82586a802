// A reload by signal or by a saved file: reported to systemd, done, and logged.

import GameConfEngine
import GameConfStorage
import GameConfSystemd

/// Reloads the catalogs while systemd knows of it.
struct CatalogReloader: Sendable {
  let reload: ReloadCatalogs
  let templateFiles: FollowTemplateFiles
  let clock: any HostClock
  let notifier: ServiceNotifier
  let status: StatusLine

  /// True if something of the last reload could not be done or kept.
  var isIncomplete: Bool { get async { await reload.isIncomplete } }

  /// Reloads; what is wrong stands in the log and in status.
  func callAsFunction(because cause: ReloadCause) async {
    notifier.reloading()
    _ = try? await reload(now: clock.now, because: cause)
    if case .hangUp = cause { await templateFiles.reread(now: clock.now) }
    status.ready()
  }
}
