// Reads the lines of a game's event stream, also across a restart of the daemon.

import GameConfAPI
import GameConfCore
import GameConfTransport

/// The lines of a game's event stream. If the command follows the stream, the stream is opened again where the connection ended.
struct EventLines {
  private let daemon: DaemonClient
  private let game: String
  private let follows: Bool
  private var start: [(String, String)]
  private var stream: (body: ResponseBody, path: String)?
  private var lines = JSONLineParser()

  init(_ daemon: DaemonClient, game: String, follows: Bool, after: String?, since: String?) {
    (self.daemon, self.game, self.follows) = (daemon, game, follows)
    start = [("after", after), ("since", since)].compactMap { name, text in text.map { (name, $0) } }
  }

  /// Returns the next line of the event stream; nil after the last one.
  mutating func next() async throws(CtlFailure) -> [UInt8]? {
    var away = 0.0
    while true {
      if let line = lines.next() {
        if follows, let cursor = EventWords.cursor(line) { start = [("after", cursor)] }
        return line
      }
      do throws(CtlFailure) {
        if try await read() { away = 0 } else { return nil }
      } catch {
        guard follows, stream != nil || away > 0, case .transport = error, away < EventFeed.patienceSeconds else { throw error }
        (stream, lines) = (nil, JSONLineParser())
        away += 0.5
        do { try await Task.sleep(for: .seconds(0.5)) } catch { return nil }
      }
    }
  }

  /// Reads the next piece of the event stream; returns false if the stream has ended for good.
  private mutating func read() async throws(CtlFailure) -> Bool {
    if stream == nil {
      let query = (follows ? [("follow", "true")] : []) + start
      do throws(CtlFailure) {
        stream = try await daemon.stream(Calls.eventStream, ["game": game], query: query)
      } catch {
        // While a daemon restarts, it may not answer yet. With a cursor the command tries again instead of failing.
        if case .noDaemon = error, follows, start.contains(where: { $0.0 == "after" }) {
          throw .transport(.connectionClosed, path: "")
        }
        throw error
      }
    }
    guard let stream else { return false }
    do throws(TransportError) {
      if let piece = try await stream.body.next() {
        lines.feed(piece)
        return true
      }
    } catch { throw .transport(error, path: stream.path) }
    if follows { throw .transport(.connectionClosed, path: stream.path) }
    return false
  }
}

/// Splits a stream of bytes into lines of JSON.
struct JSONLineParser {
  private var bytes: [UInt8] = []
  private var begin = 0

  mutating func feed(_ piece: [UInt8]) {
    bytes.removeFirst(begin)
    begin = 0
    bytes += piece
  }

  /// Returns the next complete line without its line feed, and skips empty lines; nil if no complete line has arrived.
  mutating func next() -> [UInt8]? {
    while let end = bytes[begin...].firstIndex(of: UInt8(ascii: "\n")) {
      let line = Array(bytes[begin..<end])
      begin = end + 1
      if !line.isEmpty { return line }
    }
    return nil
  }
}
