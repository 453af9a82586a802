// Brings a stored version of a game's template into force.
package import GameConfCore
package import GameConfStorage

extension TemplateService {
  /// Activates a version, now or at an instant.
  /// - Parameters:
  ///   - number: the version; nil for the newest.
  ///   - timing: `.manual` is the same as `.now` here.
  /// - Throws: `.unknownVersion`, `.alreadyActive`, and what ``push(_:for:origin:_:_:remembering:)`` throws.
  public func activate(
    _ number: Int64?, of game: String, _ timing: TemplateTiming, _ context: Change,
    remembering: RepeatableChange<TemplateOutcome, TemplateError>? = nil
  ) async throws(TemplateError) -> ChangeAnswer<TemplateOutcome> {
    try await change(game, context, remembering) { edit in
      let (version, template) = try Self.version(number ?? edit.last, edit)
      if edit.activation.active == version.number { throw TemplateError.alreadyActive(version.number) }
      if case .at(let instant) = timing, instant > context.now { return try edit.leave(version, template, until: instant) }
      return try edit.activate(version, template, action: .templateActivated)
    }
  }

  /// Makes an older version current, as a new version with the same document.
  /// - Parameter number: the version; nil for the one before what is in force.
  /// - Throws: `.unknownVersion`, `.nothingBefore`, and what ``push(_:for:origin:_:_:remembering:)`` throws.
  public func rollback(
    to number: Int64?, of game: String, _ context: Change, remembering: RepeatableChange<TemplateOutcome, TemplateError>? = nil
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

  /// Brings into force what was left for an instant that has come.
  /// - Returns: the games whose templates could not be activated, with why; they are not tried again.
  package func activateDue(now: Instant) async throws(StoreError) -> [String: TemplateError] {
    var failed: [String: TemplateError] = [:]
    for game in present.world.games {
      guard let scheduled = game.scheduledTemplate, let at = scheduled.at, at <= now, let number = scheduled.scheduled else { continue }
      do throws(TemplateError) {
        _ = try await activate(number, of: game.game, .now, Change(author: .daemon, reason: "scheduled for \(at.text)", now: now))
      } catch {
        if case .store(let storeError) = error { throw storeError }
        failed[game.game] = error
        try await unschedule(game.game, now: now)
      }
    }
    return failed
  }

  /// Gives up what was left for later; the version stays, for somebody to activate.
  private func unschedule(_ game: String, now: Instant) async throws(StoreError) {
    try await store.write(WriteMode(isAlone: true, scope: .game(game)), refusing: StoreError.self) { transaction in
      guard var activation = try transaction.activation(of: game) else { return }
      (activation.scheduled, activation.at) = (nil, nil)
      try transaction.schedule(activation, of: game)
    }
  }

  private func change(
    _ game: String, _ context: Change, _ remembering: RepeatableChange<TemplateOutcome, TemplateError>?,
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
