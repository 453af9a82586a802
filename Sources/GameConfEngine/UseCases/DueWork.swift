// The work that becomes due with time: time windows of overrides, leases of scenarios, scheduled templates.
public import GameConfCore
public import GameConfStorage

/// The work that becomes due with time. It is performed once before the daemon is ready, then every second.
///
/// The parts run in the order of ``DueTask``'s cases. Scenarios end before templates become active, because a template quarantines
/// overrides that it does not admit, and the overrides of ended scenarios must be removed before.
public struct DueWork: Sendable {
  /// A part of the due work. The cases are in the order in which the parts are performed.
  public enum DueTask: String, Sendable, CaseIterable {
    /// Applies the beginnings and ends of overrides' time windows.
    case windows
    /// Ends scenarios whose lease is over.
    case scenarios
    /// Activates scheduled versions of templates.
    case templates
  }

  /// An event to write to the daemon's log.
  public enum DueOutcome: Sendable {
    case ended(StoredScenario)
    /// A scheduled version of a game's template could not be activated and will not be tried again.
    case refused(game: String, TemplateError)
    /// The store refused a part of the work, which will be tried again.
    case delayed(DueTask, StoreError)
  }

  private let players: PlayerService
  private let templates: TemplateService

  /// Creates the work; the services must belong to the same store.
  public init(_ players: PlayerService, _ templates: TemplateService) {
    self.players = players
    self.templates = templates
  }

  /// Performs all parts of the due work; a failure of one part does not prevent the others.
  public func run(now: Instant) async -> [DueOutcome] {
    var notes: [DueOutcome] = []
    for part in DueTask.allCases {
      do throws(StoreError) { notes += try await run(part, now) } catch { notes.append(.delayed(part, error)) }
    }
    return notes
  }

  private func run(_ part: DueTask, _ now: Instant) async throws(StoreError) -> [DueOutcome] {
    switch part {
    case .windows:
      _ = try await players.store.applyWindowEdges(now: now)
      return []
    case .scenarios: return try await players.endDueScenarios(now: now).map { .ended($0) }
    case .templates: return try await templates.activateDue(now: now).sorted { $0.key < $1.key }.map { .refused(game: $0, $1) }
    }
  }
}
