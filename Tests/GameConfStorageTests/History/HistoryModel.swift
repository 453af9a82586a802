// The model of a history: the value of every key for every player, computed from the steps alone.
import GameConfCore
import GameConfEngine
import GameConfStorage

/// The values of the game “g” after the acknowledged steps.
struct HistoryModel: Sendable {
  /// An override's value, with its quarantine.
  struct Override: Sendable {
    var value: Int64
    /// True if an accepted catalog does not admit the value.
    var isQuarantined = false
  }

  /// The overrides at one slot.
  struct Slot: Sendable {
    var permanent: Override?
    var windows: [(from: Int64, until: Int64, override: Override)] = []

    func inForce(at now: Int64) -> Int64? {
      for window in windows where window.from <= now && now < window.until && !window.override.isQuarantined {
        return window.override.value
      }
      return permanent.flatMap { $0.isQuarantined ? nil : $0.value }
    }

    var isEmpty: Bool { permanent == nil && windows.isEmpty }
  }

  private(set) var now: Int64 = 1_000
  /// The number of visits that each player has opened.
  private var visits: [String: Int64] = [:]
  private(set) var catalog = 0
  private var slots: [HistorySlot: Slot] = [:]
  /// The documents of all versions of the template.
  private(set) var templates: [Int64: [String: Int64]] = [:]
  /// The document of the template's active version.
  private var template: [String: Int64] = [:]
  /// The audit line that a revert undoes, and the slot's overrides before it.
  private(set) var last: (line: Int64, slot: HistorySlot, before: Slot)?

  /// Returns the highest value that a catalog admits.
  static func maximum(of catalog: Int) -> Int64 { catalog.isMultiple(of: 2) ? 100 : 60 }

  subscript(slot: HistorySlot) -> Slot {
    get { slots[slot] ?? Slot() }
    set { slots[slot] = newValue.isEmpty ? nil : newValue }
  }

  /// Applies a step that was acknowledged.
  mutating func apply(_ act: HistoryAct, _ answer: HistoryAnswer) {
    switch act.step {
    case .set(let slot, let value): change(slot, answer) { $0.permanent = Override(value: value) }
    case .window(let slot, let value, let after, let lasting):
      let now = now
      change(slot, answer) { $0.windows.append((now + after, now + after + lasting, Override(value: value))) }
    case .remove(let slot): change(slot, answer) { $0 = Slot() }
    case .clear(let scope): clear(scope)
    case .importRows(let rows, let replacing): take(rows, replacing: replacing)
    case .importMany(let value, let replacing): take(Self.rowsOfLargeImport(value), replacing: replacing)
    case .push(let values, _): if let version = answer.version { templates[version] = values }
    case .catalog(let number): accept(number)
    case .wait(let seconds): wait(seconds: seconds)
    case .visit(let player): visits[player, default: 0] += 1
    case .forget(let player), .reset(let player):
      clear(.player(player))
      visits[player] = nil
    case .revert: revert()
    case .activate, .moveClock, .resetClock, .fail, .backup, .restore, .restart: break
    }
  }

  /// Returns the rows of an import that is prepared before its transaction.
  static func rowsOfLargeImport(_ value: Int64) -> [HistorySlot: Int64] {
    let players = HistoryGenerator.players + (0..<HistoryGenerator.playersOfLargeImport).map { "m\($0)" }
    return Dictionary(players.map { (HistorySlot(player: $0, key: "b"), value) }) { $1 }
  }

  private mutating func change(_ slot: HistorySlot, _ answer: HistoryAnswer, _ edit: (inout Slot) -> Void) {
    let before = self[slot]
    edit(&self[slot])
    last = answer.line.map { ($0, slot, before) }
  }

  private mutating func take(_ rows: [HistorySlot: Int64], replacing: Bool) {
    if replacing { clear(.all) }
    for (slot, value) in rows { self[slot].permanent = Override(value: value) }
    last = nil
  }

  private mutating func revert() {
    if let last { self[last.slot] = last.before }
    last = nil
    endWindows()
  }

