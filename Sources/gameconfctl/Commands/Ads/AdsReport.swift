// gameconfctl ads report

import ArgumentParser
import GameConfAPI
import GameConfCore

struct AdsReport: ChangeCommand, PlacementCommand {
  static let configuration = CommandConfiguration(
    commandName: "report", abstract: "Report the outcome of an ad, as the game would: shown, closed, no_fill, failed, rewarded.")

  @OptionGroup var place: PlacementOptions
  @Argument(help: "The decision's id, from the event's answer.") var decision: String
  @Argument(help: "The outcome.", completion: .list(AdOutcome.allCases.map(\.rawValue))) var outcome: String
  @OptionGroup var change: ChangeOptions
  @OptionGroup var connection: ConnectionOptions

  func validate() throws {
    guard AdOutcome(rawValue: outcome) != nil else {
      throw ValidationError("The outcome is one of \(AdOutcome.allCases.map(\.rawValue).joined(separator: ", ")).")
    }
  }

  func run(on console: Console) async throws {
    guard let outcome = AdOutcome(rawValue: outcome) else { return }
    let reply = try await console.daemon.ask(
      Calls.reportAd, place.variables, body: AdReportRequest(decisionID: decision, outcome: outcome, reason: change.reason), change: change)
    console.show(reply.value) {
      let answer = reply.answer
      var sentence: Sentence = "\(answer.decisionID) is reported as \(answer.outcome.rawValue)"
      if answer.isRepeat { sentence += ", as before" }
      if answer.isGivenBack { sentence += ", the show is given back" }
      console.report("\(sentence); next ad \(AdWords.next(answer.ad))")
    }
  }
}
