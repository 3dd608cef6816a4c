/** The word that is most like another, where one is alike enough to be meant. */
export function nearestWord(word: string, words: readonly string[]): string | undefined {
  if (word === '') return undefined
  const most = word.length < 4 ? 1 : Math.max(2, Math.floor(word.length / 3))
  const best = words
    .map((each) => ({ each, distance: distanceOf(word, each) }))
    .toSorted((left, right) => left.distance - right.distance)[0]
  return best && best.distance <= most ? best.each : undefined
}

/** How many letters must be changed, added or removed to make one word the other. */
function distanceOf(left: string, right: string): number {
  let row = Array.from({ length: right.length + 1 }, (_, index) => index)
  for (let i = 1; i <= left.length; i += 1) {
    const next = [i]
    for (let j = 1; j <= right.length; j += 1) {
      const cost = left[i - 1] === right[j - 1] ? 0 : 1
      next.push(Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + cost))
    }
    row = next
  }
  return row[right.length] ?? 0
}
