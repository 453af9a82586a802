// The client of the daemon's admin socket: uploads documents, reports the state of sources, and receives requests for a fetch.

import GameConfAPI
import GameConfCore
import GameConfTransport

/// The outcome of uploading a template document to the daemon.
enum PushOutcome: Hashable, Sendable {
  /// The document is stored as this version. The version is active unless activation is manual or an admin has rolled back.
  case accepted(version: Int64)
  /// The daemon rejected the document because of these faults.
  case refused([String])
  /// The daemon is unavailable, for this reason.
  case away(String)
}

/// A request by an admin to fetch a game's template.
struct FetchRequest: Hashable, Sendable {
  var game: String
  /// The least time since the last fetch, in milliseconds, that must have passed before the game is fetched again.
  var leastMilliseconds: Int64
}

struct AdminSocketClient: Sendable {
  let client: UnixHTTPClient
  private static let watchSilenceSeconds = 60.0
  /// The maximum size of an error response in bytes.
  private static let answerBytesMax = 4 << 20

  init(socketPath: String) { client = UnixHTTPClient(socketPath: socketPath) }

  /// Uploads a template document to the daemon as the next version of the game's template.
  func push(_ document: [UInt8], of source: FetchSource) async -> PushOutcome {
    let target = Calls.putTemplate.target(
      ["game": source.game], query: [("origin", "fetched"), ("reason", "fetched from \(source.shown)".cut(toBytes: 512))])
    let request = OutgoingRequest(.put, target, body: .bytes(document, mediaType: "application/json"))
    let response: Response
    do throws(TransportError) { response = try await client.send(request) } catch { return .away("\(error)") }
    let value = (try? JSONReader.value(from: response.body, limits: JSONLimits(depthMax: 128, bytesMax: Self.answerBytesMax))) ?? .null
    if response.status == 200 { return .accepted(version: (try? TemplateAnswer(wire: value))?.version.version ?? 0) }
    let problem = try? Problem(wire: value)
    let text = problem?.detail ?? "it answered \(response.status)"
    switch response.status {
    case 403: return .away("the daemon does not let this user push templates; it must be a member of the group gameconf-publisher: \(text)")
    case 400, 404, 409, 413, 422:
      let errors = (problem?.errors ?? []).compactMap(\.line)
      return .refused(errors.isEmpty ? [text] : errors)
    default: return .away(text)
    }
  }

  /// Reports the state of a source to the daemon. A failure is ignored, because the report is only informative.
  func report(_ source: FetchSource, faults: [String], nextMilliseconds: Int64) async {
    let text = faults.prefix(TemplateSourceRequest.faultsMax).map { $0.cut(toBytes: TemplateSourceRequest.textBytesMax) }
    let body = TemplateSourceRequest(
      source: source.shown.cut(toBytes: TemplateSourceRequest.textBytesMax), faults: Array(text),
      nextSeconds: max(0, min(nextMilliseconds / 1000, TemplateSourceRequest.nextSecondsMax)))
    let request = OutgoingRequest(
      .put, Calls.putTemplateSource.target(["game": source.game]), body: .bytes(body.json, mediaType: "application/json"))
    _ = try? await client.send(request)
  }

  /// Follows the daemon's event stream until the connection ends.
  /// - Parameters:
  ///   - last: The id of the last event. The stream resumes after it.
  ///   - opened: Called when the connection is established.
  ///   - requested: Called for each request of an admin to fetch a template.
  func watch(after last: inout String?, opened: () -> Void, requested: (FetchRequest) -> Void) async throws(TransportError) {
    let headers = last.map { [(name: "Last-Event-ID", value: $0)] } ?? []
    let stream = try await client.open(OutgoingRequest(.get, Calls.watchAll.target(), headers: headers))
    defer { stream.body.cancel() }
    guard stream.head.status == 200 else { throw .connectionClosed }
    opened()
    var parser = EventStreamParser()
    while let piece = try await stream.body.next(timeoutSeconds: Self.watchSilenceSeconds) {
      for event in parser.feed(piece) {
        last = event.id ?? last
        if let request = Self.parse(event) { requested(request) }
      }
    }
  }

  /// Returns the request to fetch that an event contains; nil for other events.
  static func parse(_ event: ServerSentEvent) -> FetchRequest? {
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
  /// Returns the longest prefix of the text that has at most this number of bytes and does not split a character.
  func cut(toBytes bytesMax: Int) -> String {
    if utf8.count <= bytesMax { return self }
    var text = self
    while text.utf8.count > bytesMax { text.removeLast() }
    return text
  }
}
