// The reasons why a change, or a read with the same errors, is refused.
public import GameConfCore
public import GameConfStorage

/// The reason why a change is refused. Nothing has changed then.
///
/// A refusal that the daemon only passes on is a ``Refusal``, created by a function here or beside the rules that it belongs to. It is a
/// case of its own if code depends on it, or if its sentence names a header or a command, which only the HTTP layer knows.
public enum ChangeRefusal: StoreRefusal, Hashable {
  /// A refusal that is fully described by its code and sentence.
  case refused(Refusal)
  case inadmissible(key: String, AdmissionFault)
  case window(WindowFault)
  /// Another user set the time window that the change would replace.
  case windowOfAnother(OverrideWindow, Author)
  /// Rows of an import are invalid; the list has the first hundred of them.
  case rows([RowFault])
  /// The change of an audit line with this action cannot be reverted.
  case notRevertible(AuditAction)
  /// The change of the audit line was already reverted, as the audit line `by` records.
  case alreadyReverted(by: Int64)
  /// The overrides that the audit line changed have changed again since, so a revert would undo the later change too.
  case changedSince
  /// A running scenario holds the key until its end. The case has the scenario's title and id.
  case heldByScenario(key: String, scenario: String, id: String)
  /// A user's time window overrides the key for the whole game. A scenario does not end users' windows, so it cannot begin.
  case windowInTheWay(OverrideWindow, OverrideSlot, pointer: String)
  /// A part of a scenario is refused. `pointer` is its position in the request, as a JSON pointer.
  indirect case part(ChangeRefusal, pointer: String)
  /// No active scenario has this id.
  case unknownScenario(String)
  /// The play's state has changed since the client read it. `tag` is the digest of the present state; nil without a state.
  case stateChanged(tag: String?)
  /// The player has the maximum number of open plays, `max`.
  case tooManyOpenPlays(max: Int)
  /// The same request id was used before with other content.
  case repeatedWithOtherContent
  /// The request was executed before, and its answer is no longer stored. `revision` is the player's present one.
  case alreadyDone(revision: Int64)
  /// The database could not be read or written, or not in time.
  case store(StoreError)

  /// True if a repeat must get the same refusal; false if the reason is temporary.
  public var isRemembered: Bool {
    switch self {
    case .refused(let refusal): ![412, 429].contains(refusal.code.status)
    case .stateChanged, .alreadyDone, .store: false
    case .inadmissible, .window, .windowOfAnother, .rows, .notRevertible, .alreadyReverted, .changedSince, .heldByScenario, .windowInTheWay,
      .part, .unknownScenario, .tooManyOpenPlays, .repeatedWithOtherContent:
      true
    }
  }
}

extension ChangeRefusal {
  static func refuse(
    _ code: ProblemCode, _ message: String, at pointer: String? = nil, faults: [Refusal] = [], members: [(String, Value)] = [],
    retryAfterSeconds: Int? = nil
  ) -> ChangeRefusal {
    .refused(
      Refusal(
        code, message, at: pointer, faults: faults, members: ObjectValue(members), retryAfterSeconds: retryAfterSeconds.map(Int64.init)))
  }

  /// The game is not served.
  public static func unknownGame(_ game: String) -> ChangeRefusal { refuse(.unknownGame, "There is no game “\(game)”.") }

  /// The text is not a valid player id.
  public static func notAPlayer(_ player: String) -> ChangeRefusal { refuse(.malformedPlayerID, OverrideLimits.playerForm) }

  /// The game has no parameter with this key; the sentence suggests similar keys.
  public static func unknownKey(_ key: String, nearest: [String]) -> ChangeRefusal {
    refuse(.unknownKey, "“\(key)” is not a parameter of the game.\(NearestNames.hint(naming: nearest))")
  }

  /// Constraints, or ranges with parameters as bounds, would be violated: now, or from the instant `at` on, when a time window begins or
  /// ends.
  public static func constraint(_ faults: [ConstraintFault], at: Instant? = nil) -> ChangeRefusal {
    // The message about a range begins with the key, which is also the id of the range's constraint, so the id is not written twice.
    let items = faults.map { fault in
      let named = fault.message.hasPrefix("\(fault.id): ") ? fault.message : "\(fault.id): \(fault.message)"
      return Refusal(.constraintViolated, "\(named) (\(fault.keys.sorted().joined(separator: ", ")))")
    }
    let message = items.count == 1 ? items[0].message : "\(items.count) constraints would not hold."
    let when = at.map { " This begins at \($0.text) on." } ?? ""
    return refuse(.constraintViolated, message + when, faults: items)
  }

  /// The reason is too long or has control characters.
  public static func reason(bytesMax: Int) -> ChangeRefusal {
    refuse(.malformedRequest, "The reason may have \(bytesMax) bytes and no control characters.", at: "/reason")
  }

  /// The player's id belongs to a scenario that is not active, or not active in this game.
  public static func notOfScenario(_ player: String) -> ChangeRefusal {
    refuse(
      .scenarioOver, "Ids with this prefix are for players of a scenario in force: “\(player)” belongs to no scenario of this game.")
  }

  // MARK: Refusals about players

