import { writeFileSync } from 'node:fs'
import { commandsPage } from './commands-page.ts'
import { commandRows } from './command-rows.ts'
import { commandsSource } from './commands-source.ts'

const rows = commandRows()
writeFileSync(new URL('../src/commands.generated.ts', import.meta.url), commandsSource(rows))
writeFileSync(new URL('../../../docs/cli-commands.md', import.meta.url), commandsPage(rows))
