// The status of the sources from which gameconf-fetch reads templates, and requests to fetch now.
public import GameConfCore
package import GameConfStorage
internal import Synchronization

/// The last report of gameconf-fetch on the source of a game's template.
public struct TemplateSourceReport: Sendable, Hashable {
  /// The source: an address, or a Firebase project.
  public var source: String
  /// The faults of the fetched document, a line each; empty if it was stored.
  public var faults: [String]
  /// The time since when every report on the source has had faults; nil if the last report has no faults.
  public var failingSince: Instant?
  /// The time at which the daemon received the report, by the host's clock.
  public var at: Instant
  /// The number of seconds from the report to the next fetch.
  public var nextSeconds: Int64

  /// Creates a report; `faults` is empty and `failingSince` nil if the document was stored.
  public init(source: String, faults: [String], failingSince: Instant?, at: Instant, nextSeconds: Int64) {
    self.source = source
    self.faults = faults
    self.failingSince = failingSince
    self.at = at
    self.nextSeconds = nextSeconds
  }

  /// The instant by which the next report is expected.
  var dueAt: Instant {
    let (milliseconds, overflows) = nextSeconds.multipliedReportingOverflow(by: 1000)
    return (overflows ? nil : at.adding(milliseconds: milliseconds)) ?? .latest
  }
}

/// The newest report on the source of each game's template. Reports are only in memory, so gameconf-fetch sends them again after a start.
public final class TemplateSources: Sendable {
  private let reports = Mutex<[String: TemplateSourceReport]>([:])

  /// Creates an empty set, as after the daemon's start.
  public init() {}

  /// Returns the last report on a game's source; nil before the first.
  public subscript(game: String) -> TemplateSourceReport? { reports.withLock { $0[game] } }

  /// Returns a degradation for each source about which gameconf-fetch has not reported in time.
  public func findings(in world: World, at now: Instant) -> [DegradationList.DegradationFinding] {
    let reports = reports.withLock { $0 }
    return world.games.compactMap { game in
      guard let report = reports[game.game], game.catalog.source.file == nil, report.dueAt < now else { return nil }
      return DegradationList.DegradationFinding(
        .templateOverdue, of: game.game, since: report.dueAt,
        details: ["gameconf-fetch has reported nothing about \(report.source) since \(report.at.text); is it running?"])
    }
  }

  fileprivate func take(_ report: TemplateSourceReport, of game: String) { reports.withLock { $0[game] = report } }
}

extension TemplateSources {
  /// Records a report of gameconf-fetch on a source. A fault degrades the game until a later report has no faults.
  /// - Returns: The report as recorded.
  /// - Throws: `.unknownGame`, and `.readFromFile` if the catalog names a file as the source.
  public func report(
    _ source: String, faults: [String], nextSeconds: Int64, of game: String, in live: LiveWorld, now: Instant, isDryRun: Bool
  ) async throws(TemplateError) -> TemplateSourceReport {
    guard let snapshot = live.present.world[game] else { throw .unknownGame(game) }
    if let path = snapshot.catalog.source.file { throw .readFromFile(path) }
    let report = TemplateSourceReport(
      source: source, faults: faults, failingSince: faults.isEmpty ? nil : self[game]?.failingSince ?? now, at: now,
      nextSeconds: nextSeconds)
    if isDryRun { return report }
    take(report, of: game)
    await live.noteTemplate(of: game, wrong: faults.map { "\(source): \($0)" }, now: now)
    return report
  }

  /// The key of the game's parameter that sets the minimum number of seconds between a fetch and a later fetch that a user requests.
  public static let leastSecondsKey = "remote_min_fetch_interval"

  /// Requests an immediate fetch of a game's template, by writing an audit line that gameconf-fetch reads.
  /// - Returns: The last report on the source, and the seconds until the game permits the fetch.
  /// - Throws: `.unknownGame`, `.noSource`, `.store`.
  package func requestFetch(
    of game: String, in present: CurrentWorld, _ store: any Store, _ context: ChangeContext
  ) async throws(TemplateError) -> (report: TemplateSourceReport, wait: Int64) {
    guard let snapshot = present.world[game] else { throw .unknownGame(game) }
    guard let report = self[game], snapshot.catalog.source.file == nil else { throw .noSource }
    let caller = Caller(locales: snapshot.catalog.locales, now: snapshot.now(host: context.now))
    let least = max(0, snapshot.table.resolve(Self.leastSecondsKey, for: caller)?.value.integerValue ?? 0)
    var line = AuditRecord(context, action: .templateFetchRequested, game: game)
    line.detail = ["source": .string(report.source), "least_seconds": .integer(least)]
    let record = line
    do throws(StoreError) {
      try await store.write(WriteMode(isDryRun: context.isDryRun, scope: .game(game)), refusing: StoreError.self) { transaction in
        _ = try transaction.append(record)
      }
    } catch { throw .store(error) }
    let passed = max(0, context.now.milliseconds - report.at.milliseconds) / 1000
    return (report, max(0, least - passed))
  }
}

extension LiveWorld {
  /// Records faults of a game's template source as a degradation. An empty list ends the degradation.
  func noteTemplate(of game: String, wrong details: [String], now: Instant) async {
    if let present = present.world[game], details.isEmpty, !present.degraded.contains(where: { $0.kind == .templateRefused }) { return }
    await change { world in
      guard let present = world[game] else { return world }
      let since = present.degraded.first { $0.kind == .templateRefused }?.since ?? now
      var degraded = present.degraded.filter { $0.kind != .templateRefused }
      if !details.isEmpty { degraded.append(ActiveDegradation(.templateRefused, since: since, details: details)) }
      return degraded == present.degraded ? world : world.replacing([present.degraded(by: degraded)])
    }
  }
}
