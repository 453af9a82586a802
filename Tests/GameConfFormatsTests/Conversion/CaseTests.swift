// Converts real files of other projects. Each is converted, or rejected for a reason for which its format's own tool rejects it too.

import FoundationEssentials
import GameConfCore
import GameConfFormats
import Testing

private enum Cases {
  static let folder: String? = {
    let path = ProcessInfo.processInfo.environment["GAMECONF_CASES"]
    if path == nil { print("GAMECONF_CASES is not set: the files of other people are NOT converted") }
    return path
  }()

  static let names: [String] = {
    guard let folder else { return [] }
    return ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).filter { $0 != "README.md" }.sorted()
  }()

  static func bytes(_ name: String) throws -> [UInt8] { Array(try Data(contentsOf: URL(filePath: try #require(folder) + "/" + name))) }
}

/// The expected outcome of a file's conversion.
private enum ExpectedConversion: Equatable {
  /// The file is converted. The report has these numbers of unchanged parameters or products, changed parts and omitted parts.
  case converts(Int, changed: Int, leftOut: Int)
  /// The file is a valid catalog, whose reading gives this number of warnings.
  case catalog(warnings: Int)
  /// The file is rejected, and the message contains these words.
  case refused(String)
}

@Suite("Conversion of other projects' files", .enabled(if: Cases.folder != nil, "GAMECONF_CASES is not set"))
struct CaseTests {
  /// The expected outcome of each file. Three reasons lead to rejections. flagd's schemas flags.json and targeting.json reject the same
  /// flags. Firebase rejects a template without parameters. The testbed's zero-flags.json and evaluator-refs.json refer to evaluators that
  /// they do not contain.
  private static let table: [String: ExpectedConversion] = [
    "firebase_aalej_issues-7311.json": .converts(1, changed: 0, leftOut: 2),
    "firebase_panar.json": .converts(2, changed: 0, leftOut: 1),
    "firebase_pouleparty.json": .converts(3, changed: 0, leftOut: 1),
    "firebase_zeta_idle.json": .converts(12, changed: 0, leftOut: 1),
    "flagd_flagd_config_samples_example_flags.flagd.2.json": .converts(1, changed: 1, leftOut: 1),
    "flagd_flagd_config_samples_example_flags.flagd.json": .converts(7, changed: 3, leftOut: 1),
    "flagd_flagd_config_samples_example_flags.flagd.yaml": .converts(7, changed: 2, leftOut: 0),
    "flagd_flagd_config_samples_example_flags_secondary.flagd.json": .converts(2, changed: 1, leftOut: 1),
    "flagd_flagd_docs_assets_cheat-sheet-flags-payments.json": .converts(0, changed: 4, leftOut: 1),
    "flagd_flagd_docs_assets_cheat-sheet-flags.json": .converts(0, changed: 10, leftOut: 1),
    "flagd_flagd_docs_assets_demo.flagd.json": .converts(0, changed: 2, leftOut: 1),
    "flagd_flagd_flagd-proxy_tests_loadtest_config_end-spec.json":
      .refused("/flags/headerColor/targeting/if/1/fractionalEvaluation: “fractionalEvaluation” is not an operator of flagd."),
    "flagd_flagd_samples_example_flags.flagd.json": .converts(6, changed: 2, leftOut: 1),
    "flagd_flagd_samples_example_flags.flagd.yaml": .converts(6, changed: 2, leftOut: 0),
    "flagd_flagd_systemd_flags.json": .converts(1, changed: 0, leftOut: 0),
    "flagd_schemas_negative_empty-variants.json": .refused(
      "/flags/myBoolFlag/variants: “variants” is an object with at least one variant."),
    "flagd_schemas_negative_malformed-flag.json": .refused("/flags/not-a-flag: “state” is missing; it is ENABLED or DISABLED."),
    "flagd_schemas_negative_missing-variants.json": .refused("/flags/myBoolFlag: “variants” is missing."),
    "flagd_schemas_negative_mixed-variant-types.ffconfig.json":
      .refused("/flags/myBoolFlag/variants/off: All variants of a flag are of one type; this is a string, the first is a boolean."),
    "flagd_schemas_negative_state-set-incorrectly.json": .refused("/flags/myBoolFlag/state: “state” is ENABLED or DISABLED."),
    "flagd_schemas_negative_with-array-flags.json": .converts(1, changed: 0, leftOut: 1),
    "flagd_schemas_negative_with-invalid-flag-metadata.json":
      .refused("/flags/myBoolFlag/metadata/invalid: Metadata are texts, numbers and booleans, not an object."),
    "flagd_schemas_negative_with-invalid-flag-set-metadata.json":
      .refused("/metadata/invalid: Metadata are texts, numbers and booleans, not an object."),
    "flagd_schemas_negative_with-invalid-targeting.json":
      .refused("/flags/targetedFlag/targeting/not-a-real-rule: “not-a-real-rule” is not an operator of flagd."),
    "flagd_schemas_positive_example-simple.flagd.json": .converts(5, changed: 0, leftOut: 1),
    "flagd_schemas_positive_example.flagd.json": .converts(6, changed: 2, leftOut: 1),
    "flagd_schemas_positive_example.flagdimport.array.json": .converts(6, changed: 2, leftOut: 1),
    "flagd_schemas_positive_example.flagdimport.map.json": .converts(6, changed: 2, leftOut: 1),
    "flagd_schemas_positive_no-default-variant.json": .converts(0, changed: 1, leftOut: 1),
    "flagd_schemas_positive_undefined-default-variant.json": .converts(0, changed: 1, leftOut: 1),
    "flagd_schemas_positive_with-metadata.json": .converts(1, changed: 1, leftOut: 1),
    "flagd_schemas_positive_with-valid-targeting.json": .converts(1, changed: 0, leftOut: 1),
    "flagd_testbed_changing-flag.json": .converts(0, changed: 1, leftOut: 0),
    "flagd_testbed_custom-ops.json":
      .refused(
        "/flags/starts-ends-flag/targeting/if/2/if/2/if/0/ends_with/1: “ends_with” compares texts and rules that give texts, not an integer."
      ),
    "flagd_testbed_disabled-flags.json": .converts(0, changed: 6, leftOut: 0),
    "flagd_testbed_edge-case-flags.json": .refused("/flags/error-targeting-flag/targeting/invalid: “invalid” is not an operator of flagd."),
    "flagd_testbed_evaluator-refs.json":
      .refused("/flags/ref-to-nonexistent-evaluator-flag/targeting/if/0/$ref: There is no evaluator “nonexistent_evaluator”."),
    "flagd_testbed_metadata-flags.json": .converts(0, changed: 2, leftOut: 0),
    "flagd_testbed_selector-flag-combined-metadata.json": .converts(0, changed: 3, leftOut: 0),
    "flagd_testbed_selector-flags.json": .converts(0, changed: 3, leftOut: 0),
    "flagd_testbed_testing-flags.json": .converts(0, changed: 13, leftOut: 0),
    "flagd_testbed_testkit-flags.json":
      .refused("/flags/semver-invalid-operator-flag/targeting/sem_ver/1: “sem_ver” compares by one of = != < <= > >= ^ ~."),
    "flagd_testbed_zero-flags.json": .refused("/flags/boolean-targeted-zero-flag/targeting/if/0/$ref: There is no evaluator “is_ballmer”."),
    "made_bom.json": .converts(1, changed: 0, leftOut: 0),
    "made_empty.json": .refused("This is not a template of Firebase: it has no “parameters”."),
    "made_loc.yaml": .catalog(warnings: 1),
    "made_null.json": .refused("/parameters: This is an object of parameters by name, not null."),
    "made_pct.yaml": .catalog(warnings: 1),
    "made_rollout.json": .converts(1, changed: 0, leftOut: 2),
    "made_sv.yaml": .catalog(warnings: 0),
    "made_unk.json": .converts(2, changed: 1, leftOut: 0),
    "plist_calculendar.plist": .converts(23, changed: 0, leftOut: 0),
    "plist_iosbuild_max.plist": .converts(7, changed: 0, leftOut: 0),
    "plist_iossdk_Defaults-testInfo.plist": .converts(6, changed: 3, leftOut: 0),
    "plist_quickstart_RemoteConfigDefaults.plist": .converts(2, changed: 0, leftOut: 0),
    "storekit_calculendar_Products.storekit": .converts(2, changed: 0, leftOut: 3),
    "storekit_rc_LocalKhepri.storekit": .converts(3, changed: 0, leftOut: 4),
    "storekit_rc_Products.storekit": .converts(5, changed: 0, leftOut: 8),
    "storekit_rc_PurchaseTesterStoreKitConfiguration.storekit": .converts(16, changed: 0, leftOut: 15),
    "storekit_rc_RCTTester.storekit": .converts(6, changed: 0, leftOut: 7),
    "storekit_rc_RevenueCat_IntegrationPurchaseTesterConfiguration.storekit": .converts(13, changed: 1, leftOut: 15),
    "storekit_rc_SampleCatStoreKitConfiguration.storekit": .converts(0, changed: 0, leftOut: 1),
    "storekit_rc_StoreKitConfiguration.storekit": .converts(6, changed: 0, leftOut: 8),
    "storekit_rc_UnitTestsConfiguration.storekit": .converts(7, changed: 0, leftOut: 8),
    "storekit_rc_V3LoadShedderIntegrationTestsConfiguration.storekit": .converts(1, changed: 1, leftOut: 2),
    "storekit_rc_V4LoadShedderIntegrationTestsConfiguration.storekit": .converts(1, changed: 1, leftOut: 2),
    "storekit_rc_app787ddb07e6.storekit": .converts(2, changed: 0, leftOut: 3),
    "storekit_sh_1_SampleProducts.storekit": .converts(11, changed: 0, leftOut: 13),
  ]

  @Test("the table of expected outcomes has one row for each file of other projects, and no further rows")
  func complete() { #expect(Cases.names == Self.table.keys.sorted()) }

  @Test("another project's file is converted with the expected counts, or rejected for the expected reason", arguments: Cases.names)
  func outcome(name: String) throws {
    #expect(try Self.outcome(of: name) == Self.table[name], "\(name)")
  }

  @Test("a rejected flagd file is converted without its faulty flags if faults are skipped and a flag is valid", arguments: Cases.names)
  func skipping(name: String) throws {
    guard case .refused? = Self.table[name], name.hasPrefix("flagd_") else { return }
    let bytes = try Cases.bytes(name)
    do throws(Faults) {
      let made = try CatalogConversion(flagd: bytes, game: "mine", title: nil, skippingInvalid: true)
      let (changed, leftOut) = (made.report.changed.map(\.name), made.report.leftOut)
      #expect(!(changed + leftOut.map(\.name)).isEmpty && !(made.report.carried + changed).isEmpty, "\(name)")
    } catch {
      #expect(Self.nothingLeft.contains(name), "\(name): \(error.messages)")
    }
  }

  private static let nothingLeft: Set<String> = [
    "flagd_schemas_negative_empty-variants.json",
    "flagd_schemas_negative_missing-variants.json",
    "flagd_schemas_negative_mixed-variant-types.ffconfig.json",
    "flagd_schemas_negative_state-set-incorrectly.json",
    "flagd_schemas_negative_with-invalid-flag-metadata.json",
    "flagd_schemas_negative_with-invalid-flag-set-metadata.json",
    "flagd_schemas_negative_with-invalid-targeting.json",
  ]

  private static func outcome(of name: String) throws -> ExpectedConversion? {
    let bytes = try Cases.bytes(name)
    do {
      let report: ConversionReport
      if name.hasSuffix(".storekit") {
        report = try StoreKitFile(reading: bytes, for: StoreKitFile.StoreKitGame(id: "mine", title: "Mine")).report
      } else if name.hasSuffix(".plist") {
        report = try CatalogConversion(defaults: DefaultsDocument(plist: bytes), game: "mine").report
      } else if name.hasPrefix("flagd_") {
        report = try CatalogConversion(flagd: bytes, game: "mine", title: nil).report
      } else if name.hasSuffix(".yaml") {
        let file = NamedFile(name: String(name.trimmingPrefix("made_")), bytes: bytes)
        let reading = CatalogReader.read(CatalogFiles(main: file))
        return reading.catalog == nil ? .refused(reading.report.first ?? "") : .catalog(warnings: reading.warnings.count)
      } else {
        report = try CatalogConversion(firebase: bytes, game: "mine", title: nil).report
      }
      return .converts(report.carried.count, changed: Set(report.changed.map(\.name)).count, leftOut: report.leftOut.count)
    } catch {
      let messages: [String] =
        switch error {
        case let faults as Faults: faults.messages
        default: ["\(error)"]
        }
      guard case .refused(let words)? = table[name], messages.contains(where: { $0.contains(words) }) else {
        return .refused(messages.first ?? "")
      }
      return .refused(words)
    }
  }
}
