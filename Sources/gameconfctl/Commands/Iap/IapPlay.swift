// gameconfctl iap play

import ArgumentParser
import GameConfAPI
import GameConfCore

struct IapPlay: DaemonCommand {
  static let configuration = CommandConfiguration(
    commandName: "play", abstract: "Do several acts on a product of a player, one after another, such as renew,fail,recover.",
    discussion: """
      The acts are \(TransactionAct.played.map(\.word).joined(separator: ", ")). Each does the same as its own command: fail is iap \
      retry, grace is a failed renewal that leaves access, resume is cancel --undo. The first refused act ends the list; acts before it \
      before stays.
      """)

  @OptionGroup var of: TransactionArguments
  @Argument(help: "The acts, separated by commas.") var acts: String
  @Option(help: "The reason, for the audit log.") var reason: String?
  @OptionGroup var agreement: YesOption
  @OptionGroup var connection: ConnectionOptions

  func validate() throws { _ = try Self.acts(in: acts) }

  func run(on console: Console) async throws {
    let acts = try Self.acts(in: acts)
    var change = ChangeOptions.plain
    change.reason = reason
    let shop = of.whom.shop(change, console)
    for (at, act) in acts.enumerated() {
      do throws(CtlFailure) {
        try PurchaseWords.check(try await act.perform(shop, on: of.transaction))
      } catch {
        if acts.count > 1, !console.isJSON {
          let left = acts[at...].map(\.word).joined(separator: ", ")
          shop.console.screen.note("\(at) of \(acts.count) acts done; not done: \(left)")
        }
        throw error
      }
    }
  }

  static func acts(in text: String) throws(ValidationError) -> [TransactionAct] {
    var acts: [TransactionAct] = []
    for word in text.split(separator: ",", omittingEmptySubsequences: false).map(String.init) {
      guard let act = TransactionAct.played.first(where: { $0.word == word }) else {
        let words = TransactionAct.played.map(\.word)
        let hint = NearestNames.hint(for: word, among: words)
        throw ValidationError("“\(word)” is not an act.\(hint.isEmpty ? " There are \(words.joined(separator: ", "))." : hint)")
      }
      acts.append(act)
    }
    return acts
  }
}
