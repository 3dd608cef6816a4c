/** A name that was most likely never used: the prefix and the time to a second, at most 63 characters. */
export function freeName(prefix: string, now: Date): string {
  const suffix = Math.floor(now.getTime() / 1000).toString(36)
  // A cut may leave a hyphen, which would then stand twice.
  return `${prefix.slice(0, 62 - suffix.length).replace(/[-.]+$/, '')}-${suffix}`
}
