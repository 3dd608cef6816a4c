import { mkdirSync, readdirSync, renameSync, statSync, unlinkSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Plugin } from 'vite'

/** Tabs may run an earlier build for a while; names of scripts tell builds apart. */
const keptForMs = 30 * 24 * 3_600_000

/** Moves source maps out of what is served to everybody: the server reads them where the error viewer asks. */
export function keepSourceMaps(): Plugin {
  const folder = join(import.meta.dirname, '../source-maps')
  return {
    name: 'bey:source-maps',
    apply: 'build',
    writeBundle({ dir = '' }, bundle) {
      mkdirSync(folder, { recursive: true })
      for (const fileName of Object.keys(bundle).filter((name) => name.endsWith('.map'))) {
        renameSync(join(dir, fileName), join(folder, basename(fileName)))
      }
      for (const name of readdirSync(folder)) {
        const path = join(folder, name)
        if (Date.now() - statSync(path).mtimeMs > keptForMs) unlinkSync(path)
      }
    },
  }
}
