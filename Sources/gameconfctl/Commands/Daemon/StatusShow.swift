// gameconfctl status

import ArgumentParser
import GameConfAPI
import GameConfCore

struct StatusShow: AsyncParsableCommand {
  static let configuration = CommandConfiguration(commandName: "status", abstract: "Show the daemon's state on one page.")

  @Flag(help: "Include every limit and setting.")
  var all = false
  @Flag(help: "Show it again after every change, until interrupted.")
  var follow = false
  @OptionGroup var connection: ConnectionOptions

  func run() async throws {
    let console = connection.console()
    guard follow else { return try await show(console) }
    var feed = EventFeed(console.daemon, Calls.watchAll)
    while try await feed.next() != nil {
      console.clear()
      try await show(console)
    }
  }

  private func show(_ console: Console) async throws(CtlFailure) {
    let reply = try await console.daemon.ask(Calls.status)
    console.show(reply.value, asJSON: connection.json) {
      console.screen.show(StatusPage.of(reply.answer, showsAll: all, on: console.screen))
    }
  }
}

enum StatusPage {
  static func of(_ status: StatusAnswer, showsAll: Bool, on screen: Screen) -> Page {
    var page = Page()
    var daemon = Table(["what", .state("value")])
    daemon.add(["version", status.version])
    daemon.add(["pid", String(status.pid)])
    daemon.add(["started", screen.time(status.startedAt)])
    daemon.add(["clock", screen.time(status.clock.now, in: .clock) + (status.clock.isFrozen ? " (frozen)" : "")])
    if let store = status.store {
      daemon.add(["store", store.state + (store.detail.map { ": \($0)" } ?? "")])
      if let age = store.lastGoodAgeSeconds {
        daemon.add(["last-good.json", "written \(InstantStyle.length(milliseconds: UInt64(max(0, age) * 1000)) ?? "long") ago"])
      }
      if let putAside = store.putAside { daemon.add(["put aside", putAside]) }
      for copy in store.copies ?? [] where store.putAside?.hasSuffix(copy) != true { daemon.add(["damaged, on disk", copy]) }
    }
    page.add("daemon", daemon)
    if let fleet = status.store?.fleet {
      page.add("database", Self.table(fleet, on: screen))
      page.add("hosts", Self.hosts(fleet, on: screen))
    }

    var games = Table(
      ["game", .extra("title"), "revision", "keys", "overrides", "of players", "quarantined", .state("state")], whenEmpty: "no games")
    var switches = Table(["game", "kill switch", "value", "source"], markMeaning: "overridden")
    var clocks = Table(["game", .date("simulated time"), "rate", "ahead"])
    var dropIns = Table(["game", "drop-in"])
    for game in status.games {
      if let clock = game.clock {
        clocks.add([game.game, clock.now.text, String(clock.rate), ClockText.ahead(milliseconds: clock.offsetMilliseconds)])
      }
      for file in game.dropIns { dropIns.add([game.game, file]) }
      games.add([
        game.game, game.title, String(game.revision), String(game.keys), String(game.overrides), String(game.playerOverrides),
        String(game.quarantined), game.degraded.isEmpty ? "ok" : "degraded",
      ])
      for each in game.killSwitches {
        switches.add([game.game, each.key, each.isOn ? "on" : "off", each.source], isMarked: each.source.hasPrefix("override."))
      }
    }
    for game in status.unserved {
      games.add([game.game, "-", "-", "-", "-", "-", "-", "not served"])
    }
    page.add("games", games)
    if !status.degraded.isEmpty { page.add("degraded", DegradationTable.of(status.degraded)) }
    let tables = [
      ("clocks that were moved", clocks), ("drop-ins", dropIns), ("kill switches", switches),
      ("refused events", Self.refusedEvents(status.games)), ("templates", Self.templates(status.games, on: screen)),
    ]
    for (name, table) in tables where !table.rows.isEmpty { page.add(name, table) }

    var sockets = Table(["socket", "path", "bound by", "connections", "open to"], whenEmpty: "no sockets")
    for socket in status.sockets {
      sockets.add([
        socket.kind, socket.path, socket.origin, String(socket.connections),
        socket.isOpen ? "everyone" : socket.kind == "admin" ? "those with a role" : "those named",
      ])
    }
    page.add("sockets", sockets)
    if showsAll {
      if let watchers = status.watchers { page.add("watchers", table(watchers)) }
      page.add("limits", table(status.limits))
      page.add("settings", table(status.settings))
    }
    if !status.warnings.isEmpty {
      var warnings = Table(["warning"])
      for warning in status.warnings { warnings.add([warning]) }
      page.add("warnings", warnings)
    }
    return page
  }

