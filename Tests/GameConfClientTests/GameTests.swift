// The Swift client without a daemon: defaults that are embedded, fallbacks, and what is refused.

import FoundationEssentials
import GameConfClient
import Testing

@Suite("A game without a daemon")
struct GameTests {
  private func embedded() throws -> [UInt8] {
    let top = String(#filePath.split(separator: "/").dropLast(3).reduce("") { $0 + "/" + $1 })
    return Array(try #require(FileManager.default.contents(atPath: top + "/Tests/Fixtures/Images/sample.image")))
  }

  @Test("typed keys read what the embedded image has, and fall back where it has nothing")
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
    let told = Set(game.update())
    #expect(told.isSuperset(of: [.unknownKey("nothing"), .wrongType(key: "title")]), "\(told)")
  }

  @Test(
    "what no game can be opened with is refused",
    arguments: [("", "p"), ("a/b", "p"), ("dots", ""), ("dots", "a\nb"), ("dots", String(repeating: "x", count: 257))])
  func refused(game: String, player: String) {
    #expect(throws: Game.Failure(code: 22)) { try Game(game, player: player, isOffline: true) }
  }

  @Test("writes are queued while there is no daemon, and refused when the queue is full")
  func queue() throws {
    let game = try Game("dots", player: "p", socket: "/nowhere")
    for number in 1...1_024 { #expect(try game.record("game_over", score: 0) == Int64(number)) }
    #expect(throws: Game.Failure(code: 11)) { try game.record("game_over") }
    #expect(game.status.queued == 1_024)
    #expect(game.nextAnswer() == nil)
    let nobody = try Game("dots", isOffline: true)
    #expect(throws: Game.Failure(code: 22)) { try nobody.record("game_over") }
  }

  @Test("rubbish for defaults is as none")
  func rubbish() throws {
    let game = try Game("dots", defaults: Array("rubbish".utf8), isOffline: true)
    #expect(game["lives", default: Int64(3)] == 3)
    #expect(game.status.state == .none)
    #expect(!game.status.lastError.isEmpty)
  }
}
