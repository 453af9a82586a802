// Converts the engine's refusals of changes to problems.

package import GameConfAPI
internal import GameConfCore
package import GameConfEngine

extension Problem {
  package init(_ refusal: ChangeRefusal) {
    switch refusal {
    case .refused(let refusal): self.init(refusal)
    case .inadmissible(let key, let fault): self.init(fault.code, "\(key): \(fault.message)", pointer: "/value" + fault.pointer)
    case .window(let fault): self.init(fault)
    case .windowOfAnother(let window, let author):
      self.init(
        .overlap,
        "The window \(window.id), which holds until \(window.until.text), is \(author.name)'s; name it with window=\(window.id) to replace it.",
        extensions: Self.naming(window))
    case .rows(let faults):
      self.init(.rowsRefused, "\(faults.count) rows are refused, so nothing was changed.", errors: faults.map(Self.item))
    case .notRevertible(let action):
      self.init(.notRevertible, "A line that says \(action.rawValue) cannot be reverted.\(action.wayBack.map { " \($0)" } ?? "")")
    case .alreadyReverted(let other):
      self.init(
        .alreadyReverted, "Line \(other) has reverted it already; force=true reverts it again.",
        extensions: ObjectValue([("reverted_by", .integer(other))]))
    case .changedSince: self.init(.changedSince, "The value has been changed since; force=true reverts the line all the same.")
    case .heldByScenario(let key, let scenario, let id):
      self.init(
        .heldByScenario,
        "The scenario \(scenario) holds \(key) until it ends; end it with “gameconfctl scenario end \(id)”, or wait until its lease is over.",
        extensions: ObjectValue([("scenario", .string(scenario))]))
    case .windowInTheWay(let other, let slot, let pointer):
      self.init(
        .overlap,
        "The window \(other.id), from \(other.from.text) until \(other.until.text), overlaps the scenario, and a scenario ends no window: “gameconfctl config reset \(slot.game) \(slot.key) --window \(other.id)” removes it.",
        pointer: pointer, extensions: Self.naming(other))
    case .part(let refusal, let pointer): self = Problem(refusal).within(pointer)
    case .unknownScenario(let id):
      self.init(
        .unknownID,
        "No scenario “\(id)” is in force; it may have ended with its lease. “gameconfctl scenario list” lists those in force.")
    case .stateChanged(let tag):
      self.init(
        .stateChanged, "The play's state has changed since: its tag is \"\(tag ?? "")\". Read the play again, then decide.",
        extensions: ObjectValue([("state_tag", tag.map(Value.string) ?? .null)]))
    case .tooManyOpenPlays(let max):
      self.init(.limitReached, "This player has \(max) open plays, the limit; close one first (GET …/plays lists them).")
    case .repeatedWithOtherContent:
      self.init(.idReused, "This Idempotency-Key was used with another content before; use another key for another change.")
    case .alreadyDone: self.init(.idReused, "The request was done before.")
    case .store(let error): self.init(error)
    }
  }

  init(_ refusal: Refusal) {
    self.init(
      refusal.code, refusal.message, pointer: refusal.pointer,
      errors: refusal.faults.map { Item($0.code, $0.message, pointer: $0.pointer) }, retryAfterSeconds: refusal.retryAfterSeconds,
      extensions: refusal.members)
  }

  private static func item(_ fault: RowFault) -> Item {
    let place = "/overrides/\(fault.row)"
    switch fault.error {
    case .refused(.window(.overlap(let other))):
      return Item(
        .overlap,
        "The window overlaps \(other.id), which holds from \(other.from.text) until \(other.until.text); remove it or choose another time.",
        pointer: place)
    case .refused(let error):
      let problem = Problem(error)
      return Item(problem.code, problem.detail, pointer: place + (problem.pointer ?? ""))
    case .duplicate(let other): return Item(.duplicateRow, "The row is for the same override as row \(other).", pointer: place)
    }
  }

  private init(_ fault: WindowFault) {
    switch fault {
    case .endsBeforeItBegins(let from, let until):
      self.init(
        .windowEmpty, "The window begins at \(from.text) and ends at \(until.text); it must end after it begins.", pointer: "/until")
    case .past(let until, let now):
      self.init(.windowPast, "The window ended at \(until.text); it is \(now.text) now.", pointer: "/until")
    case .overlap(let other):
      self.init(
        .overlap,
        "The window overlaps \(other.id), which holds from \(other.from.text) until \(other.until.text); replace it (replace=true, where the new one begins now), remove it or choose another time.",
        extensions: Self.naming(other))
    case .tooMany(let max):
      self.init(.limitReached, "A key has at most \(max) windows for one scope; remove some first.")
    }
  }

  /// Returns the problem with its pointer changed to point into a scenario.
  ///
  /// The problem's present pointer points into the body of a call for one change. If it begins with `/value`, the rest of it is appended to
  /// `pointer`. Otherwise it is dropped, because a scenario has no such member.
  private func within(_ pointer: String) -> Problem {
    var problem = self
    let rest = self.pointer.map { $0.hasPrefix("/value") ? String($0.dropFirst("/value".count)) : "" } ?? ""
    problem.pointer = pointer + rest
    return problem
  }

  private static func naming(_ window: OverrideWindow) -> ObjectValue {
    let members: [(String, Value)] = [
      ("id", .string(window.id)), ("from", .string(window.from.text)), ("until", .string(window.until.text)),
    ]
    return ObjectValue([("window", .object(ObjectValue(members)))])
  }
}
