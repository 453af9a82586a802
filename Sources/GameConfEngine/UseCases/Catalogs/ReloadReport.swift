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
  /// Somebody asked for it on the admin socket.
  case asked(Author)
}

/// What a reload came to.
public struct ReloadReport: Sendable, Hashable {
  /// Who or what asked for it.
  public var cause: ReloadCause
  /// What became of each game, as far as it came.
  public var outcomes: [ReloadOutcome]
  /// Why it stopped before its end; nil when it did not.
  public var trouble: StoreError?
}
