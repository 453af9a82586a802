// gameconfctl audit follow

import ArgumentParser
import GameConfAPI
import GameConfCore

struct AuditFollow: DaemonCommand {
  static let configuration = CommandConfiguration(
    commandName: "follow", abstract: "Print the latest changes and then every new one, until interrupted.")

  @Argument(help: "The game.", completion: .games) var game: String
  @Option(help: ArgumentHelp("The number of the latest changes to print first.", valueName: "number"))
  var lines = 10
  @Option(help: ArgumentHelp("Seconds between two requests, if the daemon has no event stream.", valueName: "seconds"))
  var interval = 1.0
  @Option(help: ArgumentHelp("End after this number of changes.", valueName: "number"))
  var count: Int?
  @OptionGroup var filter: AuditFilter
  @OptionGroup var connection: ConnectionOptions

  func validate() throws {
    guard lines >= 0, lines <= 1000 else { throw ValidationError("--lines must be from 0 to 1000") }
    guard interval >= 0.05, interval <= 3600 else { throw ValidationError("--interval must be from 0.05 to 3600 seconds") }
  }

  func run(on console: Console) async throws {
    console.screen.endWithReader()
    var left = count ?? .max
    let first = try await page(console, limit: max(1, lines), before: nil)
    var newest = first.entries.first?.id ?? 0
    write(Array(first.entries.prefix(lines).reversed()), console, &left)
    var feed: EventFeed? = EventFeed(console.daemon, Calls.watchAll)
    while left > 0 {
      guard try await waitForEntries(&feed) else { return }
      let fresh = try await Self.entries(after: newest) { (before) async throws(CtlFailure) in
        try await page(console, limit: 100, before: before)
      }
      newest = fresh.last?.id ?? newest
      write(fresh, console, &left)
    }
  }

  /// Waits until the daemon's event stream reports new audit entries. If the daemon has no such stream, waits for the polling interval.
  /// - Returns: False if the task was cancelled.
  private func waitForEntries(_ feed: inout EventFeed?) async throws(CtlFailure) -> Bool {
    do throws(CtlFailure) {
      while let event = try await feed?.next() {
        // If the daemon sends its state again, events about new entries may have been missed.
        if event.event == "audit" || event.event == "state" { return true }
      }
      if feed != nil { return false }
    } catch {
      guard case .problem = error else { throw error }
      feed = nil
    }
    do { try await Task.sleep(for: .seconds(interval)) } catch { return false }
    return true
  }

  /// Returns all audit entries that are newer than the entry `newest`, the oldest first, from as many pages as necessary.
  static func entries(
    after newest: Int64, page: (Int64?) async throws(CtlFailure) -> AuditList
  ) async throws(CtlFailure) -> [AuditEntry] {
    var fresh: [AuditEntry] = []
    var before: Int64?
    while true {
      let list = try await page(before)
      let newer = list.entries.prefix { $0.id > newest }
      fresh += newer
      guard newer.count == list.entries.count, !newer.isEmpty, let next = list.nextBefore else { break }
      before = next
    }
    return fresh.reversed()
  }

  private func page(_ console: Console, limit: Int, before: Int64?) async throws(CtlFailure) -> AuditList {
    let query =
      [("limit", String(limit))] + (try await filter.query(of: console, in: game)) + (before.map { [("before", String($0))] } ?? [])
    return try await console.daemon.ask(Calls.audit, ["game": game], query: query).answer
  }

  private func write(_ entries: [AuditEntry], _ console: Console, _ left: inout Int) {
    for entry in entries where left > 0 {
      console.screen.write(console.isJSON ? SafeText.json(entry.wire, pretty: false) + "\n" : AuditTable.of([entry]).plain)
      left -= 1
    }
  }
}
