// The reasons why a change is refused, or a read that is refused like one.
public import GameConfCore
public import GameConfStorage

/// The reason why a change is refused. Nothing has changed then.
///
/// A refusal that the daemon only passes on is a ``Refusal``, made by a function here or beside the rules it belongs to. A case of its own is one
/// that the daemon decides by, or whose sentence names a header or a command, which the HTTP layer knows.
public enum ChangeRefusal: StoreRefusal, Hashable {
  /// Code and sentence say it all.
  case refused(Refusal)
  /// The value is not admitted for the key.
  case inadmissible(key: String, AdmissionFault)
  /// The window cannot be.
  case window(WindowFault)
  /// The window that holds is another user's.
  case windowOfAnother(OverrideWindow, Author)
  /// Rows of an import cannot be taken; the first hundred of them.
  case rows([RowFault])
  /// The change in this line of the audit log cannot be taken back.
  case notRevertible(AuditAction)
  /// The line was taken back already, by another.
  case alreadyReverted(by: Int64)
  /// The things that the line changed have changed since.
  case changedSince
  /// A scenario holds the key until its end; its title and id.
  case heldByScenario(key: String, scenario: String, id: String)
  /// Somebody's window holds a key of a game; a scenario ends none.
  case windowInTheWay(OverrideWindow, OverrideSlot, pointer: String)
  /// A part of a scenario cannot be done, at that place of the request.
  indirect case part(ChangeRefusal, pointer: String)
  /// No scenario of that id is live.
  case unknownScenario(String)
  /// The play has another state than the request was made over; the tag of the present one, nil where it has none.
  case stateChanged(tag: String?)
  /// The player has as many open plays as there may be.
  case tooManyOpenPlays(max: Int)
  /// The same id came with other content before.
  case repeatedWithOtherContent
  /// The request is done, and its answer is no longer stored; the present player revision.
  case alreadyDone(revision: Int64)
  /// The store's own trouble.
  case store(StoreError)

  /// True if a repeat must get the same refusal; false for one that describes a passing moment.
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

  /// No game of that id is served.
  public static func unknownGame(_ game: String) -> ChangeRefusal { refuse(.unknownGame, "There is no game “\(game)”.") }

  /// The text is no player's id.
  public static func notAPlayer(_ player: String) -> ChangeRefusal { refuse(.malformedPlayerID, OverrideLimits.playerForm) }

  /// The game has no parameter of that key; the nearest names come with it.
  public static func unknownKey(_ key: String, nearest: [String]) -> ChangeRefusal {
    refuse(.unknownKey, "“\(key)” is not a parameter of the game.\(NearestNames.hint(naming: nearest))")
  }

  /// Constraints or moving ranges would not hold: now, or from a later window's edge on when `at` is given.
  public static func constraint(_ faults: [ConstraintFault], at: Instant? = nil) -> ChangeRefusal {
    // What the range of a key says begins with the key, which is the constraint's id too.
    let items = faults.map { fault in
      let named = fault.message.hasPrefix("\(fault.id): ") ? fault.message : "\(fault.id): \(fault.message)"
      return Refusal(.constraintViolated, "\(named) (\(fault.keys.sorted().joined(separator: ", ")))")
    }
    let message = items.count == 1 ? items[0].message : "\(items.count) constraints would not hold."
    let when = at.map { " This begins at \($0.text) on." } ?? ""
    return refuse(.constraintViolated, message + when, faults: items)
  }

  /// The reason is too long, or has a control character in it.
  public static func reason(bytesMax: Int) -> ChangeRefusal {
    refuse(.malformedRequest, "The reason may have \(bytesMax) bytes and no control characters.", at: "/reason")
  }

  /// The player's id is of a scenario that is not live, or not in this game.
  public static func notOfScenario(_ player: String) -> ChangeRefusal {
    refuse(
      .scenarioOver, "Ids with this prefix are for players of a scenario in force: “\(player)” belongs to no scenario of this game.")
  }

  // Players.

  /// The parameter is none that players choose, or only while a flag is on that is off.
  public static func notASetting(_ key: String, whileOff flag: String? = nil) -> ChangeRefusal {
    let why = flag.map { "players choose it while \($0) is on, and for this one it is off" }
    return refuse(.notASetting, "\(key) is not a player setting: \(why ?? "the catalog does not let players choose it").")
  }

  /// The theme is locked for the player.
  public static func themeLocked(theme: String, setting: String) -> ChangeRefusal {
    refuse(.themeLocked, "The theme \(theme) is locked for this player, so \(setting) cannot be it.", at: "/value")
  }

