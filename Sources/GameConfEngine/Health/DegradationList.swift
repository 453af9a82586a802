// The list of degradations, the single source for health, status, metrics, the journal, the status line and the panel.

public import GameConfCore
package import GameConfStorage
internal import Synchronization

/// The present degradations, computed from the store, the world and further sources.
public final class DegradationList: Sendable {
  /// A fault whose beginning may be unknown. The list then uses the instant at which it first saw the fault.
  public struct DegradationFinding: Sendable {
    /// The fault's kind, which determines its texts.
    public var kind: DegradationKind
    /// The game; nil for the daemon as a whole.
    public var game: String?
    /// The instant at which the fault began; nil if unknown.
    public var since: Instant?
    /// The details of the fault, one line of text each.
    public var details: [String]

    /// Creates a finding; without `since`, the list uses the instant at which it first sees the fault.
    public init(_ kind: DegradationKind, of game: String? = nil, since: Instant? = nil, details: [String]) {
      self.kind = kind
      self.game = game
      self.since = since
      self.details = details
    }
  }

  /// A source of faults. It returns the present faults in a world, the snapshot of all games. It is called each time the list is computed.
  public typealias FindingSource = @Sendable (World, Instant) -> [DegradationFinding]
  /// A receiver of the list of degradations, which is called after each change of the list.
  public typealias Follower = @Sendable ([ActiveDegradation]) -> Void

  private struct FaultIdentity: Hashable {
    var kind: DegradationKind
    var game: String?
  }

  private struct DegradationListState {
    var firstSeen: [FaultIdentity: Instant] = [:]
    var sources: [FindingSource] = []
    var followers: [Follower] = []
    var notified: [ActiveDegradation] = []
  }

  private let store: any Store
  private let expected: ExpectedGames
  private let clock: any HostClock
  private let state = Mutex(DegradationListState())
  private let notifying = Mutex(())

  /// Creates the list of a daemon that serves these games from this store.
  package init(store: any Store, expected: ExpectedGames, clock: any HostClock) {
    self.store = store
    self.expected = expected
    self.clock = clock
  }

  /// Adds a source of faults, which is called whenever the list is computed.
  public func add(_ source: @escaping FindingSource) { state.withLock { $0.sources.append(source) } }

  /// Adds a follower, which receives the list at the next change.
  public func follow(_ follower: @escaping Follower) { state.withLock { $0.followers.append(follower) } }

  /// Returns the degradations of a world, the snapshot of all games. Those of the whole daemon come first, then those of games by id.
  public func present(in world: World) -> [ActiveDegradation] {
    let now = clock.now
    var findings = store.health.findings
    for source in state.withLock({ $0.sources }) { findings += source(world, now) }
    findings += expected.unserved(in: world).map { game in
      let wayOut = game.faultyFile.map { ["“gameconfctl catalog validate \($0)” lists every fault"] } ?? []
      return DegradationFinding(.notServed, of: game.game, details: game.details + wayOut)
    }
    for game in world.games { findings += game.findings(at: now) }
    return state.withLock { state in
      var firstSeen: [FaultIdentity: Instant] = [:]
      var list: [ActiveDegradation] = []
      for finding in findings {
        let identity = FaultIdentity(kind: finding.kind, game: finding.game)
        let since = finding.since ?? state.firstSeen[identity] ?? now
        firstSeen[identity] = since
        guard now.milliseconds - since.milliseconds >= finding.kind.declaration.shownAfterMilliseconds else { continue }
        list.append(ActiveDegradation(finding.kind, of: finding.game, since: since, details: finding.details))
      }
      state.firstSeen = firstSeen
      return list.filter { $0.game == nil } + list.filter { $0.game != nil }.sorted { ($0.game ?? "") < ($1.game ?? "") }
    }
  }

