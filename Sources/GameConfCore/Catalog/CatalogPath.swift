// The path to a field of a catalog, independent of the file it came from.

/// The names and indices that lead from a catalog's root to a field, such as `parameters`, `grid_side`, `range`, `min`.
public struct CatalogPath: Sendable, Hashable, ExpressibleByArrayLiteral {
  /// The names of fields and the indices into lists, from the root. An index is written in decimal and counts from 0.
  public var steps: [String]

  /// Creates a path from its components; an empty list is the catalog's root.
  public init(_ steps: [String]) { self.steps = steps }

  /// Creates a path from a literal such as `["parameters", "grid_side"]`.
  public init(arrayLiteral elements: String...) { steps = elements }

  /// Returns the path extended by further components.
  public func appending(_ further: String...) -> CatalogPath { CatalogPath(steps + further) }

  /// Returns the path extended by the reference tokens of a JSON pointer. A malformed pointer adds nothing.
  public func appending(pointer: String) -> CatalogPath { CatalogPath(steps + (JSONPointer.steps(of: pointer) ?? [])) }

  /// The path as a JSON pointer (RFC 6901).
  public var pointer: String { steps.reduce("") { JSONPointer.appending($1, to: $0) } }
}
