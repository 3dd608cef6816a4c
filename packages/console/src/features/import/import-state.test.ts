import type { ConnectionTest, KubeconfigContext } from '@bey/contract'
import { expect, test } from 'vitest'
import { changed, firstEntries, nameOf, ordered, summary, titleError, toImport } from './import-state.ts'

const context = (name: string, isUsable = true): KubeconfigContext => ({
  context: name,
  cluster: name,
  user: name,
  namespace: null,
  server: `https://${name}`,
  credential: 'token',
  isVerified: true,
  proxy: null,
  actsAs: null,
  problems: isUsable ? [] : [{ title: 'It logs in with a program', detail: '', commands: [] }],
  suggestedTitle: name,
})

const tested = (
  state: ConnectionTest['state'],
  alreadyImported: { id: number; title: string } | null = null,
) => ({
  kind: 'tested' as const,
  test: {
    at: '2026-01-01T00:00:00Z',
    durationMs: 1,
    state,
    stoppedAt: null,
    problem: null,
    checks: [],
    chain: [],
    version: null,
    identity: null,
    rights: null,
    hasMetrics: null,
    latencyMs: null,
  },
  alreadyImported,
})

function given() {
  let entries = firstEntries(
    ['good', 'bad', 'unchecked', 'known'].map((name) => context(name)).concat(context('exec', false)),
  )
  const outcomes = {
    good: tested('reachable'),
    unchecked: tested('unverified'),
    known: tested('reachable', { id: 1, title: 'x' }),
    bad: tested('failed'),
  }
  for (const [name, outcome] of Object.entries(outcomes))
    entries = changed(entries, { kind: 'outcome', context: name, outcome })
  return entries
}

test('only what passed its test, was checked and is new is chosen by itself', () => {
  expect(
    given()
      .filter(({ isChosen }) => isChosen)
      .map(nameOf),
  ).toEqual(['good'])
})

test('what failed comes first and is open; what cannot work from a server comes last', () => {
  expect(ordered(given()).map(nameOf)).toEqual(['bad', 'good', 'known', 'unchecked', 'exec'])
  expect(
    given()
      .filter(({ isOpen }) => isOpen)
      .map(nameOf),
  ).toEqual(['bad'])
})

test('rows keep the order of the file while a test goes on', () => {
  const entries = changed(given(), { kind: 'outcome', context: 'known', outcome: { kind: 'testing' } })
  expect(ordered(entries).map(nameOf)).toEqual(['good', 'bad', 'unchecked', 'known', 'exec'])
})

test('choosing all chooses what can be imported', () => {
  const entries = changed(given(), { kind: 'chooseAll', isChosen: true })
  expect(entries.filter(({ isChosen }) => isChosen).map(nameOf)).toEqual(['good', 'unchecked', 'known'])
})

test('the sentence counts what works, what fails and what cannot', () => {
  expect(summary(given())).toEqual({
    lead: '3 of 5 contexts can be imported.',
    rest: '1 fails its test, 1 cannot work from a server.',
  })
})

test('titles of chosen contexts are labels and differ; what is sent carries the decided trust', () => {
  let entries = changed(given(), { kind: 'chooseAll', isChosen: true })
  entries = changed(entries, {
    kind: 'edit',
    context: 'known',
    values: { title: 'good', trust: { caPem: 'pem' } },
  })
  expect(entries.map((entry) => titleError(entry, entries))).toEqual([
    'Another of these clusters has this title.',
    undefined,
    undefined,
    'Another of these clusters has this title.',
    undefined,
  ])
  expect(toImport('file', entries)).toEqual({
    kubeconfig: 'file',
    clusters: [
      { context: 'good', title: 'good' },
      { context: 'unchecked', title: 'unchecked' },
      { context: 'known', title: 'good', caPem: 'pem' },
    ],
  })
})
