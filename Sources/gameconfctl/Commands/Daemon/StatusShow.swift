// gameconfctl status

import ArgumentParser
import GameConfAPI
import GameConfCore

struct StatusShow: DaemonCommand {
  static let configuration = CommandConfiguration(commandName: "status", abstract: "Show the daemon's state on one page.")

  @Flag(help: "Include every limit and setting.")
  var all = false
  @Flag(help: "Show it again after every change, until interrupted.")
  var follow = false
  @OptionGroup var connection: ConnectionOptions

  func run(on console: Console) async throws {
    guard follow else { return try await show(console) }
    console.screen.endWithReader()
    var feed = EventFeed(console.daemon, Calls.watchAll)
    while try await feed.next() != nil {
      console.clear()
      try await show(console)
    }
  }

  private func show(_ console: Console) async throws(CtlFailure) {
    let reply = try await console.daemon.ask(Calls.status)
    console.show(reply.value) {
      console.screen.show(StatusPage.of(reply.answer, showsAll: all))
    }
  }
}

enum StatusPage {
  static func of(_ status: StatusAnswer, showsAll: Bool) -> TablePage {
    var page = TablePage()
    page.add("daemon", daemon(status))
    if let fleet = status.store?.fleet {
      page.add("database", database(fleet))
      page.add("hosts", hosts(fleet))
    }
    page.add("games", games(status))
    if !status.degraded.isEmpty { page.add("degraded", DegradationTable.of(status.degraded)) }
    let tables = [
      ("clocks that were moved", clocks(status.games)), ("drop-ins", dropIns(status.games)), ("kill switches", switches(status.games)),
      ("refused events", refusedEvents(status.games)), ("templates", templates(status.games)),
    ]
    for (name, table) in tables where !table.rows.isEmpty { page.add(name, table) }
    page.add("sockets", sockets(status.sockets))
    if showsAll {
      if let watchers = status.watchers { page.add("watchers", table(watchers)) }
      page.add("limits", table(status.limits))
      page.add("settings", table(status.settings))
    }
    if !status.warnings.isEmpty { page.add("warnings", Table(status.warnings) { Column("warning") { $0 } }) }
    return page
  }

  private static func daemon(_ status: StatusAnswer) -> Table {
    Table(facts: "what", "value", .state) {
      NamedValueRow("version", status.version)
      NamedValueRow("pid", status.pid)
      NamedValueRow("started", "\(time: status.startedAt)" as Sentence)
      NamedValueRow("clock", "\(time: status.clock.now, .clock)\(status.clock.isFrozen ? " (frozen)" : "")" as Sentence)
      if let store = status.store {
        NamedValueRow("store", store.state + (store.detail.map { ": \($0)" } ?? ""))
        NamedValueRow("last-good.json", store.lastGoodAgeSeconds.map { "written \(length(seconds: $0)) ago" })
        NamedValueRow("put aside", store.putAside)
        for copy in store.copies ?? [] where store.putAside?.hasSuffix(copy) != true { NamedValueRow("damaged, on disk", copy) }
      }
    }
  }

  private enum ListedGame {
    case served(StatusGame)
    case unserved(String)
  }

  private static func games(_ status: StatusAnswer) -> Table {
    func served(_ game: ListedGame) -> StatusGame? { if case .served(let game) = game { game } else { nil } }
    return Table(status.games.map(ListedGame.served) + status.unserved.map { .unserved($0.game) }, whenEmpty: "no games") {
      Column("game") { listed in
        switch listed {
        case .served(let game): game.game
        case .unserved(let name): name
        }
      }
      Column("title", .extra) { served($0)?.title }
      Column("revision") { served($0)?.revision }
      Column("keys") { served($0)?.keys }
      Column("overrides") { served($0)?.overrides }
      Column("of players") { served($0)?.playerOverrides }
      Column("quarantined") { served($0)?.quarantined }
      Column("state", .state) { served($0).map { $0.degraded.isEmpty ? "ok" : "degraded" } ?? "not served" }
    }
  }

  private static func clocks(_ games: [StatusGame]) -> Table {
    Table(games.compactMap { game in game.clock.map { (game: game.game, clock: $0) } }) {
      Column("game") { $0.game }
      Column("simulated time", .date) { $0.clock.now }
      Column("rate") { String($0.clock.rate) }
      Column("ahead") { ClockText.ahead(milliseconds: $0.clock.offsetMilliseconds) }
    }
  }

  private static func dropIns(_ games: [StatusGame]) -> Table {
    Table(games.flatMap { game in game.dropIns.map { (game: game.game, file: $0) } }) {
      Column("game") { $0.game }
      Column("drop-in") { $0.file }
    }
  }

