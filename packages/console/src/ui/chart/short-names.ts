/** About the width of a character of the small text, in px. */
const characterPx = 6.2

/**
 * Names as they stand beside rows of a chart, where there is little room: a word that begins the word after it is left
 * out (`prod-eu prod-eu-node-1` is `prod-eu-node-1`), and so is the beginning that all of them share, up to a separator.
 * Two names stay two: where shortening would make them equal, all are left whole.
 */
export function shortNames(names: readonly string[]): string[] {
  const single = names.map(withoutRepeats)
  const shared = sharedBeginning(single)
  const short = single.map((name) => name.slice(shared))
  if (new Set(short).size === names.length) return short
  return new Set(single).size === names.length ? single : [...names]
}

function withoutRepeats(name: string): string {
  const words = name.split(' ')
  return words.filter((word, index) => !words[index + 1]?.startsWith(`${word}-`)).join(' ')
}

/** How many characters all names begin with, up to and with their last common separator. */
function sharedBeginning(names: readonly string[]): number {
  const [first = '', ...others] = names
  if (others.length === 0) return 0
  let length = 0
  while (length < first.length && others.every((name) => name[length] === first[length])) length += 1
  const separator = Math.max(...[' ', '/', '.', '-'].map((mark) => first.lastIndexOf(mark, length - 1)))
  const end = length === 0 ? 0 : separator + 1
  return names.every((name) => name.length > end) ? end : 0
}

/** The px that the longest of some texts takes, between bounds. */
export function textWidth(
  texts: readonly string[],
  { least, most }: { least: number; most: number },
): number {
  const longest = Math.max(0, ...texts.map(({ length }) => length))
  return Math.round(Math.min(most, Math.max(least, longest * characterPx)))
}
