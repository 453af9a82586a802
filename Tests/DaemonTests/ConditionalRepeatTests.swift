// Idempotent changes with a precondition: it is part of the request's content, and its failure is not stored for repeats.

import GameConfCore
import Testing

@Suite("Repeats of a change with an If-Match condition", .serialized)
struct ConditionalRepeatTests {
  @Test("a change repeated after 412 is processed again, after success gets the stored answer, and with another If-Match is refused")
  func condition() throws {
    let daemon = try RunningDaemon(catalogs: ["mine.yaml": Mine.catalog])
    let revision = try #require(try daemon.put("speed", 3.0).json["revision"]?.integerValue)
    func put(ifMatch revision: Int64) throws -> RawConnection.Answer {
      try daemon.put("speed", 3.5, headers: ["Idempotency-Key": "o1", "If-Match": "\"\(revision)\""])
    }
    let late = try put(ifMatch: 999)
    #expect(late.status == 412 && late.code == "REVISION_CHANGED", "\(late.text)")
    let done = try put(ifMatch: revision)
    #expect(done.status == 200 && done.headers["gameconf-repeated"] == nil, "\(done.text)")
    let again = try put(ifMatch: revision)
    #expect(again.status == 200 && again.body == done.body && again.headers["gameconf-repeated"] == "true", "\(again.text)")
    let other = try put(ifMatch: revision + 1)
    #expect(other.status == 422 && other.code == "ID_REUSED", "\(other.text)")
    #expect(try daemon.read("speed")["value"] == 3.5)
  }
}
