// Sets or removes overrides of one key.
public import GameConfCore
import GameConfStorage

/// A change of the overrides of one key, game-wide or for one player.
public enum OverrideAct: Sendable, Hashable {
  /// Sets the permanent override, in place of the former one. With a time window, adds an override for that time, or replaces the window in
  /// force if the same user set it in the same session.
  case set(Value, window: WindowRequest? = nil)
  /// Changes the value of the override whose time window has this id. The window's beginning and end stay.
  case change(Value, window: String)
  /// Removes every override of the key, or only the one whose time window has this id. If there is no such override, nothing changes.
  /// Overrides of a key that the catalog no longer has can still be removed.
  case remove(window: String? = nil)
  /// Releases the key's overrides from quarantine, so that they are served again. The catalog must admit each of their values.
  case release
}

extension OverrideService {
  /// Changes the overrides of one key, for the whole game or for one player.
  /// - Returns: The outcome of the change. Its `window` is the id of an added or changed window.
  /// - Throws: `.unknownGame`, `.unknownKey`, `.notAPlayer`, `.inadmissible`, `.constraint`, `.window`, `.windowWithoutEnd`, a limit,
  ///   `.notQuarantined` for a release, `.reason`, `.changedMeanwhile`, `.repeatedWithOtherContent`, `.store`.
  public func change(
    _ act: OverrideAct, at slot: OverrideSlot, _ context: ChangeContext,
    remembering: RepeatableChange<OverrideOutcome, ChangeRefusal>? = nil
  ) async throws(ChangeRefusal) -> ChangeAnswer<OverrideOutcome> {
    try await change(in: slot.game, context, remembering) { edit in
      let before = try edit.load(slot)
      // A user must not change or replace a time window that a running scenario owns.
      switch act {
      case .set, .change: try edit.checkHold(on: slot)
      case .remove, .release: break
      }
      try edit.checkPrecondition(at: slot)
      return switch act {
      case .set(let value, let window): try edit.set(value, window, over: before)
      case .change(let value, let window): try edit.change(value, in: window, over: before)
      case .remove(let window): try edit.remove(window, of: before)
      case .release: try edit.release(before)
      }
    }
  }
}

extension OverrideEdit {
  fileprivate func set(_ value: Value, _ window: WindowRequest?, over before: KeyOverrides) throws -> OverrideOutcome {
    let admitted = try admit(value, at: before.slot)
    let revision = try transaction.nextRevision(of: game)
    let record = record(admitted, at: before.slot, revision: revision)
    var change = SlotChange(before: before, after: before, action: .overrideSet)
    if let window {
      var added = try window.window(id: "w\(revision)", now: context.now)
      if let replacing = window.replacing {
        change.detail = try change.after.cut(replacing, for: added, by: context.author, now: context.now)
      } else if window.from == nil, let own = try ownWindow(of: before) {
        // The author sets the time window again: the window retains its id and its beginning, and gets the new end.
        (added.id, added.from) = (own.id, own.from)
        change.detail = ["replaced_until": .string(own.until.text)]
        _ = change.after.remove(window: own.id)
      }
      do throws(WindowFault) { try change.after.add(record, window: added, now: context.now) } catch { throw ChangeRefusal.window(error) }
      change.action = .windowAdded
      change.window = added.id
    } else {
      change.after.setPermanent(record)
    }
    return try commit(setting: change, revision: revision)
  }

  fileprivate func change(_ value: Value, in window: String, over before: KeyOverrides) throws -> OverrideOutcome {
    let admitted = try admit(value, at: before.slot)
    var change = SlotChange(before: before, after: before, action: .windowChanged, window: window)
    guard let span = change.after.remove(window: window).first?.window else { throw ChangeRefusal.unknownWindow(window) }
    let revision = try transaction.nextRevision(of: game)
    do throws(WindowFault) {
      try change.after.add(record(admitted, at: before.slot, revision: revision), window: span, now: context.now)
    } catch { throw ChangeRefusal.window(error) }
    return try commit(setting: change, revision: revision)
  }

