import type { EndpointCommand } from '../src/command.ts'

/**
 * Source that takes the place of `src/endpoints/table.ts` in the built program. Each noun is one string of JSON: a string
 * costs nothing at the start, and only the noun that was typed is parsed.
 */
export function commandsSource(rows: readonly EndpointCommand[]): string {
  const texts = Object.entries(Object.groupBy(rows, ({ words }) => words.split(' ')[0] ?? '')).map(
    ([noun, commands]) => `  ${JSON.stringify(noun)}: ${JSON.stringify(JSON.stringify(commands))},`,
  )
  return [
    'const texts = {',
    ...texts,
    '}',
    'export const commandTable = {',
    '  nouns: Object.keys(texts),',
    '  commandsOf: (noun) => (Object.hasOwn(texts, noun) ? JSON.parse(texts[noun]) : []),',
    '}',
    '',
  ].join('\n')
}
