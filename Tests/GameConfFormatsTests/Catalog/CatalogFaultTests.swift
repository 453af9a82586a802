// Breaks one rule of the catalog format at a time, and expects one fault at the right position with a helpful message.

import GameConfCore
import Testing

@Suite("Faults in catalogs, one at a time")
struct CatalogFaultTests {
  private func expectOnly(_ expected: ExpectedFault) {
    let text = CatalogText(expected.body)
    let reading = text.read()
    #expect(reading.catalog == nil)
    #expect(reading.faults.count == 1, "\(reading.report)")
    guard let fault = reading.faults.first else { return }
    #expect(fault.message.contains(expected.words), "\(fault)")
    #expect((fault.line, fault.column) == (text.line, text.column), "\(fault)")
    #expect(fault.file == "mine.yaml")
    #expect(fault.message.first?.isLowercase != true && [".", "?", "!", ")"].contains(fault.message.last), "\(fault.message)")
  }

  @Test("a fault in a catalog's header is reported at its position", arguments: header)
  func headers(expected: ExpectedFault) { expectOnly(expected) }

  @Test("a value that does not have its parameter's declared type is reported at its position", arguments: values)
  func value(expected: ExpectedFault) { expectOnly(expected) }

  @Test("a fault in a parameter's fields is reported at its position", arguments: fields)
  func field(expected: ExpectedFault) { expectOnly(expected) }

  @Test("a fault in a parameter's rule or flagd flag is reported at its position", arguments: rules)
  func rule(expected: ExpectedFault) { expectOnly(expected) }

  @Test("a cycle of parameters that refer to each other is reported", arguments: circles)
  func circle(expected: ExpectedFault) { expectOnly(expected) }

  @Test("a fault in a constraint, milestone, theme or gate is reported at its position", arguments: content)
  func contents(expected: ExpectedFault) { expectOnly(expected) }

  @Test("a secret parameter in a field that every client can read is reported", arguments: secrets)
  func secret(expected: ExpectedFault) { expectOnly(expected) }

  @Test("a secret parameter may refer to another secret one, and the condition of any parameter's rule may read a secret")
  func secretAmongSecrets() {
    let text = CatalogText(
      """
      parameters:
        s: {type: integer, default: 7, secret: true, section: s, description: d}
        t: {type: integer, default: {parameter: s}, range: {max: {parameter: s}}, secret: true, section: s, description: d}
        p: {type: integer, default: 1, rules: [{when: {"<": [{parameter: s}, 9]}, value: 2}], section: s, description: d}

      """)
    #expect(text.read().faults.isEmpty, "\(text.read().report)")
  }

  @Test("a fault in a product, offering or ad placement is reported at its position", arguments: store)
  func stores(expected: ExpectedFault) { expectOnly(expected) }

  static let header: [ExpectedFault] = [
    ExpectedFault("»child_directd: false\n", "did you mean “child_directed”"),
    // If a name cannot be parsed, the fields below it seem to belong to its parent and are reported as duplicates.
    ExpectedFault(
      "parameters:\n  p:\n    type: integer\n    default: 1\n    section: s\n    description: d\n»\tq:\n    type: integer\n    default: 1\n",
      "This is a tab"),
    ExpectedFault("child_directed: »yes\n", "true or false"),
    ExpectedFault("bundle: »\n", "needs text"),
    ExpectedFault("modes: [a, »a]\n", "twice"),
    ExpectedFault("modes: [»\"a b\"]\n", "must match"),
    ExpectedFault("modes: »{a: b}\n", "should be a list"),
    ExpectedFault("modes: »arcade\n", "“modes” should be a list, such as “modes: [arcade]”; this is"),
    ExpectedFault(
      "products: {p: {type: non_consumable, price: »3.99}}\n", "should be a mapping of names, such as “price: {USD: \"3.99\"}”; this is"),
    ExpectedFault("events: {over: {»resons: [a]}}\n", "did you mean “reasons”"),
    ExpectedFault("events: {over: {reasons: [a, »a]}}\n", "twice"),
    ExpectedFault("events: {»a b: {}}\n", "must match"),
    ExpectedFault("simulation: {purchases: »all}\n", "not one of games, admin, off"),
    ExpectedFault("fractional: »v4\n", "not one of v2, v3"),
    ExpectedFault("premium: »gold\n", "no product “gold”"),
    ExpectedFault("source: »pulled\n", "not one of pushed"),
    ExpectedFault("source: {»fil: x}\n", "did you mean “file”"),
    ExpectedFault("activate: manual\nsource: {»activate: manual, file: x}\n", "keep one"),
    ExpectedFault("extra_flags: »[]\n", "true or false"),
    ExpectedFault("parameters: »[]\n", "a mapping of names"),
  ]

