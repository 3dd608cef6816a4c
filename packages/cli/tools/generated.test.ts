import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { version } from '../src/session.ts'
import { commandsPage } from './commands-page.ts'
import { commandRows } from './command-rows.ts'
import { commandsSource } from './commands-source.ts'

const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8')

test('the commands and their page are those of the endpoint table: run npm run generate', () => {
  const rows = commandRows()
  expect(read('../src/commands.generated.ts')).toBe(commandsSource(rows))
  expect(read('../../../docs/cli-commands.md')).toBe(commandsPage(rows))
})

test('the program has the version of its package, and of the product', () => {
  expect(JSON.parse(read('../package.json')).version).toBe(version)
  expect(JSON.parse(read('../../../package.json')).version).toBe(version)
})
