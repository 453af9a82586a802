// Checks whether gates are open for a player: one or many inputs at one instant.
public import GameConfCore
public import GameConfStorage

/// The arguments and the context of one evaluation of a gate.
public struct GateInput: Sendable, Hashable {
  /// The arguments by name, as the gate declares them.
  public var arguments: ObjectValue
  /// The caller's attributes. Where one is missing, the player's registered attribute applies.
  public var context: ObjectValue
  /// The position in the request, as a JSON pointer.
  public var pointer: String

  /// Creates an input, by default with the player's registered attributes only.
  public init(arguments: ObjectValue, context: ObjectValue = ObjectValue(), pointer: String = "") {
    self.arguments = arguments
    self.context = context
    self.pointer = pointer
  }
}

extension Refusal {
  /// The game has no gate with this name; the sentence suggests similar names.
  public static func unknownGate(_ gate: String, nearest: [String]) -> Refusal {
    Refusal(.unknownGate, "The game has no gate “\(gate)”.\(NearestNames.hint(naming: nearest))")
  }

  /// The call has more inputs than ``CheckGates/questionsMax``.
  public static func tooManyQuestions(max: Int) -> Refusal {
    Refusal(.limitReached, "A call may have \(max) sets of arguments; split it.")
  }
}

/// The use case that evaluates a gate for one player.
///
/// A pure function of the game, the stored player and the instant: it reads and changes nothing.
public struct CheckGates: Sendable {
  /// The most inputs of one call.
  public static let questionsMax = 1_000

  private let game: GameSnapshot
  private let id: PlayerID
  private let stored: StoredPlayer
  private let host: Instant
  private let budget: EvaluationBudget?

  /// Creates the use case for a stored player.
  /// - Parameters:
  ///   - host: The host's time, from which the player's simulated time follows.
  ///   - budget: The common budget of all evaluations. Once it is exceeded, the decisions are meaningless.
  public init(_ id: PlayerID, _ stored: StoredPlayer, of game: GameSnapshot, host: Instant, budget: EvaluationBudget? = nil) {
    self.budget = budget
    self.id = id
    self.stored = stored
    self.game = game
    self.host = host
  }

  /// Returns one decision for each input, in the order of the inputs. If an input is refused, it returns no decision.
  /// - Throws: ``Refusal``, with the position of the input.
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
