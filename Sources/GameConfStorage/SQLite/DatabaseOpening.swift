// Opening the database at start, after a restore, and when a passing trouble may be over.
import GameConfCore
import GameConfEngine
import Glibc

/// What came of opening the database.
enum Opened {
  /// It is open, and this is what is served from it.
  case open(SQLiteConnection, MemoryState, playerFloor: Int64)
  /// It cannot be used. When it is damaged it is to be put aside.
  case lost(String, isDamaged: Bool)
  /// It cannot be used now, and may be later.
  case later(Trouble)
}

/// A step by which an older database is brought up to date at the start.
public struct StoreMigration: Sendable, Hashable {
  /// The version it is of.
  public let from: Int
  /// The version it is brought to.
  public let to: Int
  /// The step that begins: 0 for the copy that is made first, then one for each statement.
  public let step: Int
}

struct DatabaseOpening {
  let file: DatabaseFile
  /// What was known of the last state when the daemon started; nil when nothing was.
  let known: LastGoodState?
  /// Whether a state was kept that cannot be read.
  let isKnownDamaged: Bool
  var schema = Schema.current
  var migrating: @Sendable (StoreMigration) -> Void = { _ in }

  static let advice =
    "bring back a backup with 'gameconfctl store restore', or go on from last-good.json with 'gameconfctl store restore --rebuild'"

  func open() -> Opened {
    switch file.identity()?.bytesCount {
    case nil, 0:
      if let loss = lossWithoutFile() { return .lost(loss, isDamaged: true) }
      if file.identity() == nil {
        do throws(StateFault) { try file.create() } catch { return .later(Self.trouble(error)) }
      }
    default: break
    }
    do {
      return try openFile()
    } catch {
      switch Trouble(error) {
      case .damaged(let words): return .lost("the database is damaged (\(words)); \(Self.advice)", isDamaged: true)
      case .failing(let words) where access(file.path, R_OK | W_OK) != 0 && errno == EACCES:
        return .lost(
          "the database cannot be read and written by this user (\(words)); give it back to the user gameconfd runs as", isDamaged: false)
      case let trouble: return .later(trouble)
      }
    }
  }

  /// Where nothing is there: whether something should be.
  private func lossWithoutFile() -> String? {
    var isKnown = false
    if let known { isKnown = !known.overrides.isEmpty || known.revisions.values.contains { $0 > 0 } }
    let what = file.identity() == nil ? "is missing" : "is empty"
    if isKnown { return "the database \(what), and last-good.json tells of one; \(Self.advice)" }
    if isKnownDamaged {
      return "the database \(what), and last-good.json cannot be read; to begin afresh move last-good.json away and restart"
    }
    return nil
  }

  private func openFile() throws -> Opened {
    let database = try file.connect()
    switch try Schema.kind(of: database) {
    case .foreign: return .lost("the database file is not gameconfd's; move it away, then \(Self.advice)", isDamaged: false)
    case .ours(let version) where version > schema.version:
      let words = "the database was written by a newer gameconfd (version \(version), this one knows \(schema.version)); run that one"
      return .lost(words, isDamaged: false)
    case .ours(let version):
      if version < schema.version { try copyBeforeMigration(of: database, version: version) }
      try database.execute("PRAGMA journal_mode = WAL")
      try schema.migrate(database, from: version) { migrating(StoreMigration(from: version, to: schema.version, step: $0)) }
    case .empty:
      try database.execute("PRAGMA journal_mode = WAL")
      try schema.migrate(database, from: 0)
    }
    let (state, playerFloor) = try Self.state(in: database, templates: known?.templates ?? [:])
    if let behind = behind(state) { return .lost(behind, isDamaged: false) }
    return .open(database, state, playerFloor: playerFloor)
  }

  /// Everything that is served from memory, and what revisions must not fall below.
  static func state(in database: SQLiteConnection, templates: [String: Value]) throws -> (MemoryState, playerFloor: Int64) {
    let view = SQLiteView(database, floors: SQLiteView.Floors())
    do {
      var state = MemoryState()
      state.revisions = try view.revisions()
      let floor = try view.number(RevisionRows.playerFloor)
      state.playerRevisionFloor = max(try view.number(RevisionRows.playerMax), floor)
      for overrides in try view.overrides() { state.put(overrides) }
      for game in state.revisions.keys {
        for (key, revision) in try view.keyRevisions(of: game) { state.slotRevisions[OverrideSlot(game: game, key: key)] = revision }
      }
      for (slot, revision) in try view.playerSlotRevisions() { state.slotRevisions[slot] = revision }
      state.templates = templates
      state.clocks = try view.clocks()
      state.catalogDigests = try view.catalogDigests()
      return (state, floor)
    } catch {
      throw view.trouble ?? Trouble(error)
    }
  }

  /// A database that knows less than was served is not the one that was last in use: writes that were acknowledged are not in it.
  private func behind(_ state: MemoryState) -> String? {
    for (game, revision) in (known?.revisions ?? [:]).sorted(by: { $0.key < $1.key }) where (state.revisions[game] ?? 0) < revision {
      return
        "the database knows '\(game)' up to revision \(state.revisions[game] ?? 0), and \(revision) was served: something of it is lost; \(Self.advice)"
    }
    return nil
  }

  private func copyBeforeMigration(of database: SQLiteConnection, version: Int) throws {
    migrating(StoreMigration(from: version, to: schema.version, step: 0))
    let copy = "\(file.path).before-version-\(schema.version)"
    unlink(copy)
    let target = try file.connect(to: copy)
    defer { target.close() }
    try database.backup(to: target)
  }

  static func trouble(_ fault: StateFault) -> Trouble {
    switch fault.code {
    case .noSpace: .noSpace
    case .readOnly: .readOnly
    default: .failing("\(fault.path) \(fault.message)")
    }
  }
}
