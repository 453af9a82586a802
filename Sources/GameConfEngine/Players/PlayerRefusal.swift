// Why a change of a player is refused.
public import GameConfCore

/// Why a change of a player is refused. Nothing has changed then.
public enum PlayerRefusal: StoreRefusal, Hashable {
  /// No game of that id is served.
  case unknownGame(String)
  /// The text is no player's id: 1 to 256 bytes of UTF-8 without control characters.
  case notAPlayer(String)
  /// The change itself cannot be.
  case refused(Refusal)
  /// The game has no parameter of that key; the nearest names come with it.
  case unknownKey(String, nearest: [String])
  /// The parameter is none that players choose, or only while a flag is on that is off.
  case notASetting(String, whileOff: String? = nil)
  /// The value may not be chosen.
  case inadmissible(key: String, AdmissionFault)
  /// The value would break constraints or moving ranges, as everything else is for the player now.
  case constraint([ConstraintFault])
  /// The theme is locked for the player.
  case themeLocked(theme: String, setting: String)
  /// The game has no theme of that id; the nearest ids come with it.
  case unknownTheme(String, nearest: [String])
  /// The player's id is of a scenario that is not live, or not in this game.
  case notOfScenario(String)
  /// One of two players belongs to a scenario and the other does not: nothing passes between them, since only one of them will be taken back.
  case acrossScenario(String)
  /// The player has no play of that id.
  case unknownPlay(String)
  /// The play is closed, and stays as it ended.
  case playClosed(String)
  /// The play has another state than the request was made over; the tag of the present one, nil where it has none.
  case stateChanged(tag: String?)
  /// The player has as many open plays as there may be.
  case tooManyOpenPlays(max: Int)
  /// What a play is to pin takes more bytes than it may.
  case playTooLarge(bytes: Int, max: Int)
  /// What a play is opened for takes more bytes than it may.
  case playContextTooLarge(bytes: Int, max: Int)
  /// Plays opened by this user take as many bytes as they may.
  case userPlaysTooLarge(max: Int64)
  /// More players were made by this user within a minute than may be.
  case tooManyNewPlayers(retryAfterSeconds: Int)
  /// More writes came from this user within a second than may be.
  case tooManyWrites(retryAfterSeconds: Int)
  /// This user has made the store grow by as much within a day as may be.
  case tooMuchGrowth(retryAfterSeconds: Int)
  /// The game has more players than can be changed at once.
  case tooManyPlayers(max: Int)
  /// The same id came with other content before.
  case repeatedWithOtherContent
  /// The request is done, and what it was answered is not kept any more; the present player revision.
  case alreadyDone(revision: Int64)
  /// The precondition does not hold; the revision that does.
  case changedMeanwhile(revision: Int64)
  /// The reason is too long, or has a control character in it.
  case reason(bytesMax: Int)
  /// The store's own trouble.
  case store(StoreError)

  /// Whether a repeat must get the same refusal: not one that says how things stood at that moment.
  public var isRemembered: Bool {
    switch self {
    case .tooManyNewPlayers, .tooManyWrites, .tooMuchGrowth, .alreadyDone, .changedMeanwhile, .stateChanged, .store: false
    default: true
    }
  }
}
