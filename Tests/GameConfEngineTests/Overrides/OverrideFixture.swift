// The fixture of tests of overrides: a store in memory, the use cases over it, and the batches that the store published.
import GameConfCore
import GameConfEngine
import GameConfStorage
import Synchronization
import TestStore

final class OverrideFixture: Sendable {
  let store = MemoryStore()
  let checking: TableChecking
  private let batches = Mutex<[CommittedBatch]>([])

  init(checking: TableChecking = TableChecking()) {
    self.checking = checking
    store.publish { [weak self] batch in
      self?.batches.withLock { $0.append(batch) }
      return nil
    }
  }

  var published: [CommittedBatch] { batches.withLock { $0 } }

  static func context(
    at seconds: Int64 = 1000, by name: String = "ada", why reason: String? = nil, dryRun: Bool = false,
    if precondition: ChangePrecondition? = nil
  ) -> ChangeContext {
    ChangeContext(
      author: Author(uid: 1000, name: name, pid: 7), reason: reason, now: Instant(seconds: seconds), isDryRun: dryRun,
      precondition: precondition)
  }

  static func slot(_ key: String, player: String? = nil, game: String = "g") -> OverrideSlot {
    OverrideSlot(game: game, player: player, key: key)
  }

  @discardableResult
  func set(
    _ value: Value, _ key: String, player: String? = nil, from: Int64? = nil, until: Int64? = nil, _ context: ChangeContext = context(),
    remembering: RepeatableChange<OverrideOutcome, ChangeRefusal>? = nil
  ) async throws(ChangeRefusal) -> OverrideOutcome {
    let window =
      from == nil && until == nil ? nil : WindowRequest(from: from.map(Instant.init(seconds:)), until: until.map(Instant.init(seconds:)))
    let answer = try await OverrideService(store: store, checking: checking).change(
      .set(value, window: window), at: Self.slot(key, player: player), context, remembering: remembering)
    guard let outcome = answer.fresh else { throw .repeatedWithOtherContent }
    return outcome
  }

  @discardableResult
  func remove(
    _ key: String, player: String? = nil, window: String? = nil, _ context: ChangeContext = context()
  ) async throws(ChangeRefusal) -> OverrideOutcome {
    let answer = try await OverrideService(store: store, checking: checking).change(
      .remove(window: window), at: Self.slot(key, player: player), context)
    guard let outcome = answer.fresh else { throw .repeatedWithOtherContent }
    return outcome
  }

  @discardableResult
  func revert(_ id: Int64, force: Bool = false, _ context: ChangeContext = context()) async throws(ChangeRefusal) -> OverrideOutcome {
    let answer = try await OverrideService(store: store, checking: checking).revert(id, in: "g", force: force, context)
    guard let outcome = answer.fresh else { throw .repeatedWithOtherContent }
    return outcome
  }

  @discardableResult
  func tick(_ seconds: Int64) async throws -> [WindowEdge] { try await store.applyWindowEdges(now: Instant(seconds: seconds)) }

  func inForce(_ key: String, player: String? = nil) async throws -> Value? {
    try await store.read { try $0.overrides(at: Self.slot(key, player: player)).inForce?.value }
  }

  func audits() async throws -> [AuditRecord] { try await store.audits(AuditSelection(limit: 1000)).reversed() }
}
