// Follows template files that catalogs name.
public import GameConfCore
package import GameConfStorage

/// The outcome of reading a changed template file: stored as a version, rejected, or valid again.
public enum TemplateFileOutcome: Sendable, Hashable {
  /// The file was stored as a version, which is active unless a user must activate it.
  case taken(game: String, path: String, version: Int64, isInForce: Bool)
  /// The file was rejected, and the active version stays in force. It is reported once for each reason.
  case failed(game: String, path: String, faults: [String])
  /// The file is valid again.
  case recovered(game: String, path: String)
}

/// A poller of the template files that catalogs name with `source: {file: PATH}`.
///
/// A file is read after consecutive polls have found it unchanged, so that a partly written file is not read. If a file is invalid, the
/// active version stays. Versions from a file are ordinary ones: after a rollback, only a changed file replaces them.
public actor FollowTemplateFiles {
  /// The number of consecutive polls that must find a file unchanged before it is read.
  static let looksSettled = 2
  /// The number of polls before a failure is reported: more than for reading, because a partly written file may look invalid.
  static let looksBeforeReport = 4
  /// The most stored versions, newest first, that are searched for the last one from the file.
  private static let versionsLooked = 1_000

  private struct WatchedFile {
    var path: String
    var mark = ""
    var looks = 0
    /// The ``mark`` of the file when it was last processed; nil before. The mark is a text that changes whenever the file does.
    var done: String?
    /// The game's revision when the file was last processed. A newer catalog may accept a file that an older one rejected.
    var revision: Int64 = 0
    var faults: [String] = []
    /// The number of consecutive failures of the store. After a failure, the file is processed again even if it has not changed.
    var lateCount = 0
  }

  private enum FileReadOutcome {
    case taken(version: Int64, isInForce: Bool)
    case known
    case refused([String])
    case late([String])
  }

  private let store: any Store
  private let live: LiveWorld
  private let documents: any TemplateDocuments
  private let files: any TemplateFileSource
  private let report: @Sendable (TemplateFileOutcome) -> Void
  private var followed: [String: WatchedFile] = [:]

  /// - Parameter report: Receives the outcome for a file whenever it changes.
  package init(
    store: any Store, live: LiveWorld, documents: any TemplateDocuments, files: any TemplateFileSource,
    report: @escaping @Sendable (TemplateFileOutcome) -> Void = { _ in }
  ) {
    self.store = store
    self.live = live
    self.documents = documents
    self.files = files
    self.report = report
  }

  /// Reads every template file again immediately after a reload request, even if the file has not changed.
  public func reread(now: Instant) async {
    for game in followed.keys { followed[game]?.done = nil }
    await look(now: now, isWaiting: false)
  }

  /// Polls every template file once, and stores changed files as versions.
  /// - Parameter isWaiting: False to read files immediately, without a second poll, as at the start.
  public func look(now: Instant, isWaiting: Bool = true) async {
    let games = live.present.world.games
    let paths = Dictionary(uniqueKeysWithValues: games.compactMap { game in game.catalog.source.file.map { (game.game, $0) } })
    for (game, each) in followed where paths[game] != each.path {
      followed[game] = nil
      await live.noteTemplate(of: game, wrong: [], now: now)
    }
    for game in games {
      guard let path = paths[game.game] else { continue }
      var each = followed[game.game] ?? WatchedFile(path: path)
      let mark = files.mark(path)
      each.looks = each.mark == mark ? each.looks + 1 : 1
      each.mark = mark
      if !isWaiting { each.looks = Self.looksBeforeReport }
      await deal(with: &each, of: game, now: now)
      followed[game.game] = each
    }
  }

  private func deal(with each: inout WatchedFile, of game: GameSnapshot, now: Instant) async {
    guard each.looks >= Self.looksSettled else { return }
    if each.done == each.mark, each.lateCount == 0, each.faults.isEmpty || each.revision == game.revision { return }
    let outcome = await take(each.path, for: game, now: now)
    let faults: [String]
    if case .late = outcome { each.lateCount += 1 } else { each.lateCount = 0 }
    switch outcome {
    case .taken, .known: faults = []
    case .refused(let words):
      if each.looks < Self.looksBeforeReport { return }
      faults = words
    case .late(let words):
      // A busy store, as at a start, is not a fault of the file.
      if each.lateCount < Self.looksBeforeReport { return }
      faults = words
    }
    each.done = each.mark
    each.revision = live.present.world[game.game]?.revision ?? game.revision
    if !each.faults.isEmpty, faults.isEmpty { report(.recovered(game: game.game, path: each.path)) }
    if !faults.isEmpty, faults != each.faults { report(.failed(game: game.game, path: each.path, faults: faults)) }
    if case .taken(let version, let isInForce) = outcome {
      report(.taken(game: game.game, path: each.path, version: version, isInForce: isInForce))
    }
    if faults != each.faults || !faults.isEmpty {
      await live.noteTemplate(of: game.game, wrong: faults.map { "\(each.path): \($0)" }, now: now)
    }
    each.faults = faults
  }

  private func take(_ path: String, for game: GameSnapshot, now: Instant) async -> FileReadOutcome {
    let document: [UInt8]
    do throws(Fault) { document = try files.document(path) } catch { return .refused([error.message]) }
    let id = game.game
    do throws(StoreError) {
      let last = try await store.read { view in
        try view.templates(of: id, before: nil, limit: Self.versionsLooked).first { $0.origin == .file }
          .flatMap { try view.template($0.number, of: id) }
      }
      // The file was stored before. If another version is active now, a user activated it.
      if last?.document == document { return .known }
    } catch { return .late(["the previous version cannot be read from the store"]) }
    let words = "read from \(path)"
    let reason = (try? ChangeContext.check(reason: words)) == nil ? nil : words
    let context = ChangeContext(author: .daemon, reason: reason, now: now)
    do throws(TemplateError) {
      let answered = try await TemplateService(store: store, present: live.present, documents: documents).push(
        document, for: id, origin: .file, game.catalog.source.activatesByHand ? .manual : .now, context)
      guard case .fresh(let outcome) = answered, !outcome.isUnchanged else { return .known }
      return .taken(version: outcome.version.number, isInForce: outcome.activation.active == outcome.version.number)
    } catch {
      return Self.outcome(of: error)
    }
  }

  private static func outcome(of error: TemplateError) -> FileReadOutcome {
    switch error {
    case .faults(let faults): .refused(faults.map { $0.pointer.isEmpty ? $0.message : "\($0.pointer): \($0.message)" })
    case .constraint(let faults): .refused(faults.map(\.message))
    case .tooLong(let bytesMax): .refused(["a template may have \(bytesMax) bytes"])
    case .store: .late(["the store refuses it now; gameconfd tries again"])
    case .unknownGame, .unknownVersion, .alreadyActive, .nothingBefore, .changedMeanwhile, .reason, .repeatedWithOtherContent,
      .readFromFile, .noSource:
      .late(["it was refused: \(error)"])
    }
  }
}
