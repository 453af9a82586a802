// gameconfctl player clock

import ArgumentParser
import GameConfAPI
import GameConfCore

struct PlayerClockMove: ChangeCommand, WordCommand {
  private static let dueShownMax = 24

  enum PlayerClockAction: String, ExpressibleByArgument, CaseIterable { case set, advance, offset }

  static let configuration = CommandConfiguration(
    commandName: "clock", abstract: "Print a player's simulated time, or move it ahead of the game's; forward only.",
    discussion: """
      set TIME         move to this time, such as 2027-01-31T00:00:00Z or “tomorrow 9:00” by the player's own clock
      advance PERIOD   move on by a calendar period (P1M, “1 year”) or a length (36h)
      offset LENGTH    be this far ahead of the game's clock, such as 30d
      """)

  @OptionGroup var whom: PlayerOptions
  @Argument(help: "set, advance or offset.") var move: PlayerClockAction?
  @Argument(help: "The time, or the length.") var value: String?
  @OptionGroup var change: ChangeOptions
  @OptionGroup var connection: ConnectionOptions

  func validate() throws {
    if let move, value == nil { throw ValidationError("\(move.rawValue) needs a value.") }
  }

  func run(on console: Console) async throws {
    guard let move, let value else {
      let reply = try await console.daemon.ask(Calls.playerClock, whom.variables)
      return console.show(reply.value) {
        console.screen.line("\(time: reply.answer.now, .clock)")
        if reply.answer.offsetMilliseconds > 0 { console.screen.note(Self.ahead(reply.answer)) }
      }
    }
    let remark = await console.remark(onPlayer: whom.player, in: whom.game)
    let reply = try await console.daemon.ask(
      Calls.putPlayerClock, whom.variables, body: PutPlayerClock(try await self.move(move, value, console.daemon), reason: change.reason),
      change: change)
    console.show(reply.value) {
      console.report("the clock of player \(whom.player) shows \(time: reply.answer.now, .clock), \(Self.ahead(reply.answer))")
      if let remark { console.screen.note(remark) }
      let due = reply.answer.due
      if due.isEmpty { return }
      console.screen.show(IapHistory.table(due.suffix(Self.dueShownMax)))
      if due.count > Self.dueShownMax {
        console.screen.note("\(due.count - Self.dueShownMax) more came due before; “iap history” has them")
      }
    }
  }

  private static func ahead(_ clock: PlayerClockAnswer) -> Sentence {
    "\(DurationText.text(milliseconds: clock.offsetMilliseconds)) ahead of the game's"
  }

  private func move(
    _ move: PlayerClockAction, _ value: String, _ daemon: DaemonClient
  ) async throws(CtlFailure) -> PutPlayerClock.PlayerClockChange {
    switch move {
    case .set:
      let instant = try await TimeText.instant(value, "set") { () async throws(CtlFailure) in
        try await daemon.ask(Calls.playerClock, whom.variables).answer.now
      }
      return .to(.set(instant))
    case .advance: return .to(.advance(LengthText.advance(value)))
    case .offset: return .offset(milliseconds: try LengthText.milliseconds(value, "offset"))
    }
  }
}
