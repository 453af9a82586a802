// Tests the deduplication of clients' queues: sequence numbers, eviction of clients, and a comparison with a naive model.

import GameConfCore
import TestSupport
import Testing

@Suite("Deduplication of clients' queues")
struct SequenceMarksTests {
  /// Returns the UUID of the n-th client.
  private static func client(_ number: Int) -> String {
    let digits = String(number, radix: 16)
    return "0198c5c8-6f2a-7cc1-8a3e-" + String(repeating: "0", count: 12 - digits.count) + digits
  }

  private static func request(_ number: Int64, by client: Int = 1, content: UInt8 = 1) throws -> SequencedRequest {
    SequencedRequest(try SequencePosition(client: Self.client(client), number: number), contentDigest: [content, 2, 3, 4])
  }

  private func marks(_ numbers: [Int64], by client: Int = 1) throws -> ClientSequences {
    var marks = ClientSequences()
    for number in numbers {
      let request = try Self.request(number, by: client)
      if try marks.standing(of: request) == .new { marks.note(request, entry: number) }
    }
    return marks
  }

  @Test(
    "a sequence number is new, processed, or too old for a stored response, depending on the numbers processed before",
    arguments: [
      ([], 1, .new), ([], 9_007_199_254_740_991, .new), ([1], 1, .done(entryBits: 1)), ([1], 2, .new), ([1, 3], 2, .new),
      ([1, 3, 2], 2, .done(entryBits: 2)), ([300], 45, .new), ([300], 44, .settled), ([300, 45], 45, .done(entryBits: 45)),
      ([1, 256], 1, .done(entryBits: 1)), ([1, 257], 1, .settled), ([1, 256], 2, .new), ([5, 1_000_000], 5, .settled),
      ([5, 1_000_000], 999_745, .new), ([5, 1_000_000], 999_744, .settled), ([40, 39, 300, 250], 45, .new),
      ([40, 39, 290, 250], 39, .done(entryBits: 39)), ([40, 39, 296, 250], 40, .settled),
    ] as [([Int64], Int64, ClientSequences.Status)])
  func standing(done: [Int64], number: Int64, standing: ClientSequences.Status) throws {
    #expect(try marks(done).standing(of: Self.request(number)) == standing)
  }

  @Test("reusing one of the latest 256 sequence numbers with other content is rejected")
  func otherContent() throws {
    let marks = try marks([1, 2, 256])
    for number: Int64 in [1, 2, 256] {
      let other = try Self.request(number, content: 9)
      #expect(throws: Refusal.sequenceReused(other.mark)) { try marks.standing(of: other) }
    }
    #expect(try self.marks([1, 257]).standing(of: Self.request(1, content: 9)) == .settled)
    let zero = SequencedRequest(try SequencePosition(client: Self.client(1), number: 7), contentDigest: [0, 0, 0, 0])
    var empty = ClientSequences()
    empty.note(zero, entry: 3)
    #expect(try empty.standing(of: zero) == .done(entryBits: 3), "a digest of zeros is not taken for a number that is not done")
  }

  @Test("a ninth client evicts the least recently used one, which is then rejected forever")
  func ninth() throws {
    var marks = ClientSequences()
    for client in 2...9 { marks.note(try Self.request(1, by: client), entry: 1) }
    #expect(try marks.standing(of: Self.request(1, by: 1)) == .new, "nobody was pushed out yet")
    marks.note(try Self.request(2, by: 2), entry: 2)
    marks.note(try Self.request(1, by: 10), entry: 3)
    #expect(marks.floor?.text == Self.client(3))
    #expect(throws: Refusal.clientForgotten(Self.client(3))) { try marks.standing(of: Self.request(2, by: 3)) }
    #expect(throws: Refusal.clientForgotten(Self.client(1))) { try marks.standing(of: Self.request(1, by: 1)) }
    #expect(try marks.standing(of: Self.request(2, by: 2)) == .done(entryBits: 2), "a client below the floor that is known goes on")
    #expect(try marks.standing(of: Self.request(3, by: 2)) == .new)
    marks.note(try Self.request(1, by: 11), entry: 4)
    #expect(marks.floor?.text == Self.client(4), "the floor only rises")
  }