  static let values: [ExpectedFault] = [
    .parameter("type: »int, default: 1", "not one of boolean, integer"),
    .parameter("type: integer, default: »1.5", "a whole number"),
    .parameter("type: integer, default: »\"1\"", "a whole number"),
    .parameter("type: integer, default: »9223372036854775808", "does not fit 64 bits"),
    .parameter("type: integer, default: »1_000", "a whole number"),
    .parameter("type: integer, default: »0x10", "not a decimal number"),
    .parameter("type: integer, default: »010", "not a decimal number"),
    .parameter("type: double, default: »1e400", "too large"),
    .parameter("type: double, default: ».nan", "NaN"),
    .parameter("type: double, default: »-.inf", "infinities"),
    .parameter("type: double, default: »9007199254740993", "exactly"),
    .parameter("type: double, default: »1:30", "a number"),
    .parameter("type: boolean, default: »on", "yes, no, on and off are text"),
    .parameter("type: boolean, default: »1", "true or false"),
    .parameter("type: string, default: »~", "text is expected here"),
    .parameter("type: string, default: »[a]", "text is expected here"),
    .parameter("type: list, default: »a", "a list is expected here"),
    .parameter("type: list, default: [1, ».inf]", "infinities"),
    .parameter("type: object, default: {a: {b: »0o17}}", "not a decimal number"),
    .parameter("type: object, default: »[1]", "a mapping is expected here"),
    .parameter("type: localized, default: »Hi", "texts by locale"),
    .parameter("type: localized, default: »{en: Hi}", "locale es is missing"),
    .parameter("type: localized, default: {en: Hi, es: Hola, »fr: Salut}", "not one of the game's locales"),
    .parameter("type: localized, default: {en: Hi, es: »}", "text is expected here"),
    .parameter("type: string, default: \"a\", enum: [\"a\", »~]", "text is expected here"),
    ExpectedFault(
      "parameters:\n  p:\n    type: string\n    default: »#05060A\n    section: s\n    description: d\n", "quotes: \"#05060A\""),
  ]

