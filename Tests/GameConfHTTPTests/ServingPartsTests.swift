// Tests how the encoded members of a game's values are joined.

import Testing

@testable import GameConfHTTP

@Suite("Encoded members of a game's values")
struct ServingPartsTests {
  @Test("neighbouring encoded members of a game's values are joined with commas, also after some members are replaced", arguments: 0..<40)
  func members(seed: UInt64) {
    var generator = Seeded(state: seed)
    func member(_ at: Int) -> [UInt8]? { Bool.random(using: &generator) ? Array("\"k\(at)\":\(at * 7)".utf8) : nil }
    let count = Int.random(in: 0...12, using: &generator)
    var members = (0..<count).map(member)
    var changes: [Int: [UInt8]?] = [:]
    for at in 0..<count where Int.random(in: 0..<4, using: &generator) == 0 { changes.updateValue(member(at), forKey: at) }
    let before = ReadyMembers(members)
    #expect(Self.written(before) == Self.written(members))
    for (at, change) in changes { members[at] = change }
    let after = before.replacing(changes)
    #expect(Self.written(after) == Self.written(members))
    for at in 0..<count { #expect(after[at].map { Array($0) } == members[at]) }
    // Adjacent runs of encoded members would have to be copied one by one.
    for (one, next) in zip(after.parts, after.parts.dropFirst()) {
      if case .ready = one, case .ready = next { Issue.record("two runs side by side") }
    }
  }

  private static func written(_ members: [[UInt8]?]) -> String {
    members.enumerated().map { at, member in member.map { String(decoding: $0, as: UTF8.self) } ?? "?\(at)" }.joined(separator: ",")
  }

  private static func written(_ members: ReadyMembers) -> String {
    members.parts.map { part in
      switch part {
      case .ready(let run): String(decoding: members.bytes[run], as: UTF8.self)
      case .open(let at): "?\(at)"
      }
    }.joined(separator: ",")
  }

  private struct Seeded: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
      state &+= 0x9e37_79b9_7f4a_7c15
      let mixed = (state ^ state >> 30) &* 0xbf58_476d_1ce4_e5b9
      return mixed ^ mixed >> 31
    }
  }
}
