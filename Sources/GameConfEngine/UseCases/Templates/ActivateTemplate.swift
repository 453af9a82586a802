// Activates a stored version of a game's template.
package import GameConfCore
package import GameConfStorage

extension TemplateService {
  /// Activates a stored version of a game's template, now or at an instant.
  /// - Parameters:
  ///   - number: The version; nil for the newest.
  ///   - timing: The time of the activation. `.manual` means `.now` here.
  /// - Throws: `.unknownVersion`, `.alreadyActive`, and the errors of ``push(_:for:origin:_:_:remembering:)``.
  public func activate(
    _ number: Int64?, of game: String, _ timing: TemplateTiming, _ context: ChangeContext,
    remembering: RepeatableChange<TemplateOutcome, TemplateError>? = nil
  ) async throws(TemplateError) -> ChangeAnswer<TemplateOutcome> {
    try await change(game, context, remembering) { edit in
      let (version, template) = try Self.version(number ?? edit.last, edit)
      if edit.activation.active == version.number { throw TemplateError.alreadyActive(version.number) }
      if case .at(let instant) = timing, instant > context.now { return try edit.leave(version, template, until: instant) }
      return try edit.activate(version, template, action: .templateActivated)
    }
  }

  /// Stores the document of an older version as a new version, and activates it.
  /// - Parameter number: The older version; nil for the one before the active one.
  /// - Throws: `.unknownVersion`, `.nothingBefore`, and the errors of ``push(_:for:origin:_:_:remembering:)``.
  public func rollback(
    to number: Int64?, of game: String, _ context: ChangeContext, remembering: RepeatableChange<TemplateOutcome, TemplateError>? = nil
  ) async throws(TemplateError) -> ChangeAnswer<TemplateOutcome> {
    try await change(game, context, remembering) { edit in
      var wanted = number
      if wanted == nil, let active = edit.activation.active {
        wanted = try edit.transaction.templates(of: game, before: active, limit: 1).first?.number
      }
      guard let wanted else { throw TemplateError.nothingBefore }
      if edit.activation.active == wanted { throw TemplateError.alreadyActive(wanted) }
      let (version, template) = try Self.version(wanted, edit)
      let current = try edit.store(version.document, origin: .rollback, rollbackOf: wanted)
      return try edit.activate(current, template, action: .templateRolledBack)
    }
  }

  /// Activates the versions of templates whose scheduled time has come.
  /// - Returns: The games whose templates could not be activated, with the reasons; they are not tried again.
  package func activateDue(now: Instant) async throws(StoreError) -> [String: TemplateError] {
    var failed: [String: TemplateError] = [:]
    for game in present.world.games {
      guard let scheduled = game.scheduledTemplate, let at = scheduled.at, at <= now, let number = scheduled.scheduled else { continue }
      do throws(TemplateError) {
        _ = try await activate(number, of: game.game, .now, ChangeContext(author: .daemon, reason: "scheduled for \(at.text)", now: now))
      } catch {
        if case .store(let storeError) = error { throw storeError }
        failed[game.game] = error
        try await unschedule(game.game, now: now)
      }
    }
    return failed
  }

  /// Cancels a scheduled activation; the version stays stored and can be activated by a request.
  private func unschedule(_ game: String, now: Instant) async throws(StoreError) {
    try await store.write(WriteMode(isAlone: true, scope: .game(game)), refusing: StoreError.self) { transaction in
      guard var activation = try transaction.activation(of: game) else { return }
      (activation.scheduled, activation.at) = (nil, nil)
      try transaction.schedule(activation, of: game)
    }
  }

  private func change(
    _ game: String, _ context: ChangeContext, _ remembering: RepeatableChange<TemplateOutcome, TemplateError>?,
    _ body: @escaping @Sendable (TemplateEdit) throws -> TemplateOutcome
  ) async throws(TemplateError) -> ChangeAnswer<TemplateOutcome> {
    let (present, documents) = (present, documents)
    return try await store.change(
      WriteMode(isDryRun: context.isDryRun, isAlone: true, scope: .game(game)), remembering: remembering, reused: .repeatedWithOtherContent
    ) { transaction in
      try body(TemplateEdit(transaction, present, documents, game: game, context))
    }
  }

  private static func version(_ number: Int64, _ edit: TemplateEdit) throws -> (StoredTemplate, Template) {
    guard number > 0, let version = try edit.transaction.template(number, of: edit.game) else { throw TemplateError.unknownVersion(number) }
    return (version, try edit.read(version.document))
  }
}
