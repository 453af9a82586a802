// The requirements for every store's accepted catalogs.
import GameConfCore
import GameConfStorage
import Testing

@Suite("Accepted catalogs in every store")
struct CatalogTableSuite {
  private func catalog(_ number: Int64, bytes: Int = 3) -> StoredCatalog {
    StoredCatalog(
      number: number, digest: -number,
      files: [
        AcceptedFile(name: "g.yaml", bytes: [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: bytes)),
        AcceptedFile(name: "g.d/10 ü.yaml", bytes: [0, 10, 255]),
      ])
  }

  @Test("an accepted catalog is read back byte for byte, with its files' names", arguments: StoreKind.allCases)
  func bytes(kind: StoreKind) async throws {
    let tested = try StoreUnderTest(kind)
    let (first, second) = (catalog(1), catalog(2))
    try await tested.write { transaction in
      try transaction.append(first, of: "g")
      try transaction.append(second, of: "g")
      try transaction.append(first, of: "h")
    }
    let store = tested.store
    #expect(try await store.read { try $0.catalog(1, of: "g") } == first)
    #expect(try await store.read { try $0.catalog(2, of: "g") } == second)
    #expect(try await store.read { try $0.catalog(2, of: "h") } == nil)
    let newest = try #require(try await store.read { try $0.newestCatalog(of: "g") })
    #expect(newest.number == 2 && newest.digest == -2)
    #expect(try await store.read { try $0.newestCatalog(of: "none") } == nil)
  }

  @Test("a limited number of accepted catalogs is retained, fewer if they are large, always the newest two", arguments: StoreKind.allCases)
  func limits(kind: StoreKind) async throws {
    let tested = try StoreUnderTest(kind)
    let max = Int64(StoreLimits.catalogsMax)
    for number in 1...(max + 1) {
      let each = catalog(number)
      try await tested.write { try $0.append(each, of: "g") }
      if number == max { #expect(try await tested.store.read { try $0.catalog(1, of: "g") } != nil) }
    }
    #expect(try await tested.store.read { try $0.catalog(1, of: "g") } == nil)
    #expect(try await tested.store.read { try $0.catalog(2, of: "g") } != nil)
    let half = StoreLimits.catalogBytesMax / 2
    for number in 1...3 {
      let each = catalog(Int64(number), bytes: half - 3)
      try await tested.write { try $0.append(each, of: "large") }
      if number == 2 { #expect(try await tested.store.read { try $0.catalog(1, of: "large") } != nil) }
    }
    #expect(try await tested.store.read { try $0.catalog(1, of: "large") } == nil)
    #expect(try await tested.store.read { try $0.catalog(2, of: "large") } != nil)
  }

  @Test("a reverted catalog's digest is stored and cleared, and only a forgotten game's rows are removed", arguments: StoreKind.allCases)
  func forgotten(kind: StoreKind) async throws {
    let tested = try StoreUnderTest(kind)
    let first = catalog(1)
    try await tested.write { transaction in
      for game in ["g", "h"] {
        try transaction.append(first, of: game)
        try transaction.setRevertedDigest(.min, of: game)
        try transaction.accept(7, changing: [], at: 1, of: game)
      }
    }
    #expect(try await tested.store.read { try $0.revertedDigest(of: "g") } == .min)
    try await tested.write { try $0.setRevertedDigest(nil, of: "h") }
    #expect(try await tested.store.read { try $0.revertedDigest(of: "h") } == nil)
    try await tested.write { try $0.forgetCatalogs(of: "g") }
    #expect(try await tested.store.contents().state.catalogDigests == ["h": 7])
    #expect(try await tested.store.read { try $0.revertedDigest(of: "g") } == nil)
    #expect(try await tested.store.read { try $0.newestCatalog(of: "g") } == nil)
    #expect(try await tested.store.read { try $0.newestCatalog(of: "h") } != nil)
  }

  @Test("the audit log is read by action and by time, including the beginning and excluding the end", arguments: StoreKind.allCases)
  func selections(kind: StoreKind) async throws {
    let tested = try StoreUnderTest(kind)
    try await tested.write { transaction in
      for second in 1...4 {
        _ = try transaction.append(
          AuditRecord(
            at: Instant(seconds: Int64(second)), author: Author(uid: 1, name: "a"),
            action: second.isMultiple(of: 2) ? .overrideSet : .storeRestored,
            game: "g"))
      }
    }
    var selection = AuditSelection()
    selection.from = Instant(seconds: 2)
    selection.until = Instant(seconds: 4)
    let byTime = selection
    #expect(try await tested.store.read { try $0.audits(byTime) }.map(\.at.seconds) == [3, 2])
    selection.action = .overrideSet
    let byBoth = selection
    #expect(try await tested.store.read { try $0.audits(byBoth) }.map(\.at.seconds) == [2])
  }
}
