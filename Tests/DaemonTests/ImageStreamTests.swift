// Images and image streams over the sockets of the real daemon.
import GameConfCore
import Testing

@Suite("Images over the socket")
struct ImageStreamTests {
  private static let game = "/v1/games/wheresthedot"
  private static let watch = game + "/watch"
  private static let key = "arcade_time_limit_base"

  private func set(_ daemon: RunningDaemon, _ value: String, _ more: String...) throws {
    let ending = try daemon.control(["config", "set", "wheresthedot", Self.key, value, "--reason", "test"] + more)
    #expect(ending.status == 0, "\(ending.errors)")
  }

  @Test("GET and POST of an image have an ETag that depends on its values, not on the time")
  func image() throws {
    let daemon = try RunningDaemon()
    let path = Self.game + "/config/image"
    let first = try daemon.ask("GET", path + "?player=p1&locale=en")
    #expect(first.status == 200 && first.headers["content-type"] == "application/vnd.gameconf.image")
    #expect(first.body.starts(with: [0x89, 0x47, 0x43, 0x49]) && first.headers["gameconf-id"] != nil)
    let tag = try #require(first.headers["etag"])
    let again = try daemon.ask("GET", path + "?player=p1&locale=en", headers: ["If-None-Match": tag])
    #expect(again.status == 304 && again.body.isEmpty)
    let posted = try daemon.ask("POST", path, body: ["player": "p1", "context": ["locale": "en"]])
    #expect(posted.status == 200 && posted.headers["etag"] == tag)
    try set(daemon, "3.5")
    let changed = try daemon.ask("GET", path + "?player=p1&locale=en", headers: ["If-None-Match": tag])
    #expect(changed.status == 200 && changed.headers["etag"] != tag)
    let some = FrameReader.Frame(kind: 1, id: "", payload: try daemon.ask("GET", path + "?keys=\(Self.key)").body)
    #expect(some.entries == 1 && some.mentions(Self.key) && !some.isForPlayer)
    let none = FrameReader.Frame(kind: 1, id: "", payload: try daemon.ask("GET", path + "?keys=nothing").body)
    #expect(none.entries == 0)
  }

  @Test(
    "an image request with an invalid game, player or parameter is refused",
    arguments: [
      ("/v1/games/nothing/config/image", 404), (game + "/config/image?player=%00", 400),
      (game + "/config/image?detail=full", 400), (game + "/config/image?keys=", 400),
    ])
  func refused(target: String, status: Int) throws {
    #expect(try RunningDaemon().ask("GET", target).status == status)
  }

  @Test("an image stream begins with an image, and watchers of the same values get the same patch for a change")
  func shared() throws {
    let daemon = try RunningDaemon()
    let nobody = try FrameReader(daemon.gamesSocket, Self.watch)
    let other = try FrameReader(daemon.gamesSocket, Self.watch)
    let player = try FrameReader(daemon.gamesSocket, Self.watch, body: ["player": "p1", "context": ["locale": "fr"]])
    let image = try #require(nobody.next())
    #expect(nobody.status == 200 && image.kind == 1 && !image.isPatch && !image.isForPlayer && other.next()?.kind == 1)
    let own = try #require(player.next())
    #expect(own.isForPlayer && own.mentions("p1") && own.entries == image.entries)
    try set(daemon, "3.5")
    let patch = try #require(nobody.nextChange())
    #expect(patch.kind == 2 && patch.isPatch && patch.entries == 1 && patch.mentions(Self.key) && patch.revision == image.revision + 1)
    #expect(other.nextChange()?.payload == patch.payload && player.nextChange()?.payload == patch.payload)
    #expect(patch.payload.count < 1_024)
  }

