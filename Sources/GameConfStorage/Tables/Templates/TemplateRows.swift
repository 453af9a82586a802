// The rows of templates' versions and of their activations.
package import GameConfCore

enum TemplateRows {
  static let tables = [
    """
    CREATE TABLE templates (
      game TEXT NOT NULL, number INTEGER NOT NULL, at_ms INTEGER NOT NULL, origin TEXT NOT NULL, rollback_of INTEGER,
      author_uid INTEGER NOT NULL, author_name TEXT NOT NULL, author_pid INTEGER, reason TEXT, document TEXT NOT NULL,
      PRIMARY KEY (game, number)
    )
    """,
    """
    CREATE TABLE template_activations (
      game TEXT PRIMARY KEY, active INTEGER, since_ms INTEGER NOT NULL, scheduled INTEGER, scheduled_at_ms INTEGER
    ) WITHOUT ROWID
    """,
  ]

  private static let columns = "number, at_ms, origin, rollback_of, author_uid, author_name, author_pid, reason"

  static let one = Statement(.query, "SELECT \(columns), document FROM templates WHERE game = ? AND number = ?")
  static let before = Statement(
    .query, "SELECT \(columns) FROM templates WHERE game = ? AND number < ? ORDER BY number DESC LIMIT ?")
  static let last = Statement(.query, "SELECT max(number) FROM templates WHERE game = ?")
  static let sizes = Statement(.query, "SELECT number, at_ms, length(document) FROM templates WHERE game = ? ORDER BY number DESC")
  static let add = Statement(
    .insert, "INSERT INTO templates (game, \(columns), document) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
  static let remove = Statement(.change, "DELETE FROM templates WHERE game = ? AND number = ?")
  static let activation = Statement(
    .query, "SELECT active, since_ms, scheduled, scheduled_at_ms FROM template_activations WHERE game = ?")
  static let activations = Statement(.query, "SELECT game, active, since_ms, scheduled, scheduled_at_ms FROM template_activations")
  static let putActivation = Statement(
    .insert,
    """
    INSERT INTO template_activations (game, active, since_ms, scheduled, scheduled_at_ms) VALUES (?, ?, ?, ?, ?)
    ON CONFLICT (game) DO UPDATE SET active = excluded.active, since_ms = excluded.since_ms, scheduled = excluded.scheduled,
      scheduled_at_ms = excluded.scheduled_at_ms
    """)

  static let statements = [one, before, last, sizes, add, remove, activation, activations, putActivation]

  static func version(_ row: Row, of game: String, document: String = "") throws(DatabaseFailure) -> StoredTemplate {
    guard let origin = StoredTemplate.TemplateOrigin(rawValue: try row.text(2)) else {
      throw DatabaseFailure.damaged("a template of unknown origin")
    }
    return StoredTemplate(
      game: game, number: try row.integer(0), document: Array(document.utf8), origin: origin, rollbackOf: row.optionalInteger(3),
      author: try OverrideRows.author(row, 4), at: try row.instant(1), reason: row.optionalText(7))
  }

  static func activation(_ row: Row, _ column: Int) throws(DatabaseFailure) -> TemplateActivation {
    TemplateActivation(
      active: row.optionalInteger(column), since: try row.instant(column + 1),
      scheduled: row.optionalInteger(column + 2), at: row.optionalInstant(column + 3))
  }
}

extension ReadTransaction {
  package func template(_ number: Int64, of game: String) throws(StoreError) -> StoredTemplate? {
    let row = try row(TemplateRows.one, [game, number])
    guard let row else { return nil }
    return try reading(UnreadableRow(.template, game: game, name: String(number))) {
      try TemplateRows.version(row, of: game, document: try row.text(8))
    }
  }

  /// Returns a page of versions of a game's template, newest first, without their documents.
  /// - Parameter before: Only versions with a lower number.
  package func templates(of game: String, before: Int64?, limit: Int) throws(StoreError) -> [StoredTemplate] {
    let rows = try rows(TemplateRows.before, [game, before ?? .max, Int64(limit)])
    var versions: [StoredTemplate] = []
    for row in rows {
      let name = UnreadableRow(.template, game: game, name: row.optionalInteger(0).map(String.init))
      if let version = try readable(name, { try TemplateRows.version(row, of: game) }) { versions.append(version) }
    }
    return versions
  }

  /// Returns the number of the newest version of a game's template; 0 before the first. It never falls.
  package func lastTemplate(of game: String) throws(StoreError) -> Int64 {
    let row = try row(TemplateRows.last, [game])
    return row?.optionalInteger(0) ?? 0
  }

  /// Returns the active and the scheduled version of a game's template; nil for a game that never had a template.
  package func activation(of game: String) throws(StoreError) -> TemplateActivation? {
    let row = try row(TemplateRows.activation, [game])
    return try attempting { try row.map { try TemplateRows.activation($0, 0) } }
  }

  /// Returns the activation of every game that ever had a template.
  package func activations() throws(StoreError) -> [String: TemplateActivation] {
    let rows = try rows(TemplateRows.activations)
    return try attempting { Dictionary(try rows.map { (try $0.text(0), try TemplateRows.activation($0, 1)) }) { first, _ in first } }
  }

