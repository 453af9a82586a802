// The requirements for every store's templates.
import GameConfCore
import GameConfStorage
import Testing

@Suite("Templates in every store")
struct TemplateTableSuite {
  private func version(_ number: Int64, _ text: String = "{}", game: String = "g", at seconds: Int64 = 10) -> StoredTemplate {
    StoredTemplate(
      game: game, number: number, document: Array(text.utf8), origin: .pushed, author: Author(uid: 5, name: "ada", pid: 6),
      at: Instant(seconds: seconds), reason: "because")
  }

  private func inForce(_ version: StoredTemplate) -> ActiveTemplate {
    ActiveTemplate(number: version.number, document: version.document, since: Instant(seconds: 20), template: Template())
  }

  @Test("a template's version is read back byte for byte; lists have the newest first, without documents", arguments: StoreKind.allCases)
  func versions(kind: StoreKind) async throws {
    let tested = try StoreUnderTest(kind)
    let text = "{\"é\": \"😀\\u0000\",\n \"a\" : 1.50}"
    var back = version(2)
    back.origin = .rollback
    back.rollbackOf = 1
    let (first, second, other) = (version(1, text), back, version(1, game: "h"))
    try await tested.write { transaction in
      for each in [first, second, other] { try transaction.append(each) }
    }
    let store = tested.store
    #expect(try await store.read { try $0.template(1, of: "g") } == first)
    #expect(try await store.read { try $0.template(2, of: "g") } == second)
    #expect(try await store.read { try $0.template(3, of: "g") } == nil)
    #expect(try await store.read { try $0.lastTemplate(of: "g") } == 2)
    #expect(try await store.read { try $0.lastTemplate(of: "none") } == 0)
    let listed = try await store.read { try $0.templates(of: "g", before: nil, limit: 10) }
    #expect(listed.map(\.number) == [2, 1] && listed.allSatisfy { $0.document.isEmpty })
    #expect(try await store.read { try $0.templates(of: "g", before: 2, limit: 10) }.map(\.number) == [1])
  }

  @Test("a template's active and scheduled versions are stored, and are in the state that a start loads", arguments: StoreKind.allCases)
  func activations(kind: StoreKind) async throws {
    let tested = try StoreUnderTest(kind)
    let (first, second) = (version(1, "{\"a\":1}"), version(2))
    let activation = TemplateActivation(active: 1, since: Instant(seconds: 20), scheduled: 2, at: Instant(seconds: 30))
    try await tested.write { transaction in
      try transaction.append(first)
      try transaction.append(second)
      try transaction.activate(inForce(first), changing: ["a"], at: 1, of: "g")
      try transaction.schedule(activation, of: "g")
    }
    #expect(try await tested.store.read { try $0.activation(of: "g") } == activation)
    #expect(try await tested.store.read { try $0.activations() } == ["g": activation])
    let contents = try await tested.store.contents()
    #expect(contents.state.activations == ["g": activation])
    #expect(contents.state.templates["g"]?["document"] == "{\"a\":1}")
    #expect(contents.state.templates["g"]?["number"] == 1)
  }

  @Test("a refused transaction stores nothing of a template", arguments: StoreKind.allCases)
  func undone(kind: StoreKind) async throws {
    let tested = try StoreUnderTest(kind)
    let first = version(1)
    await #expect(throws: TestRefusal.no(1)) {
      try await tested.write { transaction in
        try transaction.append(first)
        try transaction.activate(inForce(first), changing: ["a"], at: 1, of: "g")
        throw TestRefusal.no(1)
      }
    }
    #expect(try await tested.store.read { try $0.lastTemplate(of: "g") } == 0)
    #expect(try await tested.store.contents().state.activations.isEmpty)
    #expect(try await tested.store.contents().state.templates.isEmpty)
  }

  @Test("a template's versions beyond the limit are deleted, and the numbers of new versions continue", arguments: StoreKind.allCases)
  func dropped(kind: StoreKind) async throws {
    let tested = try StoreUnderTest(kind)
    let versions = (1...303).map { version(Int64($0)) }
    let late = Instant(milliseconds: TemplateLimits.retentionMilliseconds + 20_000)
    let count = try await tested.write { transaction in
      for each in versions { try transaction.append(each) }
      try transaction.activate(inForce(versions[1]), changing: [], at: 1, of: "g")
      return try transaction.dropTemplates(of: "g", now: late)
    }
    #expect(count == 1)
    #expect(try await tested.store.read { try $0.template(3, of: "g") } == nil)
    #expect(try await tested.store.read { try $0.template(1, of: "g") } != nil)
    #expect(try await tested.store.read { try $0.lastTemplate(of: "g") } == 303)
  }
}
