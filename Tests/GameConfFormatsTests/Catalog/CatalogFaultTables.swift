// Tables of faulty catalogs, in their themes, milestones, gates, products and texts, with the expected messages.

extension CatalogFaultTests {
  private static let pieces = """
    events: {over: {score: true}}
    modes: [classic]
    parameters:
      n: {type: integer, default: 3, section: s, description: d}
      m: {type: integer, default: 0, section: s, description: d}
      t: {type: string, default: x, section: s, description: d}

    """

  private static func with(_ body: String, _ words: String) -> ExpectedFault { ExpectedFault(pieces + body, words) }

  static let content: [ExpectedFault] = [
    with("constraints: {»c: {message: m}}\n", "needs “require”"),
    with("constraints: {c: {require: {\"<\": [{parameter: »nn}, 4]}}}\n", "did you mean “n”"),
    with("constraints: {c: {require: »{\"<\": [{var: n}, 4]}}}\n", "may read only parameters"),
    with("constraints: {c: {require: »{\"<\": [3, 4]}}}\n", "reads no parameter"),
    with("constraints: {c: {require: »{\"<\": [{parameter: n}, 3]}, message: Too many.}}\n", "Too many. (n 3)"),
    with("constraints: {»c d: {require: {\"<\": [{parameter: n}, 4]}}}\n", "must match"),
    with("milestones: {»a: {at: 1}}\n", "needs “count”"),
    with("milestones: {a: {»count: lifetime_score}}\n", "needs “at”"),
    with("milestones: {a: {count: »score, at: 1}}\n", "not one of lifetime_score, games_played"),
    with("milestones: {a: {count: {events: »ovr}, at: 1}}\n", "did you mean “over”"),
    with("milestones: {a: {count: {best_score: »classik}, at: 1}}\n", "did you mean “classic”"),
    with("milestones: {a: {count: {unlocked: »b}}}\n", "no milestone “b”"),
    with("milestones: {a: {count: »{unlocked: a}}}\n", "a → a"),
    with("milestones: {a: {count: games_played, at: »0}}\n", "at least 1"),
    with("milestones: {a: {count: games_played, at: {parameter: »k}}}\n", "no parameter “k”"),
    with("milestones: {a: {count: games_played, at: »{parameter: t}}}\n", "of type string"),
    with("milestones: {a: {count: games_played, at: 1, name: »{es: A}}}\n", "first locale"),
    with("themes: {a: {unlock: {milestone: »b}}}\n", "no milestone “b”"),
    with("themes: {a: {unlock: {entitlement: »b}}}\n", "No product grants"),
    with("themes: {a: {unlock: {parameter: »b}}}\n", "no parameter “b”"),
    with("themes: {a: {unlock: {parameter: »n}}}\n", "of type integer"),
    with("themes: {a: {unlock: »paid}}\n", "not one of free"),
    with("milestones: {x: {count: games_played, at: 1}}\nthemes: {a: {unlock: »{milestone: x, parameter: y}}}\n", "exactly one"),
    with("themes: {a: {name: {»fr: A, en: B}}}\n", "not one of the game's locales"),
    with("themes: {a: {name: »Neon}}\n", "a mapping of names"),
    with("theme_schema: {required: [grid]}\nthemes: {a: {attributes: »{dots: 1}}}\n", "grid"),
    with("theme_schema: {properties: {grid: {type: string}}}\nthemes: {a: {attributes: {grid: »1}}}\n", "string"),
    with("theme_schema: {type: »strin}\n", "strin"),
    with("themes: {a: {attributes: {background: »#fff}}\n", "quotes: \"#fff\""),
    ExpectedFault("modes: [a]\nevents: {e: {modes: [»b]}}\n", "no mode “b”"),
    ExpectedFault("events: {e: {kind: »counted}}\n", "analytics"),
    ExpectedFault("events: {e: {details: {»a-b: {}}}}\n", "must match"),
    ExpectedFault("events: {e: »~}\nleaderboards: {b: {event: e}}\n", "a mapping of fields, or {} for no fields; this is nothing"),
    ExpectedFault("events: {e: {details: {a: {»tpye: integer}}}}\n", "did you mean “type”"),
    ExpectedFault("events: {e: {details: {a: {»range: {min: 1}}}}}\n", "this is of type string"),
    ExpectedFault("events: {e: {details: {a: {type: integer, range: »{min: 5, max: 1}}}}}\n", "No number lies between"),
    ExpectedFault("events: {e: {details: {a: {type: integer, range: {max: {parameter: »k}}}}}}\n", "no parameter “k”"),
    ExpectedFault("events: {e: {details: {a: {enum: [x, »x]}}}}\n", "twice"),
    ExpectedFault("events: {e: {details: {a: {pattern: »\"(\"}}}}\n", "pattern"),
    ExpectedFault("events: {e: {details: {abc: {}}, best_by: »abd}}\n", "did you mean “abc”"),
    ExpectedFault("events: {e: {details: {a: {optional: true}}, best_by: »a}}\n", "optional"),
    ExpectedFault("events: {e: {details: {a: {type: double}}, best_by: »a}}\n", "of type double"),
    ExpectedFault("events: {e: {details: {a: {}}, best_by: »a.a}}\n", "twice"),
    ExpectedFault("events: {e: {kind: analytics, details: {a: {}}, best_by: »a}}\n", "counts nothing"),
    ExpectedFault("events: {e: {history: »1001}}\n", "keeps 1 to 1000 events"),
    ExpectedFault("events: {e: {history: »-1}}\n", "must be at least 0"),
    ExpectedFault("events: {e: {history: »0}}\n", "keeps 1 to 1000 events"),
    ExpectedFault(
      "parameters: {t: {type: string, default: x, section: s, description: d}}\nevents: {e: {history: »{parameter: t}}}\n", "of type string"
    ),
    ExpectedFault("events: {e: {kind: analytics, history: »5}}\n", "no history of its own"),
    ExpectedFault("events: {e: {checks: {»c: {require: {var: play}}}}}\n", "needs “message”"),
    ExpectedFault("events: {e: {checks: {c: {require: »{var: score}, message: m}}}}\n", "The event has no “score”"),
    ExpectedFault(
      "events: {e: {details: {taps: {}}, checks: {c: {require: »{var: details.tap}, message: m}}}}\n", "did you mean “details.taps”"),
    ExpectedFault("events: {e: {checks: {c: {when: »{missing: [score]}, require: {var: play}, message: m}}}}\n", "no “score”"),
    ExpectedFault("events: {e: {checks: {c: {require: »{var: {var: play}}, message: m}}}}\n", "computed names"),
    ExpectedFault("events: {e: {checks: {c: {require: »{var: $flagd.timestamp}, message: m}}}}\n", "may not read the time"),
    ExpectedFault("events: {e: {checks: {c: {require: {parameter: »k}, message: m}}}}\n", "no parameter “k”"),
    ExpectedFault("events: {e: {checks: {c: {require: »{\"==\": [1, 1]}, message: m}}}}\n", "reads nothing of the event"),
    ExpectedFault(
      "events: {e: {»checks: {\((0..<17).map { "c\($0): {require: {var: play}, message: m}" }.joined(separator: ", "))}}}\n",
      "has 17 checks; it may have 16"),
    with("leaderboards: {»b: {rows: 3}}\n", "needs “event”"),
    with("leaderboards: {b: {event: »ovr}}\n", "did you mean “over”"),
    ExpectedFault("events: {e: {}}\nleaderboards: {b: {event: »e}}\n", "carries no score"),
    ExpectedFault("events: {e: {score: true, kind: analytics}}\nleaderboards: {b: {event: »e}}\n", "analytics only"),
    with("leaderboards: {b: {event: over, mode: »arcade}}\n", "no mode “arcade”"),
    with("leaderboards: {b: {event: over, per: »{parameter: n}}}\n", "must be few"),
    with("leaderboards: {b: {event: over, per: {parameter: »k}}}\n", "no parameter “k”"),
    with("leaderboards: {b: {event: over, rows: »1001}}\n", "1 to 1000 rows"),
    with("leaderboards: {b: {event: over, rows: »{parameter: t}}}\n", "an integer"),
    with("leaderboards: {b: {event: over, enabled: »{parameter: n}}}\n", "a boolean"),
    with("gates: {»g: {args: {x: integer}}}\n", "needs “locked_when”"),
    with("gates: {g: {args: {x: »list}, locked_when: {var: x}}}\n", "not one of boolean, integer, double, string"),
    with("gates: {g: {locked_when: {\"<\": [{parameter: »nn}, 1]}}}\n", "did you mean “n”"),
    with("gates: {g: {locked_when: »{vaar: x}}}\n", "vaar"),
    with("gates: {g: {locked_when: {var: x}, unless: [»Pro]}}\n", "No product grants"),
  ]

