// A game whose values depend on rules, for tests over the sockets.

enum RulesCatalog {
  static let text = """
    gameconf: 1
    game: mine
    title: Mine
    locales: [en, fr]
    parameters:
      lives:
        type: integer
        default: 3
        section: Play
        description: Lives a player begins with.
        rules:
          - match: {platform: [ios, mac], app_version: "<1.4.0"}
            value: 5
          - when: {"in": [{var: country}, [SE, "NO"]]}
            percent: 100
            value: 7
          - percent: 10
            value: 4
      opening:
        type: integer
        default: 0
        section: Play
        description: Opens to all within ten days.
        rules:
          - percent: {from: 0, to: 100, start: 2026-11-21T00:00:00Z, end: 2026-12-01T00:00:00Z}
            value: 1
      later: {type: boolean, default: false, section: Play, description: From noon on., rules: [{when: {">=": [{var: $flagd.timestamp}, 1795262400]}, value: true}]}
      after_later: {type: boolean, default: {parameter: later}, section: Play, description: Follows later.}
      if_later: {type: boolean, default: false, section: Play, description: Reads later., rules: [{when: {parameter: later}, value: true}]}
      ticking: {type: boolean, default: false, section: Play, description: Ticks., rules: [{when: {"==": [{"%": [{var: $flagd.timestamp}, 2]}, 0]}, value: true}]}
      plain: {type: integer, default: 1, section: Play, description: The same for all.}
      today: {type: string, default: {daily_hash: mine}, section: Play, description: Another every day.}
      title: {type: localized, default: {en: Cave, fr: Grotte}, section: Play, description: A title.}
      french: {type: boolean, default: false, section: Play, description: Whether French was asked for., rules: [{match: {locale: fr}, value: true}]}
      layout:
        type: string
        section: Play
        description: How the grid is laid out.
        flagd:
          state: ENABLED
          variants: {wide: w, tall: t}
          defaultVariant: wide
          metadata: {owner: board}
          targeting: {"if": [{"==": [{var: platform}, ios]}, {fractional: [[wide, 50], [tall, 50]]}, null]}
      broken:
        type: boolean
        section: Play
        description: Names a variant that is not there.
        default: true
        flagd: {state: ENABLED, variants: {first: false}, targeting: {"if": [{"==": [{var: platform}, ios]}, sideways]}}
      heavy:
        type: integer
        default: 0
        section: Play
        description: Works on whatever the caller sends.
        rules:
          - when: {"==": [{reduce: [{var: list}, {"+": [{var: current}, {var: accumulator}]}, 0]}, -1]}
            value: 1
          - when: {some: [{map: [{var: list}, {merge: [{var: list}, {var: list}]}]}, {"==": [{var: ""}, -1]}]}
            value: 2
          - when: {"in": [{var: needle}, {var: text}]}
            value: 3
          - when: {"==": [{"%": [1, {var: zero}]}, 1]}
            value: 4
          - when: {"==": [{"/": [1, {var: zero}]}, 1]}
            value: 5
          - when: {"==": [{substr: [{var: text}, -1000000000000, 5]}, x]}
            value: 6
          - when: {sem_ver: [{var: version}, ">", 1.0.0]}
            value: 7
          - when: {"==": [{fractional: [{var: ""}, [a, 1]]}, b]}
            value: 8
          - when: {"==": [{var: __proto__.polluted}, true]}
            value: 9
    """

  /// The time of the tests: 21 November 2026, 11:00:00.500Z.
  static let clock = "2026-11-21T11:00:00.500Z"
}
