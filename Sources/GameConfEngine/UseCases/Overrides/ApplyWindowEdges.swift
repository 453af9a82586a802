// Applies the beginnings and ends of overrides' time windows when they are due.
package import GameConfCore
package import GameConfStorage

extension Store {
  /// Applies every beginning and end of an override's time window up to `now`. If no window is due, it only reads memory.
  ///
  /// Each beginning or end (an edge) creates a revision of the game and an audit line with the edge's time. If the database cannot be
  /// written, the edge applies to the served state and is stored later.
  /// - Returns: The applied edges, by time.
  package func applyWindowEdges(now: Instant) async throws(StoreError) -> [WindowEdge] {
    guard !slotsWithEdges(at: now).isEmpty else { return [] }
    return try await writeSurviving(WriteMode(), refusing: StoreError.self) { transaction in
      let due = try transaction.slotsWithEdges(at: now).map { slot in
        var overrides = try transaction.overrides(at: slot)
        let edges = overrides.advance(to: now)
        return (overrides, edges)
      }
      return try WindowEdgeWriter(transaction: transaction).apply(due)
    }
  }
}

/// A writer of the beginnings and ends of time windows. It stores the changed overrides, their revisions and the audit lines.
struct WindowEdgeWriter {
  let transaction: any StateTransaction

  @discardableResult
  func apply(_ due: [(overrides: KeyOverrides, edges: [WindowEdge])]) throws -> [WindowEdge] {
    var last: [OverrideSlot: (revision: Int64, playerRevision: Int64?)] = [:]
    let edges = due.flatMap(\.edges).sorted { $0.precedes($1) }
    for edge in edges {
      let slot = edge.record.slot
      let revision = try transaction.nextRevision(of: slot.game)
      let playerRevision = try slot.player.map { try transaction.nextPlayerRevision($0, in: slot.game) }
      last[slot] = (revision, playerRevision)
      try transaction.append(audit(of: edge, revision: revision))
    }
    for (overrides, _) in due {
      guard let last = last[overrides.slot] else { continue }
      try transaction.put(overrides, revision: last.revision, playerRevision: last.playerRevision)
    }
    return edges
  }

  private func audit(of edge: WindowEdge, revision: Int64) -> AuditRecord {
    let action: AuditAction =
      switch edge.kind {
      case .opened: .windowOpened
      case .ended: .windowEnded
      case .postponed: .windowPostponed
      }
    let slot = edge.record.slot
    var line = AuditRecord(at: edge.at, author: .daemon, action: action, game: slot.game, reason: edge.record.reason)
    line.player = slot.player
    line.key = slot.key
    line.window = edge.record.window?.id
    line.before = edge.before
    line.after = edge.after
    line.revision = revision
    return line
  }
}
