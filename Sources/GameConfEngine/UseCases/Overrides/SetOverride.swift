// Forces a value for a game or one player, for good or for a time.
public import GameConfCore

/// Forces a value: the standing one, or one within a window.
///
/// It is durable and every reader sees it when this returns. Without a window the standing override is replaced; with one a window is added.
public struct SetOverride: Sendable {
  private let store: any Store
  private let checking: any OverrideChecking

  /// A use case on a store.
  public init(store: any Store, checking: any OverrideChecking) {
    self.store = store
    self.checking = checking
  }

  /// Forces the value at the slot.
  /// - Returns: what changed; `window` is the new window's id.
  /// - Throws: `.unknownGame`, `.unknownKey`, `.notAPlayer`, `.inadmissible`, `.constraint`, `.window`, `.windowWithoutEnd`, a limit, `.reason`,
  ///   `.changedMeanwhile`, `.repeatedWithOtherContent`, `.store`.
  public func callAsFunction(
    _ value: Value, at slot: OverrideSlot, window: WindowRequest? = nil, _ context: Change,
    remembering: Remembering<OverrideOutcome, OverrideError>? = nil
  ) async throws(OverrideError) -> Answered<OverrideOutcome> {
    let checking = checking
    return try await store.change(
      WriteMode(isDryRun: context.isDryRun, scope: .game(slot.game)), remembering: remembering, reused: .repeatedWithOtherContent
    ) { turn in
      let edit = try OverrideEdit(turn, checking, game: slot.game, context)
      let before = try edit.load(slot)
      // A window of a scenario is not one to be replaced or waited for.
      try edit.checkHold(on: slot)
      try edit.checkPrecondition(at: slot)
      let admitted = try edit.admit(value, at: slot)
      let revision = try turn.nextRevision(of: slot.game)
      let record = edit.record(admitted, at: slot, revision: revision)
      var change = OverrideEdit.SlotChange(before: before, after: before, action: .overrideSet)
      if let window {
        let added = try window.window(id: "w\(revision)", now: context.now)
        if let replacing = window.replacing {
          change.detail = try change.after.cut(replacing, for: added, by: context.author, now: context.now)
        }
        do throws(WindowFault) { try change.after.add(record, window: added, now: context.now) } catch { throw OverrideError.window(error) }
        change.action = .windowAdded
        change.window = added.id
      } else {
        change.after.setStanding(record)
      }
      var outcome = try edit.commit([change], revision: revision)
      outcome.window = change.window
      outcome.isReplacement = window == nil && before.standing != nil
      return outcome
    }
  }
}

/// The window a change asks for.
public struct WindowRequest: Sendable, Hashable {
  /// When it begins; nil for now.
  public var from: Instant?
  /// When it ends; a window without an end is refused.
  public var until: Instant?
  /// Which window ends where this one begins; nil for none.
  public var replacing: WindowReplacement?

  /// A window.
  public init(from: Instant? = nil, until: Instant?, replacing: WindowReplacement? = nil) {
    self.from = from
    self.until = until
    self.replacing = replacing
  }

  func window(id: String, now: Instant) throws(OverrideError) -> OverrideWindow {
    guard let until else { throw .windowWithoutEnd }
    return OverrideWindow(id: id, from: from ?? now, until: until)
  }
}

/// Which window a new one ends.
public enum WindowReplacement: Sendable, Hashable {
  /// The one that holds now, where the same user set it.
  case own
  /// The one of that id, whoever set it.
  case named(String)
}

extension KeyOverrides {
  /// Ends a window where another begins, which must be now.
  /// - Returns: what the audit log says of it; nil when there was none to end.
  fileprivate mutating func cut(
    _ replacing: WindowReplacement, for added: OverrideWindow, by author: Author, now: Instant
  ) throws(OverrideError) -> Value? {
    guard added.from <= now else { throw .replacesLater(from: added.from) }
    let found: OverrideRecord?
    switch replacing {
    case .own:
      found = windows.first { $0.window?.contains(now) == true }
      if let found, let window = found.window, found.author.uid != author.uid { throw .windowOfAnother(window, found.author) }
    case .named(let id):
      found = windows.first { $0.window?.id == id }
      if found == nil { throw .unknownWindow(id) }
    }
    guard let window = found?.window else { return nil }
    _ = remove(window: window.id)
    return ["replaced_window": .string(window.id), "replaced_until": .string(window.until.text)]
  }
}
