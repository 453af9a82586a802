// gameconfctl bridge devices

import ArgumentParser
import GameConfCore

struct BridgeDevices: DaemonCommand {
  static let configuration = CommandConfiguration(
    commandName: "devices", abstract: "List the phones that are paired with your bridges, or end one.",
    discussion: "A phone that is ended has to pair again; its open watches end.")

  @Option(help: ArgumentHelp("End the phone of this number.", valueName: "number")) var end: Int?
  @Option(
    name: .customLong("of"), help: ArgumentHelp("Only the bridge of this game, or at this address and port.", valueName: "game"),
    completion: .games)
  var bridge: String?
  @OptionGroup var connection: ConnectionOptions

  func run(on console: Console) async throws {
    var bridges = DeviceSocket.bridges().filter { running in
      bridge == nil || ["game", "address"].contains { running.answer[$0]?.stringValue == bridge }
    }
    guard !bridges.isEmpty else {
      throw CtlFailure.refused(["No bridge of yours listens on a network. Start one with gameconfctl bridge --network --game GAME."])
    }
    if let end {
      guard bridges.count == 1 else {
        throw CtlFailure.usage("\(bridges.count) bridges run; name the one of the phone with --of GAME, or --of ADDRESS:PORT")
      }
      guard let answer = DeviceSocket.ask(["end": .integer(Int64(end))], bridges[0].path), answer["ended"] == .bool(true) else {
        throw CtlFailure.refused(["Phone \(end) is not paired. gameconfctl bridge devices lists those that are."])
      }
      bridges[0] = DeviceSocket.RunningBridge(path: bridges[0].path, answer: answer)
    }
    console.show(["bridges": .list(bridges.map(\.answer))]) {
      console.screen.show(Self.table(bridges.map(\.answer)))
    }
  }

  static func table(_ bridges: [Value]) -> Table {
    let rows = bridges.flatMap { bridge in (bridge["devices"]?.listValue ?? []).map { (bridge: bridge, device: $0) } }
    return Table(rows, whenEmpty: "no phone is paired") {
      Column("game") { $0.bridge["game"]?.stringValue ?? "" }
      Column("phone") { $0.device["device"]?.integerValue ?? 0 }
      Column("name") { $0.device["name"]?.stringValue ?? "" }
      Column("addresses") { ($0.device["addresses"]?.listValue ?? []).compactMap(\.stringValue).joined(separator: ", ") }
      Column("last request") { length($0.device["idle_seconds"]) + " ago" }
      Column("ends") { "in " + length($0.device["ends_in_seconds"]) }
    }
  }

  private static func length(_ seconds: Value?) -> String {
    InstantStyle.length(milliseconds: UInt64(max(0, seconds?.integerValue ?? 0)) * 1_000) ?? "long"
  }
}
