// The work that becomes due by the clock: windows, leases of scenarios, scheduled templates.
public import GameConfCore
public import GameConfStorage

/// Does what has become due: once before the daemon is ready, then each second.
///
/// The parts are done in the order of ``Part``'s cases. A scenario ends before a template comes into force: a template quarantines the overrides that
/// it does not admit, and those of a scenario that is over are gone by then.
public struct DueWork: Sendable {
  /// A part of the work.
  public enum Part: String, Sendable, CaseIterable {
    /// Windows begin and end.
    case windows
    /// Scenarios whose lease is over are taken back.
    case scenarios
    /// Scheduled versions of templates come into force.
    case templates
  }

  /// An outcome that is noted in the daemon's log.
  public enum Note: Sendable {
    /// A scenario was taken back.
    case ended(StoredScenario)
    /// A scheduled version of a game's template was not activated, and is not tried again.
    case refused(game: String, TemplateError)
    /// The store refused a part, which is done later.
    case delayed(Part, StoreError)
  }

  private let players: PlayerService
  private let templates: TemplateService

  /// The work of these services.
  public init(_ players: PlayerService, _ templates: TemplateService) {
    self.players = players
    self.templates = templates
  }

  /// Does what is due; a part that the store refuses does not keep the others from being done.
  public func run(now: Instant) async -> [Note] {
    var notes: [Note] = []
    for part in Part.allCases {
      do throws(StoreError) { notes += try await run(part, now) } catch { notes.append(.delayed(part, error)) }
    }
    return notes
  }

  private func run(_ part: Part, _ now: Instant) async throws(StoreError) -> [Note] {
    switch part {
    case .windows:
      _ = try await players.store.applyWindowEdges(now: now)
      return []
    case .scenarios: return try await players.endDueScenarios(now: now).map { .ended($0) }
    case .templates: return try await templates.activateDue(now: now).sorted { $0.key < $1.key }.map { .refused(game: $0, $1) }
    }
  }
}
