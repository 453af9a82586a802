// The known state of the sources that gameconf-fetch reads templates from, and the requests to read now.
public import GameConfCore
package import GameConfStorage
internal import Synchronization

/// The last report of gameconf-fetch on the source of a game's template.
public struct TemplateSourceReport: Sendable, Hashable {
  /// The source: an address, or a Firebase project.
  public var source: String
  /// The reason why it could not be taken, a line each; empty when it was.
  public var faults: [String]
  /// The instant since when it fails; nil when it does not.
  public var failingSince: Instant?
  /// The instant of the report.
  public var at: Instant
  /// In how many seconds from then it is read again.
  public var nextSeconds: Int64

  /// A report.
  public init(source: String, faults: [String], failingSince: Instant?, at: Instant, nextSeconds: Int64) {
    self.source = source
    self.faults = faults
    self.failingSince = failingSince
    self.at = at
    self.nextSeconds = nextSeconds
  }

  /// The instant by which it said that another report would come.
  var dueAt: Instant {
    let (milliseconds, overflows) = nextSeconds.multipliedReportingOverflow(by: 1000)
    return (overflows ? nil : at.adding(milliseconds: milliseconds)) ?? .latest
  }
}

/// The newest report of each game's source. In memory: after a start of the daemon each source is reported anew.
public final class TemplateSources: Sendable {
  private let reports = Mutex<[String: TemplateSourceReport]>([:])

  /// No reports.
  public init() {}

  /// The last report on a game's source.
  public subscript(game: String) -> TemplateSourceReport? { reports.withLock { $0[game] } }

  /// The sources of which a report is due, for ``DegradationList``, which shows them once they are overdue.
  public func findings(in world: World, at now: Instant) -> [DegradationList.Finding] {
    let reports = reports.withLock { $0 }
    return world.games.compactMap { game in
      guard let report = reports[game.game], game.catalog.source.file == nil, report.dueAt < now else { return nil }
      return DegradationList.Finding(
        .templateOverdue, of: game.game, since: report.dueAt,
        details: ["gameconf-fetch has reported nothing about \(report.source) since \(report.at.text); is it running?"])
    }
  }

  fileprivate func take(_ report: TemplateSourceReport, of game: String) { reports.withLock { $0[game] = report } }
}

extension TemplateSources {
  /// Takes a report of a source: a fault marks the game as degraded until the source is good again.
  /// - Returns: the report as it stands from now on.
  /// - Throws: `.unknownGame`, and `.readFromFile` where the catalog names a file as the source.
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

  /// The parameter with the least number of seconds between a fetch and one that is asked for.
  public static let leastSecondsKey = "remote_min_fetch_interval"

  /// Requests that a game's template is fetched now: a line in the audit log, which gameconf-fetch follows.
  /// - Returns: what is known of the source, and how many seconds are left until the game lets it be fetched.
  /// - Throws: `.unknownGame`, `.noSource`, `.store`.
  package func requestFetch(
    of game: String, in present: CurrentWorld, _ store: any Store, _ context: Change
  ) async throws(TemplateError) -> (report: TemplateSourceReport, wait: Int64) {
    guard let snapshot = present.world[game] else { throw .unknownGame(game) }
    guard let report = self[game], snapshot.catalog.source.file == nil else { throw .noSource }
    let caller = Caller(locales: snapshot.catalog.locales, now: snapshot.now(host: context.now))
    let least = max(0, snapshot.table.resolve(Self.leastSecondsKey, for: caller)?.value.integerValue ?? 0)
    var line = AuditRecord(context, action: .templateFetchAsked, game: game)
    line.detail = ["source": .string(report.source), "least_seconds": .integer(least)]
    let asked = line
    do throws(StoreError) {
      try await store.write(WriteMode(isDryRun: context.isDryRun, scope: .game(game)), refusing: StoreError.self) { transaction in
        _ = try transaction.append(asked)
      }
    } catch { throw .store(error) }
    let passed = max(0, context.now.milliseconds - report.at.milliseconds) / 1000
    return (report, max(0, least - passed))
  }
}

extension LiveWorld {
  /// Says what is wrong with where a game's template comes from; nothing when it is good.
  func noteTemplate(of game: String, wrong details: [String], now: Instant) async {
    if let present = present.world[game], details.isEmpty, !present.degraded.contains(where: { $0.kind == .templateRefused }) { return }
    await change { world in
      guard let present = world[game] else { return world }
      let since = present.degraded.first { $0.kind == .templateRefused }?.since ?? now
      var degraded = present.degraded.filter { $0.kind != .templateRefused }
      if !details.isEmpty { degraded.append(Degradation(.templateRefused, since: since, details: details)) }
      return degraded == present.degraded ? world : world.replacing([present.degraded(by: degraded)])
    }
  }
}
