// What reports on ads, resets and forced shows answer.

public import GameConfCore

/// Answer of `POST p/ads/{placement}/reports`.
public struct AdReportAnswer: WireShape {
  /// The player's revision after it.
  public var playerRevision: Int64
  /// The decision.
  public var decisionID: String
  /// What was reported.
  public var outcome: AdOutcome
  /// Whether the same had been reported before; nothing changed then.
  public var isRepeat: Bool
  /// Whether the show was taken back: it counts for no cap and no pacing.
  public var isGivenBack: Bool
  /// Whether nothing was changed since that was asked for.
  public var isDryRun: Bool
  /// The placement as it stands after the report.
  public var ad: AdStatusAnswer

  /// An answer.
  public init(
    playerRevision: Int64, decisionID: String, outcome: AdOutcome, isRepeat: Bool = false, isGivenBack: Bool = false,
    isDryRun: Bool = false, ad: AdStatusAnswer
  ) {
    self.playerRevision = playerRevision
    self.decisionID = decisionID
    self.outcome = outcome
    self.isRepeat = isRepeat
    self.isGivenBack = isGivenBack
    self.isDryRun = isDryRun
    self.ad = ad
  }

  /// Its JSON.
  public var wire: Value {
    .object(
      ObjectValue([
        ("player_revision", .integer(playerRevision)), ("decision_id", .string(decisionID)), ("outcome", .string(outcome.rawValue)),
        ("repeated", .bool(isRepeat)), ("given_back", .bool(isGivenBack)),
      ]).with("dry_run", ifTrue: isDryRun).with("ad", .some(ad)))
  }

  /// Reads it from JSON at that pointer.
  public init(wire: Value, at pointer: String) throws(WireFault) {
    let members = try WireMembers(wire, at: pointer)
    playerRevision = try members.integer("player_revision")
    decisionID = try members.string("decision_id")
    outcome = try members.word("outcome")
    isRepeat = try members.flag("repeated")
    isGivenBack = try members.flag("given_back")
    isDryRun = try members.flag("dry_run")
    ad = try members.shape("ad")
  }

  /// Its JSON Schema.
  public static var schema: Value {
    SchemaText.object(
      "What a report came to.",
      required: [
        "player_revision": SchemaText.integer, "decision_id": SchemaText.string, "outcome": SchemaText.words(AdOutcome.self),
        "repeated": SchemaText.described(SchemaText.boolean, "Whether the same had been reported before."),
        "given_back": SchemaText.described(SchemaText.boolean, "Whether the show counts for no cap and no pacing."),
        "ad": SchemaText.ref(AdStatusAnswer.self),
      ],
      optional: ["dry_run": SchemaText.boolean])
  }
}

/// Answer of `POST p/ads/{placement}/reset` and `…/force`.
public struct AdChangeAnswer: WireShape {
  /// The player's revision after it.
  public var playerRevision: Int64
  /// Whether nothing was changed.
  public var isDryRun: Bool
  /// The placement as it stands after it.
  public var ad: AdStatusAnswer

  /// An answer.
  public init(playerRevision: Int64, isDryRun: Bool = false, ad: AdStatusAnswer) {
    self.playerRevision = playerRevision
    self.isDryRun = isDryRun
    self.ad = ad
  }

  /// Its JSON.
  public var wire: Value {
    .object(
      ObjectValue([("player_revision", .integer(playerRevision))]).with("dry_run", ifTrue: isDryRun).with("ad", .some(ad)))
  }

  /// Reads it from JSON at that pointer.
  public init(wire: Value, at pointer: String) throws(WireFault) {
    let members = try WireMembers(wire, at: pointer)
    playerRevision = try members.integer("player_revision")
    isDryRun = try members.flag("dry_run")
    ad = try members.shape("ad")
  }

  /// Its JSON Schema.
  public static var schema: Value {
    SchemaText.object(
      "A placement after its counters were reset, or its next ad was forced.",
      required: ["player_revision": SchemaText.integer, "ad": SchemaText.ref(AdStatusAnswer.self)],
      optional: ["dry_run": SchemaText.boolean])
  }
}
