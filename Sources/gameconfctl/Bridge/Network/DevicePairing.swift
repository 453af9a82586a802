// The code that pairs a phone, and the phones that are paired: without I/O.

import GameConfCore

/// The state of a network bridge: at most one open code, and the paired devices.
///
/// Every time is in milliseconds of a clock that counts sleep. Random texts come in as arguments.
struct DevicePairing: Sendable {
  /// The time for which a code is valid.
  static let codeMilliseconds: Int64 = 120_000
  /// The number of wrong guesses that ends a code.
  static let guessesMax = 5
  /// The time for which a token is valid.
  static let tokenMilliseconds: Int64 = 12 * 3_600_000
  /// The number of paired devices at a time.
  static let devicesMax = 16
  /// The number of a device's connections at a time.
  static let connectionsMax = 8
  /// The number of a device's requests within one second.
  static let requestsMax = 60
  /// The time for which a device's request vouches for its address; clients that have a key and no token need that.
  static let addressMilliseconds: Int64 = 600_000
  /// The limit of a device name's size; a longer name is cut.
  static let nameBytesMax = 64
  /// The number of a device's addresses that are listed, the newest first.
  static let addressesMax = 8
  /// The letters of a code. Those that people confuse are left out.
  static let letters = Array("ABCDEFGHJKLMNPQRSTUVWXYZ23456789")
  static let codeLetters = 8

  struct Device: Equatable, Sendable {
    let number: Int
    let name: String
    let token: String
    /// The time at which the token expires.
    let end: Int64
    /// The addresses from which requests came, the newest first.
    var addresses: [UInt32]
    var lastRequest: Int64
    /// The time of its last request with its token.
    fileprivate(set) var lastTokenRequest: Int64
    var connections = 0
    /// The second in which requests are counted, and their number.
    fileprivate var second: Int64 = 0
    fileprivate var requests = 0
  }

  enum PairingOutcome: Equatable {
    case paired(Device)
    case wrong(guessesLeft: Int)
    /// The code was wrong, and the last guess is used: the code is closed.
    case ended
    case noCode
    /// The limit of paired devices is reached.
    case full
  }

  /// The verdict on a request with a token.
  enum DeviceDecision: Equatable {
    /// The request is admitted; `isNewAddress` is true if the device had not used the address.
    case admitted(device: Int, isNewAddress: Bool)
    case unknown
    /// The device has reached its limit of connections or of requests per second.
    case tooMany
  }

  private struct PairingCode: Sendable {
    let text: String
    let end: Int64
    var guessesLeft: Int
  }

  private var code: PairingCode?
  private(set) var devices: [Device] = []
  private var lastNumber = 0

  /// Opens a pairing code, which replaces the open one.
  mutating func open(_ text: String, now: Int64) {
    code = PairingCode(text: text, end: now + Self.codeMilliseconds, guessesLeft: Self.guessesMax)
  }

  /// True if a pairing code is open and has not expired.
  func hasCode(now: Int64) -> Bool { code.map { now < $0.end } ?? false }

  /// Pairs a device that sends the code. Upper and lower case are equal.
  /// - Parameter token: The device's new token.
  mutating func pair(code given: String, name: String, from address: UInt32, token: String, now: Int64) -> PairingOutcome {
    removeEnded(now: now)
    guard var code, now < code.end else {
      self.code = nil
      return .noCode
    }
    guard BridgeGate.areSame(given.uppercased(), code.text) else {
      code.guessesLeft -= 1
      self.code = code.guessesLeft > 0 ? code : nil
      return code.guessesLeft > 0 ? .wrong(guessesLeft: code.guessesLeft) : .ended
    }
    guard devices.count < Self.devicesMax else { return .full }
    self.code = nil
    lastNumber += 1
    let device = Device(
      number: lastNumber, name: Self.named(name, number: lastNumber), token: token, end: now + Self.tokenMilliseconds, addresses: [address],
      lastRequest: now, lastTokenRequest: now)
    devices.append(device)
    return .paired(device)
  }

  /// Admits a request with a token, and counts its connection until ``leave(device:)``.
  mutating func admit(token: String, from address: UInt32, now: Int64) -> DeviceDecision {
    removeEnded(now: now)
    let match = devices.indices.reduce(nil as Int?) { found, at in BridgeGate.areSame(token, devices[at].token) ? at : found }
    guard let at = match else { return .unknown }
    return admit(at, from: address, now: now)
  }

  /// Admits a request that has a key but no token, if a paired device has vouched for its address.
  mutating func admit(from address: UInt32, now: Int64) -> DeviceDecision {
    removeEnded(now: now)
    let vouching = devices.indices.filter {
      devices[$0].addresses.first == address && now - devices[$0].lastTokenRequest < Self.addressMilliseconds
    }
    guard let at = vouching.first else { return .unknown }
    return admit(at, from: address, now: now, isByKey: true)
  }

  private mutating func admit(_ at: Int, from address: UInt32, now: Int64, isByKey: Bool = false) -> DeviceDecision {
    if devices[at].second != now / 1_000 {
      devices[at].second = now / 1_000
      devices[at].requests = 0
    }
    guard devices[at].connections < Self.connectionsMax, devices[at].requests < Self.requestsMax else { return .tooMany }
    devices[at].requests += 1
    devices[at].connections += 1
    devices[at].lastRequest = now
    if !isByKey { devices[at].lastTokenRequest = now }
    let isNew = !devices[at].addresses.contains(address)
    devices[at].addresses.removeAll { $0 == address }
    devices[at].addresses.insert(address, at: 0)
    if devices[at].addresses.count > Self.addressesMax { devices[at].addresses.removeLast() }
    return .admitted(device: devices[at].number, isNewAddress: isNew)
  }

  /// Ends a connection of a device.
  mutating func leave(device number: Int) {
    guard let at = devices.firstIndex(where: { $0.number == number }) else { return }
    devices[at].connections = max(0, devices[at].connections - 1)
  }

  /// Removes a device and invalidates its token; returns false if the device does not exist.
  mutating func remove(device number: Int) -> Bool {
    let count = devices.count
    devices.removeAll { $0.number == number }
    return devices.count < count
  }

  /// True if the device is paired and its token has not expired.
  func isPaired(device number: Int, now: Int64) -> Bool { devices.contains { $0.number == number && now < $0.end } }

  private mutating func removeEnded(now: Int64) { devices.removeAll { now >= $0.end } }

  /// Returns the name for lists: cut to the limit, and never empty.
  private static func named(_ given: String, number: Int) -> String {
    var name = ""
    for character in given.trimmed {
      if name.utf8.count + character.utf8.count > nameBytesMax { break }
      name.append(character)
    }
    return name.isEmpty ? "phone \(number)" : name
  }

  static func newCode(using random: inout some RandomNumberGenerator) -> String {
    String((0..<codeLetters).compactMap { _ in letters.randomElement(using: &random) })
  }
}