  /// Commits the setting of a value, permanently or in a time window, even if the value is the same as before.
  private func commit(setting change: SlotChange, revision: Int64) throws -> OverrideOutcome {
    var outcome = try commit([change], revision: revision)
    outcome.window = change.window
    if let window = change.window {
      outcome.replaced = change.before.windows.filter { $0.window?.id == window }
      outcome.isReplacement = !outcome.replaced.isEmpty
    } else {
      outcome.isReplacement = change.before.permanent != nil
    }
    outcome.inForce = try valuesInForce(after: [change], revision: revision)
    return outcome
  }

  /// The most audit lines about a key that are searched, newest first, for the one that set the window.
  private static var linesLookedAt: Int { 64 }

  /// Returns the window in force if the same user set it in the same session; nil for a client that names no session.
  private func ownWindow(of overrides: KeyOverrides) throws -> OverrideWindow? {
    guard let record = overrides.windows.first(where: { $0.window?.contains(context.now) == true }), let window = record.window,
      record.author.uid == context.author.uid, let session = context.session
    else { return nil }
    let slot = overrides.slot
    let lines = try transaction.audits(
      AuditSelection(
        game: game, player: slot.player, key: slot.key, author: String(context.author.uid), limit: Self.linesLookedAt))
    let set = lines.first { line in
      line.window == window.id && line.player == slot.player && [.windowAdded, .windowChanged].contains(line.action)
    }
    return set?.session == session ? window : nil
  }

  fileprivate func remove(_ window: String?, of before: KeyOverrides) throws -> OverrideOutcome {
    if before.isEmpty { try checkKey(of: before) }
    var after = before
    guard !after.remove(window: window).isEmpty else { return try nothing(at: before.slot) }
    let change = SlotChange(before: before, after: after, action: .overrideRemoved, window: window)
    return try commit([change], revision: try transaction.nextRevision(of: game))
  }

  fileprivate func release(_ before: KeyOverrides) throws -> OverrideOutcome {
    try checkKey(of: before)
    var after = before
    let released = after.release()
    guard !released.isEmpty else { throw ChangeRefusal.notQuarantined }
    for record in released { _ = try admit(record.value, at: before.slot) }
    let change = SlotChange(before: before, after: after, action: .overrideReleased)
    return try commit([change], revision: try transaction.nextRevision(of: game))
  }

  private func checkKey(of overrides: KeyOverrides) throws(ChangeRefusal) {
    guard let nearest = checking.nearestNames(toUnknown: overrides.slot.key, in: game) else { return }
    throw .unknownKey(overrides.slot.key, nearest: nearest)
  }
}

/// A request for an override's time window. Its end is required, and its beginning is now by default.
public struct WindowRequest: Sendable, Hashable {
  /// The window's beginning; nil for now.
  public var from: Instant?
  /// The window's end. A request without an end is refused.
  public var until: Instant?
  /// The existing window that the new one replaces; nil to replace no window.
  public var replacing: WindowReplacement?

  /// Creates a request; without `from` the window begins now.
  public init(from: Instant? = nil, until: Instant?, replacing: WindowReplacement? = nil) {
    self.from = from
    self.until = until
    self.replacing = replacing
  }

  func window(id: String, now: Instant) throws(ChangeRefusal) -> OverrideWindow {
    guard let until else { throw .windowWithoutEnd }
    return OverrideWindow(id: id, from: from ?? now, until: until)
  }
}

/// The existing time window that a new one replaces. The new window must begin now.
public enum WindowReplacement: Sendable, Hashable {
  /// The window in force. If another user set it, the change is refused.
  case own
  /// The window with this id, set by any user.
  case named(String)
}

extension KeyOverrides {
  /// Removes the time window that a new window replaces. The new window must begin now.
  /// - Returns: The id and the end of the replaced window, for the audit log; nil if no window was in force.
  fileprivate mutating func cut(
    _ replacing: WindowReplacement, for added: OverrideWindow, by author: Author, now: Instant
  ) throws(ChangeRefusal) -> Value? {
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
