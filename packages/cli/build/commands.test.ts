import { readFileSync } from 'node:fs'
import { commandLine } from '@bey/contract'
import { expect, test } from 'vitest'
import type { CommandTable } from '../src/command.ts'
import { commandRows } from '../src/endpoints/command-rows.ts'
import { commandTable } from '../src/endpoints/table.ts'
import { version } from '../src/session.ts'
import { commandsPage } from './commands-page.ts'
import { commandsSource } from './commands-source.ts'

const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8')

test('the built program has the commands that the contract yields in a checkout', async () => {
  const source = commandsSource(commandRows())
  const built = (await import(`data:text/javascript,${encodeURIComponent(source)}`)) as {
    commandTable: CommandTable
  }
  expect(built.commandTable.nouns).toEqual(commandTable.nouns)
  for (const noun of commandTable.nouns)
    expect(built.commandTable.commandsOf(noun)).toEqual(commandTable.commandsOf(noun))
  expect(built.commandTable.commandsOf('constructor')).toEqual([])
})

test('the command line that the console shows for a call is a command with these flags', () => {
  for (const { words, endpoint, params, flags } of commandRows()) {
    const query = Object.fromEntries(
      flags.filter((each) => each.in === 'query').map(({ field }) => [field, 'x']),
    )
    const line = commandLine(endpoint, {
      params: Object.fromEntries(params.map((param) => [param, '7'])),
      query,
    })
    const expected = [
      'bey',
      words,
      ...params.map(() => '7'),
      ...flags.filter((each) => each.in === 'query').map(({ name }) => `--${name}=x`),
    ]
    expect(line).toBe(expected.join(' '))
  }
  const quoted = commandLine('clusters.list', { query: { search: "it's here", page: 2, status: undefined } })
  expect(quoted).toBe(String.raw`bey clusters list '--search=it'\''s here' --page=2`)
})

test('the page of commands names every command', () => {
  const rows = commandRows()
  const page = commandsPage(rows)
  for (const { words } of rows) expect(page).toContain(`\`bey ${words}`)
})

test('the program has the version of its package, and of the product', () => {
  expect(JSON.parse(read('../package.json')).version).toBe(version)
  expect(JSON.parse(read('../../../package.json')).version).toBe(version)
})
