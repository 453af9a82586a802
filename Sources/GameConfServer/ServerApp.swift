// The application's side of the server: its types for roles, snapshots and problems.

/// The application that the HTTP server runs, declared by three types and two functions.
///
/// ```swift
/// enum Greeter: ServerApp {
///   static func problem(_ fault: ServerFault) -> ServerFault { fault }
///   static func answer(_ problem: ServerFault) -> Answer { .text(problem.detail, status: problem.status) }
/// }
/// ```
/// `Role` and `Snapshot` are the application's data about a client and about its state.
package protocol ServerApp: Sendable {
  /// The rights of a client. The peer policy assigns them on accept; handlers check them.
  associatedtype Role: Sendable
  /// The immutable state that handlers answer from. It is published to every event loop.
  associatedtype Snapshot: Sendable
  /// The error that handlers throw.
  associatedtype Problem: Error

  /// Converts a refusal of the server to the application's error.
  static func problem(_ fault: ServerFault) -> Problem
  /// Renders a problem in the application's style, for routes without their own.
  static func answer(_ problem: Problem) -> Answer
}