  static let fields: [ExpectedFault] = [
    ExpectedFault("parameters:\n  »p: {default: 1, section: s, description: d}\n", "needs “type”"),
    ExpectedFault("parameters:\n  p: {»tpye: integer, default: 1, section: s, description: d}\n", "did you mean “type”"),
    ExpectedFault("parameters:\n  »p: {type: integer, section: s, description: d}\n", "needs “default”"),
    ExpectedFault("parameters:\n  »p: {type: integer, default: 1, description: d}\n", "needs “section”"),
    ExpectedFault("parameters:\n  »p: {type: integer, default: 1, section: s}\n", "needs “description”"),
    ExpectedFault("parameters:\n  p: »1\n", "a mapping of fields"),
    ExpectedFault("parameters:\n  »9p: {type: integer, default: 1, section: s, description: d}\n", "must match"),
    ExpectedFault("parameters:\n  »__proto__: {type: integer, default: 1, section: s, description: d}\n", "JavaScript"),
    ExpectedFault("parameters:\n  »toString: {type: integer, default: 1, section: s, description: d}\n", "JavaScript"),
    .parameter("type: integer, default: 1, »defalt: 2", "did you mean “default”"),
    .parameter("type: double, default: »99, unit: s, range: {min: 0.5, max: 10}", "99.0 is above the maximum of 10.0 s"),
    .parameter("type: integer, default: »0, range: {min: 1}", "0 is below the minimum of 1"),
    .parameter("type: integer, default: »0, range: {above: 0}", "0 must be above 0"),
    .parameter("type: integer, default: »5, range: {below: 5}", "5 must be below 5"),
    .parameter("type: double, default: »0.25, range: {step: 0.1}", "not a multiple of the step 0.1"),
    .parameter("type: integer, default: 1, range: »{min: 3, max: 2}", "No number lies between"),
    .parameter("type: integer, default: 1, range: {min: 0, »above: 0}", "keep one"),
    .parameter("type: integer, default: 1, range: {max: 9, »below: 10}", "keep one"),
    .parameter("type: integer, default: 1, range: {step: »0}", "greater than 0"),
    .parameter("type: integer, default: 1, range: {min: »one}", "a number"),
    .parameter("type: integer, default: 1, range: {min: {parameter: »nope}}", "no parameter “nope”"),
    .parameter("type: string, default: a, »range: {min: 1}", "for the types integer and double"),
    .parameter("type: integer, default: 1, »pattern: a", "for the types string"),
    .parameter("type: string, default: a, pattern: »\"(\"", "pattern cannot be read"),
    .parameter("type: string, default: »b, pattern: \"^a\"", "does not match ^a"),
    .parameter("type: string, default: »abc, max_length: 2", "3 characters"),
    .parameter("type: integer, default: 1, »max_length: 2", "for the types string"),
    .parameter("type: integer, default: »3, enum: [1, 2]", "not one of 1, 2"),
    .parameter("type: integer, default: 1, enum: [1, »1]", "twice"),
    .parameter("type: integer, default: 1, enum: [1, »7], range: {max: 5}", "above the maximum of 5"),
    .parameter("type: integer, default: 1, enum: »[]", "at least one"),
    .parameter("type: string, default: »a, one_of: {themes: all}", "not a theme"),
    .parameter("type: string, default: »a, one_of: {products: all}", "not a product"),
    .parameter("type: string, default: a, one_of: {themes: »some}", "not one of free, earnable, unlocked, all"),
    .parameter("type: string, default: a, one_of: »{}", "exactly one of"),
    .parameter("type: list, default: [»-1], schema: {items: {minimum: 0}}", "0"),
    .parameter("type: list, default: [], schema: {items: {type: »lisst}}", "lisst"),
    .parameter("type: integer, default: 1, »schema: {minimum: 0}", "for the types list and object"),
    .parameter("type: integer, default: 1, secret: »true, player_setting: true", "exclude each other"),
    .parameter("type: integer, default: {parameter: »nope}", "no parameter “nope”"),
  ]

