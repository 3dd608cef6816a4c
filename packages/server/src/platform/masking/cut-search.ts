import type { Span } from './text-search.ts'

/** A message that quotes the beginning or the end of a value marks with an ellipsis that it was cut. */
const ellipsis = /(?:\u2026|\.\.\.|&hellip;|\\u2026)/g
/** What may stand between the ellipsis and the value. */
const quotes = new Set(['"', "'", '`', '\\', ' ', '\u201c', '\u201d', '\u2018', '\u2019', '\u00ab', '\u00bb'])
const maxQuotes = 4
const shortestBesideEllipsis = 4
/** At the end of a text nothing says that it was cut: fewer characters may be any word. */
const shortestAtEnd = 8

/**
 * Finds the beginning of a value before an ellipsis or at the end of a text, and its end behind an ellipsis: up to
 * `longest` characters, for a longer part is found as a passage.
 */
export function createCutSearch(values: Iterable<string>, longest: number): (text: string) => Span[] {
  const heads = new Set<string>()
  const tails = new Set<string>()
  for (const value of values) {
    for (let size = shortestBesideEllipsis; size <= Math.min(longest, value.length); size += 1) {
      heads.add(value.slice(0, size))
      tails.add(value.slice(-size))
    }
  }

  function headBefore(text: string, end: number, shortest: number): Span | undefined {
    for (let size = longest; size >= shortest; size -= 1) {
      if (size <= end && heads.has(text.slice(end - size, end))) return { start: end - size, end }
    }
    return undefined
  }

  function tailAfter(text: string, start: number): Span | undefined {
    for (let size = longest; size >= shortestBesideEllipsis; size -= 1) {
      if (tails.has(text.slice(start, start + size))) return { start, end: start + size }
    }
    return undefined
  }

  return (text) => {
    const spans: (Span | undefined)[] = [headBefore(text, text.length, shortestAtEnd)]
    for (const { index, 0: dots } of text.matchAll(ellipsis)) {
      spans.push(
        headBefore(text, pastQuotes(text, index - 1, -1) + 1, shortestBesideEllipsis),
        tailAfter(text, pastQuotes(text, index + dots.length, 1)),
      )
    }
    return spans.filter((span) => span !== undefined)
  }
}

function pastQuotes(text: string, from: number, step: 1 | -1): number {
  let at = from
  while (Math.abs(at - from) < maxQuotes && quotes.has(text[at] ?? '')) at += step
  return at
}
