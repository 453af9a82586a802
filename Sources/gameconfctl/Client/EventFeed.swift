// Reads a stream of events and opens it again after a restart of the daemon.

import GameConfAPI
import GameConfTransport

/// A stream of server-sent events. When the connection ends, the stream is opened again, and continues after the last event that was
/// received.
struct EventFeed {
  /// The longest time in seconds for which the daemon may be unavailable before the stream fails.
  static let patienceSeconds = 30.0
  private static let waitSeconds = 0.5

  private let open: @Sendable ([(name: String, value: String)]) async throws(CtlFailure) -> (body: ResponseBody, path: String)
  private var stream: (body: ResponseBody, path: String)?
  private var parser = EventStreamParser()
  private var events: [ServerSentEvent] = []
  private var lastID: String?

  init<Answer: CallBody>(
    _ daemon: DaemonClient, _ call: Call<NoBody, Answer>, _ variables: [String: String] = [:], query: [(String, String)] = []
  ) {
    open = { (headers) async throws(CtlFailure) in try await daemon.stream(call, variables, query: query, headers: headers) }
  }

  /// Returns the next event. Returns nil if the task was cancelled while the daemon was unavailable.
  mutating func next() async throws(CtlFailure) -> ServerSentEvent? {
    var away = 0.0
    while events.isEmpty {
      do throws(CtlFailure) {
        try await read()
        away = 0
      } catch {
        guard lastID != nil, case .transport = error, away < Self.patienceSeconds else { throw error }
        stream = nil
        away += Self.waitSeconds
        do { try await Task.sleep(for: .seconds(Self.waitSeconds)) } catch { return nil }
      }
    }
    let event = events.removeFirst()
    lastID = event.id ?? lastID
    return event
  }

  private mutating func read() async throws(CtlFailure) {
    if stream == nil {
      let headers = lastID.map { [(name: "Last-Event-ID", value: $0)] } ?? []
      parser = EventStreamParser()
      stream = try await open(headers)
    }
    guard let stream else { return }
    do throws(TransportError) {
      guard let piece = try await stream.body.next() else { throw TransportError.connectionClosed }
      events += parser.feed(piece)
    } catch { throw .transport(error, path: stream.path) }
  }
}
