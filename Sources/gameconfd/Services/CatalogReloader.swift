// Reloads catalogs after a signal or a saved file, and reports the reload to systemd.

import GameConfEngine
import GameConfStorage
import GameConfSystemd

/// Reloads the catalogs and notifies systemd of the reload's start and end.
struct CatalogReloader: Sendable {
  let reload: ReloadCatalogs
  let templateFiles: FollowTemplateFiles
  let clock: any HostClock
  let notifier: ServiceNotifier
  let status: StatusLine

  /// True if the last reload could not apply or store all catalogs.
  var isIncomplete: Bool { get async { await reload.isIncomplete } }

  /// Reloads the catalogs. Throws nothing: faults are in the log and in the daemon's status.
  func callAsFunction(because cause: ReloadCause) async {
    notifier.reloading()
    _ = try? await reload(now: clock.now, because: cause)
    if case .hangUp = cause { await templateFiles.reread(now: clock.now) }
    status.ready()
  }
}
