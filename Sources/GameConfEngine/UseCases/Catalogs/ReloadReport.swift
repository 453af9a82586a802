// The report of a reload, and its cause, for the log.

public import GameConfCore
public import GameConfStorage

/// The cause of a reload.
public enum ReloadCause: Sendable, Hashable {
  /// The daemon starts.
  case start
  /// The last one could not be done or kept as a whole.
  case again
  /// SIGHUP.
  case hangUp
  /// A file was saved, and the daemon watches for that.
  case saved
  /// Somebody asked for it on the admin socket, perhaps saying why.
  case asked(Author, reason: String? = nil)

  /// The author of what is accepted: the one who requested the reload, else the daemon.
  var author: Author { if case .asked(let author, _) = self { author } else { .daemon } }

  /// The reason that the author gave.
  var reason: String? { if case .asked(_, let reason) = self { reason } else { nil } }

  /// The cause of catalogs that come into force without a request, in a word.
  var word: String? {
    switch self {
    case .start: "start"
    case .again: "again"
    case .hangUp: "sighup"
    case .saved: "saved"
    case .asked: nil
    }
  }
}

/// The report of a reload.
public struct ReloadReport: Sendable, Hashable {
  /// The cause of the reload.
  public var cause: ReloadCause
  /// The outcome for each game, as far as it came.
  public var outcomes: [ReloadOutcome]
  /// The reason why it stopped before its end; nil when it did not.
  public var storeError: StoreError?
}
