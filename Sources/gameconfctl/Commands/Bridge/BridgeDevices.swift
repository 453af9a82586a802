// gameconfctl bridge devices

import ArgumentParser
import GameConfCore

struct BridgeDevices: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "devices", abstract: "List the phones that are paired with your bridges, or end one.",
    discussion: "A device that is ended has to pair again; its open watches end.")

  @Option(help: ArgumentHelp("End the device of this number.", valueName: "number")) var end: Int?
  @Option(help: ArgumentHelp("Only the bridge of this game.", valueName: "game"), completion: .games) var game: String?
  @OptionGroup var connection: ConnectionOptions

  func run() async throws {
    let console = connection.console()
    var bridges = DeviceSocket.bridges().filter { game == nil || $0.answer["game"]?.stringValue == game }
    guard !bridges.isEmpty else {
      throw CtlFailure.refused(["No bridge of yours listens on a network. Start one with gameconfctl bridge --network --game GAME."])
    }
    if let end {
      guard bridges.count == 1 else {
        throw CtlFailure.usage("\(bridges.count) bridges run: name the one of the device with --game")
      }
      guard let answer = DeviceSocket.ask(["end": .integer(Int64(end))], bridges[0].path), answer["ended"] == .bool(true) else {
        throw CtlFailure.refused(["Device \(end) is not paired. gameconfctl bridge devices lists those that are."])
      }
      bridges[0] = DeviceSocket.RunningBridge(path: bridges[0].path, answer: answer)
    }
    if connection.json {
      console.screen.write(JSONWriter.text(["bridges": .list(bridges.map(\.answer))]) + "\n")
      return
    }
    console.screen.show(Self.table(bridges.map(\.answer)))
  }

  static func table(_ bridges: [Value]) -> Table {
    var table = Table(["game", "device", "name", "addresses", "last request", "ends"], whenEmpty: "no phone is paired")
    for bridge in bridges {
      for device in bridge["devices"]?.listValue ?? [] {
        table.add([
          bridge["game"]?.stringValue ?? "", String(device["device"]?.integerValue ?? 0), device["name"]?.stringValue ?? "",
          (device["addresses"]?.listValue ?? []).compactMap(\.stringValue).joined(separator: ", "),
          DurationText.text(milliseconds: (device["idle_seconds"]?.integerValue ?? 0) * 1_000) + " ago", "in " + DurationText.text(milliseconds: (device["ends_in_seconds"]?.integerValue ?? 0) * 1_000),
        ])
      }
    }
    return table
  }
}
