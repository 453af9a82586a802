// The parts of the application that a server needs: its peers, its snapshots, and its refusals.

/// An application behind a server, as types and two functions.
///
/// ```swift
/// enum Greeter: ServerApp {
///   static func problem(_ fault: ServerFault) -> ServerFault { fault }
///   static func answer(_ problem: ServerFault) -> Answer { .text(problem.detail, status: problem.status) }
/// }
/// ```
/// with `Role` and `Snapshot` as what its handlers want to know of a peer and of the state.
package protocol ServerApp: Sendable {
  /// The rights of a peer; given on accept, looked at by handlers.
  associatedtype Role: Sendable
  /// The state that handlers answer from; immutable, and published to every event loop.
  associatedtype Snapshot: Sendable
  /// The error that handlers throw.
  associatedtype Problem: Error

  /// A refusal of the server itself, in the application's words.
  static func problem(_ fault: ServerFault) -> Problem
  /// A problem as an answer, where the route has no style of its own.
  static func answer(_ problem: Problem) -> Answer
}
