// The events that an operator may act on: one identifier for each, explained in the journal's catalog.

/// The `MESSAGE_ID` of a log entry that an operator may want to find, be warned of, or act on. Each kind of degradation declares its own.
///
/// `journalctl MESSAGE_ID=…` finds the entries, `journalctl -x` shows the explanation from `gameconfd.catalog`.
public enum MessageID: String, CaseIterable, Sendable, Hashable {
  /// Something that was degraded is as it should be.
  case recovered = "a7fbb7fde3e34b3cad0d7a382116fbdf"
  /// Writes are accepted again.
  case storeRecovered = "0af416d476874f7187ee17f772ede3d3"
  /// The daemon did not start.
  case startRefused = "a1f6c83e5d274b0f9e42d07b68c3195a"
  /// A reload was refused; what was in force stays in force.
  case reloadFailed = "83bb881d50cc4e2c93ecfc503ef15707"
  /// Somebody has reached one of the daemon's limits and is being refused.
  case limitReached = "20248c93efeb448dbe0e931db41d74be"
  /// An event loop does not answer; the service manager will restart the daemon unless it does soon.
  case watchdogHeld = "e92dc67d8b4a4db09d75484702102ac6"
}
