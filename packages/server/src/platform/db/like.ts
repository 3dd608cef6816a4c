/** The pattern for LIKE and ILIKE of what holds `text` anywhere, whose characters are all taken literally. */
export function containing(text: string): string {
  return `%${text.replace(/[\\%_]/g, '\\$&')}%`
}

/** The pattern of what begins with `text`. */
export function beginningWith(text: string): string {
  return containing(text).slice(1)
}
