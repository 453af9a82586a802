// Maps storefronts to currencies. A StoreKit configuration names a country, and a catalog names a currency.

/// The mapping between currencies and storefronts. A storefront is a country as an ISO 3166-1 alpha-3 code, as in `_storefront`.
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

  /// Returns the first storefront with this currency; nil if no such storefront is known.
  static func storefront(of currency: String) -> String? { countries[currency]?.first }

  /// The currency of each storefront, by the storefront's country code.
  static let currency: [String: String] = Dictionary(
    countries.flatMap { currency, storefronts in storefronts.map { ($0, currency) } }, uniquingKeysWith: { first, _ in first })
}
