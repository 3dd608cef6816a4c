/**
 * Whether an object has all of the labels of a selector: `app=web`, `tier!=system`, `app` for any value, `!old` for
 * none, `app in (web, api)`, `app notin (web)`; several with commas between them.
 */
export function labelMatcher(
  selector: string | undefined,
): (row: { labels: Readonly<Record<string, string>> }) => boolean {
  const wanted = (selector ?? '')
    // Not at the commas within parentheses.
    .split(/,(?![^(]*\))/)
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map(requirement)
  return ({ labels }) => wanted.every((isMet) => isMet(labels))
}

function requirement(part: string): (labels: Readonly<Record<string, string>>) => boolean {
  const found = /^([^=!\s]+)\s*(!=|==?)\s*(\S*)$/.exec(part)
  if (found) {
    const [, key = '', operator, value] = found
    return operator === '!='
      ? (labels) => !Object.hasOwn(labels, key) || labels[key] !== value
      : (labels) => Object.hasOwn(labels, key) && labels[key] === value
  }
  const set = /^([^=!\s]+)\s+(in|notin)\s*\(([^()]*)\)$/.exec(part)
  if (set) {
    const [, key = '', operator, list = ''] = set
    const values = new Set(list.split(',').map((value) => value.trim()))
    const isOne = (labels: Readonly<Record<string, string>>) =>
      Object.hasOwn(labels, key) && values.has(labels[key] ?? '')
    return operator === 'in' ? isOne : (labels) => !isOne(labels)
  }
  const isAbsent = part.startsWith('!')
  const key = isAbsent ? part.slice(1).trim() : part
  return (labels) => Object.hasOwn(labels, key) !== isAbsent
}
