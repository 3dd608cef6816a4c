/**
 * Cuts a text so that it takes at most `maxBytes` inside a JSON document, where a notification has to carry it,
 * and removes the one character that PostgreSQL cannot store.
 */
export function fitText(text: string, maxBytes: number): string {
  const clean = text.replaceAll('\0', '')
  if (clean.length * 6 <= maxBytes || bytesOf(clean) <= maxBytes) return clean
  let low = 0
  let high = Math.min(clean.length, maxBytes)
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (bytesOf(`${clean.slice(0, middle)}…`) <= maxBytes) low = middle
    else high = middle - 1
  }
  // Not in the middle of a character that takes two units.
  const end = /[\uD800-\uDBFF]/.test(clean.charAt(low - 1)) ? low - 1 : low
  return `${clean.slice(0, end)}…`
}

function bytesOf(text: string): number {
  return Buffer.byteLength(JSON.stringify(text))
}
