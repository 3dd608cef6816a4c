type Place = { isRequired: boolean; types: Set<string> }

/**
 * What a client of the released API notices of the present one, a sentence each. Additions break nothing: new operations,
 * new fields of replies, new optional parameters and fields of requests, and new values that requests may have.
 */
export function breakingChanges(released: readonly string[], present: readonly string[]): string[] {
  const now = placesOf(present)
  const before = placesOf(released)
  const broken: string[] = []
  for (const [path, { isRequired, types }] of before) {
    const found = now.get(path)
    const isInput = path.includes(' > ')
    // Whatever lay below something that is gone is gone with it.
    if (found === undefined) {
      if (!hasLostParent(path, before, now)) broken.push(`${path} is gone.`)
    } else if (isInput) {
      const lost = [...types].filter((type) => !accepts(found.types, type))
      if (lost.length > 0) broken.push(`${path} no longer takes ${lost.join(', ')}.`)
      if (found.isRequired && !isRequired) broken.push(`${path} is required now.`)
    } else {
      const added = [...found.types].filter((type) => !accepts(types, type) && !isLiteral(type))
      if (added.length > 0) broken.push(`${path} can be ${added.join(', ')} now.`)
      if (isRequired && !found.isRequired) broken.push(`${path} can be missing now.`)
    }
  }
  for (const [path, { isRequired }] of now) {
    const isNew = !before.has(path) && isRequired && path.includes(' > ')
    if (isNew && before.has(parentOf(path))) broken.push(`${path} is new and required.`)
  }
  return broken
}

/** An enumeration grows without breaking anything: a value that a client does not know is a text all the same. */
const isLiteral = (type: string) => type.startsWith('"')

function accepts(types: ReadonlySet<string>, type: string): boolean {
  return (
    types.has(type) ||
    types.has('anything') ||
    (isLiteral(type) && types.has('string')) ||
    (type === 'integer' && types.has('number'))
  )
}

function placesOf(lines: readonly string[]): Map<string, Place> {
  return new Map(
    lines.map((line) => {
      const at = line.lastIndexOf(': ')
      const path = at < 0 ? line : line.slice(0, at)
      return [
        path.replaceAll('!', ''),
        { isRequired: path.endsWith('!'), types: new Set(at < 0 ? [] : line.slice(at + 2).split('|')) },
      ]
    }),
  )
}

/** Where a place lies: of `GET /x > body.a[].b` it is `GET /x > body.a[]`, and at last the operation. */
function parentOf(path: string): string {
  const within = /^(.* [<>] .*?)(?:\.[^.[\]{}]+|\[\]|\{\})$/.exec(path)?.[1]
  if (within !== undefined && !/ [<>] (path|query)$/.test(within)) return within
  return path.split(/ [<>] /)[0] ?? path
}

function hasLostParent(
  path: string,
  before: ReadonlyMap<string, Place>,
  now: ReadonlyMap<string, Place>,
): boolean {
  const parent = parentOf(path)
  return parent !== path && before.has(parent) && !now.has(parent)
}