  static let rules: [ExpectedFault] = [
    .parameter("type: integer, default: 1, rules: [{value: »a}]", "a whole number"),
    .parameter("type: integer, default: 1, range: {max: 5}, rules: [{value: »6}]", "above the maximum of 5"),
    .parameter("type: integer, default: 1, rules: [»{percent: 1}]", "needs “value”"),
    .parameter("type: integer, default: 1, rules: [{percent: »101, value: 1}]", "0 to 100"),
    .parameter("type: integer, default: 1, rules: [{percent: »-1, value: 1}]", "0 to 100"),
    .parameter("type: integer, default: 1, rules: [{percent: »0.0000001, value: 1}]", "six decimals"),
    .parameter("type: integer, default: 1, rules: [{percent: »ten, value: 1}]", "a number"),
    .parameter("type: integer, default: 1, rules: [{»seed: a, value: 1}]", "no “percent”"),
    .parameter("type: integer, default: 1, rules: [{»percent: {from: 0, to: 1, start: 2026-12-01T00:00:00Z}, value: 1}]", "needs “end”"),
    .parameter(
      "type: integer, default: 1, rules: [{percent: {from: 0, to: 1, start: 2026-12-01T00:00:00Z, end: »2026-12-01T00:00:00Z}, value: 1}]",
      "ends after it starts"),
    .parameter(
      "type: integer, default: 1, rules: [{percent: {from: 0, to: 1, start: »soon, end: 2026-12-01T00:00:00Z}, value: 1}]", "soon"),
    .parameter("type: integer, default: 1, rules: [{match: {app_version: »\"<x\"}, value: 1}]", "version"),
    .parameter("type: integer, default: 1, rules: [{when: »{inn: [1, [1]]}, value: 1}]", "inn"),
    .parameter("type: integer, default: 1, rules: [{when: {\"==\": [{parameter: »nope}, 1]}, value: 1}]", "no parameter “nope”"),
    .parameter("type: integer, default: 1, rules: [{wen: 1, value: 1}]".replacing("wen", with: "»wen"), "did you mean “when”"),
    .parameter("type: integer, default: 1, rules: [{value: {parameter: »nope}}]", "no parameter “nope”"),
    .parameter("type: string, default: a, flag: »kill_switch", "type boolean"),
    .parameter("type: boolean, default: true, flag: kill_switch, player_setting: »true", "cannot be a player setting"),
    .parameter("type: boolean, default: true, flag: kill_switch, rules: [{percent: »5, value: false}]", "leave out the percentage"),
    .parameter(
      "type: boolean, default: true, flag: kill_switch, rules: [{when: »{fractional: [[a, 1]]}, value: false}]", "leave out “fractional”"),
    .parameter("type: boolean, default: true, flag: »kill", "not one of release, experiment, ops, kill_switch"),
    .parameter("type: string, flagd: {variants: {a: x}, defaultVariant: »b}", "no variant “b”"),
    .parameter("type: string, »flagd: {variants: {a: x}}", "needs a “default”"),
    .parameter("type: string, »flagd: {state: DISABLED, variants: {a: x}, defaultVariant: a}", "needs a “default”"),
    .parameter("type: string, default: a, flagd: {state: »ON, variants: {a: x}}", "not one of ENABLED, DISABLED"),
    .parameter("type: integer, flagd: {variants: {a: 1, b: »x}, defaultVariant: a}", "a whole number"),
    .parameter("type: integer, range: {max: 3}, flagd: {variants: {a: 1, b: »9}, defaultVariant: a}", "above the maximum of 3"),
    .parameter("type: integer, »flagd: {variants: {a: 1}, defaultVariant: a}, rules: [{value: 1}]", "not both"),
    .parameter("type: integer, flagd: {variants: {a: 1}, defaultVariant: a, targeting: »{nope: 1}}", "nope"),
  ]

  private static func integer(_ key: String, _ fields: String) -> String {
    "  \(key): {type: integer, \(fields), section: s, description: d}\n"
  }

  static let circles: [ExpectedFault] = [
    ExpectedFault("parameters:\n" + integer("a", "default: {parameter: »a}"), "a → a"),
    ExpectedFault(
      "parameters:\n" + integer("a", "default: {parameter: b}") + integer("b", "default: {parameter: c}")
        + integer("c", "default: {parameter: »a}"), "a → b → c → a"),
    ExpectedFault(
      "parameters:\n" + integer("a", "default: 1, range: {max: {parameter: b}}")
        + integer("b", "default: 1, range: {min: {parameter: »a}}"),
      "a → b → a"),
    ExpectedFault(
      "parameters:\n" + integer("a", "default: 1, rules: [{value: {parameter: b}}]") + integer("b", "default: {parameter: »a}"), "a → b → a"
    ),
    ExpectedFault(
      "parameters:\n" + integer("a", "default: 1, rules: [{when: {\"<\": [{parameter: b}, 1]}, value: 2}]")
        + integer("b", "default: 1, range: {max: {parameter: »a}}"), "a → b → a"),
    ExpectedFault(
      "parameters:\n" + integer("a", "default: {parameter: »t}") + "  t: {type: string, default: x, section: s, description: d}\n",
      "of type string"
    ).marked(before: "{parameter: t}"),
  ]
}

extension ExpectedFault {
  /// Returns the same fault, expected at the position before this text.
  func marked(before text: String) -> ExpectedFault {
    let bare = String(body.filter { $0 != mark })
    return ExpectedFault(bare.replacing(text, with: "\(mark)\(text)", maxReplacements: 1), words)
  }
}
