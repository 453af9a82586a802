// Each command with each way of naming a socket.

import ArgumentParser
import GameConfAPI
import Testing

@testable import gameconfctl

@Suite("The socket of each command")
struct SocketTests {
  static let ways: [(option: String?, environment: [String: String])] = [
    ("/d/games.sock", [:]), ("/d/admin.sock", [:]), ("/x.sock", ["GAMECONF_SOCKET": "/y.sock"]),
    (nil, ["GAMECONF_SOCKET": "/d/games.sock"]),
    (nil, ["GAMECONF_ADMIN_SOCKET": "/d/admin.sock"]), (nil, ["GAMECONF_SOCKET": "/d/g", "GAMECONF_ADMIN_SOCKET": "/d/a"]), (nil, [:]),
  ]

  static func daemon(_ option: String?, _ environment: [String: String]) -> DaemonClient {
    let choice = SocketChoice(option: option, environment: environment)
    return DaemonClient(
      socketClients: choice.candidates.map { DaemonClient.SocketClient(kind: $0.kind, path: $0.path, transport: RecordedDaemon()) })
  }

  @Test("every call finds a socket that answers it, and with --socket it finds only the named socket", arguments: ways.indices)
  func calls(way: Int) {
    let (option, environment) = Self.ways[way]
    let socketClients = Self.daemon(option, environment).socketClients
    for sockets in [[.admin], [.games], [.games, .admin]] as [Set<SocketKind>] {
      let answering = socketClients.filter { $0.answers(sockets) }
      #expect(!answering.isEmpty, "\(sockets)")
      if let option { #expect(answering.map(\.path) == [option]) }
    }
  }

  @Test("the panel's bridge for phones uses the games socket of the panel's daemon")
  func panelBridge() {
    #expect(Self.daemon("/d/admin.sock", [:]).gamesSocket(beside: "/d/admin.sock") == "/d/games.sock")
    let named = Self.daemon(nil, ["GAMECONF_SOCKET": "/d/g", "GAMECONF_ADMIN_SOCKET": "/d/a"])
    #expect(named.gamesSocket(beside: "/d/a") == "/d/g")
    let usual = Self.daemon(nil, [:])
    for (admin, games) in zip(usual.socketClients, usual.socketClients.dropFirst()) where admin.kind == .admin {
      #expect(usual.gamesSocket(beside: admin.path) == games.path)
    }
  }

  @Test("every command that uses the daemon accepts --socket")
  func options() throws {
    func leaves(_ command: any ParsableCommand.Type, _ words: [String]) -> [(words: [String], command: any ParsableCommand.Type)] {
      let parts = command.configuration.subcommands
      return parts.isEmpty ? [(words, command)] : parts.flatMap { leaves($0, words + [$0.names[0]]) }
    }
    let withoutSocket = leaves(GameConfCtl.self, []).filter { CommandShape(of: $0.command).option("--socket") == nil }.map {
      $0.words.joined(separator: " ")
    }
    let ofFaces = Faces.iap.isEmpty ? [] : ["iap key"]
    #expect(
      Set(withoutSocket)
        == Set(
          ["catalog convert", "catalog validate", "catalog schema", "catalog image", "store move", "manual", "complete"] + ofFaces),
      "\(withoutSocket.sorted())")
  }
}
