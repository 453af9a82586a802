// Tests the state machines of an event loop's watchers: the order of notifications, the quota of whole states, and heartbeats.

import GameConfCore
import GameConfEngine
import NIOCore
import NIOEmbedded
import Testing

@testable import GameConfHTTP
@testable import GameConfServer

@Suite("State machines that notify watchers")
struct WatchMachineTests {
  /// The watchers `a0`, `a1`, `a2` of game `a`, and `b0`, `b1`, `b2` of game `b`.
  private final class Games {
    let groups = ["a": GameWatchers(.served("a")), "b": GameWatchers(.served("b"))]
    private(set) var watchers: [String: Watcher] = [:]

    init() {
      for (game, group) in groups {
        for number in 0..<3 {
          let watcher = WatchMachineTests.watcher(in: group)
          group.add(watcher)
          watchers["\(game)\(number)"] = watcher
        }
      }
    }

    func name(of watcher: Watcher?) -> String? { watchers.first { $0.value === watcher }?.key }
  }

  private static func watcher(in group: GameWatchers, _ sink: Watcher.WatcherSink = .once { _ in }, user: UInt32 = 1) -> Watcher {
    Watcher(
      WatchScope(EvaluationContext()), sink, in: group, at: 7, player: nil, user: user, reader: .ofGame, since: .earliest, resumed: nil)
  }

  private static func deadline(_ milliseconds: Int64) -> NIODeadline { .uptimeNanoseconds(UInt64(milliseconds) * 1_000_000) }

  /// A call of the state machine that orders notifications, with the expected result. Times are in milliseconds.
  enum Step: Sendable {
    case moved(String, isQueued: Bool = true)
    case due(String, isQueued: Bool = true)
    case leaves(String)
    case schedules(now: Int64, start: Int64?)
    case begins(Int64)
    case sends([String?])
    case endsSlice(work: Int64, isDone: Bool)
    case endsRound(Int64, took: Int64, isWaiting: Bool = false)
  }

  struct Row: CustomStringConvertible, Sendable {
    let description: String
    let steps: [Step]
  }

  static let rows: [Row] = [
    Row(
      description: "a round is scheduled once, a millisecond after its cause",
      steps: [.schedules(now: 5, start: 6), .schedules(now: 5, start: nil)]),
    Row(description: "an empty round notifies no watcher", steps: [.begins(1), .sends([nil, nil]), .endsSlice(work: 0, isDone: true)]),
    Row(
      description: "changed games take turns, the last watcher first",
      steps: [
        .moved("a"), .moved("b"), .begins(1), .sends(["a2", "b2", "a1", "b1", "a0"]), .endsSlice(work: 0, isDone: false),
        .sends(["b0", nil]),
        .endsSlice(work: 0, isDone: true),
      ]),
    Row(
      description: "individual events alternate with changes of games",
      steps: [
        .moved("a"), .due("b0"), .due("b1"), .begins(1), .sends(["b0", "a2", "b1", "a1", "a0", nil]), .endsSlice(work: 0, isDone: true),
      ]),
    Row(
      description: "a watcher is queued once, and again after its turn, but not after its end",
      steps: [
        .due("a0"), .due("a0", isQueued: false), .begins(1), .sends(["a0"]), .due("a0"), .sends(["a0", nil]), .leaves("a0"),
        .due("a0", isQueued: false), .sends([nil]),
      ]),
    Row(
      description: "a game that changes during a round waits for the next one",
      steps: [
        .moved("a"), .moved("a", isQueued: false), .schedules(now: 0, start: 1), .begins(1), .sends(["a2"]), .moved("a"),
        .sends(["a1", "a0", nil]), .endsSlice(work: 1, isDone: true), .endsRound(4, took: 3, isWaiting: true),
        .schedules(now: 4, start: 21), .begins(21), .sends(["a2", "a1", "a0", nil]), .endsSlice(work: 1, isDone: true),
        .endsRound(22, took: 1),
      ]),
    Row(
      description: "a later slice continues the round",
      steps: [
        .moved("a"), .begins(1), .sends(["a2"]), .endsSlice(work: 1, isDone: false), .moved("b"), .begins(5), .sends(["a1", "a0", nil]),
        .endsSlice(work: 1, isDone: true), .endsRound(9, took: 8, isWaiting: true),
      ]),
    Row(
      description: "a watcher queued after the last slice is notified in the next round",
      steps: [
        .moved("a"), .schedules(now: 0, start: 1), .begins(1), .sends(["a2", "a1", "a0", nil]), .endsSlice(work: 1, isDone: true),
        .due("b0"), .endsRound(4, took: 3, isWaiting: true), .schedules(now: 4, start: 21), .begins(21), .sends(["b0", nil]),
      ]),
    Row(
      description: "a watcher that leaves during a round skips no other",
      steps: [.moved("a"), .begins(1), .sends(["a2"]), .leaves("a1"), .sends(["a2", "a0", nil])]),
    Row(
      description: "watchers that all leave end the round",
      steps: [.moved("a"), .begins(1), .leaves("a0"), .leaves("a1"), .leaves("a2"), .sends([nil]), .endsSlice(work: 0, isDone: true)]),
    Row(
      description: "the next round waits for four times the work of all slices",
      steps: [
        .schedules(now: 0, start: 1), .begins(1), .endsSlice(work: 10, isDone: true), .endsSlice(work: 15, isDone: true),
        .endsRound(30, took: 29), .schedules(now: 30, start: 101), .schedules(now: 30, start: nil),
      ]),
    Row(
      description: "the next round waits for a second at most",
      steps: [
        .schedules(now: 0, start: 1), .begins(1), .endsSlice(work: 900, isDone: true), .endsRound(902, took: 901),
        .schedules(now: 902, start: 1001),
      ]),
    Row(
      description: "a later cause is notified a millisecond after it",
      steps: [.schedules(now: 0, start: 1), .begins(1), .endsRound(2, took: 1), .schedules(now: 500, start: 501)]),
  ]

