// Decodes ledgers from the database. A ledger with any malformed part is rejected as a whole.

extension Ledger {
  /// Decodes a ledger from its stored form.
  /// - Throws: ``Fault`` for an unknown version, or for anything that ``encoded`` does not write.
  public init(decoding value: Value) throws(Fault) {
    let reader = LedgerReader(value, at: "")
    let format = try reader.integer("format")
    guard format == Self.formatVersion else {
      throw Fault("The ledger is of format \(format); this program reads format \(Self.formatVersion).", at: "/format")
    }
    self.init(game: try reader.text("game"), player: try reader.text("player"))
    settledUntil = try reader.instant("until")
    transactionCount = try reader.count("count")
    logCount = try reader.count("logged")
    for each in try reader.elements("transactions") { transactions.append(try ShopTransaction(each)) }
    for each in try reader.elements("subscriptions") { subscriptions.append(try SubscriptionLine(each)) }
    for each in try reader.elements("log") { log.append(try ShopLogEntry(each)) }
    if let each = reader.member("behaviour") { behaviour = try ShopBehaviour(each) }
    for each in try reader.elements("grants") {
      guard case .list(let parts) = each.value, parts.count == 2, let at = parts[0].instantValue, let id = parts[1].stringValue else {
        throw each.fault("A grant's end is a list of an instant and an id.")
      }
      openGrants.append(ExpiringGrant(at: at, transaction: id))
    }
    for member in reader.member("held")?.value.objectValue?.members ?? [] {
      guard let at = member.value.instantValue else { throw Fault("An instant is expected here.", at: "/held") }
      heldBefore[member.name] = at
    }
    alias = try reader.optionalText("alias")
    aliasOf = try reader.optionalText("alias_of")
    for each in try reader.elements("partners") {
      guard let player = each.value.stringValue else { throw each.fault("A player's id is expected here.") }
      partners.insert(ByteText(player))
    }
    // Ledgers of earlier versions have no list of the players with whom transfers exchanged purchases. The list is reconstructed from the
    // transactions and the log. It lacks players whose entries were removed.
    partners.formUnion(named)
  }
}

extension Ledger {
  /// Decodes a stored ledger as the ledger of another player. The ids of players with whom transfers exchanged purchases are removed,
  /// because their ledgers do not contain the other player.
  /// - Throws: ``Fault``, as ``init(decoding:)`` does.
  public init(decoding value: Value, for player: String) throws(Fault) {
    guard case .object(var form) = value else { throw Fault("An object is expected here.") }
    form["player"] = .string(player)
    var ledger = try Ledger(decoding: .object(form))
    for partner in ledger.partners { ledger = ledger.forgetting(partner.text) ?? ledger }
    self = ledger
  }
}

extension Ledger {
  /// Returns the players with whom transfers exchanged purchases according to a stored ledger. The ledger may be malformed; as many ids as
  /// possible are read.
  public static func partners(inStored value: Value) -> Set<ByteText> {
    let named = (value["partners"]?.listValue ?? []).compactMap(\.stringValue)
    let before = (value["transactions"]?.listValue ?? []).compactMap { $0["from"]?.stringValue }
    return Set((named + before).map(ByteText.init))
  }
}

/// A reader of one JSON object of a stored ledger. It adds the object's JSON pointer to the errors that it throws.
struct LedgerReader {
  let value: Value
  private let pointer: String

  init(_ value: Value, at pointer: String) {
    self.value = value
    self.pointer = pointer
  }

  func fault(_ message: String, _ name: String? = nil) -> Fault {
    Fault(message, at: name.map { JSONPointer.appending($0, to: pointer) } ?? pointer)
  }

  func member(_ name: String) -> LedgerReader? {
    value[name].map { LedgerReader($0, at: JSONPointer.appending(name, to: pointer)) }
  }

  func elements(_ name: String) throws(Fault) -> [LedgerReader] {
    guard let member = member(name) else { return [] }
    guard case .list(let elements) = member.value else { throw member.fault("A list is expected here.") }
    return elements.enumerated().map { LedgerReader($1, at: JSONPointer.appending("\($0)", to: member.pointer)) }
  }

  func optionalText(_ name: String) throws(Fault) -> String? {
    guard let found = value[name] else { return nil }
    guard let text = found.stringValue else { throw fault("A text is expected here.", name) }
    return text
  }

  func text(_ name: String) throws(Fault) -> String {
    guard let text = try optionalText(name) else { throw fault("A text is expected here.", name) }
    return text
  }

  func optionalInteger(_ name: String) throws(Fault) -> Int64? {
    guard let found = value[name] else { return nil }
    guard let integer = found.integerValue else { throw fault("An integer is expected here.", name) }
    return integer
  }

  func integer(_ name: String) throws(Fault) -> Int64 {
    guard let integer = try optionalInteger(name) else { throw fault("An integer is expected here.", name) }
    return integer
  }

  func count(_ name: String, unless usual: Int? = nil) throws(Fault) -> Int {
    guard let integer = try optionalInteger(name) ?? usual.map({ Int64($0) }), (0...1_000_000_000).contains(integer) else {
      throw fault("A count is expected here.", name)
    }
    return Int(integer)
  }

  func flag(_ name: String, unless usual: Bool) throws(Fault) -> Bool {
    guard let found = value[name] else { return usual }
    guard let flag = found.boolValue else { throw fault("true or false is expected here.", name) }
    return flag
  }

  func optionalInstant(_ name: String) throws(Fault) -> Instant? {
    guard let milliseconds = try optionalInteger(name) else { return nil }
    guard let instant = Instant(stored: milliseconds) else {
      throw fault("An instant from 0001 to 9999 is expected here.", name)
    }
    return instant
  }

  func instant(_ name: String) throws(Fault) -> Instant {
    guard let instant = try optionalInstant(name) else { throw fault("An instant is expected here.", name) }
    return instant
  }

  func optionalWord<Word: RawRepresentable>(_ name: String) throws(Fault) -> Word? where Word.RawValue == String {
    guard let text = try optionalText(name) else { return nil }
    guard let word = Word(rawValue: text) else { throw fault("“\(JSONPointer.clipped(text, bytesMax: 64))” is not a word for this.", name) }
    return word
  }

  func word<Word: RawRepresentable>(_ name: String, unless usual: Word? = nil) throws(Fault) -> Word where Word.RawValue == String {
    guard let word: Word = try optionalWord(name) ?? usual else { throw fault("A word is expected here.", name) }
    return word
  }

  func optionalPeriod(_ name: String) throws(Fault) -> CalendarPeriod? {
    guard let text = try optionalText(name) else { return nil }
    guard let period = try? CalendarPeriod(parsing: text) else { throw fault("A calendar period is expected here.", name) }
    return period
  }

  func period(_ name: String) throws(Fault) -> CalendarPeriod {
    guard let period = try optionalPeriod(name) else { throw fault("A calendar period is expected here.", name) }
    return period
  }

  func price(_ name: String) throws(Fault) -> ShopPrice? {
    guard let found = value[name] else { return nil }
    guard case .list(let parts) = found, parts.count == 2, let currency = parts[0].stringValue, let amount = parts[1].stringValue else {
      throw fault("A list of currency and amount is expected here.", name)
    }
    return ShopPrice(currency: currency, amount: amount)
  }
}
