// The first that fits is right: Edge and Opera call themselves Chrome, and Chrome calls itself Safari.
const browsers: readonly (readonly [RegExp, string])[] = [
  [/\bEdg(?:e|A|iOS)?\/(\d+)/, 'Edge'],
  [/\bOPR\/(\d+)/, 'Opera'],
  [/\b(?:Firefox|FxiOS)\/(\d+)/, 'Firefox'],
  [/\b(?:Headless)?(?:Chrome|CriOS)\/(\d+)/, 'Chrome'],
  [/\bVersion\/(\d+)[\d.]* .*Safari\//, 'Safari'],
  [/^curl\/(\d+)/, 'curl'],
  [/^kubectl\/v?(\d+)/, 'kubectl'],
]

const systems: readonly (readonly [RegExp, string])[] = [
  [/iPhone|iPad/, 'iOS'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Mac OS X|Macintosh/, 'macOS'],
  [/CrOS/, 'ChromeOS'],
  [/Linux|X11/, 'Linux'],
]

/** "Firefox 140 on Linux", from what a client calls itself; "Unknown browser" where that says nothing. */
export function userAgentText(userAgent: string): string {
  const found = browsers.map(([pattern, name]) => ({ name, version: pattern.exec(userAgent)?.[1] }))
  const browser = found.find(({ version }) => version !== undefined)
  const system = systems.find(([pattern]) => pattern.test(userAgent))?.[1]
  const name = browser ? `${browser.name} ${browser.version}` : 'Unknown browser'
  return system === undefined ? name : `${name} on ${system}`
}
