// The migration steps of every version, as copies beside the tests: an edit of a step in Sources does not change them.
import FoundationEssentials

@testable import GameConfStorage

extension StoreSchema {
  /// The steps of every version, including the newest, which may not be released yet. A step is added here together with the one in
  /// Sources, and changed with it until it is released.
  static let released: Result<StoreSchema, any Error> = Result {
    StoreSchema(steps: zip(try released("sqlite"), try released("postgres")).map { SchemaMigration(sqlite: $0, postgres: $1) })
  }

  /// Returns the steps up to a version.
  static func released(version: Int) throws -> StoreSchema { StoreSchema(steps: Array(try released.get().steps.prefix(version))) }

  /// Reads the statements of each step.
  private static func released(_ database: String) throws -> [[String]] {
    let tests = #filePath.split(separator: "/").dropLast(3).reduce("") { $0 + "/" + $1 }
    let text = try String(contentsOfFile: "\(tests)/Fixtures/steps-\(database).sql", encoding: .utf8)
    return text.split(separator: /(?m)^-- version [0-9]+$/).map { step in
      step.split(separator: ";\n").map { $0.drop(while: \.isNewline) }.filter { !$0.isEmpty }.map(String.init)
    }
  }
}
