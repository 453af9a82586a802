// One full and one bare instance of every request and answer about plays.

import GameConfAPI
import GameConfCore

enum PlaySamples {
  static let open = WirePlay(play: "ab12", isOpen: true, openedAt: Instant(seconds: 5), revision: 7, keys: 2, bytes: 90)
  static let closed = WirePlay(
    play: "ab11", isOpen: false, openedAt: Instant(seconds: 4), closedAt: Instant(seconds: 6), revision: 6, keys: 2, bytes: 88)
  static let pinned = PinnedAnswer(
    type: "string", value: "wide", source: "setting", variant: "w", differs: true, now: "tall", nowSource: "default")
  static let masked = PinnedAnswer(type: "string", value: .null, source: "default", isMasked: true)

  static let all: [any WireShape] = [
    OpenPlayRequest(context: members(["locale": "es"]), keys: ["a"], reason: "why"), OpenPlayRequest(), open, closed,
    PlayAnswer(playerRevision: 3, play: open, isDryRun: true), PlayAnswer(playerRevision: 3, play: closed, wasClosed: true), pinned, masked,
    PlayShown(game: "g", player: "p", play: open, context: members(["locale": "es"]), differs: ["a"], values: ["a": pinned, "b": masked]),
    PlayShown(game: "g", player: "p", play: closed, differs: [], values: [:]),
    PlayList(game: "g", player: "p", plays: [open, closed], nextBefore: "ab11"), PlayList(game: "g", player: "p", plays: []),
  ]
}
