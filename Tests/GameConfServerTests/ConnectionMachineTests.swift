// The state machine of a connection, as tables of events and actions.

import TestSupport
import Testing

@testable import GameConfServer

@Suite("Connection state machine")
struct ConnectionMachineTests {
  typealias Machine = ConnectionMachine
  typealias BufferState = ConnectionMachine.BufferState
  typealias Action = ConnectionMachine.Action

  enum Event {
    case settled(Int64, BufferState = BufferState())
    case inputClosed
    case writable(Bool)
    case heldBack(Bool)
    case begin
    case stream
    case answered(closes: Bool = false)
    case part
    case dropped(Int)
    case finished(Bool, Int64)
    case rang(Int64, BufferState = BufferState(), isSending: Bool = false)
    case drain(Int64)
    case closed
  }

  static func feed(_ machine: inout Machine, _ event: Event) -> Action? {
    switch event {
    case .settled(let now, let view): return machine.settled(view, now: now)
    case .inputClosed: return machine.inputClosed()
    case .writable(let isWritable): return machine.writabilityChanged(isWritable)
    case .heldBack(let isHeldBack): machine.heldBack(isHeldBack)
    case .begin: machine.beganAnswering()
    case .stream: machine.beganStreaming()
    case .answered(let closes): machine.answered(closes: closes)
    case .part: machine.partArrived()
    case .dropped(let bytes): machine.dropped(bytes: bytes)
    case .finished(let isSent, let now): return machine.outputFinished(isSent, now: now)
    case .rang(let now, let view, let isSending): return machine.rang(view, now: now) { isSending }
    case .drain(let now): machine.drain(BufferState(), now: now)
    case .closed: machine.closed()
    }
    return nil
  }

  static let second: Int64 = 1_000_000_000

  struct Row: CustomStringConvertible, Sendable {
    let description: String
    var isRefused = false
    /// Each event with the expected actions; nil for an event without actions.
    let steps: [(Event, Action?)]
    let phase: Machine.Phase
    /// The expected deadline in seconds; nil for none.
    var deadline: Double?
  }

  static let open = BufferState(hasInput: true)
  static let inBody = BufferState(isInBody: true)

  static let rows: [Row] = [
    Row(description: "an idle connection reads, until its idle time is over", steps: [(.settled(0), .read)], phase: .reading, deadline: 75),
    Row(
      description: "a head that has begun has the time of heads from its first byte on",
      steps: [(.settled(0), .read), (.settled(5 * second, open), .read), (.settled(9 * second, open), .read)], phase: .reading, deadline: 15
    ),
    Row(
      description: "a body's time begins when its head is whole",
      steps: [(.settled(0, open), .read), (.part, nil), (.settled(9 * second, inBody), .read)], phase: .reading, deadline: 39),
    Row(
      description: "while an answer is pending one read stands ready, and no time runs", steps: [(.begin, nil), (.settled(0), .read)],
      phase: .answering),
    Row(
      description: "while an answer is pending and more was asked nothing is read", steps: [(.begin, nil), (.settled(0, open), [])],
      phase: .answering),
    Row(
      description: "who waits for a turn does not read", steps: [(.settled(0, BufferState(hasInput: true, waitsForSlice: true)), [])],
      phase: .reading
    ),
    Row(
      description: "a handler slower than its client is not hurried",
      steps: [(.settled(0, BufferState(isInBody: true, isBodyFull: true)), [])],
      phase: .reading),
    Row(
      description: "a client that does not read is not read from, and has its time",
      steps: [(.writable(false), .serve), (.settled(0), []), (.settled(20 * second), [])], phase: .reading, deadline: 30),
    Row(
      description: "who is held back counts as one that does not read", steps: [(.heldBack(true), nil), (.settled(2 * second), [])],
      phase: .reading, deadline: 32),
    Row(
      description: "who is let on reads again",
      steps: [(.heldBack(true), nil), (.settled(0), []), (.heldBack(false), nil), (.settled(0), .read)],
      phase: .reading, deadline: 75),
    Row(
      description: "a client that takes its answers again goes on", steps: [(.writable(false), .serve), (.writable(true), .serve)],
      phase: .reading),
    Row(
      description: "a stream goes on when its client reads",
      steps: [(.stream, nil), (.writable(false), .serve), (.writable(true), [.stream, .serve])],
      phase: .streaming),
    Row(
      description: "the last answer is sent before the output is closed, and what still comes in is read and dropped",
      steps: [(.answered(closes: true), nil), (.settled(0), [.finishOutput, .read]), (.finished(true, second), .read)], phase: .lingering,
      deadline: 1.5),
    Row(
      description: "an output that cannot be finished is closed",
      steps: [(.answered(closes: true), nil), (.settled(0), [.finishOutput, .read]), (.finished(false, 1), .close)],
      phase: .finishing, deadline: 30),
    Row(
      description: "a client that closes its half is answered first, then closed when all is sent, not before",
      steps: [
        (.begin, nil), (.inputClosed, .serve), (.settled(0), []), (.answered(), nil), (.settled(0), [.endBody, .finishOutput]),
        (.settled(1), []), (.finished(true, 2), .close),
      ], phase: .finishing, deadline: 30),
    Row(
      description: "a client that closes its half while it does not read is waited for",
      steps: [(.writable(false), .serve), (.inputClosed, .serve), (.settled(0), [])], phase: .reading, deadline: 30),
    Row(
      description: "a client that closes its half while more of it waits for a turn is served",
      steps: [(.inputClosed, .serve), (.settled(0, BufferState(hasInput: true, waitsForSlice: true)), [])], phase: .reading),
    Row(
      description: "a client that closes its half while the last answer is sent loses none of it",
      steps: [(.answered(closes: true), nil), (.settled(0), [.finishOutput, .read]), (.inputClosed, []), (.finished(true, 1), .close)],
      phase: .finishing, deadline: 30),
    Row(
      description: "a client that closes its half after the last answer is closed",
      steps: [(.answered(closes: true), nil), (.settled(0), [.finishOutput, .read]), (.finished(true, 0), .read), (.inputClosed, .close)],
      phase: .lingering, deadline: 0.5),
    Row(
      description: "a closing connection drops so many bytes and no more",
      steps: [
        (.answered(closes: true), nil), (.settled(0), [.finishOutput, .read]), (.finished(true, 0), .read), (.dropped(64 << 20), nil),
        (.settled(1), .read), (.dropped(1), nil), (.settled(2), .close),
      ], phase: .lingering, deadline: 0.500_000_001),
    Row(
      description: "a closing connection waits for who has sent something that was not read yet, and for no one longer than it may",
      steps: [
        (.answered(closes: true), nil), (.settled(0), [.finishOutput, .read]), (.finished(true, 0), .read),
        (.rang(second, isSending: true), .read), (.rang(2 * second), .close),
      ], phase: .lingering),
    Row(
      description: "a closing connection is closed at its end, whatever waits",
      steps: [
        (.answered(closes: true), nil), (.settled(0), [.finishOutput, .read]), (.finished(true, 0), .read),
        (.rang(30 * second, isSending: true), .close),
      ], phase: .lingering),
    Row(
      description: "an idle connection whose time is over ends in silence",
      steps: [
        (.settled(0), .read), (.rang(75 * second - 1), []), (.rang(75 * second), [.serve, .countTimeout]),
        (.settled(75 * second), [.finishOutput, .read]),
      ],
      phase: .finishing, deadline: 105),
    Row(
      description: "a request whose time is over is told so",
      steps: [(.settled(0, open), .read), (.rang(10 * second, open), [.refuse, .countTimeout])],
      phase: .reading),
    Row(
      description: "a client that does not read is cut off when its time is over",
      steps: [(.writable(false), .serve), (.settled(0), []), (.rang(30 * second), [.close, .countTimeout])], phase: .reading),
    Row(
      description: "who is refused is told after a second of silence", isRefused: true,
      steps: [(.settled(0), .read), (.rang(second), .refuse)],
      phase: .reading),
    Row(
      description: "while the server stops an idle connection may still ask within the grace",
      steps: [(.settled(0), .read), (.drain(second), nil)],
      phase: .reading, deadline: 1.1),
    Row(
      description: "a closed connection does nothing more",
      steps: [(.settled(0), .read), (.closed, nil), (.settled(1), []), (.rang(100 * second), []), (.finished(true, 1), [])], phase: .closed),
  ]

