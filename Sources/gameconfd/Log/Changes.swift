// Logs committed changes, and limits that a user has reached.

import GameConfCore
import GameConfEngine
import GameConfServer
import GameConfStorage
import GameConfSystemd
import Logging

/// Logs each batch of committed changes.
struct ChangeJournal: PublicationObserver {
  let logger: Logger

  func receive(_ published: WorldStep) { logger.note(published) }
}

extension Logger {
  /// The maximum number of lines that are logged for one batch of changes; the audit log has all of them.
  private static let linesMax = 8

  /// Logs a batch of changes in the words of their audit lines.
  func note(_ published: WorldStep) {
    for case .event(let id, let entry) in published.batch?.changes ?? [] { note(entry, of: id) }
    if published.isReplaced { noteReplacement(published) }
    let loggedElsewhere: Set<AuditAction> = [.catalogAccepted, .storeRestored, .storeRebuilt]
    // An audit line that has been reverted is left out, because the line of the revert is logged.
    var count = 0
    for line in published.lines where !loggedElsewhere.contains(line.action) && line.revertedBy == nil {
      count += 1
      if count <= Self.linesMax { note(line) }
    }
    if count > Self.linesMax { info("and \(count - Self.linesMax) more changes; the audit log has them") }
  }

  /// Logs with a single line that the whole database was replaced, although the audit log has a line for each game.
  private func noteReplacement(_ published: WorldStep) {
    guard let line = published.lines.first(where: { $0.action == .storeRestored || $0.action == .storeRebuilt }) else {
      return notice("everything was read from the database again")
    }
    let what = line.action == .storeRestored ? "a backup was restored" : "the database was rebuilt from last-good.json"
    let why = line.reason.map { ": \($0)" } ?? ""
    let file = line.detail?["file"]?.stringValue.map { " from \($0)" } ?? ""
    notice("\(what)\(file) by \(line.author.name)\(why)", metadata: .fields([.actorUID: String(line.author.uid)]))
  }

  private func note(_ line: AuditRecord) {
    var fields: [LogField: String] = [.actorUID: String(line.author.uid)]
    fields[.game] = line.game
    fields[.key] = line.key
    fields[.player] = line.player
    fields[.revision] = line.revision.map(String.init)
    if line.action == .overrideQuarantined {
      fields[.errorCode] = "OVERRIDE_QUARANTINED"
      warning(
        "override no longer admitted, in quarantine: \(line.reason ?? "")",
        metadata: .fields(message: DegradationKind.overridesQuarantined.declaration.messageID, fields))
    } else {
      info("\(line.action.rawValue)", metadata: .fields(fields))
    }
  }

  /// Logs an event that a game reported, if the game's catalog requests that.
  private func note(_ entry: HistoryEntry, of id: PlayerID) {
    let name = entry.details["event"]?.stringValue ?? ""
    info("event \(JSONWriter.text(.object(entry.details)))", metadata: .fields([.game: id.game, .player: id.player, .event: name]))
  }

  /// Logs that a row of the database cannot be read. The player is a metadata field, because the log handler hashes ids in metadata.
  func note(_ row: UnreadableRow) {
    var fields: [LogField: String] = [.errorCode: StoreError.unreadable(row).code.rawValue]
    fields[.game] = row.game
    fields[.player] = row.player
    fields[.key] = row.kind == .override ? row.name : nil
    var nameless = row
    nameless.player = nil
    error(
      "\(nameless.phrase)\(row.player == nil ? "" : ", a player's,") cannot be read (\(row.words)); it stays stored, and calls that need it are refused",
      metadata: .fields(message: DegradationKind.rowsUnreadable.declaration.messageID, fields))
  }

  /// Logs that the database is upgraded: one line at the first step instead of one for each step.
  func note(_ migration: StoreMigration) {
    guard migration.step == 0 else { return }
    notice("the database is upgraded from version \(migration.from) to \(migration.to); a copy is stored beside it")
  }

  /// Logs the outcome of work that became due: the end of a scenario, a template that was refused, or work that waits because the store
  /// failed.
  func note(_ done: DueWork.DueOutcome, delayedAs level: Logger.Level) {
    switch done {
    case .ended(let scenario): notice("the scenario \(scenario.name) ends, because its lease is over")
    case .refused(let game, let refusal): error("the scheduled template of \(game) is not activated: \(refusal)")
    case .delayed(let part, let storeError): log(level: level, "due \(part.rawValue) wait: \(storeError)")
    }
  }

  func noteFullQueue() {
    warning(
      "\(StoreLimits.writesWaitingMax) changes wait for the store, the limit: further ones are refused",
      metadata: .fields(.limitReached, [.errorCode: StoreError.overloaded.code.rawValue]))
  }

  /// Logs that simulated clocks are stopped because the host's clock was set back.
  func noteHeldClocks(of games: [String]) {
    warning(
      "the host's clock stepped back: the simulated clocks of \(games.joined(separator: ", ")) are stopped until it has caught up")
  }

  /// Logs that a user has reached a limit.
  func note(_ reached: LimitReached) {
    var fields: [LogField: String] = [.errorCode: reached.code]
    fields[.actorUID] = reached.uid.map { String($0) }
    warning("\(reached.words)", metadata: .fields(.limitReached, fields))
  }
}
