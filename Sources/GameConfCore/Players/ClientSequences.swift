// Deduplicates requests from the persistent queue of a client, by the client's id and the request's sequence number.

/// The id of a client's persistent queue of requests: a UUID version 7, generated with the queue. It begins with a timestamp, so an id that
/// was generated later is greater.
public struct ClientID: Sendable, Hashable, Comparable {
  let high: UInt64
  let low: UInt64

  init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// Parses a UUID in its form of 36 characters (`0198c5c8-6f2a-7cc1-8a3e-5d2f1b0c9e7d`). Returns nil for any other text, also for a UUID
  /// of another version.
  public init?(_ text: String) {
    let places = Array(text.utf8)
    guard places.count == 36 else { return nil }
    var (high, low, digits): (UInt64, UInt64, Int) = (0, 0, 0)
    for (at, byte) in places.enumerated() {
      if [8, 13, 18, 23].contains(at) {
        guard byte == UInt8(ascii: "-") else { return nil }
        continue
      }
      guard byte < 0x80, let digit = Character(UnicodeScalar(byte)).hexDigitValue else { return nil }
      if digits < 16 { high = high << 4 | UInt64(digit) } else { low = low << 4 | UInt64(digit) }
      digits += 1
    }
    guard high >> 12 & 0xF == 7, low >> 62 == 0b10 else { return nil }
    self.init(high: high, low: low)
  }

  /// The UUID with hyphens, 36 characters long.
  public var text: String {
    func hex(_ bits: UInt64) -> String {
      let digits = String(bits, radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }
    let (first, second) = (hex(high), hex(low))
    return "\(first.prefix(8))-\(first.dropFirst(8).prefix(4))-\(first.suffix(4))-\(second.prefix(4))-\(second.suffix(12))"
  }

  /// Compares the two UUIDs as 128-bit numbers. The left one is less if it was generated earlier.
  public static func < (left: ClientID, right: ClientID) -> Bool { (left.high, left.low) < (right.high, right.low) }
}

/// The position of a request in a client's queue: the queue's id and a sequence number.
public struct SequencePosition: Sendable, Hashable {
  /// The id of the client's queue.
  public var client: ClientID
  /// The request's sequence number in the queue, from 1 to ``PlayerLimits/sequenceNumberMax``.
  public var number: Int64

  /// Creates a position from unvalidated input.
  /// - Throws: `.sequenceMalformed` if the client is not a UUID version 7 or the number is out of range.
  public init(client: String, number: Int64) throws(Refusal) {
    guard let client = ClientID(client), (1...PlayerLimits.sequenceNumberMax).contains(number) else { throw .sequenceMalformed }
    self.client = client
    self.number = number
  }

  /// Parses a position in the form of the header, `CLIENT/NUMBER`.
  /// - Throws: `.sequenceMalformed`.
  public init(_ text: String) throws(Refusal) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[1].hasPrefix("+"), let number = Int64(parts[1]) else { throw .sequenceMalformed }
    try self.init(client: String(parts[0]), number: number)
  }

  /// The position as it is written in the header: `CLIENT/NUMBER`.
  public var text: String { "\(client.text)/\(number)" }
}

/// A request from a client's queue, identified by its position in the queue and a digest of its content.
public struct SequencedRequest: Sendable, Hashable {
  /// The position of the request in its client's queue.
  public let mark: SequencePosition
  /// The first four bytes of the content's digest, or 1 if they are 0. The value 0 is reserved: in the sliding window it stands for a
  /// sequence number that has not been processed.
  let digest: UInt32

  /// Creates a request with the first four bytes of its digest.
  /// - Parameter contentDigest: A digest of the whole request, at least four bytes long.
  public init(_ mark: SequencePosition, contentDigest: some Sequence<UInt8>) {
    self.mark = mark
    digest = max(1, contentDigest.prefix(4).reduce(0) { $0 << 8 | UInt32($1) })
  }
}

/// The sequence numbers that the daemon has processed, for each of a player's most recently used client queues.
///
/// For each queue it stores the highest number, and a sliding window that marks which of the 255 numbers below it were processed. Requests
/// may arrive in any order. A number below the window counts as processed. If a player has too many queues, the least recently used one is
/// evicted. An evicted queue is rejected forever, because its id is not above ``floor``.
public struct ClientSequences: Sendable, Hashable {
  /// The status of a numbered request: new, processed with a stored response, or processed without one.
  public enum Status: Sendable, Hashable {
    /// No request with this number has been processed.
    case new
    /// The request has been processed, and its response is stored with a history entry. The associated value is the low byte of the entry's
    /// number.
    case done(entryBits: UInt8)
    /// The number is below the sliding window. It counts as processed, but its response is no longer stored.
    case settled
  }

  private struct ClientQueue: Sendable, Hashable {
    let id: ClientID
    var highest: Int64
    /// Five bytes for each sequence number of the sliding window, in ascending order up to ``highest``. The first four are of the request's
    /// digest, and the fifth is the low byte of the history entry's number. Five zeros mean that the number has not been processed.
    var window: [UInt8] = []

    var first: Int64 { highest - Int64(window.count / ClientSequences.stride) + 1 }
  }

  static let stride = 5
  private static let formatVersion: UInt8 = 1
  /// The queues that are still stored, least recently used first.
  private var clients: [ClientQueue] = []
  /// The greatest id of an evicted queue; nil if no queue was evicted. A queue that is not stored is rejected unless its id is greater.
  public private(set) var floor: ClientID?

  /// Creates sequences in which no request has been processed yet.
  public init() {}

  /// True if no queue is stored and no queue has been evicted.
  public var isEmpty: Bool { clients.isEmpty && floor == nil }