  private static func refusedEvents(_ games: [StatusGame]) -> Table {
    var table = Table(["game", "refused by", "events"])
    for game in games {
      for (rule, count) in game.refusedEvents.sorted(by: { $0.key < $1.key }) { table.add([game.game, rule, String(count)]) }
    }
    return table
  }

  private static func table(_ fleet: StatusFleet, on screen: Screen) -> Table {
    var table = Table(["database", "value"])
    table.add(["database, schema, role", "\(fleet.database), \(fleet.schema), \(fleet.role)"])
    table.add(["server", "PostgreSQL \(fleet.server), synchronous_commit \(fleet.durability)"])
    if let standbys = fleet.standbys {
      table.add(["standbys", "\(standbys)" + (fleet.lagMilliseconds.map { ", \($0) ms behind at most" } ?? "")])
    }
    table.add(["newest look", "\(fleet.lookMilliseconds) ms, \(fleet.connections) connections"])
    if let at = fleet.announcedAt { table.add(["last announcement", screen.time(at)]) }
    return table
  }

  private static func hosts(_ fleet: StatusFleet, on screen: Screen) -> Table {
    var table = Table(["host", "seen", "version", "clock ahead"], whenEmpty: "no hosts")
    for host in fleet.hosts {
      table.add([host.name, screen.time(host.seenAt), host.version, "\(host.aheadMilliseconds) ms"])
    }
    return table
  }

  private static func templates(_ games: [StatusGame], on screen: Screen) -> Table {
    var table = Table(["game", "version", "for", "from", "to come", "wrong"])
    for game in games {
      guard let template = game.template else { continue }
      let coming = template.scheduled.map { "\($0)\(template.scheduledAt.map { " at \(screen.time($0))" } ?? "")" }
      table.add([
        game.game, template.version.map(String.init) ?? "-",
        template.ageSeconds.map { InstantStyle.length(milliseconds: UInt64(max(0, $0) * 1000)) ?? "long" } ?? "-",
        template.file ?? template.source ?? "pushed",
        coming ?? "-", template.wrong.isEmpty ? "-" : template.wrong.joined(separator: "; "),
      ])
    }
    return table
  }

  private static func table(_ watchers: StatusWatchers) -> Table {
    var table = Table(["watchers", "value"])
    table.add(["in all", String(watchers.count)])
    table.add(["of events, of images", "\(watchers.streams), \(watchers.imageStreams)"])
    table.add(["calls that wait", String(watchers.calls)])
    table.add(["of the daemon as a whole", String(watchers.admins)])
    for user in watchers.byUID.members { table.add(["of uid \(user.name)", ValueStyle.cell(user.value)]) }
    table.add(["bytes waiting", String(watchers.bytesWaiting)])
    if let last = watchers.fanOutLastMilliseconds, let median = watchers.fanOutMedianMilliseconds, let p99 = watchers.fanOutP99Milliseconds
    {
      table.add(["fan-out: last, median, p99", "\(last), \(median), \(p99) ms"])
    }
    table.add(["with keys that may change at any time", String(watchers.timeDependent)])
    if watchers.lookSeconds > 1 { table.add(["looked at every", "\(watchers.lookSeconds) s"]) }
    for key in watchers.lookedAtLess { table.add(["looked at less often", key]) }
    return table
  }

  private static func table(_ members: ObjectValue) -> Table {
    var table = Table(["name", "value"])
    for member in members.members { table.add([member.name, ValueStyle.cell(member.value)]) }
    return table
  }
}