  /// The game has no theme of that id; the nearest ids come with it.
  public static func unknownTheme(_ theme: String, nearest: [String]) -> ChangeRefusal {
    refuse(.unknownTheme, "The game has no theme “\(theme)”.\(NearestNames.hint(naming: nearest))", at: "/value")
  }

  /// One of two players belongs to a scenario and the other does not: nothing passes between them, since only one of them will be taken back.
  public static func acrossScenario(_ player: String) -> ChangeRefusal {
    let why = "Players of a scenario exchange nothing with other players, because the scenario ends"
    return refuse(.notAllowed, "\(why): “\(player)” is on the other side.")
  }

  /// The precondition on the player does not hold; the revision that does.
  public static func playerChanged(revision: Int64) -> ChangeRefusal {
    refuse(
      .revisionChanged, "The player has changed since: the player's revision is \(revision). Read it again, then decide.",
      members: [("player_revision", .integer(revision))])
  }

  /// More players were made by this user within a minute than may be.
  public static func tooManyNewPlayers(retryAfterSeconds seconds: Int) -> ChangeRefusal {
    refuse(
      .rateLimited, "This user has reached the limit of new players in a minute; try again in \(seconds) s.", retryAfterSeconds: seconds)
  }

  /// More writes came from this user within a second than may be.
  public static func tooManyWrites(retryAfterSeconds seconds: Int) -> ChangeRefusal {
    refuse(.rateLimited, "This user has reached the limit of writes in a second; try again in \(seconds) s.", retryAfterSeconds: seconds)
  }

  /// This user has made the store grow by as much within a day as may be.
  public static func tooMuchGrowth(retryAfterSeconds seconds: Int) -> ChangeRefusal {
    refuse(
      .rateLimited,
      """
      This user has reached the limit of the store's growth in a day; calls that store nothing new still work. Try again in \(seconds) s, or have an admin \
      raise player-mebibytes-per-day.
      """, retryAfterSeconds: seconds)
  }

  /// The game has more players than can be changed at once.
  public static func tooManyPlayers(max: Int) -> ChangeRefusal {
    let way = "forget some, or move single players' clocks instead of the game's"
    return refuse(.limitReached, "The game has more than \(max) players, too many to change in one transaction; \(way).")
  }

  // Plays.

  /// The player has no play of that id.
  public static func unknownPlay(_ id: String) -> ChangeRefusal { refuse(.unknownPlay, "This player has no play “\(id)”.") }

  /// The play is closed, and stays as it ended.
  public static func playClosed(_ id: String) -> ChangeRefusal {
    let state = "its state stays as it ended; its late events are still accepted"
    return refuse(.playClosed, "The play “\(id)” is closed, and \(state). Open another play to go on.")
  }

  /// The values that a play is to pin take more bytes than they may.
  public static func playTooLarge(bytes: Int, max: Int) -> ChangeRefusal {
    refuse(
      .valueTooLarge, "The values to pin take \(bytes) bytes; a play may have \(max). Pin only the keys that it needs.", at: "/keys")
  }

  /// The context that a play is opened for takes more bytes than it may.
  public static func playContextTooLarge(bytes: Int, max: Int) -> ChangeRefusal {
    refuse(.valueTooLarge, "A play's context may have \(max) bytes as JSON; this one has \(bytes).", at: "/context")
  }

  /// Plays opened by this user take as many bytes as they may.
  public static func userPlaysTooLarge(max: Int64) -> ChangeRefusal {
    refuse(.limitReached, "The plays that this user opened take \(max) bytes, the limit; forget players who are gone.")
  }

  // Leaderboards.

  /// The game has no board of that id; the nearest ids come with it.
  public static func unknownBoard(_ board: String, in game: String, known: [String]) -> ChangeRefusal {
    let hint = NearestNames.hint(for: board, among: known)
    let all = known.isEmpty ? "" : " Its leaderboards: \(known.joined(separator: ", "))."
    return refuse(.unknownLeaderboard, "\(game) has no leaderboard “\(board)”.\(hint.isEmpty ? all : hint)")
  }

  /// The board is switched off, by that parameter if any.
  public static func boardOff(_ board: String, parameter: String?) -> ChangeRefusal {
    let why = parameter.map { "; it is shown while \($0) is true." } ?? " in the catalog."
    return refuse(.leaderboardOff, "The leaderboard \(board) is switched off\(why)")
  }
}