  /// Returns the status of a request.
  /// - Throws: `.sequenceReused` if a request with this number but other content was processed, `.clientForgotten` if the client's queue
  ///   was evicted.
  public func standing(of request: SequencedRequest) throws(Refusal) -> Status {
    let mark = request.mark
    guard let client = clients.last(where: { $0.id == mark.client }) else {
      if let floor, mark.client <= floor { throw .clientForgotten(mark.client.text) }
      return .new
    }
    if mark.number <= client.highest - PlayerLimits.sequenceWindow { return .settled }
    guard mark.number >= client.first, mark.number <= client.highest else { return .new }
    let place = Int(mark.number - client.first) * Self.stride
    let digest = client.window[place..<(place + 4)].reduce(0) { $0 << 8 | UInt32($1) }
    if digest == 0 { return .new }
    guard digest == request.digest else { throw .sequenceReused(mark) }
    return .done(entryBits: client.window[place + 4])
  }

  /// Marks a new request as processed, and its client's queue as the most recently used one.
  /// - Parameter entry: The number of the history entry with which the response is stored.
  public mutating func note(_ request: SequencedRequest, entry: Int64) {
    let mark = request.mark
    var client = take(mark.client) ?? ClientQueue(id: mark.client, highest: mark.number - 1)
    let zeros = [UInt8](repeating: 0, count: Self.stride)
    if mark.number > client.highest {
      let skipped = mark.number - client.highest - 1
      if skipped >= PlayerLimits.sequenceWindow { client.window.removeAll(keepingCapacity: true) }
      for _ in 0..<min(skipped, client.window.isEmpty ? 0 : PlayerLimits.sequenceWindow) { client.window += zeros }
      client.window += zeros
      client.highest = mark.number
      client.window.removeFirst(max(0, client.window.count - Int(PlayerLimits.sequenceWindow) * Self.stride))
    } else if mark.number < client.first {
      client.window.insert(contentsOf: [UInt8](repeating: 0, count: Int(client.first - mark.number) * Self.stride), at: 0)
    }
    let place = Int(mark.number - client.first) * Self.stride
    for (at, shift) in [24, 16, 8, 0].enumerated() {
      client.window[place + at] = UInt8(truncatingIfNeeded: request.digest >> UInt32(shift))
    }
    client.window[place + 4] = UInt8(truncatingIfNeeded: entry)
    clients.append(client)
  }

  /// Removes and returns a client's queue, which the caller then appends as the most recently used one. Returns nil for a new client, for
  /// which the least recently used queue is evicted if the list is full.
  private mutating func take(_ id: ClientID) -> ClientQueue? {
    if let place = clients.lastIndex(where: { $0.id == id }) { return clients.remove(at: place) }
    if clients.count >= PlayerLimits.sequenceClientsMax {
      let evicted = clients.removeFirst()
      floor = max(floor ?? evicted.id, evicted.id)
    }
    return nil
  }
}

extension ClientSequences {
  /// The sequences in their binary form for the database; empty if no queue was ever stored.
  public var bytes: [UInt8] {
    if isEmpty { return [] }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(clients.reduce(18) { $0 + 26 + $1.window.count })
    bytes.append(Self.formatVersion)
    bytes.append(floor == nil ? 0 : 1)
    if let floor { bytes.append(id: floor) }
    for client in clients {
      bytes.append(id: client.id)
      bytes.append(number: UInt64(client.highest), bytes: 8)
      bytes.append(number: UInt64(client.window.count / Self.stride), bytes: 2)
      bytes += client.window
    }
    return bytes
  }

  /// The size of ``bytes``, computed without encoding them.
  public var bytesCount: Int { isEmpty ? 0 : clients.reduce(floor == nil ? 2 : 18) { $0 + 26 + $1.window.count } }

  /// Decodes the binary form ``bytes``.
  /// - Throws: ``Fault`` if the data is truncated or was written by a later version.
  public init(bytes: [UInt8]) throws(Fault) {
    if bytes.isEmpty { return }
    var rest = bytes[...]
    func fault(_ what: String) -> Fault { Fault("The marks of a player's clients \(what).") }
    func number(_ count: Int) throws(Fault) -> UInt64 {
      guard rest.count >= count else { throw fault("are cut") }
      defer { rest.removeFirst(count) }
      return rest.prefix(count).reduce(0) { $0 << 8 | UInt64($1) }
    }
    let version = try number(1)
    guard version == UInt64(Self.formatVersion) else { throw fault("are of format \(version); this version reads \(Self.formatVersion)") }
    if try number(1) == 1 { floor = ClientID(high: try number(8), low: try number(8)) }
    while !rest.isEmpty {
      let id = ClientID(high: try number(8), low: try number(8))
      let (highest, count) = (try number(8), Int(try number(2)))
      guard highest > 0, highest <= UInt64(PlayerLimits.sequenceNumberMax), count > 0, count <= Int(PlayerLimits.sequenceWindow),
        count <= highest, rest.count >= count * Self.stride, clients.count < PlayerLimits.sequenceClientsMax,
        !clients.contains(where: { $0.id == id })
      else { throw fault("have another form than expected") }
      clients.append(ClientQueue(id: id, highest: Int64(highest), window: Array(rest.prefix(count * Self.stride))))
      rest.removeFirst(count * Self.stride)
    }
  }
}

extension [UInt8] {
  fileprivate mutating func append(number: UInt64, bytes count: Int) {
    for place in (0..<count).reversed() { append(UInt8(truncatingIfNeeded: number >> UInt64(8 * place))) }
  }

  fileprivate mutating func append(id: ClientID) {
    append(number: id.high, bytes: 8)
    append(number: id.low, bytes: 8)
  }
}
