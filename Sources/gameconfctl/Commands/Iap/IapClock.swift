// gameconfctl iap clock

import ArgumentParser
import GameConfAPI
import GameConfCore

struct IapClock: ChangeCommand, DestructiveCommand {
  enum GameClockAction: String, ExpressibleByArgument, CaseIterable { case set, advance, rate, reset }

  static let configuration = CommandConfiguration(
    commandName: "clock", abstract: "Print a game's simulated time, move it forward for everybody, or reset it.",
    discussion: """
      set TIME         move to this time, such as 2027-01-31T00:00:00Z or “tomorrow 9:00” by the game's own clock
      advance PERIOD   move on by a calendar period (P1M, “1 year”) or a length (36h)
      rate NUMBER      simulated seconds for each second of the host: 1 as on the host, 0 stops the clock
      reset            back to the host's time; clears every player's simulated purchases

      The clock moves for every player of the game, so gameconfctl asks first. For one player use player clock.
      """)

  @Argument(help: "The game.", completion: .games) var game: String
  @Argument(help: "set, advance, rate or reset.") var move: GameClockAction?
  @Argument(help: "The time, the length, or the rate.") var value: String?
  @OptionGroup var change: ChangeOptions
  @OptionGroup var connection: ConnectionOptions

  /// True if the command moves the clock: a move applies to every player, and only a reset undoes it.
  static func destroys(_ words: [String]) -> Bool { words.contains { GameClockAction(rawValue: $0) != nil } }
  /// True if the first word is a move, so that the game is missing. No game has the name of a move.
  static func omitsWords(_ words: [String], of count: Int) -> Bool { words.first.flatMap(GameClockAction.init) != nil }

  func validate() throws {
    if move == .reset, value != nil { throw ValidationError("reset takes no value.") }
    if let move, move != .reset, value == nil { throw ValidationError("\(move.rawValue) needs a value.") }
  }

  func run(on console: Console) async throws {
    if move == .reset { return try await reset(console) }
    guard let move, let value else {
      let reply = try await console.daemon.ask(Calls.gameClock, ["game": game])
      return console.show(reply.value) {
        console.screen.line("\(time: reply.answer.now, .clock)")
        if let pace = Self.pace(reply.answer) { console.screen.note(pace) }
      }
    }
    if !change.dryRun, !change.agreement.yes {
      let tried = try await console.daemon.ask(
        Calls.putGameClock, ["game": game], query: [("dry_run", "true")], body: try await request(move, value, console.daemon))
      let pace: Sentence = Self.pace(tried.answer).map { "; \($0)" } ?? ""
      try console.screen.confirm(
        "Move the clock of \(game) for every player, to \(time: tried.answer.now, .clock)\(pace)? Only a reset undoes it.",
        isAgreed: false)
    }
    let reply = try await console.daemon.ask(
      Calls.putGameClock, ["game": game], body: try await request(move, value, console.daemon), change: change)
    console.show(reply.value) {
      let pace: Sentence = Self.pace(reply.answer).map { "; \($0)" } ?? ""
      console.report("the clock of \(game) shows \(time: reply.answer.now, .clock)\(pace)")
    }
  }

  private func reset(_ console: Console) async throws {
    let found = try await console.daemon.ask(Calls.resetGameClock, ["game": game], query: [("dry_run", "true")])
    let what: Sentence =
      "\(found.answer.transactions, "simulated transaction") cleared, \(found.answer.players, "player") set to now"
    if change.dryRun {
      return console.show(found.value) {
        console.report(
          "the clock of \(game) would show \(time: found.answer.now, .clock), not \(time: found.answer.nowBefore, .clock): \(what)")
      }
    }
    try console.screen.confirm(
      "Reset the clock of \(game) from \(time: found.answer.nowBefore, .clock) to the host's time: \(what)?",
      isAgreed: change.agreement.yes)
    let query = change.reason.map { [("reason", $0)] } ?? []
    let reply = try await console.daemon.ask(Calls.resetGameClock, ["game": game], query: query)
    console.show(reply.value) {
      let copy = reply.answer.backup.map { "; the previous database is stored as \($0)" } ?? ""
      console.screen.say("the clock of \(game) shows \(time: reply.answer.now, .clock), the host's time: \(what)\(copy)")
    }
  }

  /// Returns the rate of a simulated clock in words; nil if it runs at the host's rate.
  static func pace(_ clock: ClockAnswer) -> Sentence? {
    if clock.rate == 0 { return "it is stopped" }
    let pace: Sentence? = clock.rate == 1 ? nil : "it runs \(JSONWriter.text(.double(clock.rate))) times as fast as the host's clock"
    if !clock.isFrozen { return pace }
    return [pace, "the host's clock is frozen"].compactMap { $0 }.joined(separator: ", but ")
  }

  private func request(_ move: GameClockAction, _ value: String, _ daemon: DaemonClient) async throws(CtlFailure) -> PutClock {
    switch move {
    case .set:
      let instant = try await TimeText.instant(value, "set") { () async throws(CtlFailure) in
        try await daemon.ask(Calls.gameClock, ["game": game]).answer.now
      }
      return PutClock(.set(instant), reason: change.reason)
    case .advance: return PutClock(.advance(LengthText.advance(value)), reason: change.reason)
    case .rate:
      guard let rate = (try? JSONReader.value(from: value.utf8))?.numberValue else {
        throw .usage("rate \(value): write a number, such as 60 or 0.5")
      }
      return PutClock(rate: rate, reason: change.reason)
    case .reset: throw .usage("reset takes no value")
    }
  }
}
