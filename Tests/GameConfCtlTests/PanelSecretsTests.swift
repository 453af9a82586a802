// The secret keys that the panel reads from the games' catalogs.
import GameConfCore
import Synchronization
import Testing

@testable import gameconfctl

@Suite("The secret keys of the panel's games")
struct PanelSecretsTests {
  /// The daemon's answers by target; nil where it does not answer.
  private final class Answers: Sendable {
    let all = Mutex<[String: PanelSecrets.CatalogResponse?]>([:])
    let tags = Mutex<[String?]>([])

    func set(_ target: String, _ status: Int, _ body: Value? = nil) {
      all.withLock { $0[target] = PanelSecrets.CatalogResponse(status: status, tag: "\"1\"", body: body) }
    }

    func secrets() -> PanelSecrets {
      PanelSecrets { [self] target, tag in
        tags.withLock { $0.append(tag) }
        return all.withLock { $0[target] ?? nil }
      }
    }
  }

  private static func catalog(_ keys: String...) -> Value {
    ["parameters": .list(keys.map { ["key": .string($0), "secret": true] })]
  }

  @Test("no value is shown while no catalog was read, whether the daemon is silent, busy or sends no JSON")
  func unread() {
    let answers = Answers()
    let secrets = answers.secrets()
    #expect(secrets.filter(for: "g") == nil)
    for status in [500, 503, 429, 304] {
      answers.set("/v1/games/g/catalog", status)
      #expect(secrets.filter(for: "g") == nil, "\(status)")
    }
    answers.set("/v1/games/g/catalog", 200)
    #expect(secrets.filter(for: "g") == nil)
    answers.set("/v1/games/g/catalog", 404)
    #expect(secrets.filter(for: "g")?.keys == [])
  }

  @Test("the secret keys of the catalog that was last read stay hidden, and the catalog is requested again with its entity tag")
  func read() {
    let answers = Answers()
    let secrets = answers.secrets()
    answers.set("/v1/games/g/catalog", 200, Self.catalog("api"))
    #expect(secrets.filter(for: "g")?.keys == ["api"])
    for status in [304, 404, 503] {
      answers.set("/v1/games/g/catalog", status)
      #expect(secrets.filter(for: "g")?.keys == ["api"], "\(status)")
    }
    answers.all.withLock { $0 = [:] }
    #expect(secrets.filter(for: "g")?.keys == ["api"])
    answers.set("/v1/games/g/catalog", 200, Self.catalog("other"))
    #expect(secrets.filter(for: "g")?.keys == ["api", "other"])
    #expect(answers.tags.withLock { $0 } == [nil, "\"1\"", "\"1\"", "\"1\"", "\"1\"", "\"1\""])
  }

  @Test("in an answer about all games the secret keys of each game are hidden, also of games that the page has not opened")
  func several() {
    let answers = Answers()
    let secrets = answers.secrets()
    #expect(secrets.filterOfAllGames() == nil)
    answers.set("/v1/games", 200, ["games": [["game": "a"], ["game": "b"]]])
    answers.set("/v1/games/a/catalog", 200, Self.catalog("api"))
    #expect(secrets.filterOfAllGames() == nil)
    answers.set("/v1/games/b/catalog", 200, Self.catalog("key"))
    #expect(secrets.filterOfAllGames()?.keys == ["api", "key"])
  }
}
