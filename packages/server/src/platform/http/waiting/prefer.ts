import { maxWaitSeconds } from '@bey/contract'
/**
 * Seconds of the preference `wait` of a `Prefer` header (RFC 7240 section 4.3), at most `maxWaitSeconds`; undefined where
 * there is none. The first of several counts. A value that is no whole number of seconds is ignored, as the RFC asks.
 */
export function waitSecondsOf(header: string | readonly string[] | undefined): number | undefined {
  const text = (typeof header === 'string' ? header : (header ?? []).join(',')).slice(0, maxHeaderLength)
  for (const preference of preferencesOf(text)) {
    const [, name = '', value = ''] = /^([^=;\s]+)\s*=?\s*([^;]*)/.exec(preference.trim()) ?? []
    if (name.toLowerCase() !== 'wait') continue
    const [, seconds] = /^"?(\d{1,9})"?\s*$/.exec(value) ?? []
    return seconds === undefined || Number(seconds) === 0
      ? undefined
      : Math.min(Number(seconds), maxWaitSeconds)
  }
  return undefined
}

const maxHeaderLength = 1_000

/** Its parts between commas that stand outside of quotes. */
function preferencesOf(text: string): string[] {
  return text.match(/(?:"(?:\\.|[^"\\])*"?|[^,"])+/g) ?? []
}
