/** An object as lines of YAML with sorted keys, so that two of them can be compared line by line. */
export function objectLines(value: unknown): string {
  return `${linesOf(value, 0).join('\n')}\n`
}

function linesOf(value: unknown, depth: number): string[] {
  const pad = '  '.repeat(depth)
  if (Array.isArray(value)) {
    return value.flatMap((each) => {
      const [first = '', ...rest] = linesOf(each, depth + 1)
      return [`${pad}- ${first.trimStart()}`, ...rest]
    })
  }
  if (typeof value !== 'object' || value === null) return [pad + scalar(value)]
  const entries = Object.entries(value).filter(([, each]) => each !== undefined && each !== null)
  return entries
    .toSorted(([a], [b]) => order(a) - order(b) || (a < b ? -1 : 1))
    .flatMap(([key, each]) => {
      if (typeof each !== 'object') return [`${pad}${key}: ${scalar(each)}`]
      const isEmpty = Object.keys(each).length === 0
      if (isEmpty) return [`${pad}${key}: ${Array.isArray(each) ? '[]' : '{}'}`]
      return [`${pad}${key}:`, ...linesOf(each, Array.isArray(each) ? depth : depth + 1)]
    })
}

/** A name says which entry of a list the lines belong to. */
function order(key: string): number {
  return key === 'name' ? 0 : 1
}

function scalar(value: unknown): string {
  if (typeof value !== 'string') return JSON.stringify(value) ?? ''
  const isPlain = /^[A-Za-z0-9_/][\w./:@%+ -]*$/.test(value) && !/: | #|\s$|:$/.test(value)
  const isAmbiguous = /^(true|false|null|yes|no|on|off|~|[\d.+-].*)$/i.test(value)
  return isPlain && !isAmbiguous ? value : JSON.stringify(value)
}
