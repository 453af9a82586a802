// The output about changes as they happen: values, events of the stream, new lines of the audit log.

import GameConfAPI
import GameConfCore
import GameConfTransport
import Testing

@testable import gameconfctl

@Suite("Commands that follow changes")
struct FollowingTests {
  @Test("config watch prints each key with a new value or a new source, and no unchanged key")
  func changes() {
    let now = ConfigAnswer(
      game: "g", revision: 8,
      values: .full([
        Sample.value("speed", 3.5), Sample.value("sound", true, type: "boolean", source: "default"),
        Sample.value("lives", 3, type: "integer"), Sample.value("late", 1),
      ]))
    #expect(ConfigWatch.changes(from: Sample.config, to: now).map(\.key) == ["speed", "sound", "late"])
    #expect(ConfigWatch.line(Sample.value("speed", 3.5), revision: 8, asJSON: false) == "8\tspeed\t3.5\tdefault")
  }

  @Test("config watch prints a line for each value in an event of the daemon's stream")
  func events() {
    let event = ServerSentEvent(event: "change", data: #"{"revision": 9, "values": {"a": {"value": 1, "source": "default"}, "b": 2.0}}"#)
    #expect(ConfigWatch.lines(of: event, asJSON: false) == ["9\ta\t1\tdefault", "9\tb\t2.0\t-"])
    #expect(ConfigWatch.lines(of: ServerSentEvent(data: "not json"), asJSON: false) == [])
  }

  @Test("audit follow finds new entries on all pages of the audit log, the oldest first")
  func audit() async throws {
    let all = (1...25).map { AuditEntry(id: Int64($0), at: Instant(seconds: 0), author: Sample.author, action: "x") }
    var requested: [Int64?] = []
    let fresh = try await AuditFollow.entries(after: 3) { (before) async throws(CtlFailure) in
      requested.append(before)
      let older = all.reversed().filter { $0.id < before ?? .max }.prefix(10)
      return AuditList(entries: Array(older), nextBefore: older.last?.id)
    }
    #expect(fresh.map(\.id) == Array(4...25))
    #expect(requested == [nil, 16, 6])
  }
}
