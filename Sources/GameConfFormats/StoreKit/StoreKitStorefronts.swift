// Maps storefronts to currencies: a StoreKit configuration names a country, a catalog a currency.

/// Maps between currencies and storefronts, which are ISO 3166-1 alpha-3 codes as in `_storefront`.
enum StoreKitStorefronts {
  private static let countries: [String: [String]] = [
    "USD": ["USA", "ARG", "ECU", "UKR", "PAN", "CRI", "GTM", "BOL", "PRY", "URY", "DOM", "JAM", "ISL", "MAR"],
    "EUR": [
      "AUT", "BEL", "HRV", "CYP", "EST", "FIN", "FRA", "DEU", "GRC", "IRL", "ITA", "LVA", "LTU", "LUX", "MLT", "NLD", "PRT", "SVK", "SVN",
      "ESP",
    ],
    "GBP": ["GBR"], "AUD": ["AUS"], "BGN": ["BGR"], "BRL": ["BRA"], "CAD": ["CAN"], "CHF": ["CHE"], "CLP": ["CHL"], "CNY": ["CHN"],
    "COP": ["COL"], "CZK": ["CZE"], "DKK": ["DNK"], "EGP": ["EGY"], "HKD": ["HKG"], "HUF": ["HUN"], "IDR": ["IDN"], "ILS": ["ISR"],
    "INR": ["IND"], "JPY": ["JPN"], "KRW": ["KOR"], "KZT": ["KAZ"], "MXN": ["MEX"], "MYR": ["MYS"], "NGN": ["NGA"], "NOK": ["NOR"],
    "NZD": ["NZL"], "PEN": ["PER"], "PHP": ["PHL"], "PKR": ["PAK"], "PLN": ["POL"], "QAR": ["QAT"], "RON": ["ROU"], "RUB": ["RUS"],
    "SAR": ["SAU"], "SEK": ["SWE"], "SGD": ["SGP"], "THB": ["THA"], "TRY": ["TUR"], "TWD": ["TWN"], "TZS": ["TZA"], "AED": ["ARE"],
    "VND": ["VNM"], "ZAR": ["ZAF"],
  ]

  /// Returns the first storefront of a currency; nil if none is known.
  static func storefront(of currency: String) -> String? { countries[currency]?.first }

  /// The currencies by storefront.
  static let currency: [String: String] = Dictionary(
    countries.flatMap { currency, storefronts in storefronts.map { ($0, currency) } }, uniquingKeysWith: { first, _ in first })
}