  private static func secretly(_ parameter: String, _ more: String = "") -> ExpectedFault {
    let secrets =
      "parameters:\n  s: {type: integer, default: 7, secret: true, section: s, description: d}\n"
      + "  on: {type: boolean, default: true, secret: true, section: s, description: d}\n"
    return ExpectedFault(
      "events: {over: {score: true}}\n\(secrets)\(parameter.isEmpty ? "" : "  p: {\(parameter), section: s, description: d}\n")\(more)",
      "is secret")
  }

  static let secrets: [ExpectedFault] = [
    secretly("type: integer, default: »{parameter: s}"),
    secretly("type: integer, default: 1, rules: [{percent: 10, value: »{parameter: s}}]"),
    secretly("type: integer, default: 1, range: {max: »{parameter: s}}"),
    secretly("", "milestones: {a: {count: games_played, at: »{parameter: s}}}\n"),
    secretly("", "themes: {a: {unlock: {parameter: »on}}}\n"),
    secretly("", "placements: {a: {format: banner, event: over, every: »{parameter: s}}}\n"),
    secretly("", "placements: {a: {format: banner, event: over, enabled: »{parameter: on}}}\n"),
  ]

  private static let shop = """
    products:
      gold: {type: non_consumable, grants: [Pro]}

    """

