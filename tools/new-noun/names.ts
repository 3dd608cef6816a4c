export type Noun = { singular: string; plural: string }

/** The noun of the templates: two words, so that every way of writing it differs. */
const templateNoun: Noun = { singular: 'gizmo-widget', plural: 'gizmo-widgets' }

/** Reads a noun in the plural, in kebab case; throws a sentence where it is none. */
export function nounOf(plural: string | undefined, singular = singularOf(plural ?? '')): Noun {
  if (plural === undefined || !/^[a-z]+(-[a-z]+)*$/.test(plural))
    throw new Error('Name the noun in the plural, in lower case: npm run new-noun -- database-users')
  if (singular === plural || !/^[a-z]+(-[a-z]+)*$/.test(singular))
    throw new Error(`Give the singular of "${plural}" as well: npm run new-noun -- mice mouse`)
  return { singular, plural }
}

function singularOf(plural: string): string {
  if (plural.endsWith('ies')) return `${plural.slice(0, -3)}y`
  if (/(ss|x|z|ch|sh)es$/.test(plural)) return plural.slice(0, -2)
  return plural.replace(/s$/, '')
}

/** A text or path of the templates with the noun in place of theirs, in each way of writing it. */
export function filled(text: string, noun: Noun): string {
  // The plural first: the singular is a part of it.
  return (['plural', 'singular'] as const).reduce((result, number) => {
    const from = writingsOf(templateNoun[number])
    const to = writingsOf(noun[number])
    return from.reduce((each, writing, at) => each.replaceAll(writing, to[at] ?? ''), result)
  }, text)
}

/** `database-user` in kebab, snake, upper, camel and Pascal case, as words, and as words at the start of a sentence. */
function writingsOf(kebab: string): string[] {
  const words = kebab.split('-')
  const pascal = words.map(capital).join('')
  const text = words.join(' ')
  return [
    kebab,
    words.join('_'),
    words.join('_').toUpperCase(),
    pascal.charAt(0).toLowerCase() + pascal.slice(1),
    pascal,
    text,
    capital(text),
  ]
}

const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1)
