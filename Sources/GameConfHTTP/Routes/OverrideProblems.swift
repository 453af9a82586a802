// Why a change of overrides was refused, as the caller sees it.

internal import GameConfAPI
internal import GameConfCore
internal import GameConfEngine

extension Problem {
  /// The refusal of a change of overrides.
  init(_ error: OverrideError) {
    switch error {
    case .unknownGame(let game):
      self.init(.unknownGame, "There is no game “\(game)”.")
    case .unknownKey(let key, let nearest):
      self.init(.unknownKey, "“\(key)” is not a parameter of the game.\(NearestNames.hint(naming: nearest))")
    case .notAPlayer:
      self.init(.malformedPlayerID, "A player's id has 1 to \(OverrideLimits.playerBytesMax) bytes of UTF-8 without control characters.")
    case .inadmissible(let key, let fault): self.init(fault.code, "\(key): \(fault.message)", pointer: "/value" + fault.pointer)
    case .constraint(let faults, let at):
      // What the range of a key says begins with the key, which is the constraint's id too.
      let items = faults.map { fault in
        let named = fault.message.hasPrefix("\(fault.id): ") ? fault.message : "\(fault.id): \(fault.message)"
        return "\(named) (\(fault.keys.sorted().joined(separator: ", ")))"
      }
      let message = items.count == 1 ? items[0] : "\(items.count) constraints would not hold."
      let when = at.map { " This begins at \($0.text) on." } ?? ""
      self.init(.constraintViolated, message + when, errors: items.map { Item(.constraintViolated, $0) })
    case .window(let fault): self.init(fault)
    case .replacesLater(let from):
      self.init(
        .malformedRequest, "Only a window that begins now replaces one; this one begins at \(from.text). Leave from out.", pointer: "/from")
    case .windowOfAnother(let window, let author):
      self.init(
        .overlap,
        "The window \(window.id), which holds until \(window.until.text), is \(author.name)'s; name it with window=\(window.id) to replace it.",
        extensions: Self.naming(window))
    case .unknownWindow(let id): self.init(.unknownWindow, "There is no window “\(id)” at this key.")
    case .windowWithoutEnd:
      self.init(
        .malformedRequest, "A window needs until; without from and until the override is permanent.", pointer: "/until")
    case .tooManyPlayerOverrides(let max):
      self.init(.limitReached, "A game may have \(max) overrides of players, and this would make more; clear some first, or set fewer.")
    case .tooManyWindows(let max):
      self.init(.limitReached, "A game may have \(max) windows, and this would make more; remove some first, or set fewer.")
    case .reason(let bytesMax):
      self.init(.malformedRequest, "The reason may have \(bytesMax) bytes and no control characters.", pointer: "/reason")
    case .notQuarantined: self.init(.notQuarantined, "There are no overrides of this key in quarantine.")
    case .changedMeanwhile(let revision):
      self.init(
        .revisionChanged, "It has changed since: the revision is \(revision). Read it again, then decide.",
        extensions: ObjectValue([("revision", .integer(revision))]))
    case .rows(let faults):
      self.init(
        .rowsRefused, "\(faults.count) rows are refused, so nothing was changed.",
        errors: faults.map { fault in
          switch fault.error {
          case .refused(.window(.overlap(let other))):
            return Item(
              .overlap,
              "The window overlaps \(other.id), which holds from \(other.from.text) until \(other.until.text); remove it or choose another time.",
              pointer: "/overrides/\(fault.row)")
          case .refused(let error):
            let problem = Problem(error)
            var item = Item(problem.code ?? .malformedRequest, problem.detail, pointer: "/overrides/\(fault.row)\(problem.pointer ?? "")")
            item.code = problem.codeText
            return item
          case .duplicate(let other):
            return Item(.duplicateRow, "The row is for the same override as row \(other).", pointer: "/overrides/\(fault.row)")
          }
        })
    case .tooManyRows(let max): self.init(.limitReached, "An import may have \(max) rows; split it.")
    case .unknownAudit(let id): self.init(.unknownID, "The audit log has no line \(id) for this game.")
    case .tooManyLines(let max):
      self.init(.limitReached, "More than \(max - 1) lines of the audit log match; narrow them with since, until, key or player.")
    case .notRevertible(let action):
      self.init(.notRevertible, "A line that says \(action.rawValue) cannot be reverted.\(action.wayBack.map { " \($0)" } ?? "")")
    case .alreadyReverted(let other):
      self.init(
        .alreadyReverted, "Line \(other) has reverted it already; force=true reverts it again.",
        extensions: ObjectValue([("reverted_by", .integer(other))]))
    case .changedSince: self.init(.changedSince, "The value has been changed since; force=true reverts the line all the same.")
    case .repeatedWithOtherContent:
      self.init(.idReused, "This Idempotency-Key was used with another content before; use another key for another change.")
    case .heldByScenario(let key, let scenario, let id):
      self.init(
        .heldByScenario,
        "The scenario \(scenario) holds \(key) until it ends; end it with “gameconfctl scenario end \(id)”, or wait until its lease is over.",
        pointer: nil, extensions: ObjectValue([("scenario", .string(scenario))]))
    case .notOfScenario(let player): self.init(ChangeRefusal.notOfScenario(player))
    case .store(let error): self.init(error)
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

  static func naming(_ window: OverrideWindow) -> ObjectValue {
    let members: [(String, Value)] = [
      ("id", .string(window.id)), ("from", .string(window.from.text)), ("until", .string(window.until.text)),
    ]
    return ObjectValue([("window", .object(ObjectValue(members)))])
  }
}
