import { expect, test } from 'vitest'
import { apiKey, apiPath } from '../../data/api-query.ts'
import { ongoingRuns } from '../../data/notifications.ts'
import { readCommands } from './read-commands.ts'

const commandsOf = (...keys: unknown[][]) =>
  readCommands(
    keys.map((queryKey) => ({ queryKey })),
    [],
    7,
  ).map(({ title, bey }) => [title, bey])

test('what a page reads is a command with its parameters and filters, once', () => {
  const list = [...apiKey(7, 'secrets.list', { query: { search: 'a b' } })]
  expect(
    commandsOf(list, list, [...apiKey(7, 'clusters.get', { params: { id: 3 } })], ['/api/unknown', 7]),
  ).toEqual([
    ['List secrets', "bey secrets list '--search=a b'"],
    ['Read clusters', 'bey clusters get 3'],
  ])
})

test('a fixed path is no parameter of another, and the frame of every page is left out', () => {
  const frame = [apiKey(7, 'notifications.unread'), apiKey(7, 'workflows.allRuns', { query: ongoingRuns })]
  const [read] = commandsOf([...apiKey(7, 'workflows.allRuns')], ...frame.map((key) => [...key]))
  expect(read).toEqual(['Read workflows: all runs', 'bey runs list'])
  expect(commandsOf(...frame.map((key) => [...key]))).toEqual([])
})

test('a question that is sent as a body is the command of its own endpoint, and not a thing of that name', () => {
  const key = [apiPath('workflows.validate'), 7, { definition: 'steps: []' }]
  const [command] = commandsOf(key)
  expect(command?.[0]).toBe('Read workflows: validate')
  expect(command?.[1]).toMatch(/^bey workflows validate --input - <<'JSON'\n\{\n {2}"definition"/)
})

test('what the page has named itself is not repeated', () => {
  const named = [{ title: 'List these secrets', tool: 'curl', text: '', bey: 'bey secrets list' } as const]
  expect(readCommands([{ queryKey: apiKey(7, 'secrets.list') }], named, 7)).toEqual([])
})
