// Tests the encoded answer with a game's catalog, which is created on another thread, once for all callers.

import GameConfCore
import GameConfEngine
import Testing

@testable import GameConfHTTP
@testable import GameConfServer

@Suite("Encoded catalogs")
struct WrittenCatalogTests {
  private let encoding = ServedGame.EncodingPositions(valueRoute: 0, tallies: EvaluationTallies(), positions: ReadPositions())

  @Test("a catalog's answer is encoded at its first request, once for all callers, and again only after a new catalog")
  func once() async throws {
    let snapshot = GameSnapshot.served()
    let game = ServedGame(snapshot, encoding)
    #expect(game.catalog.known == nil, "nothing is made that nobody asks for")
    var places = Set<Int>()
    await withTaskGroup(of: Int?.self) { group in
      for _ in 0..<20 { group.addTask { try? await game.catalog.made().place } }
      for await place in group { places.insert(place ?? 0) }
    }
    let known = try #require(game.catalog.known)
    #expect(places == [known.place])
    #expect(known.bytes == JSONWriter.bytes(CatalogDescription.value(of: snapshot.catalog)))
    #expect(known.entityTag == EntityTag(of: known.bytes))

    let overridden = snapshot.table.changing(["first": GameLayers(override: .integer(5), revision: 8)])
    let later = ServedGame(GameSnapshot(table: overridden, GameState(revision: 8)), since: game, encoding)
    #expect(later.catalog.known?.place == known.place, "an override changes nothing of a catalog")
    let accepted = ServedGame(GameSnapshot.served(revision: 9, daily: false), encoding)
    #expect(accepted.catalog.known == nil)
    #expect(try await accepted.catalog.made().bytes != known.bytes)
  }
}

extension EncodedBody {
  /// The address of the encoded bytes, which changes only if they are encoded again.
  fileprivate var place: Int { bytes.withUnsafeBytes { Int(bitPattern: $0.baseAddress) } }
}