  private static func switches(_ games: [StatusGame]) -> Table {
    Table(
      games.flatMap { game in game.killSwitches.map { (game: game.game, each: $0) } }, markMeaning: "overridden",
      isMarked: { $0.each.source.hasPrefix("override.") }
    ) {
      Column("game") { $0.game }
      Column("kill switch") { $0.each.key }
      Column("value") { $0.each.isOn ? "on" : "off" }
      Column("source") { $0.each.source }
    }
  }

  private static func sockets(_ sockets: [StatusSocket]) -> Table {
    Table(sockets, whenEmpty: "no sockets") {
      Column("socket") { $0.kind }
      Column("path") { $0.path }
      Column("bound by") { $0.origin == "bound" ? "gameconfd" : $0.origin }
      Column("connections") { $0.connections }
      Column("open to") { $0.isOpen ? "everyone" : $0.kind == "admin" ? "those with a role" : "those named" }
    }
  }

  private static func refusedEvents(_ games: [StatusGame]) -> Table {
    let refused = games.flatMap { game in
      game.refusedEvents.sorted(by: { $0.key < $1.key }).map { (game: game.game, rule: $0.key, count: $0.value) }
    }
    return Table(refused) {
      Column("game") { $0.game }
      Column("refused by") { $0.rule }
      Column("events") { $0.count }
    }
  }

  private static func database(_ fleet: StatusFleet) -> Table {
    Table(facts: "database") {
      NamedValueRow("database, schema, role", "\(fleet.database), \(fleet.schema), \(fleet.role)")
      NamedValueRow("server", "PostgreSQL \(fleet.server), synchronous_commit \(fleet.durability)")
      NamedValueRow("standbys", fleet.standbys.map { "\($0)" + (fleet.lagMilliseconds.map { ", \($0) ms behind at most" } ?? "") })
      NamedValueRow("newest look", "\(fleet.lookMilliseconds) ms, \(fleet.connections) connections")
      NamedValueRow("last announcement", fleet.announcedAt.map { "\(time: $0)" as Sentence })
    }
  }

  private static func hosts(_ fleet: StatusFleet) -> Table {
    Table(fleet.hosts, whenEmpty: "no hosts") {
      Column("host") { $0.name }
      Column("seen") { "\(time: $0.seenAt)" as Sentence }
      Column("version") { $0.version }
      Column("clock ahead") { "\($0.aheadMilliseconds) ms" }
    }
  }

  private static func templates(_ games: [StatusGame]) -> Table {
    Table(games.compactMap { game in game.template.map { (game: game.game, template: $0) } }) {
      Column("game") { $0.game }
      Column("version") { $0.template.version }
      Column("for") { $0.template.ageSeconds.map(length(seconds:)) }
      Column("from") { $0.template.file ?? $0.template.source ?? "pushed" }
      Column("to come") { each -> Sentence? in
        let at: Sentence = each.template.scheduledAt.map { " at \(time: $0)" } ?? ""
        return each.template.scheduled.map { "\($0)\(at)" }
      }
      Column("wrong") { $0.template.wrong.isEmpty ? nil : $0.template.wrong.joined(separator: "; ") }
    }
  }

  private static func table(_ watchers: StatusWatchers) -> Table {
    Table(facts: "watchers") {
      NamedValueRow("in all", watchers.count)
      NamedValueRow("of events, of images", "\(watchers.streams), \(watchers.imageStreams)")
      NamedValueRow("calls that wait", watchers.calls)
      NamedValueRow("of the daemon as a whole", watchers.admins)
      for user in watchers.byUID.members { NamedValueRow("of uid \(user.name)", user.value) }
      NamedValueRow("bytes waiting", watchers.bytesWaiting)
      if let last = watchers.fanOutLastMilliseconds, let median = watchers.fanOutMedianMilliseconds,
        let p99 = watchers.fanOutP99Milliseconds
      {
        NamedValueRow("fan-out: last, median, p99", "\(last), \(median), \(p99) ms")
      }
      NamedValueRow("with keys that may change at any time", watchers.timeDependent)
      if watchers.lookSeconds > 1 { NamedValueRow("looked at every", "\(watchers.lookSeconds) s") }
      for key in watchers.lookedAtLess { NamedValueRow("looked at less often", key) }
    }
  }

  private static func table(_ members: ObjectValue) -> Table {
    Table(facts: "name") { for member in members.members { NamedValueRow(member.name, member.value) } }
  }

  private static func length(seconds: Double) -> String {
    InstantStyle.length(milliseconds: UInt64(min(max(0, seconds), 1e12) * 1000)) ?? "long"
  }
}