  /// Players may not choose the parameter's value, or they may only while `flag` is on, and it is off for this player.
  public static func notASetting(_ key: String, whileOff flag: String? = nil) -> ChangeRefusal {
    let why = flag.map { "players choose it while \($0) is on, and for this one it is off" }
    return refuse(.notASetting, "\(key) is not a player setting: \(why ?? "the catalog does not let players choose it").")
  }

  /// The chosen theme is locked for the player. The refusal points to `/value` of the request.
  public static func themeLocked(theme: String, setting: String) -> ChangeRefusal {
    refuse(.themeLocked, "The theme \(theme) is locked for this player, so \(setting) cannot be it.", at: "/value")
  }

  /// The game has no theme with this id; the sentence suggests similar ids.
  public static func unknownTheme(_ theme: String, nearest: [String]) -> ChangeRefusal {
    refuse(.unknownTheme, "The game has no theme “\(theme)”.\(NearestNames.hint(naming: nearest))", at: "/value")
  }

  /// The two players are not of the same scenario. They exchange no purchases, because a scenario's end removes only its own players.
  public static func acrossScenario(_ player: String) -> ChangeRefusal {
    let why = "Players of a scenario exchange nothing with other players, because the scenario ends"
    return refuse(.notAllowed, "\(why): “\(player)” is on the other side.")
  }

  /// The revision that the caller expected is no longer the present one, which the refusal reports.
  public static func playerChanged(revision: Int64) -> ChangeRefusal {
    refuse(
      .revisionChanged, "The player has changed since: the player's revision is \(revision). Read it again, then decide.",
      members: [("player_revision", .integer(revision))])
  }

  /// This user has created as many new players within a minute as the limit allows.
  public static func tooManyNewPlayers(retryAfterSeconds seconds: Int) -> ChangeRefusal {
    refuse(
      .rateLimited, "This user has reached the limit of new players in a minute; try again in \(seconds) s.", retryAfterSeconds: seconds)
  }

  /// This user has sent as many writes within a second as the limit allows.
  public static func tooManyWrites(retryAfterSeconds seconds: Int) -> ChangeRefusal {
    refuse(.rateLimited, "This user has reached the limit of writes in a second; try again in \(seconds) s.", retryAfterSeconds: seconds)
  }

  /// This user's writes have used up the daily quota of bytes by which the database may grow.
  public static func tooMuchGrowth(retryAfterSeconds seconds: Int) -> ChangeRefusal {
    refuse(
      .rateLimited,
      """
      This user has reached the limit of the store's growth in a day; calls that store nothing new still work. Try again in \(seconds) s, or have an admin \
      raise player-mebibytes-per-day.
      """, retryAfterSeconds: seconds)
  }

  /// The game has more players than one transaction may change.
  public static func tooManyPlayers(max: Int) -> ChangeRefusal {
    let way = "forget some, or move single players' clocks instead of the game's"
    return refuse(.limitReached, "The game has more than \(max) players, too many to change in one transaction; \(way).")
  }

  // MARK: Refusals about plays

  /// The player has no play with this id.
  public static func unknownPlay(_ id: String) -> ChangeRefusal { refuse(.unknownPlay, "This player has no play “\(id)”.") }

  /// The play is closed, and its state is final.
  public static func playClosed(_ id: String) -> ChangeRefusal {
    let state = "its state stays as it ended; its late events are still accepted"
    return refuse(.playClosed, "The play “\(id)” is closed, and \(state). Open another play to go on.")
  }

  /// The values to pin exceed the size limit of a play.
  public static func playTooLarge(bytes: Int, max: Int) -> ChangeRefusal {
    refuse(
      .valueTooLarge, "The values to pin take \(bytes) bytes; a play may have \(max). Pin only the keys that it needs.", at: "/keys")
  }

  /// The context of the play exceeds its size limit.
  public static func playContextTooLarge(bytes: Int, max: Int) -> ChangeRefusal {
    refuse(.valueTooLarge, "A play's context may have \(max) bytes as JSON; this one has \(bytes).", at: "/context")
  }

  /// The plays that this user opened have used up the user's quota of bytes.
  public static func userPlaysTooLarge(max: Int64) -> ChangeRefusal {
    refuse(.limitReached, "The plays that this user opened take \(max) bytes, the limit; forget players who are gone.")
  }

  // MARK: Refusals about leaderboards

  /// The game has no leaderboard with this id; the sentence suggests similar ids.
  public static func unknownBoard(_ board: String, in game: String, known: [String]) -> ChangeRefusal {
    let hint = NearestNames.hint(for: board, among: known)
    let all = known.isEmpty ? "" : " Its leaderboards: \(known.joined(separator: ", "))."
    return refuse(.unknownLeaderboard, "\(game) has no leaderboard “\(board)”.\(hint.isEmpty ? all : hint)")
  }

  /// The leaderboard is switched off, by the catalog or by `parameter`.
  public static func boardOff(_ board: String, parameter: String?) -> ChangeRefusal {
    let why = parameter.map { "; it is shown while \($0) is true." } ?? " in the catalog."
    return refuse(.leaderboardOff, "The leaderboard \(board) is switched off\(why)")
  }
}