  /// Returns the active templates in the form of `last-good.json`.
  func savedTemplates() throws(StoreError) -> [String: Value] {
    var saved: [String: Value] = [:]
    for (game, activation) in try activations() {
      guard let active = activation.active else { continue }
      let row = try row(TemplateRows.one, [game, active])
      guard let row,
        let version = try readable(
          UnreadableRow(.template, game: game, name: String(active)), { try TemplateRows.version(row, of: game, document: try row.text(8)) }
        )
      else { continue }
      saved[game] = version.saved(since: activation.since)
    }
    return saved
  }
}

extension WriteTransaction {
  /// Adds a version to a game's template. Its number must be one above the last.
  package func append(_ template: StoredTemplate) throws(StoreError) {
    try run(
      TemplateRows.add,
      [
        template.game, template.number, template.at.milliseconds, template.origin.rawValue, template.rollbackOf,
        template.author.uid, template.author.name, template.author.pid, template.reason,
        String(decoding: template.document, as: UTF8.self),
      ])
  }

  /// Activates a version, records the revision of the changed keys, and publishes ``StoreChange/template(game:_:changed:revision:)``.
  package func activate(_ template: ActiveTemplate, changing keys: Set<String>, at revision: Int64, of game: String) throws(StoreError) {
    try setRevision(revision, at: keys.sorted().map { OverrideSlot(game: game, key: $0) })
    try put(template.activation, of: game)
    publish(.template(game: game, template, changed: keys, revision: revision))
  }

  /// Changes the scheduled version of a game's template, and publishes ``StoreChange/scheduled(game:_:)``.
  /// - Parameter activation: Its active version must be the current one.
  package func schedule(_ activation: TemplateActivation, of game: String) throws(StoreError) {
    try put(activation, of: game)
    publish(.scheduled(game: game, activation))
  }

  /// Writes an activation without publishing it.
  func put(_ activation: TemplateActivation, of game: String) throws(StoreError) {
    try run(
      TemplateRows.putActivation,
      [game, activation.active, activation.since.milliseconds, activation.scheduled, activation.at?.milliseconds])
  }

  /// Removes versions of a game's template that are no longer retained. These are versions older than
  /// ``TemplateLimits/retentionMilliseconds`` that are not among the newest ``TemplateLimits/versionsMax``, and the oldest versions beyond
  /// ``TemplateLimits/bytesMax``. The active version, the one before it and the scheduled one are never removed.
  /// - Returns: The number of removed versions.
  package func dropTemplates(of game: String, now: Instant) throws(StoreError) -> Int {
    let rows = try rows(TemplateRows.sizes, [game])
    let versions = try attempting {
      try rows.map { (number: try $0.integer(0), at: try $0.instant(1), bytes: Int(try $0.integer(2))) }
    }
    let spared = TemplateLimits.spared(try activation(of: game), versions.map(\.number))
    let dropped = TemplateLimits.dropped(versions, spared: spared, now: now)
    for number in dropped { try run(TemplateRows.remove, [game, number]) }
    return dropped.count
  }
}

extension TemplateRows: StateRows {
  static let storedTables = [
    StoredTable(
      "templates",
      [
        "game": .text, "number": .number(.ordinal), "at_ms": .number(.instant), "origin": .text, "rollback_of": .optional(.ordinal),
        "author_uid": .number(.uid), "author_name": .text, "author_pid": .optional(.pid), "reason": .text, "document": .text,
      ]),
    StoredTable(
      "template_activations",
      [
        "game": .text, "active": .optional(.ordinal), "since_ms": .number(.instant), "scheduled": .optional(.ordinal),
        "scheduled_at_ms": .optional(.instant),
      ]),
  ]

  static let lastGood = [
    LastGoodMember(name: "templates") { change in
      switch change {
      case .template, .scheduled: true
      default: false
      }
    } value: { state in
      .object(ObjectValue(state.templates.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }))
    } read: { document, state in
      for member in document?.objectValue?.members ?? [] { state.templates[member.name] = member.value }
      return true
    }
  ]

  static func load(into state: inout StoredState, from view: ReadTransaction) throws {
    state.templates = try view.savedTemplates()
    state.activations = try view.activations()
  }

  static func rebuild(_ state: StoredState, in transaction: WriteTransaction) throws {
    for (game, saved) in state.templates {
      guard let (version, since) = StoredTemplate.version(saved: saved, of: game) else { continue }
      try transaction.append(version)
      try transaction.put(TemplateActivation(active: version.number, since: since), of: game)
    }
  }

  /// Returns the changes after another host has activated or scheduled a version of the template. ``OverrideRows/changes(of:)`` returns the
  /// new revisions of the changed keys.
  /// - Returns: nil if the template cannot be read, or if another host has also accepted a catalog, for which the template must be
  ///   compiled.
  static func changes(of game: ChangedGame) throws -> [StoreChange]? {
    let activation = try game.view.activation(of: game.name)
    if activation == game.served.activations[game.name] { return [] }
    guard game.accepted == nil, let activation else { return nil }
    var changes: [StoreChange] = []
    if let active = activation.active {
      guard let version = try version(active, of: game) else { return nil }
      let saved = version.saved(since: activation.since)
      if saved != game.served.templates[game.name] { changes.append(.templateStored(game: game.name, saved)) }
    }
    return changes + [.scheduled(game: game.name, activation)]
  }

  private static func version(_ number: Int64, of game: ChangedGame) throws(StoreError) -> StoredTemplate? {
    do throws(StoreError) { return try game.view.template(number, of: game.name) } catch {
      guard case .unreadable = error else { throw error }
      return nil
    }
  }

  static func isWritten(_ row: UnreadableRow, by change: StoreChange) -> Bool { false }
}
