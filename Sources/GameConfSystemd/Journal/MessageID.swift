// The ids of log entries that an operator may act on. The journal's catalog explains each.

/// The `MESSAGE_ID` of a log entry that an operator may act on. Degradations declare their ids themselves.
///
/// `journalctl MESSAGE_ID=…` finds the entries; `journalctl -x` shows the explanation in `gameconfd.catalog`.
public enum MessageID: String, CaseIterable, Sendable, Hashable {
  /// A degradation has ended.
  case recovered = "a7fbb7fde3e34b3cad0d7a382116fbdf"
  /// The store accepts writes again.
  case storeRecovered = "0af416d476874f7187ee17f772ede3d3"
  /// The daemon did not start.
  case startRefused = "a1f6c83e5d274b0f9e42d07b68c3195a"
  /// The daemon refused a reload and continues with the previous configuration.
  case reloadFailed = "83bb881d50cc4e2c93ecfc503ef15707"
  /// A client has reached one of the daemon's limits, and its requests are refused.
  case limitReached = "20248c93efeb448dbe0e931db41d74be"
  /// An event loop does not respond. If that lasts, the service manager restarts the daemon.
  case watchdogHeld = "e92dc67d8b4a4db09d75484702102ac6"
}
