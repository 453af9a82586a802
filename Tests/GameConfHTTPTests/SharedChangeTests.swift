// Tests the encoded change of a game that many watchers get.
import GameConfCore
import GameConfEngine
import Testing

@testable import GameConfHTTP

@Suite("Changes shared by watchers")
struct SharedChangeTests {
  @Test("a change is framed for each watcher as one chunk with the id of the watcher's position, unless the change is empty or too long")
  func events() {
    let text = "event: change\ndata: {}\n\n"
    let change = SharedChange(Array(text.utf8))
    let here = WatchPosition(epoch: 1, revision: 2, playerRevision: 3, instant: Instant(milliseconds: 4))
    var there = here
    there.playerRevision = 4
    for position in [here, there, there, here] {
      let event = "id: \(position.text)\n" + text
      #expect(change.event(at: position).map { String(buffer: $0) } == "\(String(event.utf8.count, radix: 16))\r\n\(event)\r\n")
    }
    #expect(SharedChange([]).event(at: here) == nil && SharedChange(nil).event(at: here) == nil)
  }
}
