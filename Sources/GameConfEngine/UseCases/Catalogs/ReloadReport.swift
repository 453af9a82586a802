// What a reload came to and who asked for it, for the log.

public import GameConfCore

/// Who or what asked for a reload.
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

  /// On whose behalf catalogs are accepted: whoever asked, else the daemon.
  var author: Author { if case .asked(let author, _) = self { author } else { .daemon } }

  /// The reason, in the words of whoever asked.
  var reason: String? { if case .asked(_, let reason) = self { reason } else { nil } }

  /// What brings catalogs into force where nobody asked, in a word.
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

/// What a reload came to.
public struct ReloadReport: Sendable, Hashable {
  /// Who or what asked for it.
  public var cause: ReloadCause
  /// What became of each game, as far as it came.
  public var outcomes: [ReloadOutcome]
  /// The reason why it stopped before its end; nil when it did not.
  public var storeError: StoreError?
}
