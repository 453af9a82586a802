// The log's lines about what was committed and what the server refuses.

import GameConfCore
import GameConfEngine
import GameConfServer
import GameConfStorage
import GameConfSystemd
import Logging

/// Writes what every batch changed to the log.
struct ChangeJournal: PublicationObserver {
  let logger: Logger

  func receive(_ published: WorldStep) { logger.note(published) }
}

extension Logger {
  /// Lines of one batch that are logged; the audit log has all of them.
  private static let linesMax = 8

  /// Says what a batch changed, as its audit lines have it.
  func note(_ published: WorldStep) {
    for case .event(let id, let entry) in published.batch?.changes ?? [] { note(entry, of: id) }
    // A line that was taken back is reported once, by the line that took it back.
    if published.isReplaced { noteReplacement(published) }
    let told: Set<AuditAction> = [.catalogAccepted, .storeRestored, .storeRebuilt]
    let lines = published.lines.filter { !told.contains($0.action) && $0.revertedBy == nil }
    for line in lines.prefix(Self.linesMax) { note(line) }
    if lines.count > Self.linesMax { info("and \(lines.count - Self.linesMax) more changes; the audit log has them") }
  }

  /// Says that the whole database is another: once, although each game's own log has it.
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

  /// Says what happened in a game that asks for it.
  private func note(_ entry: HistoryEntry, of id: PlayerID) {
    let name = entry.details["event"]?.stringValue ?? ""
    info("event \(JSONWriter.text(.object(entry.details)))", metadata: .fields([.game: id.game, .player: id.player, .event: name]))
  }

  /// Says that a row cannot be read; who it is about stands in a field, as everywhere.
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

  /// Says that the database is brought up to date, once for all steps.
  func note(_ migration: StoreMigration) {
    guard migration.step == 0 else { return }
    notice("the database is upgraded from version \(migration.from) to \(migration.to); a copy is stored beside it")
  }

  /// Says what became of due work.
  func note(_ done: DueWork.Note, delayedAs level: Logger.Level) {
    switch done {
    case .ended(let scenario): notice("the scenario \(scenario.name) ends, because its lease is over")
    case .refused(let game, let refusal): error("the scheduled template of \(game) is not activated: \(refusal)")
    case .delayed(let part, let storeError): log(level: level, "due \(part.rawValue) wait: \(storeError)")
    }
  }

  /// Says that more is to be written than the store can take.
  func noteFullQueue() {
    warning(
      "\(StoreLimits.writesWaitingMax) changes wait for the store, the limit: further ones are refused",
      metadata: .fields(.limitReached, [.errorCode: StoreError.overloaded.code.rawValue]))
  }

  /// Says that simulated time stands still since the host's clock stepped back.
  func noteHeldClocks(of games: [String]) {
    warning(
      "the host's clock stepped back: the simulated clocks of \(games.joined(separator: ", ")) are stopped until it has caught up")
  }

  /// Says that somebody has reached a limit.
  func note(_ reached: LimitReached) {
    var fields: [LogField: String] = [.errorCode: reached.code]
    fields[.actorUID] = reached.uid.map { String($0) }
    warning("\(reached.words)", metadata: .fields(.limitReached, fields))
  }
}
