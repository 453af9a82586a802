// Precomputed (“ready”) answers, found by the bytes of the request target. To send one, the connection copies it and patches its Date.

internal import Glibc

/// A precomputed answer to GET requests for one exact target, query included.
package struct ReadyAnswer: Sendable {
  /// The request target, such as `/v1/games/dartsscore/config/dart_size`.
  package var target: String
  /// The answer, which must have the status 200. Its revision is replaced by that of its ``PrecomputedAnswerGroup``.
  package var answer: Answer
  /// The position in the router of the route that would answer the request, for the counters.
  package var route: Int
  /// The positions at which the answer is counted and its key marked as read.
  package var counts: AnswerCounterPositions

  /// Creates a precomputed answer; without `counts` it is neither counted nor marked as read.
  package init(target: String, answer: Answer, route: Int, counts: AnswerCounterPositions = AnswerCounterPositions()) {
    self.target = target
    self.answer = answer
    self.route = route
    self.counts = counts
  }
}

/// An immutable group of encoded answers that have the same revision, such as those of one game.
package final class PrecomputedAnswerGroup: Sendable {
  struct ReadyItem: Sendable {
    var hash: UInt64
    var target: Range<Int>
    /// The offset at which the answer begins in the group's bytes. `headEnd` is the offset of the empty line that ends its head.
    var start: Int
    var headEnd: Int
    var end: Int
    var route: Int
    var counts: AnswerCounterPositions
  }

  let arena: [UInt8]
  let items: [ReadyItem]
  private let revision: UInt64?

  /// - Parameter revision: The value of the header `Gameconf-Revision` in every answer; nil for answers without that header.
  package init(revision: UInt64?, _ answers: [ReadyAnswer]) {
    var layout = Layout()
    for each in answers { layout.append(each, revision) }
    (arena, items) = (layout.arena, layout.items)
    self.revision = revision
  }

  private init(revision: UInt64?, _ layout: Layout) {
    (arena, items) = (layout.arena, layout.items)
    self.revision = revision
  }

  package var bytes: Int { arena.count }

  /// Returns the group at another revision, with answers replaced, added or removed by target. The other answers are copied without
  /// encoding them again. A group without a revision stays without one.
  package func replacing(revision: UInt64, _ answers: [ReadyAnswer], removing targets: Set<String> = []) -> PrecomputedAnswerGroup {
    let revision = self.revision == nil ? nil : revision
    let dropped = Set((answers.map(\.target) + targets).map { Array($0.utf8) })
    var layout = Layout()
    layout.arena.reserveCapacity(arena.count + arena.count / 8)
    let oldDigits = self.revision.map { String($0).utf8.count }
    for item in items where dropped.isEmpty || !dropped.contains(Array(arena[item.target])) {
      layout.append(arena, item, oldDigits: oldDigits, revision: revision)
    }
    for each in answers { layout.append(each, revision) }
    return PrecomputedAnswerGroup(revision: revision, layout)
  }

  private struct Layout {
    var arena: [UInt8] = []
    var items: [ReadyItem] = []

    mutating func append(_ ready: ReadyAnswer, _ revision: UInt64?) {
      var answer = ready.answer
      guard answer.status == 200 else { return }
      answer.revision = revision
      if answer.entityTag == nil { answer.entityTag = EntityTag(of: answer.body) }
      let lower = arena.count
      arena += ready.target.utf8
      let start = arena.count
      let hash = arena[lower..<start].withUnsafeBytes { TargetHash.of($0) }
      let date = [UInt8](repeating: UInt8(ascii: "-"), count: HTTPDate.length)
      AnswerEncoder.appendHead(of: answer, AnswerFrame(contentLength: answer.body.count), date: date, to: &arena)
      let headEnd = arena.count - 2
      arena += answer.body
      items.append(
        ReadyItem(
          hash: hash, target: lower..<start, start: start, headEnd: headEnd, end: arena.count, route: ready.route,
          counts: ready.counts))
    }

    mutating func append(_ old: [UInt8], _ item: ReadyItem, oldDigits: Int?, revision: UInt64?) {
      let lower = arena.count
      arena += old[item.target]
      let start = arena.count
      var grown = 0
      if let oldDigits, let revision {
        let digits = item.start + AnswerEncoder.okRevisionOffset
        arena += old[item.start..<digits]
        let before = arena.count
        AnswerEncoder.appendDecimal(revision, to: &arena)
        grown = arena.count - before - oldDigits
        arena += old[(digits + oldDigits)..<item.end]
      } else {
        arena += old[item.start..<item.end]
      }
      items.append(
        ReadyItem(
          hash: item.hash, target: lower..<start, start: start, headEnd: start + item.headEnd - item.start + grown, end: arena.count,
          route: item.route, counts: item.counts))
    }
  }
}

