// The events that an operator may act on: one identifier for each, explained in the journal's catalog.

/// The `MESSAGE_ID` of a log entry that an operator may want to find, be warned of, or act on.
///
/// `journalctl MESSAGE_ID=…` finds the entries, `journalctl -x` shows the explanation from `gameconfd.catalog`.
public enum MessageID: String, CaseIterable, Sendable, Hashable {
  /// A game's catalog was refused or has vanished; its last accepted one stays in force.
  case catalogDegraded = "64f313c3fef04ee5a4a0d5ffa01eb8ca"
  /// A game whose catalog was degraded reads an accepted one again.
  case catalogRecovered = "a7fbb7fde3e34b3cad0d7a382116fbdf"
  /// The database was damaged and has been put aside; the daemon serves from the last good state and refuses writes.
  case databaseSetAside = "f115e57e67b34c539374e9b7c84b9a95"
  /// There is no space for the database; writes are refused with 507, reads go on.
  case storeFull = "2ed7b91b220d4d6f9cac99e2f5788fab"
  /// The database cannot be written; writes are refused with 503, reads go on.
  case storeReadOnly = "018cb14c8cf74b818c81bc75fc1dfb15"
  /// Writes are accepted again.
  case storeRecovered = "0af416d476874f7187ee17f772ede3d3"
  /// A row of the database is there and cannot be read; what needs it is refused, everything else goes on.
  case rowUnreadable = "5d0c8f2ab1f44f0c9a3e6c4b7d215e90"
  /// A reload was refused; what was in force stays in force.
  case reloadFailed = "83bb881d50cc4e2c93ecfc503ef15707"
  /// A stored override no longer fits its catalog; it is kept and listed, not served.
  case overrideQuarantined = "ce552e667609423093082138dc5bd4ab"
  /// Somebody has reached one of the daemon's limits and is being refused.
  case limitReached = "20248c93efeb448dbe0e931db41d74be"
  /// An event loop does not answer; the service manager will restart the daemon unless it does soon.
  case watchdogHeld = "e92dc67d8b4a4db09d75484702102ac6"
}