  static let store: [ExpectedFault] = [
    with("products: {»a: {grants: [x]}}\n", "needs “type”"),
    with("products: {a: {type: consumable, price: »3.99}}\n", "such as “price: {USD: \"3.99\"}”; this is “3.99”"),
    with("products: {a: {type: »gift}}\n", "not one of consumable"),
    with("products: {a: {type: consumable, price: {USD: »\"1,99\"}}}\n", "decimal text"),
    with("products: {a: {type: consumable, price: {»USDX: \"1.99\"}}}\n", "three capitals"),
    with("products: {a: {type: consumable, price: {»usd: 1.99}}}\n", "three capitals"),
    with("products: {a: {type: consumable, grants: [x, »x]}}\n", "twice"),
    with("products: {a: {type: consumable, grants: [»1x]}}\n", "must match"),
    with("products: {a: {type: consumable, includes: »some}}\n", "not one of all"),
    with("products: {a: {type: consumable, store_id: i}, b: {type: consumable, store_id: »i}}\n", "that of “a” already"),
    with("products: {a: {type: consumable, »period: P1M}}\n", "for auto_renewable products"),
    with("products: {a: {type: »auto_renewable, period: P1M}}\n", "needs “group”"),
    with("products: {a: {type: »auto_renewable, group: g}}\n", "needs “period”"),
    with("products: {a: {type: auto_renewable, group: g, period: »P1D}}\n", "not a billing period"),
    with("products: {a: {type: auto_renewable, group: g, period: »P0D}}\n", "P0D"),
    with("products: {a: {type: auto_renewable, group: g, period: »monthly}}\n", "monthly"),
    with("products: {a: {type: auto_renewable, group: g, period: P1M, level: »0}}\n", "at least 1"),
    with("products: {a: {type: auto_renewable, group: g, period: P1M, level: »2000000000}}\n", "to 1000"),
    with(
      "products: {a: {type: auto_renewable, group: g, period: P1M, intro: {mode: pay_as_you_go, period: P1M, periods: »1201, price: {USD: \"1\"}}}}\n",
      "to 1200"),
    with("products: {a: {type: auto_renewable, group: g, period: P1M, grace_period: »16}}\n", "16"),
    with("products: {a: {type: auto_renewable, group: g, period: P1M, intro: {mode: free_trial, period: »P5D}}}\n", "introductory period"),
    with("products: {a: {type: auto_renewable, group: g, period: P1M, intro: »{mode: pay_up_front, period: P1M}}}\n", "needs a “price”"),
    with(
      "products: {a: {type: auto_renewable, group: g, period: P1M, intro: {mode: free_trial, period: P3D, »price: {USD: \"1\"}}}}\n",
      "no price"),
    with(
      "products: {a: {type: auto_renewable, group: g, period: P1M, intro: {mode: free_trial, period: P3D, periods: »2}}}\n", "pay_as_you_go"
    ),
    with("\(shop)offerings: {default: {monthly: »silver}}\n", "no product “silver”"),
    with("\(shop)offerings: {default: {»m y: gold}}\n", "must match"),
    with("placements: {»a: {event: over}}\n", "needs “format”"),
    with("placements: {a: {format: banner, event: over, exempt: »ad_free}}\n", "such as “exempt: [ad_free]”; this is “ad_free”"),
    with("placements: {»a: {format: banner}}\n", "needs “event”"),
    with("placements: {a: {format: »popup, event: over}}\n", "not one of interstitial"),
    with("placements: {a: {format: banner, event: »ovr}}\n", "did you mean “over”"),
    with("placements: {a: {format: banner, event: over, every: »0}}\n", "below the minimum of 1"),
    with("placements: {a: {format: banner, event: over, every: »{parameter: m}}}\n", "below the minimum of 1"),
    with("placements: {a: {format: banner, event: over, every: »{parameter: t}}}\n", "of type string"),
    with("placements: {a: {format: banner, event: over, every: {parameter: »q}}}\n", "no parameter “q”"),
    with("placements: {a: {format: banner, event: over, every: »1.5}}\n", "a whole number"),
    with("placements: {a: {format: banner, event: over, min_seconds: »-1}}\n", "below the minimum of 0"),
    with("placements: {a: {format: banner, event: over, enabled: »{parameter: n}}}\n", "of type integer"),
    with("placements: {a: {format: banner, event: over, exempt: [»ad_free]}}\n", "No product grants"),
    with("\(shop)placements: {a: {format: banner, event: over, exempt: [»pro]}}\n", "did you mean “Pro”"),
    with("placements: {a: {format: banner, event: over, on_no_fill: »keep}}\n", "not one of keep_slot, drop_slot"),
    with("placements: {a: {format: banner, event: over, caps: [{count: 1, per: »week}]}}\n", "not one of minute"),
    with("placements: {a: {format: banner, event: over, caps: [{count: 1, per: day}, {count: 2, per: »day}]}}\n", "a cap per day already"),
    with("child_directed: true\n»placements: {a: {format: banner, event: over}}\n", "has no placements"),
  ]
}
