// Reads the catalogs again and brings into force what is good; what is bad leaves the last accepted in force.

public import GameConfCore

/// What a reload made of one game.
public struct ReloadOutcome: Sendable, Hashable {
  /// What became of the game.
  public enum Kind: String, Sendable, Hashable, CaseIterable { case unchanged, changed, degraded, refused }

  /// The game's id.
  public var game: String
  /// What became of it.
  public var kind: Kind
  /// Its revision from now on; nil when it is not served.
  public var revision: Int64?
  /// What is wrong, a line each.
  public var faults: [String]
  /// Whether the same was wrong with it before.
  public var isKnown = false
  /// Whether something was wrong with it before and nothing is now.
  public var isRecovered = false
}

/// Keeps the catalogs in force in step with their files.
///
/// Reloads follow one another; each is in force, or known not to be, when it returns.
public actor ReloadCatalogs {
  private let source: any CatalogSource
  private let kept: any AcceptedCatalogs
  private let store: any Store
  private let live: LiveWorld
  private let tell: @Sendable (ReloadReport) -> Void
  private var accepted: [String: [AcceptedFile]]
  private var isRunning = false
  private var waiting: [CheckedContinuation<Void, Never>] = []

  /// What the places had to say besides, at the last reload.
  public private(set) var warnings: [String] = []
  /// The games whose files are bad and of which nothing was ever accepted, with why.
  public private(set) var refused: [String: [String]] = [:]

  /// A keeper that begins with what was accepted earlier.
  /// - Parameter tell: is told what each reload came to, whoever asked for it; not of dry runs.
  public init(
    source: any CatalogSource, kept: any AcceptedCatalogs, store: any Store, live: LiveWorld, accepted: [AcceptedCatalog],
    tell: @escaping @Sendable (ReloadReport) -> Void = { _ in }
  ) {
    self.tell = tell
    self.source = source
    self.kept = kept
    self.store = store
    self.live = live
    self.accepted = Dictionary(accepted.map { ($0.game, $0.files) }) { $1 }
  }

  /// Reads all files again.
  /// - Parameters:
  ///   - now: the host's time, for what is wrong since when.
  ///   - cause: who or what asked for it.
  ///   - isDryRun: tells what would become of each game and changes nothing.
  /// - Throws: when the store cannot keep the new revisions; games before the one that failed are in force then.
  public func callAsFunction(
    now: Instant, because cause: ReloadCause, isDryRun: Bool = false
  ) async throws(StoreError) -> [ReloadOutcome] {
    await enter()
    defer { leave() }
    var outcomes: [ReloadOutcome] = []
    do throws(StoreError) {
      try await reload(now: now, isDryRun: isDryRun, into: &outcomes)
    } catch {
      if !isDryRun { tell(ReloadReport(cause: cause, outcomes: outcomes, trouble: error)) }
      throw error
    }
    if !isDryRun { tell(ReloadReport(cause: cause, outcomes: outcomes)) }
    return outcomes
  }

  private func reload(now: Instant, isDryRun: Bool, into outcomes: inout [ReloadOutcome]) async throws(StoreError) {
    let readings = await source.read()
    if !isDryRun { warnings = readings.warnings }
    let found = Dictionary(readings.games.map { ($0.game, $0) }) { $1 }
    for game in Set(found.keys).union(accepted.keys).sorted() {
      guard let verdict = CatalogVerdict(accepted: accepted[game], reading: found[game]) else { continue }
      let before = (live.present.world[game]?.degraded.flatMap(\.details), refused[game])
      var outcome = try await apply(verdict, to: game, now: now, isDryRun: isDryRun)
      let wrong = (before.0 ?? []) + (before.1 ?? [])
      outcome.isKnown = !outcome.faults.isEmpty && outcome.faults == wrong
      outcome.isRecovered = outcome.faults.isEmpty && !wrong.isEmpty
      outcomes.append(outcome)
    }
  }

  private func apply(_ verdict: CatalogVerdict, to game: String, now: Instant, isDryRun: Bool) async throws(StoreError) -> ReloadOutcome {
    let revision = live.present.world[game]?.revision
    switch verdict {
    case .unchanged:
      if !isDryRun { await degrade(game, by: []) }
      return ReloadOutcome(game: game, kind: .unchanged, revision: revision, faults: [])
    case .accept(let catalog, let files, let warnings):
      if isDryRun { return ReloadOutcome(game: game, kind: .changed, revision: revision, faults: []) }
      // The revision is raised before the bytes are kept: after a crash between the two it is raised once more, never too little.
      let revision = try await AcceptCatalog(store: store, live: live)(catalog, warnings: warnings, now: now)
      accepted[game] = files
      refused[game] = nil
      var faults: [String] = []
      do throws(StateFault) {
        try kept.store(AcceptedCatalog(game: game, files: files))
        await degrade(game, by: [])
      } catch {
        faults = ["in force, but its bytes could not be kept for the next start: \(error.message)"]
        await degrade(game, by: [Degradation(what: .catalogNotKept, since: now, details: faults)])
      }
      return ReloadOutcome(game: game, kind: .changed, revision: revision, faults: faults)
    case .keep(let what, let details):
      if !isDryRun {
        let since = live.present.world[game]?.degraded.first { $0.what == what }?.since ?? now
        await degrade(game, by: [Degradation(what: what, since: since, details: details)])
      }
      return ReloadOutcome(game: game, kind: .degraded, revision: revision, faults: details)
    case .refuse(let faults):
      if !isDryRun { refused[game] = faults }
      return ReloadOutcome(game: game, kind: .refused, revision: nil, faults: faults)
    }
  }

  private func degrade(_ game: String, by degraded: [Degradation]) async {
    guard let present = live.present.world[game], present.degraded != degraded else { return }
    await live.change { world in world.replacing([world[game]?.degraded(by: degraded)].compactMap { $0 }) }
  }

  private func enter() async {
    if isRunning { await withCheckedContinuation { waiting.append($0) } } else { isRunning = true }
  }

  private func leave() {
    if waiting.isEmpty { isRunning = false } else { waiting.removeFirst().resume() }
  }
}