  @Test("the state machine notifies watchers in the expected order", arguments: rows)
  func fanOut(row: Row) throws {
    let games = Games()
    var machine = FanOut()
    for (at, step) in row.steps.enumerated() {
      switch step {
      case .moved(let game, let isQueued):
        let queued = machine.append(try #require(games.groups[game]))
        #expect(queued == isQueued, "step \(at)")
      case .due(let name, let isQueued):
        let queued = machine.append(try #require(games.watchers[name]))
        #expect(queued == isQueued, "step \(at)")
      case .leaves(let name):
        let watcher = try #require(games.watchers[name])
        watcher.isOpen = false
        watcher.group.remove(watcher)
      case .schedules(let now, let expected):
        let start = machine.schedule(Self.deadline(now))
        #expect(start == expected.map(Self.deadline), "step \(at)")
      case .begins(let now): machine.begin(Self.deadline(now))
      case .sends(let names):
        let notified = names.map { _ in games.name(of: machine.next()) }
        #expect(notified == names, "step \(at)")
      case .endsSlice(let work, let expected):
        let isDone = machine.endSlice(work: .milliseconds(work))
        #expect(isDone == expected, "step \(at)")
      case .endsRound(let now, let expected, let isWaiting):
        let took = machine.endRound(Self.deadline(now))
        #expect(took == .milliseconds(expected) && machine.isWaiting == isWaiting, "step \(at)")
      }
    }
  }

  @Test("a watcher waits for its whole state while the quota of its user, or that of all users, is used up", arguments: [1, 8])
  func pendingStates(users: Int) {
    let group = GameWatchers(.served())
    var pending = PendingStates()
    let holders = (1...users).map { Self.watcher(in: group, user: UInt32($0)) }
    for holder in holders { pending.hold(WatchLoop.WatchTiming.stateBytesPerUserMax, for: holder) }
    let (same, other) = (Self.watcher(in: group, user: 1), Self.watcher(in: group, user: 100))
    pending.append(same)
    #expect(!pending.isSendable && same.awaitsState)
    pending.append(other)
    // Eight users with unread states of four megabytes each use up the quota of all users.
    let isFull = users == 8
    #expect(pending.isSendable == !isFull)
    let first = pending.popFirst()
    #expect(first === (isFull ? nil : other) && other.awaitsState == isFull && same.awaitsState)
    // A watcher's bytes are counted out only once.
    let released = (0..<2).map { _ in pending.release(holders[0]) }
    #expect(released == [true, false] && holders[0].stateBytes == 0)
    let rest = (0..<3).map { _ in pending.popFirst() }
    #expect(rest[0] === same && rest[1] === (isFull ? other : nil) && rest[2] == nil && !same.awaitsState && !other.awaitsState)
    // No watcher waits, so the return of these bytes lets no state be sent.
    let others = holders.dropFirst().map { pending.release($0) }
    #expect(!others.contains(true) && !pending.isSendable)
  }

  @Test("each stream gets one heartbeat in fifteen seconds, and a waiting call gets no heartbeat")
  func wheel() {
    let channel = EmbeddedChannel()
    let group = GameWatchers(.served())
    var wheel = HeartbeatWheel()
    let startsEmpty = wheel.start()
    let streams = (0..<31).map { _ in
      Self.watcher(in: group, .events(OutgoingStream(.untilClose, SocketOutlet(channel, descriptor: -1)) { _ in }))
    }
    let call = Self.watcher(in: group)
    for watcher in streams + [call] { wheel.add(watcher) }
    // The first watcher of a slot is removed, so that the slot's last watcher takes its index. That watcher is then removed too.
    wheel.remove(streams[0])
    wheel.remove(streams[30])
    var ticked: [ObjectIdentifier] = []
    for _ in 0..<WatchLoop.WatchTiming.commentSeconds {
      let starts = [wheel.start(), wheel.start()]
      #expect(starts == [true, false], "one second at a time")
      let due = wheel.tick()
      #expect((1...2).contains(due.count))
      ticked += due.map(ObjectIdentifier.init)
    }
    #expect(ticked.count == 29 && Set(ticked) == Set(streams[1..<30].map(ObjectIdentifier.init)))
    for watcher in streams[1..<30] { wheel.remove(watcher) }
    let startsWithCall = wheel.start()
    let due = wheel.tick()
    wheel.remove(call)
    let startsAfter = wheel.start()
    #expect([startsEmpty, startsWithCall, startsAfter] == [false, true, false] && due.isEmpty)
  }
}
