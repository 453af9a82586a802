// The answer to one event or to a list of events.

public import GameConfCore

/// The answer to a repeated request from a client's queue, if the first answer is no longer stored.
public struct DoneAnswer: WireObject {
  package var playerRevision: Int64 = 0
  package var isDone = true

  package init() {}

  package init(playerRevision: Int64) { self.playerRevision = playerRevision }

  package static var about: String { "A repeated request whose first answer is no longer stored." }

  package mutating func walk(_ fields: inout some FieldWalker) {
    fields.required("player_revision", &playerRevision, "The player's current revision.")
    fields.required("done", &isDone, "True.")
  }
}

/// The answer to one event of a list: an HTTP status, and the event's answer or problem.
public struct ListedEventAnswer: WireObject {
  package var number: Int64 = 0
  package var status: Int64 = 0
  package var isRepeated = false
  package var answer: EventAnswer?
  package var problem: Problem?

  package init() {}

  package init(number: Int64, status: Int, isRepeated: Bool = false, answer: EventAnswer? = nil, problem: Problem? = nil) {
    self.number = number
    self.status = Int64(status)
    self.isRepeated = isRepeated
    self.answer = answer
    self.problem = problem
  }

  package static var about: String { "The answer to one event of a list." }

  package mutating func walk(_ fields: inout some FieldWalker) {
    fields.required("number", &number, "Its number in the client's queue.")
    fields.required("status", &status, "The HTTP status of the answer if the event had been sent alone.")
    fields.whenSet("repeated", &isRepeated, "True if it was recorded before.")
    fields.optional("answer", &answer, "The result; absent if it was recorded before and the answer is no longer stored.")
    fields.optional("problem", &problem, "The reason for the refusal; NOT_TRIED after an event that can be sent again in a moment.")
  }
}

/// Answer of `POST …/players/{player}/events`. It has the form of the request: one event, or a list of events.
public enum EventsAnswer: WireShape {
  case one(EventAnswer)
  /// The answer to one event that was recorded earlier, when the first answer is no longer stored.
  case done(DoneAnswer)
  case list([ListedEventAnswer])

  /// An object for one event, or a list for a list of events.
  public var wire: Value {
    switch self {
    case .one(let answer): answer.wire
    case .done(let answer): answer.wire
    case .list(let answers): answers.memberValue
    }
  }

  /// Reads an ``EventAnswer``, a ``DoneAnswer``, or a list of ``ListedEventAnswer``.
  public init(wire: Value, at pointer: String) throws(Fault) {
    if case .list = wire {
      do throws(Fault) { self = .list(try [ListedEventAnswer](member: wire)) } catch { throw error.below(pointer) }
    } else if wire.objectValue?["done"] != nil {
      self = .done(try DoneAnswer(wire: wire, at: pointer))
    } else {
      self = .one(try EventAnswer(wire: wire, at: pointer))
    }
  }

  /// The types of the three forms that the answer may have.
  public static var parts: [any CallBody.Type] { [EventAnswer.self, DoneAnswer.self, ListedEventAnswer.self] }

  /// A schema that admits an `EventAnswer`, a `DoneAnswer` or a list.
  public static var schema: Value {
    [
      "description": "The answer to an event; a list for a list.",
      "oneOf": [EventAnswer.memberSchema, DoneAnswer.memberSchema, ["type": "array", "items": ListedEventAnswer.memberSchema]],
    ]
  }
}
