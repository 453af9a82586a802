// gameconfctl config changes

import ArgumentParser
import GameConfAPI
import GameConfCore

struct ConfigChanges: DaemonCommand {
  static let configuration = CommandConfiguration(
    commandName: "changes",
    abstract: "List a game's differences from its catalog: overrides, clock, template, drop-ins; by whom, when, why, until when.",
    discussion: "Changes of a scenario are shown with its id and the end of its lease, which its runner renews.")

  @Argument(help: "The game.", completion: .games) var game: String
  @Flag(help: "Include the overrides of players.") var players = false
  @Option(
    help: ArgumentHelp("Only what is changed for this player: overrides, clock, store, scores.", valueName: "id"), completion: .players)
  var player: String?
  @OptionGroup var connection: ConnectionOptions

  func validate() throws {
    if players, player != nil { throw ValidationError("--players and --player exclude each other; give one of them.") }
  }

  func run(on console: Console) async throws {
    if let player {
      let reply = try await console.daemon.ask(Calls.playerChanges, ["game": game, "player": player])
      let flags = console.isJSON ? [] : await ChangesTable.flags(among: reply.answer.changes, of: game, console.daemon)
      return console.show(reply.value) {
        console.screen.show(
          ChangesTable.of(
            reply.answer.changes, flags: flags, showsReads: true, whenEmpty: "nothing is changed for the player", on: console.screen))
        Self.sayReads(of: reply.answer.changes, console.screen)
      }
    }
    let reply = try await console.daemon.ask(Calls.changes, ["game": game], query: players ? [("players", "all")] : [])
    let flags = console.isJSON ? [] : await ChangesTable.flags(among: reply.answer.changes, of: game, console.daemon)
    console.show(reply.value) {
      let count = players ? 0 : reply.answer.playerOverrides
      console.screen.show(
        ChangesTable.of(
          reply.answer.changes, flags: flags, showsPlayers: players, showsReads: true,
          whenEmpty: count == 0 ? "nothing is changed for the game" : "nothing is changed for the game as a whole", on: console.screen))
      Self.sayReads(of: reply.answer.changes, console.screen)
      if count > 0 {
        console.screen.note("players have \(count, "override"): “gameconfctl config changes \(game) --players” lists them")
      }
    }
  }
}

extension ConfigChanges {
  /// Prints below the table, on a terminal only, whether games have read the overrides in force.
  private static func sayReads(of changes: [ChangedThing], _ screen: Screen) {
    guard screen.isTerminal else { return }
    let reads = changes.compactMap { change -> Sentence? in
      guard let read = change.read else { return nil }
      let player: Sentence = change.player.map { " of player \($0)" } ?? ""
      return "\(change.key ?? "")" + player + ": \(read.words)"
    }
    if !reads.isEmpty { screen.say("\n" + reads.joined(separator: "\n")) }
  }
}

enum ChangesTable {
  static func flags(among changes: [ChangedThing], of game: String, _ daemon: DaemonClient) async -> Set<String> {
    guard changes.contains(where: { $0.value?.boolValue != nil }) else { return [] }
    let parameters = (try? await daemon.ask(Calls.catalog, ["game": game]).answer.part("parameters")) ?? []
    return Set(parameters.filter { $0["flag"] != nil }.compactMap { $0["key"]?.stringValue })
  }

  /// Returns changes as a table.
  /// - Parameter flags: The keys whose values are shown as on and off.
  static func of(
    _ changes: [ChangedThing], flags: Set<String> = [], showsPlayers: Bool = false, showsReads: Bool = false, whenEmpty: String,
    on screen: Screen
  ) -> Table {
    Table(changes, whenEmpty: whenEmpty) {
      Column("what") { $0.what }
      Column("key") { $0.key }
      if showsPlayers { Column("player") { $0.player } }
      Column("value", .value) { change in
        let isOn = change.key.map(flags.contains) == true ? change.value?.boolValue : nil
        return isOn.map { $0 ? "on" : "off" } ?? change.value.map { cell($0, of: change, on: screen) }
      }
      Column("state", .state) { state(of: $0, now: screen.clock()) }
      // For a person, the beginning of an override's window matters only while it is in the future.
      Column("from", .when) { $0.from.flatMap { screen.isTerminal && !screen.isLong && $0 <= screen.clock() ? nil : $0 } }
      Column("until", .when) { until($0) }
      Column("by", .aside) { $0.author?.label }
      Column("at", .when, .aside) { $0.at }
      Column("reason", .aside) { $0.reason }
      if changes.contains(where: { $0.scenario != nil }) { Column("scenario", .aside) { $0.scenario?.name } }
      if showsReads, !screen.isTerminal, changes.contains(where: { $0.read != nil }) { Column("requests", .sentence) { $0.read?.words } }
    }
  }

  /// Returns the cell for the value of a change. A clock's instant is shown as simulated time, a value as it is, and any other change in
  /// words.
  private static func cell(_ value: Value, of change: ChangedThing, on screen: Screen) -> Sentence {
    if change.what == "clock", let text = value.stringValue, let now = try? Instant(parsing: text) { return "\(time: now, .clock)" }
    let isValue = ["override", "template", "player.setting"].contains(change.what)
    return "\(isValue || !screen.isTerminal ? ValueStyle.cell(value) : ValueStyle.words(value))"
  }

  /// Returns the end of a change. A scenario's changes end when its lease is not renewed, long before their window ends.
  private static func until(_ change: ChangedThing) -> Instant? { change.scenario?.leaseUntil ?? change.until }

  /// Returns the state of a change with further details. For a change that is not in force it returns the reason.
  private static func state(of change: ChangedThing, now: Instant) -> String {
    // A refund or another act in the store is not “in force”; it is done.
    let word = change.what.hasPrefix("iap.") || change.what == "player.scores" ? "done" : "in force"
    if change.isInForce { return change.detail.map { "\(word); \($0)" } ?? word }
    if let detail = change.detail { return detail }
    return change.from.map { $0 > now } == true ? "to come" : "below a window"
  }
}
