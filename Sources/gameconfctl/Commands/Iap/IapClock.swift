// gameconfctl iap clock

import ArgumentParser
import GameConfAPI
import GameConfCore

struct IapClock: AsyncParsableCommand {
  enum Move: String, ExpressibleByArgument, CaseIterable { case set, advance, rate }

  static let configuration = CommandConfiguration(
    commandName: "clock", abstract: "Print a game's simulated time, or move it; forward only.",
    discussion: """
      set INSTANT      show this time now, such as 2027-01-31T00:00:00Z
      advance PERIOD   move on by a calendar period (P1M, P1Y) or a length (36h)
      rate NUMBER      so many simulated seconds for each of the host's: 1 as on the host, 0 stands still
      """)

  @Argument(help: "The game.", completion: .games) var game: String
  @Argument(help: "set, advance or rate.") var move: Move?
  @Argument(help: "To when, by how much, or how fast.") var value: String?
  @OptionGroup var change: ChangeOptions
  @OptionGroup var connection: ConnectionOptions

  func validate() throws {
    if let move, value == nil { throw ValidationError("\(move.rawValue) needs a value.") }
  }

  func run() async throws {
    let desk = connection.desk()
    guard let move, let value else {
      let reply = try await desk.daemon.ask(Calls.gameClock, ["game": game])
      return desk.show(reply.value, asJSON: connection.json) {
        desk.screen.write((desk.screen.isTerminal ? InstantLook.second(reply.answer.now) : reply.answer.now.text) + "\n")
        if let pace = Self.pace(reply.answer) { desk.screen.note(pace) }
      }
    }
    let reply = try await desk.daemon.ask(
      Calls.putGameClock, ["game": game], body: try request(move, value), change: change)
    desk.show(reply.value, asJSON: connection.json) {
      let pace = Self.pace(reply.answer).map { "; \($0)" } ?? ""
      desk.screen.say(change.told("the clock of \(SafeText.escaped(game)) shows \(InstantLook.second(reply.answer.now))\(pace)"))
    }
  }

  /// How fast it runs, where that is not as the host does.
  static func pace(_ clock: ClockAnswer) -> String? {
    if clock.rate == 0 { return "it stands still" }
    let pace = clock.rate == 1 ? nil : "it runs \(JSONWriter.text(.double(clock.rate))) times as fast as the host's clock"
    if !clock.isFrozen { return pace }
    return [pace, "the host's clock stands still"].compactMap { $0 }.joined(separator: ", but ")
  }

  private func request(_ move: Move, _ value: String) throws(CtlFailure) -> PutClock {
    switch move {
    case .set: return PutClock(.set(try ClockText.instant(value)), reason: change.reason)
    case .advance: return PutClock(.advance(value), reason: change.reason)
    case .rate:
      guard let rate = (try? JSONReader.value(from: value.utf8))?.numberValue else {
        throw .usage("rate \(SafeText.escaped(value)): write a number, such as 60 or 0.5")
      }
      return PutClock(rate: rate, reason: change.reason)
    }
  }
}
