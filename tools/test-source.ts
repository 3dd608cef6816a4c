/** A call of `test` or `it`, also with `.each` and type arguments, at the beginning of a line. */
const testStart = /^( *)(?:test|it)(?:\.(?:each|for|skip|todo|fixme))?[(<]/gm

/**
 * The source in which a test's assertions may stand: the test with this title, and what stands outside every test of
 * its file (tables and helpers). Undefined if there is no such test, or if it is skipped.
 */
export function testSource(source: string, title: string): string | undefined {
  const starts = [...source.matchAll(testStart)]
  let outside = source.slice(0, starts[0]?.index)
  let own: string | undefined
  for (const [index, start] of starts.entries()) {
    const block = source.slice(start.index, starts[index + 1]?.index)
    const end = endOf(block, start[1] ?? '')
    const text = block.slice(0, end)
    outside += block.slice(end)
    // A title that holds an apostrophe may be escaped.
    if (text.replaceAll("\\'", "'").includes(title)) own ??= text
  }
  if (own === undefined || /^ *(?:test|it)\.(?:skip|todo|fixme)/.test(own)) return undefined
  return `${own}\n${outside}`
}

/** Where the call ends: after the last line that closes at the indentation of its beginning. */
function endOf(block: string, indentation: string): number {
  const last = [...block.matchAll(new RegExp(`^${indentation}\\}?\\).*$`, 'gm'))].at(-1)
  return last ? last.index + last[0].length : block.length
}

/** Text without what formatting decides: white space, and commas before a closing bracket. */
export function withoutFormatting(text: string): string {
  return text.replaceAll(/\s+/g, '').replaceAll(/,([)\]}])/g, '$1')
}
