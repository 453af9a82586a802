// Checks whether gates are open for a player: one question or many, of one moment.
public import GameConfCore
public import GameConfStorage

/// The question to a gate.
public struct GateInput: Sendable, Hashable {
  /// The arguments by name, as the gate declares them.
  public var arguments: ObjectValue
  /// The caller's attributes; those registered for the player serve where it has none.
  public var context: ObjectValue
  /// The place of the question in the request.
  public var pointer: String

  /// A question.
  public init(arguments: ObjectValue, context: ObjectValue = ObjectValue(), pointer: String = "") {
    self.arguments = arguments
    self.context = context
    self.pointer = pointer
  }
}

extension Refusal {
  /// The game has no gate of that name; the nearest names come with it.
  public static func unknownGate(_ gate: String, nearest: [String]) -> Refusal {
    Refusal(.unknownGate, "The game has no gate “\(gate)”.\(NearestNames.hint(naming: nearest))")
  }

  /// More questions than ``CheckGates/questionsMax``.
  public static func tooManyQuestions(max: Int) -> Refusal {
    Refusal(.limitReached, "A call may have \(max) sets of arguments; split it.")
  }
}

/// Asks a gate on behalf of one player.
///
/// It reads nothing and changes nothing: the answers follow from the game, from what the store has of the player, and from the instant.
public struct CheckGates: Sendable {
  /// The most questions that one call may have.
  public static let questionsMax = 1_000

  private let game: GameSnapshot
  private let id: PlayerID
  private let stored: StoredPlayer
  private let host: Instant
  private let budget: EvaluationBudget?

  /// A use case on what is known of a player.
  /// - Parameters:
  ///   - host: the host's time, of which the player's simulated time is made.
  ///   - budget: what all the questions may do together; once it is exceeded nothing is decided, and what is answered means nothing.
  public init(_ id: PlayerID, _ stored: StoredPlayer, of game: GameSnapshot, host: Instant, budget: EvaluationBudget? = nil) {
    self.budget = budget
    self.id = id
    self.stored = stored
    self.game = game
    self.host = host
  }

  /// The answers, in the order of the questions; all or none.
  /// - Throws: ``Refusal``, with the place of the question.
  public func decide(_ gate: String, _ questions: [GateInput]) throws(Refusal) -> [GateDecision] {
    guard let gate = game.catalog.gates.first(where: { $0.id == gate }) else {
      throw .unknownGate(gate, nearest: NearestNames.nearest(to: gate, among: game.catalog.gates.map(\.id)))
    }
    guard questions.count <= Self.questionsMax else { throw .tooManyQuestions(max: Self.questionsMax) }
    var decisions: [GateDecision] = []
    let unlockers = gate.unlockers(in: game.catalog)
    var seen: (context: ObjectValue, view: PlayerView)?
    for question in questions where budget?.isExceeded != true {
      let view: PlayerView
      if let seen, seen.context == question.context {
        view = seen.view
      } else {
        view = PlayerView(stored, id, of: game, host: host, context: question.context, budget: budget)
        seen = (question.context, view)
      }
      do throws(Refusal) {
        decisions.append(
          try gate.decide(
            arguments: question.arguments, context: view.caller.context, parameters: view.terms.parameters,
            entitlements: view.entitlements.held, unlockers: unlockers, now: view.now, budget: budget))
      } catch { throw error.within(question.pointer) }
    }
    return decisions
  }
}
