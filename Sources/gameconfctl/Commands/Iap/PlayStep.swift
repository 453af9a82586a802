// The steps of `gameconfctl iap play`: acts on a transaction, and other events such as a grant, a new price, or time that passes.

import ArgumentParser
import GameConfAPI
import GameConfCore

/// One step of `gameconfctl iap play`, as the user typed it.
struct PlayStep: Sendable {
  typealias Perform = @Sendable (ShopClient, String) async throws(CtlFailure) -> Void

  /// A kind of step that has an argument after a colon, or that does more than one act on a transaction.
  struct Kind: Sendable {
    /// The word that the user types before a colon and ``argument``.
    var word: String
    var argument: String?
    var isArgumentRequired = true
    /// The effect of the step, for the help text.
    var about: String
    var perform: @Sendable (ShopClient, _ name: String, _ argument: String) async throws(CtlFailure) -> Void

    /// The word and its argument as the help text shows them.
    var shown: String { argument.map { isArgumentRequired ? "\(word):\($0)" : "\(word)[:\($0)]" } ?? word }
  }

  var text: String
  var perform: Perform

  init(_ text: String) throws(ValidationError) {
    self.text = text
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    let (word, argument) = (parts[0], parts.count > 1 ? parts[1] : nil)
    if argument == nil, let act = ShopCommand.played.first(where: { $0.word == word }) {
      perform = { (shop, name) async throws(CtlFailure) in try PurchaseWords.check(try await act.perform(shop, on: name)) }
      return
    }
    guard let kind = Self.kinds.first(where: { $0.word == word }) else {
      let words = ShopCommand.played.map(\.word) + Self.kinds.map(\.word)
      let hint = NearestNames.hint(for: word, among: words)
      throw ValidationError("“\(text)” is not an act.\(hint.isEmpty ? " There are \(words.joined(separator: ", "))." : hint)")
    }
    let isGiven = argument.map { !$0.isEmpty } ?? (kind.argument == nil || !kind.isArgumentRequired)
    guard isGiven, kind.argument != nil || argument == nil else {
      throw ValidationError("“\(text)” is not an act; write \(kind.shown).")
    }
    perform = { (shop, name) async throws(CtlFailure) in try await kind.perform(shop, name, argument ?? "") }
  }

  static let kinds: [Kind] = [
    Kind(word: "buy", argument: "PRODUCT", about: "buys another product, such as a higher or a lower plan") {
      (shop, _, product) async throws(CtlFailure) in
      try PurchaseWords.check(try await ShopCommand.buy.perform(shop, on: product))
    },
    Kind(word: "grant", argument: "PERIOD", isArgumentRequired: false, about: "grants the entitlement that is named instead of a product") {
      (shop, entitlement, period) async throws(CtlFailure) in
      try await shop.grant(entitlement, for: period.isEmpty ? nil : period)
    },
    Kind(word: "ask", about: "lets purchases wait for a parent from now on") { (shop, _, _) async throws(CtlFailure) in
      try await shop.behave { $0.asksToBuy = true }
    },
    Kind(word: "interrupt", about: "lets purchases be interrupted from now on") { (shop, _, _) async throws(CtlFailure) in
      try await shop.behave { $0.interruptsPurchases = true }
    },
    Kind(word: "price", argument: "AMOUNT", about: "changes the price in USD from the next renewal") {
      (shop, name, amount) async throws(CtlFailure) in
      try await ShopCommand.price(amount, "USD", needsConsent: false).perform(shop, on: name)
    },
    Kind(word: "consent", argument: "AMOUNT", about: "raises the price in USD, which waits for the player's consent") {
      (shop, name, amount) async throws(CtlFailure) in
      try await ShopCommand.price(amount, "USD", needsConsent: true).perform(shop, on: name)
    },
    Kind(word: "to", argument: "PLAYER", about: "moves the player's purchases to another player") {
      (shop, _, other) async throws(CtlFailure) in
      try await shop.transfer(to: other)
    },
    Kind(word: "wait", argument: "PERIOD", about: "moves the player's clock on; what comes due happens") {
      (shop, _, period) async throws(CtlFailure) in
      try await shop.wait(period)
    },
  ]
}

extension ShopClient {
  /// Grants an entitlement and prints the end of the grant.
  /// - Parameter period: The length of the grant; nil for a grant without an end.
  func grant(_ entitlement: String, for period: String?) async throws(CtlFailure) {
    let body = GrantRequest(entitlement: entitlement, period: period.map(LengthText.period), reason: change.reason)
    let reply = try await act(Calls.grant, body: body)
    show(reply) { answer in
      let until: Sentence = answer.transaction?.expiresAt.map { " until \(time: $0, .clock)" } ?? " for good"
      let id = answer.transaction.map { "; transaction \($0.id)" } ?? ""
      return "\(entitlement) is granted to \(whom)\(until)\(id)"
    }
  }

  /// Changes how the simulated store behaves for the player from now on.
  fileprivate func behave(_ set: (inout WireBehaviour) -> Void) async throws(CtlFailure) {
    let current = try await console.daemon.ask(Calls.storeBehaviour, variables)
    var behaviour = current.answer.behaviour
    set(&behaviour)
    let reply = try await console.daemon.ask(
      Calls.putStoreBehaviour, variables, body: PutBehaviour(behaviour: behaviour, reason: change.reason), change: change,
      ifRevision: current.answer.playerRevision)
    console.show(reply.value) {
      console.report("purchases of \(whom) \(behaviour.interruptsPurchases ? "are interrupted" : "wait for a parent") from now on")
    }
  }

  /// Moves the player's purchases to another player and prints the outcome.
  fileprivate func transfer(to other: String) async throws(CtlFailure) {
    var receiver = self
    receiver.player = other
    let reply = try await receiver.act(Calls.restorePurchases, body: RestoreRequest(fromPlayer: player, reason: change.reason))
    show(reply) { answer in
      let count = answer.delivered.count == 1 ? "1 transaction is" : "\(answer.delivered.count) transactions are"
      return "\(count) moved to player \(other)"
    }
  }

  /// Advances the player's simulated clock by a period.
  fileprivate func wait(_ period: String) async throws(CtlFailure) {
    let body = PutPlayerClock(.to(.advance(LengthText.advance(period))), reason: change.reason)
    let reply = try await console.daemon.ask(Calls.putPlayerClock, variables, body: body, change: change)
    console.show(reply.value) { console.report("the clock of \(whom) shows \(time: reply.answer.now, .clock)") }
  }
}
