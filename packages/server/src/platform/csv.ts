/** One value of a CSV file (RFC 4180), quoted. A text that a spreadsheet would run as a formula is preceded by an apostrophe. */
function csvValue(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

export function csvLine(values: readonly string[]): string {
  return `${values.map(csvValue).join(',')}\r\n`
}
