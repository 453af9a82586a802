// The table of active scenarios.
public import GameConfCore

/// An active scenario, with the changes that its end must undo.
public struct StoredScenario: Sendable, Hashable {
  /// A key that a scenario overrides, either for a whole game with a time window of its own or for the scenario's players.
  public struct HeldKey: Sendable, Hashable {
    /// The id of the game whose key is overridden.
    public var game: String
    /// The key, in the catalog of ``game``.
    public var key: String
    /// The id of the override's time window; nil if the key is overridden for the scenario's players.
    public var window: String?

    /// Creates the entry of an overridden key: with a window for the whole game, without one for the scenario's players.
    public init(game: String, key: String, window: String? = nil) {
      self.game = game
      self.key = key
      self.window = window
    }
  }

  /// The scenario's id: 12 hexadecimal digits.
  public var id: String
  /// The title in the scenario's file; nil if the file has no title.
  public var title: String?
  /// The user who began the scenario.
  public var author: Author
  /// The reason in the author's words; nil if there is no reason.
  public var reason: String?
  /// The start of the scenario by the host's clock.
  public var startedAt: Instant
  /// The end of the scenario's lease, unless the lease is renewed.
  public var leaseUntil: Instant
  /// The duration of the scenario's lease, in seconds.
  public var leaseSeconds: Int64
  /// The latest instant to which the lease can be renewed.
  public var endsAt: Instant
  /// True if the scenario is ending: its changes are being undone.
  public var isEnding = false
  /// True if the scenario's values apply to every player of its games.
  public var isForGame = false
  /// The ids of the games in which the scenario may have players.
  public var games: [String]
  /// The keys that the scenario overrides, with their time windows. Its end removes these overrides.
  public var holds: [HeldKey]

  /// Creates a scenario whose lease begins at its start.
  public init(
    id: String, title: String?, author: Author, reason: String? = nil, startedAt: Instant, leaseSeconds: Int64, games: [String],
    holds: [HeldKey] = []
  ) {
    self.id = id
    self.title = title
    self.author = author
    self.reason = reason
    self.startedAt = startedAt
    self.leaseSeconds = leaseSeconds
    endsAt = Instant(milliseconds: startedAt.milliseconds + ScenarioLimits.secondsMax * 1000)
    leaseUntil = Instant(milliseconds: startedAt.milliseconds + leaseSeconds * 1000)
    self.games = games
    self.holds = holds
  }

  /// The prefix that the ids of the scenario's players share.
  public var prefix: String { ScenarioNames.players(of: id) }

  /// True if a player belongs to the scenario. The bytes are compared. If characters were compared, the last character of the prefix could
  /// combine with the character after it.
  public func has(player: String) -> Bool { player.utf8.starts(with: prefix.utf8) }

  /// The title and the id, for messages.
  public var name: String { title.map { "“\($0)” (\(id))" } ?? id }

  /// True if the scenario may create players in a game.
  public func admits(_ game: String) -> Bool { !isEnding && games.contains(game) }

  /// Returns the scenario's override of a key, for the game or for the scenario's players; nil if the key is not overridden.
  public func hold(on key: String, in game: String) -> HeldKey? { holds.first { $0.game == game && $0.key == key } }
}

extension StoredScenario {
  /// The JSON value of the column `scenario`: every field but the id, the times and ``isEnding``, which have their own columns.
  public var fields: Value {
    var object = ObjectValue([
      ("uid", .integer(Int64(author.uid))), ("name", .string(author.name)), ("games", .list(games.map(Value.string))),
    ])
    object["for_game"] = .bool(isForGame)
    object["title"] = title.map(Value.string)
    object["reason"] = reason.map(Value.string)
    object["pid"] = author.pid.map { .integer(Int64($0)) }
    object["holds"] = .list(
      holds.map { hold in .list([.string(hold.game), .string(hold.key)] + (hold.window.map { [.string($0)] } ?? [])) })
    return .object(object)
  }

  /// Decodes a stored scenario; nil if a field is missing.
  public init?(
    id: String, startedAt: Instant, leaseUntil: Instant, leaseSeconds: Int64, endsAt: Instant, isEnding: Bool, fields: Value
  ) {
    guard let uid = fields["uid"]?.integerValue, let name = fields["name"]?.stringValue, let games = fields["games"]?.listValue,
      let holds = fields["holds"]?.listValue
    else { return nil }
    self.init(
      id: id, title: fields["title"]?.stringValue,
      author: Author(uid: UInt32(clamping: uid), name: name, pid: fields["pid"]?.integerValue.map { Int32(clamping: $0) }),
      reason: fields["reason"]?.stringValue, startedAt: startedAt, leaseSeconds: leaseSeconds, games: games.compactMap(\.stringValue))
    self.holds = holds.compactMap { hold in
      guard let parts = hold.listValue?.compactMap(\.stringValue), parts.count >= 2 else { return nil }
      return HeldKey(game: parts[0], key: parts[1], window: parts.count > 2 ? parts[2] : nil)
    }
    // Older versions of gameconfd did not store `for_game`. In them, only a scenario for whole games had windows.
    isForGame = fields["for_game"]?.boolValue ?? self.holds.contains { $0.window != nil }
    self.leaseUntil = leaseUntil
    self.endsAt = endsAt
    self.isEnding = isEnding
  }
}