  /// Notifies the followers if the list for this world differs from the last notified one.
  public func refresh(in world: World) {
    // One lock for the computation and the notification, so that two threads do not notify in the wrong order.
    notifying.withLock { _ in
      let list = present(in: world)
      let followers = state.withLock { state -> [Follower] in
        guard state.notified != list else { return [] }
        state.notified = list
        return state.followers
      }
      for follower in followers { follower(list) }
    }
  }
}

/// Refreshes the list when a world is published.
public struct DegradationObserver: PublicationObserver {
  private let list: DegradationList

  /// Creates an observer, which refreshes the list after each step that changes games.
  public init(list: DegradationList) { self.list = list }

  /// Refreshes the list if the step has changed a game's snapshot.
  public func receive(_ published: WorldStep) { if !published.games.isEmpty { list.refresh(in: published.world) } }
}

extension StoreHealth {
  var findings: [DegradationList.DegradationFinding] {
    var all: [DegradationList.DegradationFinding] = []
    let kind: DegradationKind? =
      switch condition {
      case .good: nil
      case .noSpace: .storeFull
      case .readOnly: .storeReadOnly
      case .failing: .storeFailing
      case .lost: isNewer ? .storeNewer : .storeLost
      }
    if let kind { all.append(DegradationList.DegradationFinding(kind, since: since, details: [sentence])) }
    if let lastGoodFault { all.append(DegradationList.DegradationFinding(.lastGoodFailing, details: [lastGoodFault])) }
    if !unreadable.isEmpty {
      // Games can read health, so a row's player is only named in status, for admins.
      let words = unreadable.count == 1 ? "1 row cannot be read" : "\(unreadable.count) rows cannot be read"
      all.append(
        DegradationList.DegradationFinding(.rowsUnreadable, details: ["\(words), and calls that need it are refused; status says which"]))
    }
    return all
  }

  package var sentence: String {
    let condition: String =
      switch self.condition {
      case .good: lastGoodFault.map { "writes are accepted, but \($0)" } ?? "no problems"
      case .noSpace:
        "the disk\(fleet == nil ? "" : " of the database server") is full: reads go on, writes are refused until there is space"
      case .readOnly: "the disk is read-only: reads go on, writes are refused until it is writable"
      case .failing(let words): "the database failed: writes are refused until it recovers: \(words)"
      case .lost(let words): words
      }
    return asidePath.map { condition + "; the damaged database is at \($0)" } ?? condition
  }
}

extension GameSnapshot {
  private static let heldMillisecondsShown: Int64 = 3_600_000

  fileprivate func findings(at host: Instant) -> [DegradationList.DegradationFinding] {
    var all = degraded.map { DegradationList.DegradationFinding($0.kind, of: game, since: $0.since, details: $0.details) }
    let quarantined = overrides.counts.quarantined
    if quarantined > 0 {
      let words =
        quarantined == 1
        ? "1 override is in quarantine: the catalog does not admit it."
        : "\(quarantined) overrides are in quarantine: the catalog does not admit them."
      all.append(DegradationList.DegradationFinding(.overridesQuarantined, of: game, details: [words]))
    }
    if let zones = template?.template.missingZones, !zones.isEmpty {
      all.append(DegradationList.DegradationFinding(.zoneMissing, of: game, details: zones))
    }
    if let words = heldClockWords(at: host) { all.append(DegradationList.DegradationFinding(.clockHeld, of: game, details: [words])) }
    return all
  }

  /// Returns the advice about a simulated clock that stops for more than an hour because the host's clock stepped back; nil for any other
  /// clock.
  private func heldClockWords(at host: Instant) -> String? {
    guard clock.rateThousandths > 0, clock.hostAnchor.milliseconds - host.milliseconds > Self.heldMillisecondsShown else { return nil }
    return """
      the simulated clock of \(game) is stopped at \(now(host: host).text) until the host's clock, which stepped back, shows \
      \(clock.hostAnchor.text); start it again with “gameconfctl iap clock \(game) rate \(Double(clock.rateThousandths) / 1000)”
      """
  }
}
