// Paths at which nothing is, refused in the words of the protocol that is served around them.

/// The paths below one path, and the style in which unknown calls there are refused.
///
/// A client of another protocol reads only that protocol's refusals, also of calls that nobody serves.
package struct RefusalArea<App: ServerApp>: Sendable {
  private let segments: [PathPattern]
  private let refusing: @Sendable (App.Problem, PathValues) -> Answer

  /// - Parameter path: the path that they begin with, `{name}` for any one segment.
  package init(_ path: String, _ refusing: @escaping @Sendable (App.Problem, PathValues) -> Answer) {
    segments = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map(PathPattern.init)
    self.refusing = refusing
  }

  func contains(_ path: PathSegments) -> Bool {
    guard path.count >= segments.count else { return false }
    return segments.enumerated().allSatisfy { position, segment in
      switch segment {
      case .fixed(let text): path.is(position, text)
      case .variable(_, let ending): ending.isEmpty ? !path.isEmpty(position) : path.is(position, endingIn: ending)
      case .rest: true
      }
    }
  }

  func style(of path: PathSegments) -> RefusalStyle<App> {
    RefusalStyle(render: refusing, path: PathValues(variables: [], values: []))
  }
}