  @Test(
    "a malformed sequence header is rejected",
    arguments: [
      "", "/", "1/1", "0198c5c8-6f2a-7cc1-8a3e-5d2f1b0c9e7d", "0198c5c8-6f2a-7cc1-8a3e-5d2f1b0c9e7d/0",
      "0198c5c8-6f2a-7cc1-8a3e-5d2f1b0c9e7d/-1", "0198c5c8-6f2a-7cc1-8a3e-5d2f1b0c9e7d/+1", "0198c5c8-6f2a-7cc1-8a3e-5d2f1b0c9e7d/1/1",
      "0198c5c8-6f2a-7cc1-8a3e-5d2f1b0c9e7d/9007199254740992", "0198c5c8-6f2a-4cc1-8a3e-5d2f1b0c9e7d/1",
      "0198c5c8-6f2a-7cc1-ca3e-5d2f1b0c9e7d/1", "0198c5c86f2a7cc18a3e5d2f1b0c9e7d/1", "0198c5c8-6f2a-7cc1-8a3e-5d2f1b0c9e7g/1",
      "０198c5c8-6f2a-7cc1-8a3e-5d2f1b0c9e7d/1",
    ])
  func malformed(text: String) { #expect(throws: Refusal.sequenceMalformed) { try SequencePosition(text) } }

  @Test("a sequence position is parsed from and formatted as one word, in either case of the UUID's letters")
  func text() throws {
    let text = "0198c5c8-6f2a-7cc1-8a3e-5d2f1b0c9e7d/12"
    #expect(try SequencePosition(text).text == text)
    #expect(try SequencePosition(text.uppercased()) == SequencePosition(text))
    #expect(try SequencePosition("00000000-0000-7000-8000-000000000001/1").text == "00000000-0000-7000-8000-000000000001/1")
  }

  @Test("stored sequence numbers are decoded as they were encoded, and truncated data or a later version is rejected")
  func stored() throws {
    var marks = ClientSequences()
    for client in 1...10 { for number: Int64 in [1, 3, 2, 290] { marks.note(try Self.request(number, by: client), entry: number) } }
    let bytes = marks.bytes
    #expect(try ClientSequences(bytes: bytes) == marks && bytes.count == marks.bytesCount)
    #expect(ClientSequences().bytes.isEmpty && ClientSequences().bytesCount == 0)
    #expect(try ClientSequences(bytes: []) == ClientSequences())
    for length in [1, 2, 9, 17, 19, 40, 50, bytes.count - 1] {
      #expect(throws: Fault.self) { try ClientSequences(bytes: Array(bytes.prefix(length))) }
    }
    #expect(throws: Fault.self) { try ClientSequences(bytes: [2] + bytes.dropFirst()) }
    #expect(throws: Fault.self) { try ClientSequences(bytes: bytes + bytes.dropFirst(18)) }
  }

  /// A model that stores every processed number.
  private struct NaiveSequenceModel {
    var done: [Int: [Int64: UInt8]] = [:]
    /// The known clients, least recently used first.
    var known: [Int] = []
    var floor = 0

    func standing(of number: Int64, by client: Int, content: UInt8) -> Result<ClientSequences.Status, Refusal>? {
      guard known.contains(client) else { return client <= floor ? nil : .success(.new) }
      let numbers = done[client] ?? [:]
      if number <= (numbers.keys.max() ?? 0) - 256 { return .success(.settled) }
      guard let before = numbers[number] else { return .success(.new) }
      if before != content { return nil }
      return .success(.done(entryBits: UInt8(truncatingIfNeeded: number)))
    }

    mutating func note(_ number: Int64, by client: Int, content: UInt8) {
      if let place = known.firstIndex(of: client) {
        known.remove(at: place)
      } else if known.count == 8 {
        let gone = known.removeFirst()
        done[gone] = nil
        floor = max(floor, gone)
      }
      known.append(client)
      done[client, default: [:]][number] = content
    }
  }

  @Test(
    "twenty thousand random requests are deduplicated as by a model that stores every number",
    arguments: TestLength.seeds(of: 1...3 as ClosedRange<UInt64>))
  func random(seed: UInt64) throws {
    var state = seed
    func next(_ below: UInt64) -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return (state >> 33) % below
    }
    var (marks, model) = (ClientSequences(), NaiveSequenceModel())
    for step in 0..<20_000 {
      let client = Int(next(3) == 0 ? next(14) + UInt64(step / 1500) : next(3) + UInt64(step / 1500)) + 1
      let highest = model.done[client]?.keys.max() ?? 0
      let number =
        switch next(20) {
        case 0: highest + Int64(next(600)) + 1
        case 1...8: max(1, highest - Int64(next(300)))
        default: highest + 1
        }
      let content = UInt8(next(40) == 0 ? 9 : 1)
      let request = try Self.request(number, by: client, content: content)
      let found = try? marks.standing(of: request)
      let expected = try model.standing(of: number, by: client, content: content)?.get()
      try #require(found == expected, "step \(step): number \(number) of client \(client) after \(highest)")
      guard found == .new else { continue }
      marks.note(request, entry: number)
      model.note(number, by: client, content: content)
      if step % 97 == 0 { try #require(try ClientSequences(bytes: marks.bytes) == marks) }
    }
  }
}
