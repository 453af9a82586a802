// Why a change of a player was refused, as the caller sees it.

internal import GameConfAPI
internal import GameConfCore
internal import GameConfEngine

extension Problem {
  /// The refusal of a change of a player.
  init(_ refusal: PlayerRefusal) {
    switch refusal {
    case .unknownGame(let game): self.init(OverrideError.unknownGame(game))
    case .notAPlayer(let player): self.init(OverrideError.notAPlayer(player))
    case .refused(let refusal): self.init(refusal)
    case .unknownKey(let key, let nearest): self.init(OverrideError.unknownKey(key, nearest: nearest))
    case .notASetting(let key, let flag):
      let why = flag.map { "players choose it while \($0) is on, and for this one it is off" }
      self.init(.notASetting, "\(key) is not a player setting: \(why ?? "the catalog does not let players choose it").")
    case .inadmissible(let key, let fault): self.init(OverrideError.inadmissible(key: key, fault))
    case .constraint(let faults): self.init(OverrideError.constraint(faults, at: nil))
    case .themeLocked(let theme, let setting):
      self.init(.themeLocked, "The theme \(theme) is locked for this player, so \(setting) cannot be it.", pointer: "/value")
    case .unknownTheme(let theme, let nearest):
      self.init(
        .unknownTheme, "The game has no theme “\(theme)”.\(NearestNames.hint(naming: nearest))", pointer: "/value")
    case .notOfScenario(let player):
      self.init(
        .scenarioOver, "Ids with this prefix are for players of a scenario in force: “\(player)” belongs to no scenario of this game.")
    case .acrossScenario(let player):
      self.init(
        .notAllowed,
        "Players of a scenario exchange nothing with other players, because the scenario ends: “\(player)” is on the other side.")
    case .unknownPlay(let id): self.init(PlayFault.unknown(id))
    case .playClosed(let id):
      self.init(
        .playClosed,
        "The play “\(id)” is closed, and its state stays as it ended; its late events are still accepted. Open another play to go on.")
    case .stateChanged(let tag):
      self.init(
        .stateChanged, "The play's state has changed since: its tag is \"\(tag ?? "")\". Read the play again, then decide.",
        extensions: ObjectValue([("state_tag", tag.map(Value.string) ?? .null)]))
    case .tooManyOpenPlays(let max):
      self.init(.limitReached, "This player has \(max) open plays, the limit; close one first (GET …/plays lists them).")
    case .playTooLarge(let bytes, let max):
      self.init(
        .valueTooLarge, "The values to pin take \(bytes) bytes; a play may have \(max). Pin only the keys that it needs.", pointer: "/keys")
    case .playContextTooLarge(let bytes, let max):
      self.init(.valueTooLarge, "A play's context may have \(max) bytes as JSON; this one has \(bytes).", pointer: "/context")
    case .userPlaysTooLarge(let max):
      self.init(.limitReached, "The plays that this user opened take \(max) bytes, the limit; forget players who are gone.")
    case .tooManyNewPlayers(let seconds):
      self.init(
        .rateLimited, "This user has reached the limit of new players in a minute; try again in \(seconds) s.",
        retryAfterSeconds: Int64(seconds))
    case .tooManyWrites(let seconds):
      self.init(
        .rateLimited, "This user has reached the limit of writes in a second; try again in \(seconds) s.", retryAfterSeconds: Int64(seconds)
      )
    case .tooMuchGrowth(let seconds):
      self.init(
        .rateLimited,
        """
        This user has reached the limit of the store's growth in a day; calls that store nothing new still work. Try again in \(seconds) s, or have an admin \
        raise player-mebibytes-per-day.
        """, retryAfterSeconds: Int64(seconds))
    case .alreadyDone: self.init(.idReused, "The request was done before.")
    case .tooManyPlayers(let max):
      self.init(
        .limitReached,
        "The game has more than \(max) players, too many to change in one transaction; forget some, or move single players' clocks instead of the game's."
      )
    case .repeatedWithOtherContent: self.init(OverrideError.repeatedWithOtherContent)
    case .changedMeanwhile(let revision):
      self.init(
        .revisionChanged, "The player has changed since: the player's revision is \(revision). Read it again, then decide.",
        extensions: ObjectValue([("player_revision", .integer(revision))]))
    case .reason(let bytesMax): self.init(OverrideError.reason(bytesMax: bytesMax))
    case .store(let error): self.init(error)
    }
  }

  /// The refusal as the daemon answers it.
  init(_ refusal: Refusal) { self.init(refusal.code, refusal.message, pointer: refusal.pointer) }
}
