// The Swift interface of the client library: values that are read in nanoseconds and change while the game runs.

internal import CGameConf

/// A connection to the daemon for one game, with its values and its queue of writes. It belongs to one thread or actor.
///
/// ```swift
/// let game = try Game("wheresthedot", player: "p1", cache: "save/")
/// while running {
///   for change in game.update() { print(change) }
///   let limit = game["arcade_time_limit_base", default: 2.5]
/// }
/// ```
/// Reads never throw, wait or allocate anything but the value. They return the given default if the library has no value.
public final class Game {
  /// The error of opening a game or queuing a write.
  public struct Failure: Error, Sendable, Hashable {
    /// The code of the error, as in `errno`.
    public let code: Int32

    /// Creates an error from a code as in `errno`, such as EINVAL.
    public init(code: Int32) { self.code = code }
  }

  private let handle: OpaquePointer
  private let defaults: UnsafeMutableRawBufferPointer?

  /// Opens a game without waiting for the daemon.
  /// - Parameters:
  ///   - player: The player's id; nil for the values without a player.
  ///   - context: Further attributes for targeting, as a JSON object.
  ///   - socket: The path of the daemon's socket; nil for `GAMECONF_SOCKET` of the environment, else the system's daemon.
  ///   - cache: A folder of the game in which values and the queue of writes survive a restart.
  ///   - images: The folder of mapped images; nil for `GAMECONF_IMAGES`, else `images` beside the socket; empty disables them.
  ///   - defaults: An image that `gameconfctl catalog image` created, for use without a daemon.
  /// - Throws: ``Failure`` with EINVAL if the game, player, locale or context is malformed.
  public init(
    _ game: String, player: String? = nil, locale: String? = nil, context: String? = nil, socket: String? = nil, cache: String? = nil,
    images: String? = nil, defaults: [UInt8] = [], isOffline: Bool = false
  ) throws(Failure) {
    var held: UnsafeMutableRawBufferPointer?
    if !defaults.isEmpty {
      let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: defaults.count, alignment: 8)
      copy.copyBytes(from: defaults)
      held = copy
    }
    var opened: OpaquePointer?
    var code: Int32 = 0
    Self.withTexts([game, player, locale, context, socket, cache, images]) { texts in
      var options = gameconf_options()
      options.size = MemoryLayout<gameconf_options>.size
      (options.game, options.player, options.locale) = (texts[0], texts[1], texts[2])
      (options.context, options.socket, options.cache) = (texts[3], texts[4], texts[5])
      options.images = texts[6]
      options.defaults = held.flatMap { UnsafeRawPointer($0.baseAddress) }
      options.defaults_size = defaults.count
      options.flags = isOffline ? 1 : 0
      code = gameconf_open(&opened, &options)
    }
    guard let opened else {
      held?.deallocate()
      throw Failure(code: -code)
    }
    handle = opened
    self.defaults = held
  }

  deinit {
    gameconf_close(handle)
    defaults?.deallocate()
  }

  /// The boolean of a key; the given default if the library has no boolean for it.
  public subscript(key: String, default fallback: Bool) -> Bool { gameconf_bool(handle, key, fallback) }
  /// The integer of a key; the given default if the library has no integer for it. A double without a fraction is converted.
  public subscript(key: String, default fallback: Int64) -> Int64 { gameconf_int(handle, key, fallback) }
  /// The number of a key; the given default if the library has no number for it.
  public subscript(key: String, default fallback: Double) -> Double { gameconf_double(handle, key, fallback) }
  /// The text of a key; the given default if the library has no text for it.
  public subscript(key: String, default fallback: String) -> String {
    gameconf_string(handle, key, nil).map { String(cString: $0) } ?? fallback
  }
  /// Returns the value of a key whose default is `{daily_hash: SALT}`. If the library has no value, it computes the seed of the present day
  /// in UTC from the salt.
  public func dailySeed(_ key: String, salt: String) -> String {
    gameconf_daily_seed(handle, key, salt).map { String(cString: $0) } ?? ""
  }
  /// The value of a key that was declared with its type; its fallback if the library has no value.
  public subscript<Value>(key: Key<Value>) -> Value { Value.read(self, key.name, key.fallback) }

  /// Returns the key's list or object as JSON; nil if the key is unknown or has another type.
  public func json(_ key: String) -> String? { gameconf_json(handle, key, nil).map { String(cString: $0) } }

  /// Returns the layer that gives a key its value; `fallback` if the library has no value.
  public func source(of key: String) -> Source {
    var info = gameconf_info()
    _ = gameconf_double_info(handle, key, 0, &info)
    if info.source == 0 { _ = gameconf_string_info(handle, key, nil, &info) }
    if info.source == 0 { _ = gameconf_bool_info(handle, key, false, &info) }
    if info.source == 0 { _ = gameconf_json_info(handle, key, nil, &info) }
    return Source(rawValue: info.source) ?? .fallback
  }

  /// True if the theme is unlocked in the state that the library received last.
  public func isUnlocked(theme: String) -> Bool { gameconf_theme_unlocked(handle, theme, false, nil) }
  /// True if the player has the entitlement in the state that the library received last, and it has not expired by the game's simulated
  /// clock.
  public func isEntitled(to entitlement: String) -> Bool { gameconf_entitled(handle, entitlement, false, nil) }
  /// True if, by the state that the library received last, no placement may show an ad to the player.
  public var isAdFree: Bool { gameconf_ad_free(handle, false, nil) }

  /// Processes the data that has arrived, sends queued writes, and returns the changes since the last call. Never waits.
  @discardableResult
  public func update() -> [Change] {
    gameconf_update(handle)
    return changes()
  }

  /// Updates until there is a change or an answer, or the time is over, and returns the changes. Meant for loading screens and tools.
  @discardableResult
  public func wait(milliseconds: Int32) -> [Change] {
    gameconf_wait(handle, milliseconds)
    return changes()
  }

  private func changes() -> [Change] {
    var changes: [Change] = []
    var change = gameconf_change()
    while gameconf_next_change(handle, &change) { changes.append(Change(change)) }
    return changes
  }

  /// The state of the library: the connection, the revisions and the last error.
  public var status: Status {
    var status = gameconf_status_t()
    status.size = MemoryLayout<gameconf_status_t>.size
    gameconf_status(handle, &status)
    return Status(status)
  }

  /// Switches to another player. The library drops the former player's values immediately; the new player's values arrive with a later
  /// update.
  public func play(as player: String?) throws(Failure) {
    let code = gameconf_set_player(handle, player)
    if code < 0 { throw Failure(code: -code) }
  }

  /// Queues an event for the daemon. Events are sent in order, each of them once.
  /// - Parameters:
  ///   - play: The play that the event belongs to, whose pinned values apply.
  ///   - state: The game's own state of the play as JSON, stored in the same transaction.
  ///   - closes: True if the event ends the play, in the same transaction.
  /// - Returns: The ``Answer/number`` of the answer to this event.
  /// - Throws: ``Failure`` with EINVAL if there is no player, EAGAIN if the queue is full, or ECHILD in a forked process before its first
  ///   update.
  @discardableResult
  public func record(
    _ event: String, mode: String? = nil, score: Int64? = nil, reason: String? = nil, details: String? = nil, play: String? = nil,
    state: String? = nil, closes: Bool = false
  ) throws(Failure) -> Int64 {
    var number: Int64 = 0
    Self.withTexts([event, mode, reason, details, play, state]) { texts in
      var given = gameconf_event_t()
      given.size = MemoryLayout<gameconf_event_t>.size
      (given.event, given.mode, given.reason, given.details) = (texts[0], texts[1], texts[2], texts[3])
      (given.play, given.state, given.closes) = (texts[4], texts[5], closes)
      (given.score, given.scored) = (score ?? 0, score != nil)
      number = gameconf_event(handle, &given)
    }
    return try Self.checked(number)
  }

  /// Queues the game's own state of an open play as JSON, for example during a pause. Of several states that are queued one after another,
  /// only the last is sent.
  @discardableResult
  public func store(state: String, ofPlay play: String) throws(Failure) -> Int64 { try Self.checked(gameconf_state(handle, play, state)) }

  /// Sends a purchase of a product to the simulated store.
  /// - Returns: The ``Answer/number`` of the answer.
  @discardableResult
  public func purchase(_ product: String) throws(Failure) -> Int64 { try Self.checked(gameconf_purchase(handle, product, nil)) }

  /// Returns the next answer of the daemon to a queued write or a purchase; nil if no answer is left.
  public func nextAnswer() -> Answer? {
    var answer = gameconf_answer()
    return gameconf_next_answer(handle, &answer) ? Answer(answer) : nil
  }

  private static func checked(_ number: Int64) throws(Failure) -> Int64 {
    if number < 0 { throw Failure(code: Int32(truncatingIfNeeded: -number)) }
    return number
  }

  /// Passes texts to a C function, which may use them only during the call.
  private static func withTexts(_ texts: [String?], _ body: ([UnsafePointer<CChar>?]) -> Void) {
    func lend(_ at: Int, _ lent: [UnsafePointer<CChar>?]) {
      guard at < texts.count else { return body(lent) }
      guard let text = texts[at] else { return lend(at + 1, lent + [nil]) }
      text.withCString { lend(at + 1, lent + [$0]) }
    }
    lend(0, [])
  }
}
