// The place of something in a catalog, whatever file it came from.

/// Names and indices from the root of a catalog to one place in it, such as `parameters`, `grid_side`, `range`, `min`.
public struct CatalogPath: Sendable, Hashable, ExpressibleByArrayLiteral {
  /// The steps; an index into a list is written as its decimal number, from 0.
  public var steps: [String]

  /// A path of these steps.
  public init(_ steps: [String]) { self.steps = steps }

  /// A path of these steps.
  public init(arrayLiteral elements: String...) { steps = elements }

  /// The path some steps further in.
  public func appending(_ further: String...) -> CatalogPath { CatalogPath(steps + further) }

  /// The path further in by a JSON pointer's steps.
  public func appending(pointer: String) -> CatalogPath { CatalogPath(steps + (JSONPointer.steps(of: pointer) ?? [])) }

  /// The path as a JSON pointer.
  public var pointer: String { steps.reduce("") { JSONPointer.appending($1, to: $0) } }
}
