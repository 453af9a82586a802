// The daemon as gameconf-fetch speaks with it: documents pushed, sources reported, fetches asked for.

import GameConfAPI
import GameConfCore
import GameConfTransport

/// The outcome of a pushed document.
enum PushOutcome: Hashable, Sendable {
  /// It is the newest that was fetched; in force unless it waits to be activated or somebody has rolled it back.
  case taken(version: Int64)
  /// The daemon does not take it, for what is wrong with it.
  case refused([String])
  /// The daemon could not be asked, or cannot take anything now.
  case away(String)
}

/// Somebody asks for a fetch.
struct FetchRequest: Hashable, Sendable {
  var game: String
  /// The time after the last fetch before which the game may not be fetched again.
  var leastMilliseconds: Int64
}

/// The admin socket.
struct AdminSocketClient: Sendable {
  let client: UnixHTTPClient
  private static let watchSilenceSeconds = 60.0
  /// The most bytes that are read of an error.
  private static let answerBytesMax = 4 << 20

  init(socketPath: String) { client = UnixHTTPClient(socketPath: socketPath) }

  /// Pushes a document as the next version.
  func push(_ document: [UInt8], of source: FetchSource) async -> PushOutcome {
    let target = Calls.putTemplate.target(
      ["game": source.game], query: [("origin", "fetched"), ("reason", "fetched from \(source.shown)".cut(toBytes: 512))])
    let request = OutgoingRequest(.put, target, body: .bytes(document, mediaType: "application/json"))
    let response: Response
    do throws(TransportError) { response = try await client.send(request) } catch { return .away("\(error)") }
    let value = (try? JSONReader.value(from: response.body, limits: JSONLimits(depthMax: 128, bytesMax: Self.answerBytesMax))) ?? .null
    if response.status == 200 { return .taken(version: (try? TemplateAnswer(wire: value))?.version.version ?? 0) }
    let problem = try? Problem(wire: value)
    let told = problem?.detail ?? "it answered \(response.status)"
    switch response.status {
    case 403: return .away("the daemon does not let this user push templates; it must be a member of the group gameconf-publisher: \(told)")
    case 400, 404, 409, 413, 422:
      let errors = (problem?.errors ?? []).compactMap(\.line)
      return .refused(errors.isEmpty ? [told] : errors)
    default: return .away(told)
    }
  }

  /// Reports the state of a source; nothing hangs on whether it arrives.
  func report(_ source: FetchSource, faults: [String], nextMilliseconds: Int64) async {
    let told = faults.prefix(TemplateSourceRequest.faultsMax).map { $0.cut(toBytes: TemplateSourceRequest.textBytesMax) }
    let body = TemplateSourceRequest(
      source: source.shown.cut(toBytes: TemplateSourceRequest.textBytesMax), faults: Array(told),
      nextSeconds: max(0, min(nextMilliseconds / 1000, TemplateSourceRequest.nextSecondsMax)))
    let request = OutgoingRequest(
      .put, Calls.putTemplateSource.target(["game": source.game]), body: .bytes(body.json, mediaType: "application/json"))
    _ = try? await client.send(request)
  }

  /// Follows what the daemon sends until the connection ends.
  /// - Parameters:
  ///   - last: the id of the last event, from which a stream goes on.
  ///   - opened: called when the daemon is there.
  func watch(after last: inout String?, opened: () -> Void, asked: (FetchRequest) -> Void) async throws(TransportError) {
    let headers = last.map { [(name: "Last-Event-ID", value: $0)] } ?? []
    let stream = try await client.open(OutgoingRequest(.get, Calls.watchAll.target(), headers: headers))
    defer { stream.body.cancel() }
    guard stream.head.status == 200 else { throw .connectionClosed }
    opened()
    var parser = EventStreamParser()
    while let piece = try await stream.body.next(timeoutSeconds: Self.watchSilenceSeconds) {
      for event in parser.feed(piece) {
        last = event.id ?? last
        if let ask = Self.asked(event) { asked(ask) }
      }
    }
  }

  /// The fetch that an event of the daemon requests; nil for all others.
  static func asked(_ event: ServerSentEvent) -> FetchRequest? {
    guard event.event == "audit", let line = try? JSONReader.value(from: event.data), line["action"] == "template.fetch",
      let game = line["game"]?.stringValue
    else { return nil }
    let least = max(0, min(line["detail"]?["least_seconds"]?.integerValue ?? 0, 86_400 * 7))
    return FetchRequest(game: game, leastMilliseconds: least * 1000)
  }
}

extension Problem.Item {
  fileprivate var line: String? {
    let detail = detail
    return pointer.map { $0.isEmpty ? detail : "\($0): \(detail)" } ?? detail
  }
}

extension String {
  /// The longest beginning that fits, without half a character at its end.
  func cut(toBytes bytesMax: Int) -> String {
    if utf8.count <= bytesMax { return self }
    var text = self
    while text.utf8.count > bytesMax { text.removeLast() }
    return text
  }
}
