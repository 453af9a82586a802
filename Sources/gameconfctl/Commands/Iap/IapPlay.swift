// gameconfctl iap play

import ArgumentParser

struct IapPlay: DaemonCommand {
  static let configuration = CommandConfiguration(
    commandName: "play", abstract: "Do several acts on a product of a player, one after another, such as renew,fail,recover.",
    discussion: """
      The acts are \(ShopCommand.played.map(\.word).joined(separator: ", ")). Each does the same as its own command: fail is iap \
      retry, grace is a failed renewal that leaves access, resume is cancel --undo. The first refused act ends the list; acts before it \
      stay.

      Further steps bring about what an act needs, so that one line leads to any state:
      \(PlayStep.kinds.map { "  \($0.shown)   \($0.about)" }.joined(separator: "\n"))
      """)

  @OptionGroup var of: TransactionArguments
  @Argument(help: "The acts, separated by commas.") var acts: String
  @Option(help: "The reason, for the audit log.") var reason: String?
  @OptionGroup var agreement: YesOption
  @OptionGroup var connection: ConnectionOptions

  func validate() throws { _ = try Self.steps(in: acts) }

  func run(on console: Console) async throws {
    let steps = try Self.steps(in: acts)
    var change = ChangeOptions.plain
    change.reason = reason
    let shop = of.whom.shop(change, console)
    for (at, step) in steps.enumerated() {
      do throws(CtlFailure) { try await step.perform(shop, of.transaction) } catch {
        if steps.count > 1, !console.isJSON {
          let left = steps[at...].map(\.text).joined(separator: ", ")
          shop.console.screen.note("\(at) of \(steps.count) acts done; not done: \(left)")
        }
        throw error
      }
    }
  }

  static func steps(in text: String) throws(ValidationError) -> [PlayStep] {
    var steps: [PlayStep] = []
    for word in text.split(separator: ",", omittingEmptySubsequences: false) { steps.append(try PlayStep(String(word))) }
    return steps
  }
}
