// One change of a game's template within a transaction, which stores, activates, quarantines and writes the audit line.
internal import GameConfCore
import GameConfStorage

/// A change of one game's template within a database transaction.
struct TemplateEdit {
  let transaction: WriteTransaction
  let present: CurrentWorld
  let documents: any TemplateDocuments
  let context: ChangeContext
  let snapshot: GameSnapshot
  let last: Int64
  let activation: TemplateActivation

  var game: String { snapshot.game }

  init(
    _ transaction: WriteTransaction, _ present: CurrentWorld, _ documents: any TemplateDocuments, game: String, _ context: ChangeContext
  ) throws {
    guard let snapshot = present.world[game] else { throw TemplateError.unknownGame(game) }
    if let reason = context.reason, reason.utf8.count > OverrideLimits.reasonBytesMax || reason.hasControlCharacter {
      throw TemplateError.reason(bytesMax: OverrideLimits.reasonBytesMax)
    }
    self.transaction = transaction
    self.present = present
    self.documents = documents
    self.context = context
    self.snapshot = snapshot
    last = try transaction.lastTemplate(of: game)
    activation = try transaction.activation(of: game) ?? TemplateActivation(active: nil, since: context.now)
    switch context.precondition {
    case .newestTemplate(let expected): if expected != last { throw TemplateError.changedMeanwhile(version: last) }
    case .templateInForce(let expected):
      let inForce = activation.active ?? 0
      if expected != inForce { throw TemplateError.changedMeanwhile(version: inForce) }
    // A precondition on a revision or on a play never holds for a template.
    case .gameRevision, .slotRevision, .playerRevision, .playState: throw TemplateError.changedMeanwhile(version: last)
    case nil: break
    }
  }

  /// Returns the document compiled for the catalog in force.
  func read(_ document: [UInt8]) throws -> Template {
    do throws(Faults) { return try documents.template(document, for: snapshot.catalog) } catch {
      throw TemplateError.faults(error.faults)
    }
  }

  /// Stores the document as the game's next version, and removes versions that are no longer retained.
  func store(_ document: [UInt8], origin: StoredTemplate.TemplateOrigin, rollbackOf: Int64? = nil) throws -> StoredTemplate {
    let version = StoredTemplate(
      game: game, number: last + 1, document: document, origin: origin, rollbackOf: rollbackOf, author: context.author, at: context.now,
      reason: context.reason)
    try transaction.append(version)
    _ = try transaction.dropTemplates(of: game, now: context.now)
    return version
  }

  func activate(_ version: StoredTemplate, _ template: Template, action: AuditAction) throws -> TemplateOutcome {
    let changed = Self.changedKeys(from: snapshot.template?.template, to: template, in: snapshot)
    let revision = try transaction.nextRevision(of: game)
    let inForce = ActiveTemplate(number: version.number, document: version.document, since: context.now, template: template)
    var draft = GameDraft(snapshot)
    draft.put(inForce, changed: changed, revision: revision)
    let candidate = draft.snapshot()
    let faults = ConstraintCheck(catalog: snapshot.catalog, now: snapshot.now(host: context.now)).faults(
      in: GameWideLookup(table: candidate.table, overrides: [:], now: snapshot.now(host: context.now)))
    if !faults.isEmpty { throw TemplateError.constraint(faults) }
    try transaction.activate(inForce, changing: changed, at: revision, of: game)
    let quarantined = try transaction.quarantineOverrides(
      in: game, checking: WorldChecking(present, candidate: candidate), revision: revision, now: context.now)
    var line = audit(action, version)
    line.revision = revision
    line.detail = detail(version, keys: changed)
    try transaction.append(line, about: changed)
    return TemplateOutcome(
      version: version, activation: inForce.activation, revision: revision, changedKeys: changed.sorted(),
      unknownKeys: template.unknownKeys,
      remarks: template.remarks, quarantined: quarantined.count, before: snapshot, after: candidate)
  }

  /// Leaves a stored version inactive until the given instant; without one, until a user activates it.
  func leave(_ version: StoredTemplate, _ template: Template, until instant: Instant?) throws -> TemplateOutcome {
    var next = activation
    if let instant {
      next.scheduled = version.number
      next.at = instant
    }
    try transaction.schedule(next, of: game)
    var line = audit(.templatePushed, version)
    line.detail = detail(version, keys: [], at: instant)
    try transaction.append(line)
    return TemplateOutcome(
      version: version, activation: next, revision: snapshot.revision, changedKeys: [], unknownKeys: template.unknownKeys,
      remarks: template.remarks, quarantined: 0)
  }

  private func audit(_ action: AuditAction, _ version: StoredTemplate) -> AuditRecord {
    var line = AuditRecord(context, action: action, game: game)
    line.before = activation.active.map(Value.integer)
    line.after = .integer(version.number)
    return line
  }

  private func detail(_ version: StoredTemplate, keys: Set<String>, at instant: Instant? = nil) -> Value {
    var detail = ObjectValue([("version", .integer(version.number)), ("origin", .string(version.origin.rawValue))])
    if let other = version.rollbackOf { detail["rollback_of"] = .integer(other) }
    if !keys.isEmpty { detail["keys"] = .list(keys.sorted().prefix(100).map(Value.string)) }
    if let instant { detail["at"] = .string(instant.text) }
    return .object(detail)
  }

  /// Returns the keys whose template value differs, and all keys whose values depend on these.
  static func changedKeys(from old: Template?, to new: Template?, in snapshot: GameSnapshot) -> Set<String> {
    let (before, after) = (old?.layers ?? [:], new?.layers ?? [:])
    let own = Set(before.keys).union(after.keys).filter { before[$0] != after[$0] }
    return snapshot.table.affected(by: own)
  }
}
