// gameconfctl iap products

import ArgumentParser
import GameConfAPI
import GameConfCore

struct IapProducts: DaemonCommand {
  static let configuration = CommandConfiguration(commandName: "products", abstract: "List the products of a game with their prices.")

  @Argument(help: "The game.", completion: .games) var game: String
  @Option(help: ArgumentHelp("Load them as this player's store does, which may be set to fail.", valueName: "id"), completion: .players)
  var player: String?
  @Option(help: ArgumentHelp("In this language, as a BCP 47 tag.", valueName: "tag"))
  var locale: String?
  @OptionGroup var connection: ConnectionOptions

  func run(on console: Console) async throws {
    let query = [("locale", locale), ("player", player)].compactMap { name, text in text.map { (name, $0) } }
    let reply = try await console.daemon.ask(Calls.products, ["game": game], query: query)
    console.show(reply.value) {
      if let error = reply.answer.error {
        console.screen.say("loading the products failed: \(error)")
      } else {
        console.screen.show(Self.table(reply.answer.products))
      }
    }
    if reply.answer.error != nil { throw CtlFailure.reported(.refused) }
  }

  static func table(_ products: [WireProduct]) -> Table {
    Table(products, whenEmpty: "no products") {
      Column("product") { $0.id }
      Column("type") { $0.type }
      Column("price") { price($0.price) }
      Column("period") { $0.renewal.map(period) }
      Column("name", .aside) { CatalogPage.words($0.name) }
      Column("grants") { $0.grants.isEmpty ? nil : $0.grants.joined(separator: ", ") }
      Column("store id", .aside) { $0.storeID }
    }
  }

  private static func price(_ price: ObjectValue) -> String {
    price.isEmpty ? "-" : price.members.map { "\(ValueStyle.cell($0.value)) \($0.name)" }.joined(separator: ", ")
  }

  private static func period(_ renewal: WireProduct.Renewal) -> String {
    let parts = [renewal.intro.map { "\($0.mode) \($0.periods) × \($0.period)" }, renewal.gracePeriod.map { "grace \($0)" }]
    return ([renewal.period] + parts.compactMap { $0 }).joined(separator: ", ")
  }
}
