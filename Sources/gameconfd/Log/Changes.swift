// Logs committed changes and refusals of the server.

import GameConfCore
import GameConfEngine
import GameConfServer
import GameConfStorage
import GameConfSystemd
import Logging

/// Logs the changes of every batch.
struct ChangeJournal: PublicationObserver {
  let logger: Logger

  func receive(_ published: WorldStep) { logger.note(published) }
}

extension Logger {
  /// The maximum number of logged lines of one batch; the audit log has all of them.
  private static let linesMax = 8

  /// Logs the changes of a batch, as its audit lines describe them.
  func note(_ published: WorldStep) {
    for case .event(let id, let entry) in published.batch?.changes ?? [] { note(entry, of: id) }
    // A reverted line is reported by the line that reverted it.
    if published.isReplaced { noteReplacement(published) }
    let loggedElsewhere: Set<AuditAction> = [.catalogAccepted, .storeRestored, .storeRebuilt]
    let lines = published.lines.filter { !loggedElsewhere.contains($0.action) && $0.revertedBy == nil }
    for line in lines.prefix(Self.linesMax) { note(line) }
    if lines.count > Self.linesMax { info("and \(lines.count - Self.linesMax) more changes; the audit log has them") }
  }

  /// Logs once that the whole database was replaced, although the log of each game has a line.
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

  /// Logs an event of a game whose catalog requests that.
  private func note(_ entry: HistoryEntry, of id: PlayerID) {
    let name = entry.details["event"]?.stringValue ?? ""
    info("event \(JSONWriter.text(.object(entry.details)))", metadata: .fields([.game: id.game, .player: id.player, .event: name]))
  }

  /// Logs that a row cannot be read. The player is a metadata field, so that the id is hashed.
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

  /// Logs once that the database is upgraded, not for each step.
  func note(_ migration: StoreMigration) {
    guard migration.step == 0 else { return }
    notice("the database is upgraded from version \(migration.from) to \(migration.to); a copy is stored beside it")
  }

  /// Logs an outcome of due work: the end of a scenario, a template that was refused, or work that waits because of the store.
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
