import { createRequire } from 'node:module'
import type { parse, parseDocument, stringify } from 'yaml'

type Library = { parse: typeof parse; parseDocument: typeof parseDocument; stringify: typeof stringify }

// Only server-side apply and clients that speak YAML need the library, which takes 12 MB.
let library: Library | undefined

function loaded(): Library {
  library ??= createRequire(import.meta.url)('yaml') as Library
  return library
}

/** Parses YAML in which the last of several values of a key counts. Throws what the library throws. */
export function parseYaml(text: string): unknown {
  return loaded().parse(text, { maxAliasCount: 100, uniqueKeys: false })
}

/** The keys that a text gives twice in one mapping, in the words of a strict parser. */
export function duplicateKeys(text: string): string[] {
  const lines = loaded()
    .parseDocument(text)
    .errors.filter(({ code }) => code === 'DUPLICATE_KEY')
    .map(({ pos, linePos }) => {
      const key = /^["']?([^"'\s:]+)/.exec(text.slice(pos[0]))?.[1] ?? ''
      return `  line ${linePos?.[0].line ?? 1}: key ${JSON.stringify(key)} already set in map`
    })
  return lines.length > 0 ? [`yaml: unmarshal errors:\n${lines.join('\n')}`] : []
}

/** An object as YAML, its members in the order of their names, as an API server writes it. */
export function toYaml(value: unknown): string {
  return loaded().stringify(value, { sortMapEntries: true, lineWidth: 0, indentSeq: false })
}
