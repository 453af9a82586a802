// gameconfctl ads event

import ArgumentParser
import GameConfAPI
import GameConfCore

struct AdsEvent: ChangeCommand {
  static let configuration = CommandConfiguration(
    commandName: "event", abstract: "Record an event as the game would, and say what it unlocks and whether an ad shows.")

  @OptionGroup var whom: PlayerOptions
  @Argument(help: "The event.", completion: .events) var event: String
  @Option(help: "The mode.", completion: .modes) var mode: String?
  @Option(parsing: .unconditional, help: ArgumentHelp("The score.", valueName: "points"))
  var score: String?
  @Option(name: .customLong("event-reason"), help: ArgumentHelp("The reason, one of the catalog's.", valueName: "word"))
  var eventReason: String?
  @Option(help: ArgumentHelp("The event's id: a repeated event counts once while its id is among the newest 64.", valueName: "id"))
  var id: String?
  @Option(name: .customLong("at"), help: ArgumentHelp("The time of a late event.", valueName: "time"))
  var occurredAt: String?
  @Option(help: ArgumentHelp("With these attributes, as a JSON object or @FILE.", valueName: "json"))
  var context: String?
  @Option(help: ArgumentHelp("What else it says, as a JSON object or @FILE.", valueName: "json"))
  var details: String?
  @Option(help: ArgumentHelp("The play it belongs to, whose values count.", valueName: "id"))
  var play: String?
  @Option(help: ArgumentHelp("The play's state after the event, as JSON or @FILE.", valueName: "json"))
  var state: String?
  @Flag(name: .customLong("close"), help: "Close the play with the event.") var closesPlay = false
  @OptionGroup var change: ChangeOptions
  @OptionGroup var connection: ConnectionOptions

  func validate() throws {
    if id != nil, change.idempotencyKey != nil { throw ValidationError("--id and --idempotency-key mean the same; give one of them.") }
    if play == nil, state != nil || closesPlay { throw ValidationError("--state and --close need --play with the play.") }
  }

  func run(on console: Console) async throws {
    let reply = try await console.daemon.ask(
      Calls.recordEvent, whom.variables, body: EventsRequest(try await request(console.daemon)), change: change)
    console.show(reply.value) {
      guard case .one(let answer) = reply.answer else { return console.screen.note("the event was recorded before") }
      console.report(Self.words(answer))
    }
  }

  private func request(_ daemon: DaemonClient) async throws(CtlFailure) -> EventRequest {
    var request = EventRequest(eventID: id, event: event, mode: mode, reason: eventReason)
    if let score { request.score = try ValueText.value(score, type: .integer) }
    (request.play, request.isClosing) = (play, closesPlay)
    request.state = try state.map { text throws(CtlFailure) in try ValueText.json(text) }
    if let context { request.context = try Self.object(context, "--context", #"{"platform": "ios"}"#) }
    if let details { request.details = try Self.object(details, "--details", #"{"puzzle": "4-Easy-1"}"#) }
    if let occurredAt {
      request.occurredAt = try await daemon.time(occurredAt, "--at", side: .past)
    }
    return request
  }

  private static func object(_ text: String, _ option: String, _ example: String) throws(CtlFailure) -> ObjectValue {
    guard case .object(let object) = try ValueText.json(text) else { throw .usage("\(option) must be a JSON object such as '\(example)'") }
    return object
  }

  static func words(_ answer: EventAnswer) -> Sentence {
    var text: Sentence = "\(answer.event) \(answer.count): \(PlayerWords.scored(answer.lifetimeScore, in: answer.gamesPlayed))"
    if let best = answer.bestScore { text += answer.isBest ? ", a new best of \(best)" : ", best \(best)" }
    text += ", visit \(answer.visit)"
    let ads = answer.ads.sorted { $0.key < $1.key }.map { AdWords.decision($0.value) }
    return ([text] + [PlayerWords.unlocked(answer.unlocked)].compactMap { $0 } + ads).joined(separator: "\n")
  }
}
