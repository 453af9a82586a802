// Accepted catalogs in memory.

extension MemoryTurn {
  /// The number and the digest of a game's newest acceptance.
  public func newestCatalog(of game: String) -> (number: Int64, digest: Int64)? {
    state.catalogs[game]?.last.map { ($0.number, $0.digest) }
  }

  /// An acceptance.
  public func catalog(_ number: Int64, of game: String) -> StoredCatalog? { state.catalogs[game]?.first { $0.number == number } }

  /// What was taken back of a game.
  public func revertedDigest(of game: String) -> Int64? { state.revertedDigests[game] }

  /// Adds an acceptance.
  public func append(_ catalog: StoredCatalog, of game: String) {
    change { tables in
      var all = (tables.catalogs[game] ?? []) + [catalog]
      func isOver() -> Bool {
        all.count > StoreLimits.catalogsMax || all.reduce(0) { $0 + AcceptedCatalog.bytesCount(of: $1.files) } > StoreLimits.catalogBytesMax
      }
      while all.count > 2, isOver() { all.removeFirst() }
      tables.catalogs[game] = all
    }
  }

  /// Notes what was taken back.
  public func setRevertedDigest(_ digest: Int64?, of game: String) { change { $0.revertedDigests[game] = digest } }

  /// Notes which files the game's catalog was accepted from.
  public func accept(_ digest: Int64, changing keys: Set<String>, at revision: Int64, of game: String) {
    publish(.catalogAccepted(game: game, digest: digest, keyRevisions: Dictionary(uniqueKeysWithValues: keys.map { ($0, revision) })))
  }

  /// Forgets everything about a game's catalogs.
  public func forgetCatalogs(of game: String) {
    change { tables in
      tables.catalogs[game] = nil
      tables.revertedDigests[game] = nil
    }
    publish(.catalogForgotten(game: game))
  }
}
