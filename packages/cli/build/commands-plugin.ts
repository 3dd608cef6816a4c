import { join } from 'node:path'
import type { Plugin } from 'vite'
import { commandRows } from '../src/endpoints/command-rows.ts'
import { commandsPage } from './commands-page.ts'
import { commandsSource } from './commands-source.ts'

/** Puts the finished table of commands into the program, and its page beside it. */
export function commandsOfContract(): Plugin {
  const table = join(import.meta.dirname, '../src/endpoints/table.ts')
  const rows = commandRows()
  return {
    name: 'commands-of-contract',
    enforce: 'pre',
    load: (id) => (id === table ? commandsSource(rows) : undefined),
    generateBundle: {
      // Vite drops what programs for Node emit before it looks.
      order: 'post',
      handler() {
        this.emitFile({ type: 'asset', fileName: 'commands.md', source: commandsPage(rows) })
      },
    },
  }
}