  @Test("an image stream sends a patch marked as the player's for a change of the watched player, and a frame when a clock is set")
  func own() throws {
    let daemon = try RunningDaemon()
    let mine = try FrameReader(daemon.gamesSocket, Self.watch + "?player=p1")
    let nobody = try FrameReader(daemon.gamesSocket, Self.watch)
    let before = try #require(mine.next())
    #expect(nobody.next()?.clockAnchor == before.clockAnchor)
    _ = try daemon.ask("POST", Self.game + "/players/p1/purchases", body: ["product": "removeads"])
    let bought = try #require(mine.nextChange())
    #expect(bought.isForPlayer && bought.isPatch && bought.mentions("ad_free") && bought.playerRevision > before.playerRevision)
    #expect(bought.entries == 0)
    let clock = try daemon.ask("PUT", Self.game + "/clock", body: ["now": "2030-01-01T00:00:00Z", "reason": "test"], admin: true)
    #expect(clock.status == 200, "\(clock.text)")
    #expect(try #require(mine.nextChange()).clockAnchor > before.clockAnchor)
    #expect(try #require(nobody.nextChange()).clockAnchor > before.clockAnchor)
  }

  @Test("a resumed image stream begins with the missed patch, a ping if nothing was missed, or an image in a new epoch")
  func resuming() throws {
    let daemon = try RunningDaemon()
    let first = try FrameReader(daemon.gamesSocket, Self.watch)
    let image = try #require(first.next())
    try set(daemon, "3.5")
    let change = try #require(first.nextChange())
    let missed = try #require(try FrameReader(daemon.gamesSocket, Self.watch, lastEventID: image.id).next())
    #expect(missed.kind == 2 && missed.entries == 1 && missed.revision == change.revision)
    let current = try #require(try FrameReader(daemon.gamesSocket, Self.watch, lastEventID: change.id).next())
    #expect(current.kind == 3 && current.payload.isEmpty && !current.id.isEmpty)
    for odd in ["rubbish", "1.2.3.4", "0.9223372036854775807.0.0"] {
      #expect(try FrameReader(daemon.gamesSocket, Self.watch, lastEventID: odd).next()?.kind == 1)
    }
  }

  @Test(
    "a watch sends image frames only to clients that name the frames' media type in Accept",
    arguments: [
      ("application/vnd.gameconf.image-stream", true), ("text/event-stream, Application/Vnd.Gameconf.Image-Stream;q=0.5", true),
      ("*/*", false), ("text/event-stream", false), ("application/vnd.gameconf.image-streams", false), (";,", false),
    ])
  func accepted(accept: String, isImages: Bool) throws {
    let daemon = try RunningDaemon()
    let connection = try RawConnection(daemon.gamesSocket)
    connection.send("GET \(Self.watch)?keys=\(Self.key) HTTP/1.1\r\nHost: l\r\nAccept: \(accept)\r\n\r\n")
    #expect(connection.beginStream() == 200)
    let chunk = try #require(connection.nextChunk())
    #expect(chunk.starts(with: Array("id: ".utf8)) == !isImages)
  }

  @Test("an image stream without values is refused, and images have no secrets")
  func secrets() throws {
    let daemon = try RunningDaemon(
      catalogs: [
        "mine.yaml": """
        gameconf: 1
        game: mine
        title: Mine
        locales: [en]
        parameters:
          open: {type: string, default: visible, section: Play, description: Anybody's.}
          hidden: {type: string, default: hunter2, secret: true, section: Play, description: Nobody's.}

        """
      ])
    #expect(try FrameReader(daemon.gamesSocket, "/v1/games/mine/watch?values=none").status == 400)
    let image = try #require(try FrameReader(daemon.gamesSocket, "/v1/games/mine/watch").next())
    #expect(image.entries == 1 && image.mentions("visible") && !image.mentions("hunter2"))
    let body = try daemon.ask("GET", "/v1/games/mine/config/image").body
    #expect(body.firstRange(of: Array("visible".utf8)) != nil && body.firstRange(of: Array("hunter2".utf8)) == nil)
  }

  @Test("a stopping daemon sends a last frame and ends the image stream")
  func drained() throws {
    let daemon = try RunningDaemon()
    let stream = try FrameReader(daemon.gamesSocket, Self.watch)
    #expect(stream.next()?.kind == 1)
    daemon.stop()
    let last = try #require(stream.nextChange())
    #expect(last.kind == 4 && last.mentions("stopping") && stream.next() == nil)
  }
}
