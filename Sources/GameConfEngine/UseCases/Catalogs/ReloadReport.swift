// The cause and the report of a reload, for the log.

public import GameConfCore
public import GameConfStorage

/// The event that made the daemon read the catalogs' files again.
public enum ReloadCause: Sendable, Hashable {
  case start
  /// The last reload was incomplete.
  case again
  /// The signal SIGHUP.
  case hangUp
  /// A file was saved in a watched folder.
  case saved
  /// A request over the admin socket, with an optional reason.
  case requested(Author, reason: String? = nil)

  /// The author of the accepted catalogs: the user who requested the reload, otherwise the daemon.
  var author: Author { if case .requested(let author, _) = self { author } else { .daemon } }

  /// The reason that the user gave with the request.
  var reason: String? { if case .requested(_, let reason) = self { reason } else { nil } }

  /// The cause as a word in the audit log; nil for a reload that a user requested.
  var word: String? {
    switch self {
    case .start: "start"
    case .again: "again"
    case .hangUp: "sighup"
    case .saved: "saved"
    case .requested: nil
    }
  }
}

/// The report of a reload for the daemon's log.
public struct ReloadReport: Sendable, Hashable {
  /// The event that caused the reload; a request has its author and reason.
  public var cause: ReloadCause
  /// The outcome for each game that has files or an accepted catalog.
  public var outcomes: [ReloadOutcome]
  /// The first error of the store, because of which a new catalog waits; nil without one.
  public var storeError: StoreError?
}
