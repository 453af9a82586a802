// The route that streams a game's recorded events, for example to analytics.

internal import GameConfAPI
internal import GameConfCore
internal import GameConfEngine
import GameConfStorage
internal import GameConfServer

struct EventStreamRoutes {
  let services: DaemonServices

  var routes: [CallRoute] {
    [
      CallRoute(streaming: Calls.eventStream) { call throws(Problem) in try stream(call) }
    ]
  }

  private func stream(_ call: CallContext<NoBody>) throws(Problem) -> Reply {
    let game = try call.game.snapshot.game
    let follows = call.flag(.follow)
    let epoch = call.request.served.world.epoch
    let isFromNewest = call.text(.cursor) == "newest"
    let cursor = try isFromNewest ? nil : call.text(.cursor).map { text throws(Problem) in try StreamCursor(parsing: text) }
    var since = try call.text(.eventsSince).map { text throws(Problem) in try instant(text) }
    if cursor != nil || isFromNewest, since != nil {
      throw .query(.malformedQueryParameter, "since", "after and since both name the beginning; send one of them.")
    }
    if isFromNewest { since = .latest }
    return .streamTask { [since] () async throws(Problem) in
      let start = try await start(cursor, since, epoch)
      guard let place = services.eventFollowers.admit() else {
        throw Problem(
          .serverFull, "\(StreamLimits.readersMax) streams are being read, the limit; try again in a second.")
      }
      let reading = StreamTransfer(services: services, place: place, game: game, epoch: epoch)
      return StreamedAnswer(endless: Answer(contentType: "application/x-ndjson", body: [])) { writer in
        try await reading.send(to: writer, from: start, follows: follows)
      }
    }
  }

  /// Returns the number of the event after which the stream begins.
  /// - Throws: `CURSOR_GONE` for a cursor before the oldest stored event, or of another epoch.
  private func start(_ cursor: StreamCursor?, _ since: Instant?, _ epoch: UInt64) async throws(Problem) -> Int64 {
    let edges: ReadEventStream.EventStreamRange
    do throws(StoreError) { edges = try await ReadEventStream(store: services.store).edges(since: since) } catch { throw Problem(error) }
    guard let cursor else { return edges.since ?? edges.tail }
    if cursor.epoch == epoch, cursor.number >= edges.tail { return cursor.number }
    let oldest = StreamCursor(epoch: epoch, number: edges.tail).text
    let why =
      cursor.epoch == epoch
      ? "Some of the events after that cursor are no longer stored" : "The cursor is of a database that was replaced since"
    throw Problem(
      .cursorGone, "\(why); go on after the cursor “oldest”; events are missing before it.",
      extensions: ObjectValue([("oldest", .string(oldest))]))
  }

  /// Parses an instant, or a duration that is subtracted from the present.
  private func instant(_ text: String) throws(Problem) -> Instant {
    if let instant = try? Instant(parsing: text) { return instant }
    if let length = try? DurationText.milliseconds(in: text), let instant = services.clock.now.adding(milliseconds: -length) {
      return instant
    }
    throw .query(
      .malformedQueryParameter, "since", "since is “\(text)”; write an instant like 2026-12-01T00:00:00Z, or how long ago, like 36h.")
  }
}

/// A cursor: the position in a game's event stream from which a client resumes. Its text is opaque to clients.
struct StreamCursor: Hashable {
  var epoch: UInt64
  var number: Int64

  init(epoch: UInt64, number: Int64) {
    self.epoch = epoch
    self.number = number
  }

  var text: String { "\(String(epoch, radix: 36))-\(String(number, radix: 36))" }

  init(parsing text: String) throws(Problem) {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 2, let epoch = UInt64(parts[0], radix: 36), let number = Int64(parts[1], radix: 36), number >= 0 else {
      throw .query(.malformedQueryParameter, "after", "after is “\(text)”, which is not the cursor of an event.")
    }
    self.init(epoch: epoch, number: number)
  }
}

/// The transfer of one game's event stream to one client.
private struct StreamTransfer {
  /// The error if the store has removed events before the client has read them.
  struct CursorExpired: Error {}

  let services: DaemonServices
  let place: StreamSubscribers.StreamReadPermit
  let game: String
  let epoch: UInt64

  func send(to writer: StreamWriter, from start: Int64, follows: Bool) async throws {
    if !follows {
      _ = try await sendAll(to: writer, after: start)
      return
    }
    try await services.eventFollowers.following(game) { follower in
      var reached = start
      while true {
        try await follower.next()
        // Another epoch numbers its events from the start again, so the stream ends.
        guard services.players.world.world.epoch == epoch else { return }
        reached = try await sendAll(to: writer, after: reached)
      }
    }
  }

  /// Sends all stored events after the event with this number. The next events are read when the client has received the previous ones.
  /// - Returns: The number of the last event that was examined, whether or not it was sent.
  private func sendAll(to writer: StreamWriter, after: Int64) async throws -> Int64 {
    let read = ReadEventStream(store: services.store)
    var reached = after
    while true {
      let slice = try await read.slice(of: game, after: reached)
      if reached < slice.tail, reached > 0 { throw CursorExpired() }
      let lines = lines(slice.events)
      if !lines.isEmpty { try await writer.write(lines) }
      reached = slice.reached
      if slice.isAtEnd { return reached }
    }
  }

  private func lines(_ events: [StreamEntry]) -> [UInt8] {
    var lines: [UInt8] = []
    lines.reserveCapacity(events.reduce(0) { $0 + $1.details.count + 160 })
    for event in events {
      var json = JSONBuilder(reserving: 160)
      json.beginObject()
      json.name("cursor")
      json.string(StreamCursor(epoch: epoch, number: event.number).text)
      json.name("at")
      json.string((event.recordedAt ?? event.at).text)
      json.name("player_time")
      json.string(event.at.text)
      json.name("player")
      json.string(event.player)
      if let scenario = ScenarioNames.scenario(ofPlayer: event.player) {
        json.name("scenario")
        json.string(scenario)
      }
      lines += json.bytes
      // The event's details are already JSON. Their members are copied without encoding them again.
      if event.details.count > 2 {
        lines.append(UInt8(ascii: ","))
        lines += event.details[1...]
      } else {
        lines.append(UInt8(ascii: "}"))
      }
      lines.append(UInt8(ascii: "\n"))
    }
    return lines
  }
}
