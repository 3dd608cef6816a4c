import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'
import { parseChangelog } from './parse-changelog.ts'

const name = 'virtual:changelog'
const path = fileURLToPath(new URL('../../../CHANGELOG.md', import.meta.url))

/** `virtual:changelog` is the project's CHANGELOG.md as data, read while the console is built. */
export function changelog(): Plugin {
  return {
    name: 'bey:changelog',
    resolveId: (id) => (id === name ? `\0${name}` : undefined),
    load(id) {
      if (id !== `\0${name}`) return undefined
      this.addWatchFile(path)
      return `export const releases = ${JSON.stringify(parseChangelog(readFileSync(path, 'utf8')))}`
    },
  }
}