  @Test("the connection's state machine answers each event with the expected actions", arguments: rows)
  func table(row: Row) {
    var machine = Machine(ServerLimits(), isRefused: row.isRefused)
    for (at, step) in row.steps.enumerated() {
      let act = Self.feed(&machine, step.0)
      #expect(act == step.1, "step \(at)")
    }
    #expect(machine.phase == row.phase)
    #expect(machine.deadline == row.deadline.map { Int64(($0 * 1_000_000_000).rounded()) } ?? .max)
  }

  @Test("a connection that is closed while its answer is written stays closed")
  func closedInAWrite() {
    var machine = Machine(ServerLimits(), isRefused: false)
    machine.beganAnswering()
    machine.closed()
    machine.answered(closes: false)
    #expect(machine.phase == .closed)
    machine.beganStreaming()
    #expect(machine.phase == .closed)
  }

  @Test(
    "after random events a closed connection stays closed, and one that drops its input answers no request",
    arguments: 0..<20)
  func anyOrder(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var machine = Machine(ServerLimits(), isRefused: false)
    var now: Int64 = 0
    for _ in 0..<2_000 {
      now += Int64.random(in: 0...Self.second, using: &random)
      let view = BufferState(
        hasInput: .random(using: &random), isInBody: .random(using: &random), waitsForSlice: .random(using: &random),
        isBodyFull: .random(using: &random), isDraining: .random(using: &random))
      let events: [Event] = [
        .settled(now, view), .inputClosed, .writable(.random(using: &random)), .heldBack(.random(using: &random)), .dropped(100),
        .finished(.random(using: &random), now), .rang(now, view), .drain(now),
      ]
      if machine.mayServe, Int.random(in: 0..<3, using: &random) == 0 {
        machine.beganAnswering()
      } else if machine.phase == .answering, Bool.random(using: &random) {
        machine.answered(closes: Int.random(in: 0..<20, using: &random) == 0)
      }
      let act = Self.feed(&machine, events[Int.random(in: 0..<events.count, using: &random)]) ?? []
      if machine.dropsInput { #expect(!machine.mayServe) }
      if act.contains(.close) { machine.closed() }
      if machine.phase == .closed {
        #expect(!act.contains(.read) || act.contains(.close))
        machine = Machine(ServerLimits(), isRefused: false)
      }
    }
  }
}