  private mutating func clear(_ scope: OverrideSelection.OverrideScope) {
    slots = slots.filter { !OverrideSelection(scope).contains($0.key.slot) }
    last = nil
  }

  /// Activates the version that is in force according to the store.
  mutating func activate(_ version: Int64?) { template = version.flatMap { templates[$0] } ?? [:] }

  private mutating func accept(_ catalog: Int) {
    self.catalog = catalog
    last = nil
    quarantine()
  }

  private mutating func wait(seconds: Int64) {
    now += seconds
    endWindows()
  }

  /// Restores the stored part of an earlier model; catalogs and time stay unchanged.
  mutating func restore(_ earlier: HistoryModel) {
    (slots, templates, template, visits, last) = (earlier.slots, earlier.templates, earlier.template, earlier.visits, nil)
    quarantine()
    endWindows()
  }

  private mutating func endWindows() {
    for (key, slot) in slots {
      var slot = slot
      slot.windows.removeAll { $0.until <= now }
      self[key] = slot
    }
  }

  private mutating func quarantine() {
    let maximum = Self.maximum(of: catalog)
    for (key, slot) in slots {
      var slot = slot
      if let value = slot.permanent?.value, value > maximum { slot.permanent?.isQuarantined = true }
      for at in slot.windows.indices where slot.windows[at].override.value > maximum { slot.windows[at].override.isQuarantined = true }
      slots[key] = slot
    }
  }

  /// Adds a version of the template that may have been pushed.
  mutating func know(_ version: Int64?, _ values: [String: Int64]) {
    if let version, templates[version] == nil { templates[version] = values }
  }

  /// Returns the first slot or player whose answer from a daemon differs; nil if all are equal.
  func difference(from world: World, visits opened: [String: Int64]) -> String? {
    if opened != visits { return "the players have opened \(opened) visits, by the model \(visits)" }
    for (slot, answer) in HistoryWorld.answers(world, now: now).sorted(by: { $0.key.slot < $1.key.slot }) {
      let expected = self.answer(slot.key, slot.player)
      if answer.value != .integer(expected.value) || answer.layer != expected.layer {
        return "\(slot) is \(answer.value) (\(answer.layer.rawValue)), by the model \(expected.value) (\(expected.layer.rawValue))"
      }
    }
    return nil
  }

  /// True if the stored overrides have exactly the time windows of the model. A window that has not begun changes no value yet.
  func hasWindows(of state: StoredState) -> Bool {
    let stored = state.allOverrides.flatMap(\.records).compactMap { record in
      record.window.map { TimedValue(slot: record.slot, from: $0.from, until: $0.until, value: record.value) }
    }
    let expected = slots.flatMap { slot, overrides in
      overrides.windows.map { window in
        let (from, until) = (Instant(seconds: window.from), Instant(seconds: window.until))
        return TimedValue(slot: slot.slot, from: from, until: until, value: .integer(window.override.value))
      }
    }
    return Dictionary(stored.map { ($0, 1) }, uniquingKeysWith: +) == Dictionary(expected.map { ($0, 1) }, uniquingKeysWith: +)
  }

  private struct TimedValue: Hashable {
    let slot: OverrideSlot
    let from: Instant
    let until: Instant
    let value: Value
  }

  /// Returns the value of a key for a player, and its layer.
  func answer(_ key: String, _ player: String?) -> (value: Int64, layer: Layer) {
    if let player, let value = self[HistorySlot(player: player, key: key)].inForce(at: now) { return (value, .playerOverride) }
    if let value = self[HistorySlot(player: nil, key: key)].inForce(at: now) { return (value, .gameOverride) }
    if let value = template[key], value <= Self.maximum(of: catalog) { return (value, .remote) }
    if key == "d" { return (answer("a", player).value, .catalogDefault) }
    return (Self.defaults(of: catalog)[key] ?? 0, .catalogDefault)
  }

  /// Returns the defaults of a catalog; the default of the key “d” is the value of “a”.
  static func defaults(of catalog: Int) -> [String: Int64] { ["a": 1, "b": Int64(2 + catalog), "c": catalog < 2 ? 3 : 30] }
}