/// All precomputed answers of a published state, in an immutable hash table by request target (open addressing with linear probing).
package final class ReadyAnswers: Sendable {
  struct AnswerTableSlot: Sendable {
    var hash: UInt64
    var group: Int32
    var item: Int32
  }

  private let groups: [PrecomputedAnswerGroup]
  private let slots: [AnswerTableSlot]
  private let mask: Int

  /// Creates the table of the answers of all groups. If several groups have an answer to one target, that of the first group is used.
  package init(_ groups: [PrecomputedAnswerGroup] = []) {
    let count = groups.reduce(0) { $0 + $1.items.count }
    var capacity = 8
    while capacity < count * 2 { capacity *= 2 }
    var slots = [AnswerTableSlot](repeating: AnswerTableSlot(hash: 0, group: -1, item: 0), count: capacity)
    for (group, each) in groups.enumerated() {
      for (item, ready) in each.items.enumerated() {
        var at = Int(truncatingIfNeeded: ready.hash) & (capacity - 1)
        while slots[at].group >= 0 { at = (at + 1) & (capacity - 1) }
        slots[at] = AnswerTableSlot(hash: ready.hash, group: Int32(group), item: Int32(item))
      }
    }
    self.groups = groups
    self.slots = slots
    mask = capacity - 1
  }

  /// Calls the body with the bytes of the answer to a target, the offset of the empty line that ends its head, its route and its counts.
  /// Returns the result of the body; nil if there is no precomputed answer.
  @inline(__always)
  func withAnswer<Result>(
    to target: UnsafeRawBufferPointer,
    _ body: (UnsafeRawBufferPointer, _ headEnd: Int, _ route: Int, _ counts: AnswerCounterPositions) -> Result
  ) -> Result? {
    let hash = TargetHash.of(target)
    return slots.withUnsafeBufferPointer { slots in
      var at = Int(truncatingIfNeeded: hash) & mask
      while slots[at].group >= 0 {
        if slots[at].hash == hash {
          let group = groups[Int(slots[at].group)]
          let item = group.items[Int(slots[at].item)]
          let found: Result? = group.arena.withUnsafeBytes { arena in
            guard item.target.count == target.count, let mine = arena.baseAddress, let theirs = target.baseAddress,
              memcmp(mine + item.target.lowerBound, theirs, target.count) == 0
            else { return nil }
            return body(
              UnsafeRawBufferPointer(rebasing: arena[item.start..<item.end]), item.headEnd - item.start, item.route, item.counts)
          }
          if let found { return found }
        }
        at = (at + 1) & mask
      }
      return nil
    }
  }
}

/// The hash function of request targets. It folds eight bytes at a time by a 128-bit multiplication (as in wyhash).
///
/// It needs no secret seed, because clients cannot add targets to the table.
enum TargetHash {
  static func of(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
    var hash = 0x9e37_79b9_7f4a_7c15 ^ UInt64(bytes.count)
    var at = 0
    while at + 8 <= bytes.count {
      hash = folded(hash ^ bytes.loadUnaligned(fromByteOffset: at, as: UInt64.self), 0xa076_1d64_78bd_642f)
      at += 8
    }
    var tail: UInt64 = 0
    while at < bytes.count {
      tail = tail << 8 | UInt64(bytes[at])
      at += 1
    }
    return folded(hash ^ tail, 0xe703_7ed1_a0b4_28db)
  }

  @inline(__always)
  private static func folded(_ left: UInt64, _ right: UInt64) -> UInt64 {
    let product = left.multipliedFullWidth(by: right)
    return product.high ^ product.low
  }
}
