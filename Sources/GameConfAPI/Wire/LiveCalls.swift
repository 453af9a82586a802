// The calls that show games' requests while they happen.

extension Calls {
  private static let livePath = "/v1/games/{game}/live"

  package static let liveStream = Call<NoBody, JSONLines>(
    "liveStream", .get, livePath, on: admin, query: [.livePlayer],
    "The requests of games and what they were answered, as they come: one JSON object a line. Nothing is stored; a viewer that reads too slowly loses the oldest lines, and a line says how many."
  )
  package static let live = Call<NoBody, LiveAnswer>(
    "live", .get, livePath + "/sample", on: admin, query: [.livePlayer, .liveSeconds], example: CallExample(query: ["seconds": "1"]),
    offers: [.furtherTool],
    "The requests of games within the next few seconds, and what they were answered.")
}

extension QueryParameter {
  package static let livePlayer = Self("player", .player, "Only what is about this player.")
  package static let liveSeconds = Self("seconds", .integer(1...20, usual: 5), "The number of seconds to wait.")
}
