// Stores a new version of a game's template.
public import GameConfCore
public import GameConfStorage

/// The time when a new version becomes active.
public enum TemplateTiming: Sendable, Hashable {
  /// Immediately, in the same transaction.
  case now
  /// Later, when a user activates the version.
  case manual
  /// At an instant of the host's clock.
  case at(Instant)
}

extension TemplateService {
  /// Checks a document against the catalog, stores it as the next version, and activates it depending on the timing.
  ///
  /// A document equal to the newest version is not stored again. A fetched document that equals the last fetched one is not stored again
  /// either, so that a rollback lasts until the source changes.
  /// - Parameter context: Its precondition is `.newestTemplate` or `.templateInForce`.
  /// - Throws: `.faults`, `.constraint`, `.tooLong`, `.unknownGame`, `.changedMeanwhile`, `.reason`, `.repeatedWithOtherContent`, `.store`.
  public func push(
    _ document: [UInt8], for game: String, origin: StoredTemplate.TemplateOrigin = .pushed, _ timing: TemplateTiming,
    _ context: ChangeContext,
    remembering: RepeatableChange<TemplateOutcome, TemplateError>? = nil
  ) async throws(TemplateError) -> ChangeAnswer<TemplateOutcome> {
    guard document.count <= TemplateLimits.documentBytesMax else { throw .tooLong(bytesMax: TemplateLimits.documentBytesMax) }
    // Checked before the transaction, so that invalid documents do not occupy the writer, and again within it: the catalog may change.
    if let catalog = present.world[game]?.catalog {
      do throws(Faults) { _ = try documents.template(document, for: catalog) } catch { throw .faults(error.faults) }
    }
    let (present, documents) = (present, documents)
    return try await store.change(
      WriteMode(isDryRun: context.isDryRun, isAlone: true, scope: .game(game)), remembering: remembering, reused: .repeatedWithOtherContent
    ) { transaction in
      let edit = try TemplateEdit(transaction, present, documents, game: game, context)
      if origin == .fetched, let path = edit.snapshot.catalog.source.file { throw TemplateError.readFromFile(path) }
      let template = try edit.read(document)
      if origin == .fetched, let known = try Self.lastFetched(of: game, transaction), known.document == document {
        return Self.unchanged(known, edit, template)
      }
      if edit.last > 0, let newest = try transaction.template(edit.last, of: game), newest.document == document,
        edit.activation.active == edit.last || timing == .manual
      {
        return Self.unchanged(newest, edit, template)
      }
      let version = try edit.store(document, origin: origin)
      switch timing {
      case .now: return try edit.activate(version, template, action: .templatePushed)
      case .manual: return try edit.leave(version, template, until: nil)
      case .at(let instant):
        if instant <= context.now { return try edit.activate(version, template, action: .templatePushed) }
        return try edit.leave(version, template, until: instant)
      }
    }
  }
  /// The most stored versions, newest first, that are searched for the last fetched one.
  private static let versionsLooked = 1_000

  private static func lastFetched(of game: String, _ transaction: WriteTransaction) throws(StoreError) -> StoredTemplate? {
    guard
      let number = try transaction.templates(of: game, before: nil, limit: versionsLooked).first(where: { $0.origin == .fetched })?.number
    else { return nil }
    return try transaction.template(number, of: game)
  }

  private static func unchanged(_ version: StoredTemplate, _ edit: TemplateEdit, _ template: Template) -> TemplateOutcome {
    TemplateOutcome(
      version: version, activation: edit.activation, revision: edit.snapshot.revision, changedKeys: [], unknownKeys: template.unknownKeys,
      remarks: template.remarks, quarantined: 0, isUnchanged: true)
  }
}
