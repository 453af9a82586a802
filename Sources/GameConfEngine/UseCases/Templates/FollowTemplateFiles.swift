// Keeps the templates of games whose catalogs name a file in step with it.
public import GameConfCore
package import GameConfStorage

/// The outcome for a template's file.
public enum TemplateFileOutcome: Sendable, Hashable {
  /// It was taken as that version; it is in force unless it waits to be activated.
  case taken(game: String, path: String, version: Int64, isInForce: Bool)
  /// It is not taken, and what was in force stays; reported once for each reason.
  case failed(game: String, path: String, faults: [String])
  /// Nothing is wrong with it any more.
  case recovered(game: String, path: String)
}

/// Follows the files that catalogs name by `source: {file: PATH}`.
///
/// A file is taken when looks at it have seen the same for a while, so that one that is being written waits. One that cannot be taken leaves
/// what was in force, in force. What was taken is a version like any other: when it is rolled back, only another file replaces it.
public actor FollowTemplateFiles {
  /// The number of looks in a row that must see the same before a file is taken.
  static let looksSettled = 2
  /// The number of looks before a failure is reported: more, since half of a file is no fault while somebody writes the other half.
  static let looksPatient = 4
  /// The number of versions that are looked through for the last one that came from the file.
  private static let versionsLooked = 1_000

  private struct WatchedFile {
    var path: String
    var mark = ""
    var looks = 0
    /// The state of the file when it was dealt with.
    var done: String?
    /// The game's revision then: another catalog may take what the one then did not.
    var revision: Int64 = 0
    var faults: [String] = []
    /// The number of times in a row that the store was in the way, so that it is tried again whatever the file says.
    var lateCount = 0
  }

  private enum Outcome {
    case taken(version: Int64, isInForce: Bool)
    case known
    case refused([String])
    case late([String])
  }

  private let store: any Store
  private let live: LiveWorld
  private let documents: any TemplateDocuments
  private let files: any TemplateFileSource
  private let tell: @Sendable (TemplateFileOutcome) -> Void
  private var followed: [String: WatchedFile] = [:]

  /// - Parameter tell: receives the outcome for a file whenever that differs from before.
  package init(
    store: any Store, live: LiveWorld, documents: any TemplateDocuments, files: any TemplateFileSource,
    tell: @escaping @Sendable (TemplateFileOutcome) -> Void = { _ in }
  ) {
    self.store = store
    self.live = live
    self.documents = documents
    self.files = files
    self.tell = tell
  }

  /// Reads every file, whatever its mark says: a reload was requested.
  public func reread(now: Instant) async {
    for game in followed.keys { followed[game]?.done = nil }
    await look(now: now, isWaiting: false)
  }

  /// Looks at every file once.
  /// - Parameter isWaiting: false takes what is there without another look: at a start nobody has watched it change.
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
      if !isWaiting { each.looks = Self.looksPatient }
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
      if each.looks < Self.looksPatient { return }
      faults = words
    case .late(let words):
      // A store that is busy for a moment, as at a start, is no fault of the file.
      if each.lateCount < Self.looksPatient { return }
      faults = words
    }
    each.done = each.mark
    each.revision = live.present.world[game.game]?.revision ?? game.revision
    if !each.faults.isEmpty, faults.isEmpty { tell(.recovered(game: game.game, path: each.path)) }
    if !faults.isEmpty, faults != each.faults { tell(.failed(game: game.game, path: each.path, faults: faults)) }
    if case .taken(let version, let isInForce) = outcome {
      tell(.taken(game: game.game, path: each.path, version: version, isInForce: isInForce))
    }
    if faults != each.faults || !faults.isEmpty {
      await live.noteTemplate(of: game.game, wrong: faults.map { "\(each.path): \($0)" }, now: now)
    }
    each.faults = faults
  }

  private func take(_ path: String, for game: GameSnapshot, now: Instant) async -> Outcome {
    let document: [UInt8]
    do throws(Fault) { document = try files.document(path) } catch { return .refused([error.message]) }
    let id = game.game
    do throws(StoreError) {
      let last = try await store.read { view in
        try view.templates(of: id, before: nil, limit: Self.versionsLooked).first { $0.origin == .file }
          .flatMap { try view.template($0.number, of: id) }
      }
      // Taken before; if something else is in force since, somebody has brought that about.
      if last?.document == document { return .known }
    } catch { return .late(["the previous version cannot be read from the store"]) }
    let words = "read from \(path)"
    let reason = (try? Change.check(reason: words)) == nil ? nil : words
    let context = Change(author: .daemon, reason: reason, now: now)
    do throws(TemplateError) {
      let answered = try await TemplateService(store: store, present: live.present, documents: documents).push(
        document, for: id, origin: .file, game.catalog.source.activatesByHand ? .manual : .now, context)
      guard case .fresh(let outcome) = answered, !outcome.isUnchanged else { return .known }
      return .taken(version: outcome.version.number, isInForce: outcome.activation.active == outcome.version.number)
    } catch {
      return Self.outcome(of: error)
    }
  }

  private static func outcome(of error: TemplateError) -> Outcome {
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
