// The calls about plays. A play is one play-through of a game, with values that were pinned when it began.

extension Calls {
  private static let path = "/v1/games/{game}/players/{player}/plays"

  package static let openPlay = Call<OpenPlayRequest?, PlayAnswer>(
    "openPlay", .post, path, on: both, needs: .tester, changes: .player, statuses: [201, 200], offers: [.panel, .furtherTool],
    "Opens a play: pins the player's current values. Answers 200 for a dry run.")
  package static let plays = Call<NoBody, PlayList>(
    "plays", .get, path, on: both, query: [.playsLimit, .beforePlay], offers: [.panel, .furtherTool],
    "A player's plays, open and closed, the newest first.")
  package static let play = Call<NoBody, PlayShown>(
    "play", .get, path + "/{play}", on: both, query: [.anyLocale], offers: [.panel, .furtherTool],
    "A play with its pinned values, and those that differ from the current ones.")
  package static let putPlayState = Call<PutPlayState, PlayStateAnswer>(
    "putPlayState", .put, path + "/{play}/state", on: both, needs: .tester, changes: .playState,
    "Stores the game's own state of an open play, for a pause. Revisions stay, and watchers are not notified.")
  package static let closePlay = Call<ReasonRequest?, PlayAnswer>(
    "closePlay", .post, path + "/{play}/close", on: both, needs: .tester, changes: .player, offers: [.panel, .furtherTool],
    "Closes a play; its pinned values stay readable. Closing it twice changes nothing.")
}

extension QueryParameter {
  package static let playsLimit = Self("limit", .integer(1...500, usual: 50), "The maximum number.")
  package static let beforePlay = Self("before", "Only plays opened before this one.")
}
