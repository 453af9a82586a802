// Compares a prepared backup with the database in use: the backup's age, and the changes that a restore would lose.
import GameConfCore

extension DatabaseRestoration {
  /// Compares the prepared backup with the database in use, over separate connections.
  func comparison() -> StoreComparison {
    var comparison = StoreComparison()
    if let backup = try? SQLiteConnection(path: incoming, for: .reading) {
      defer { backup.close() }
      let newest = (try? backup.integer(Self.newestChange)) ?? nil
      comparison.newestAt = newest.map(Instant.init(milliseconds:))
    }
    // A lost database has no changes left to lose.
    guard !shared.isLost, let present = try? file.connectReading() else { return comparison }
    defer { present.close() }
    do {
      try present.run("ATTACH DATABASE ? AS backup", [incoming])
      comparison.lostAuditLines = try present.integer(Self.lostLines)
      comparison.lostPlayers = try present.integer(Self.lostPlayers)
    } catch {
      comparison.lostAuditLines = nil
      comparison.lostPlayers = nil
    }
    return comparison
  }

  private static let newestChange = """
    SELECT max(at_ms) FROM (
      SELECT max(at_ms) AS at_ms FROM audit UNION ALL SELECT max(at_ms) FROM audit_packs
      UNION ALL SELECT at_ms FROM player_lines WHERE number = (SELECT max(number) FROM player_lines)
    )
    """

  /// The query counts the audit lines that the backup does not have. The two databases may have given one id to different lines, so the
  /// instants are compared too.
  private static let lostLines = """
    SELECT
      (SELECT count(*) FROM main.audit AS here WHERE NOT EXISTS (
        SELECT 1 FROM backup.audit AS there WHERE there.id = here.id AND there.at_ms = here.at_ms))
      + (SELECT coalesce(sum(last - first + 1), 0) FROM main.audit_packs AS here WHERE NOT EXISTS (
        SELECT 1 FROM backup.audit_packs AS there WHERE there.first = here.first AND there.at_ms = here.at_ms))
    """

  private static let lostPlayers = """
    SELECT count(*) FROM main.players AS here WHERE NOT EXISTS (
      SELECT 1 FROM backup.players AS there
      WHERE there.game = here.game AND there.player = here.player AND there.revision >= here.revision)
    """
}
