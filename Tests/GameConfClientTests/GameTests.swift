// Tests the Swift client without a daemon: embedded default values, fallback values, queued writes and rejected arguments.

import FoundationEssentials
import GameConfClient
import Testing

@Suite("The Swift client (Game) without a daemon")
struct GameTests {
  private func embedded() throws -> [UInt8] {
    let top = String(#filePath.split(separator: "/").dropLast(3).reduce("") { $0 + "/" + $1 })
    return Array(try #require(FileManager.default.contents(atPath: top + "/Tests/Fixtures/Images/sample.image")))
  }

  @Test("a key has its value from the embedded image, or the fallback in the code if the image has no value of the type")
  func values() throws {
    let game = try Game("dots", defaults: try embedded(), isOffline: true)
    #expect(game[Key("lives", default: Int64(1))] == 5)
    #expect(game[Key("speed", default: 1.0)] == 2.5)
    #expect(game[Key("shadows", default: false)])
    #expect(game[Key("title", default: "")] == "Où est le point ?")
    #expect(game.json("colours") == "[\"red\",\"blue\"]")
    #expect(game[Key("nothing", default: "fallback")] == "fallback")
    #expect(game["title", default: 0.5] == 0.5)
    #expect(game.source(of: "lives") == .playerOverride)
    #expect(game.source(of: "nothing") == .fallback)
    #expect(game.status.state == .defaults)
    let faults = Set(game.update())
    #expect(faults.isSuperset(of: [.unknownKey("nothing"), .wrongType(key: "title")]), "\(faults)")
  }

  @Test(
    "a client is not opened with an invalid game id or player id",
    arguments: [("", "p"), ("a/b", "p"), ("dots", ""), ("dots", "a\nb"), ("dots", String(repeating: "x", count: 257))])
  func refused(game: String, player: String) {
    #expect(throws: Game.Failure(code: 22)) { try Game(game, player: player, isOffline: true) }
  }

  @Test("a client queues its writes, and rejects further writes when the queue is full")
  func queue() throws {
    let game = try Game("dots", player: "p", socket: "/nowhere")
    for number in 1...1_024 { #expect(try game.record("game_over", score: 0) == Int64(number)) }
    #expect(throws: Game.Failure(code: 11)) { try game.record("game_over") }
    #expect(game.status.queued == 1_024)
    #expect(game.nextAnswer() == nil)
    let nobody = try Game("dots", isOffline: true)
    #expect(throws: Game.Failure(code: 22)) { try nobody.record("game_over") }
  }

  @Test("invalid bytes as embedded defaults count as no defaults, and set the client's last error")
  func rubbish() throws {
    let game = try Game("dots", defaults: Array("rubbish".utf8), isOffline: true)
    #expect(game["lives", default: Int64(3)] == 3)
    #expect(game.status.state == .none)
    #expect(!game.status.lastError.isEmpty)
  }
}
