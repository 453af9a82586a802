// One event, or a list of events from a client's queue.

public import GameConfCore

/// The place of a request in a client's queue. By this place the daemon recognizes a repeated request.
public struct WireSequence: WireRequest {
  package var client = ""
  package var number: Int64 = 0

  package init() {}

  package init(client: String, number: Int64) {
    self.client = client
    self.number = number
  }

  package static var about: String { "The place of a request in a client's queue; a repeated request is done once." }

  package mutating func walk(_ fields: inout some FieldWalker) {
    fields.required("client", &client, "A UUID of version 7, one for each queue.")
    fields.required("number", &number, "The number in the queue, rising from 1; gaps are allowed.", .atLeast(1))
  }
}

/// Body of `POST …/players/{player}/events`: one event, or a list of events.
public struct EventsRequest: WireShape {
  package var events: [EventRequest]
  /// The faults of events that cannot be read, by index in the list. The daemon refuses only these events.
  package var faults: [Int: Fault] = [:]
  /// True if the events came as a list. The answer is then a list too.
  package var isList: Bool

  package init(_ event: EventRequest) {
    events = [event]
    isList = false
  }

  package init(_ events: [EventRequest]) {
    self.events = events
    isList = true
  }

  /// The request body that the OpenAPI document shows, unless a call declares another example.
  public static var example: Value? {
    [
      "event_id": "0198c2d4-7a4e-7cc1-9b4e-3f1f0a7f5a11", "event": "game_over", "mode": "classic", "score": 55, "reason": "timeUp",
    ]
  }

  /// Admits integers beyond 64 bits in all members, so that one such integer does not refuse the whole list. If a member must not be so
  /// large, that is a fault of its event.
  public static var wideIntegers: JSONLimits.IntegerOverflowPolicy { .admitted }

  /// True if the predicate is true of the `context` of at least one event.
  public func hasContext(_ isMeant: (ObjectValue) -> Bool) -> Bool { events.contains { isMeant($0.context) } }

  /// A list of events if `isList` is true, otherwise the only event as an object.
  public var wire: Value { isList ? events.memberValue : events.first?.wire ?? .null }

  /// Reads one event from an object, or several from a list.
  public init(wire: Value, at pointer: String) throws(Fault) {
    guard case .list(let elements) = wire else {
      self.init(try EventRequest(wire: wire, at: pointer))
      return
    }
    let max = PlayerLimits.listedEventsMax
    guard (1...max).contains(elements.count) else {
      throw Fault("a list has 1 to \(max) events, not \(elements.count)", at: pointer)
    }
    self.init([])
    for (place, element) in elements.enumerated() {
      do throws(Fault) { events.append(try EventRequest(wire: element, at: "\(pointer)/\(place)")) } catch {
        // The answer names an event by its sequence number. Without one, the whole request is refused.
        guard let sequence = element["sequence"], let named = try? WireSequence(wire: sequence) else { throw error }
        var event = EventRequest()
        event.sequence = named
        events.append(event)
        faults[place] = error
      }
    }
    if let place = events.firstIndex(where: { $0.eventID != nil || $0.sequence == nil }) {
      throw Fault("an event of a list has a `sequence` and no other id", at: "\(pointer)/\(place)")
    }
  }

  /// The type of one event, since the body may be one event or a list of events.
  public static var listed: [any WireShape.Type] { [EventRequest.self] }

  /// A schema that admits one event, or a list of events that each have a `sequence`.
  public static var schema: Value {
    let about = "1 to \(PlayerLimits.listedEventsMax) events of a queue, each with its `sequence`, in order."
    let list: Value = ["type": "array", "items": SchemaFragments.listed(EventRequest.self), "description": .string(about)]
    return ["description": "An event, or a list of them.", "oneOf": [EventRequest.memberSchema, list]]
  }
}
