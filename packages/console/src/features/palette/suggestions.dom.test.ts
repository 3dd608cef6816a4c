import type { PaletteEntity } from '@bey/contract'
import { describe, expect, test } from 'vitest'
import { commands } from '../../app/commands.ts'
import { entityItem } from './entity-items.ts'
import { staticItems } from './static-items.ts'
import { suggest } from './suggestions.ts'
import type { SuggestionInput } from './suggestions.ts'

const entity = (values: Partial<PaletteEntity>): PaletteEntity => ({
  id: '1',
  type: 'cluster',
  title: 'x',
  subtitle: '',
  status: 'RUNNING',
  createdAt: '2026-11-01T00:00:00Z',
  isReadOnly: false,
  lastUsedAt: null,
  health: null,
  ...values,
})
const cluster = (id: string, status = 'RUNNING') => entity({ id, status })
const workflow = (id: string, values: Partial<PaletteEntity> = {}) =>
  entity({ id, type: 'workflow', status: 'idle', ...values })
const pages = [{ path: '/workspaces/settings', title: 'Workspace settings' }]

const quiet: SuggestionInput = { path: '/', hour: 19, hasOrganization: true, theme: 'dark' }
const suggested = (entities: PaletteEntity[], input: Partial<SuggestionInput> = {}) =>
  suggest([...staticItems(pages, commands), ...entities.map(entityItem)], { ...quiet, ...input }).map(
    ({ id }) => id,
  )

test('cluster pages suggest creating one, workflow pages a workflow, others neither', () => {
  expect(suggested([], { path: '/kubernetes/clusters/7/pods' })).toEqual(['action:create-cluster'])
  expect(suggested([], { path: '/workflows/runs' })).toEqual(['action:create-workflow'])
  expect(suggested([], { path: '/secrets' })).toEqual([])
})

test('up to two clusters in error come before up to three of the newest, each once', () => {
  const clusters = [
    cluster('5'),
    cluster('4', 'ERROR'),
    cluster('3', 'ERROR'),
    cluster('2', 'ERROR'),
    cluster('1'),
  ]
  expect(suggested(clusters)).toEqual(['cluster:4', 'cluster:3', 'cluster:5'])
  expect(suggested([cluster('4'), cluster('3'), cluster('2'), cluster('1')])).toEqual([
    'cluster:4',
    'cluster:3',
    'cluster:2',
  ])
})

test('failed workflows come before never-run ones, and built-in ones never count as never run', () => {
  const ran = { lastUsedAt: '2026-11-02T00:00:00Z' }
  const workflows = [
    workflow('f', { ...ran, status: 'failed', isReadOnly: true }),
    workflow('f2', { ...ran, status: 'failed' }),
    workflow('f3', { ...ran, status: 'failed' }),
    workflow('n1'),
    workflow('n2'),
    workflow('n3'),
    workflow('b', { isReadOnly: true }),
    workflow('ok', { ...ran, status: 'completed' }),
  ]
  expect(suggested(workflows)).toEqual(['workflow:f', 'workflow:f2', 'workflow:n1', 'workflow:n2'])
})

describe('the time of day', () => {
  test.each([
    [0, 'light', ['theme:theme-dark']],
    [5, 'system', ['theme:theme-dark']],
    [6, 'dark', ['theme:theme-light']],
    [17, 'dark', ['theme:theme-light']],
    [18, 'dark', []],
    [19, 'light', []],
    [20, 'light', ['theme:theme-dark']],
    [23, 'dark', []],
    [12, 'light', []],
  ])('at %i o’clock in %s', (hour, theme, expected) => {
    expect(suggested([], { hour, theme })).toEqual(expected)
  })
})

test('never more than five, the most urgent first, and without an organization its settings lead', () => {
  const entities = [
    cluster('3', 'ERROR'),
    cluster('2', 'ERROR'),
    cluster('1'),
    workflow('f', { status: 'failed', lastUsedAt: '2026-11-02T00:00:00Z' }),
    workflow('n'),
  ]
  const ids = suggested(entities, { path: '/kubernetes/clusters', hour: 21, theme: 'light' })
  expect(ids).toEqual(['action:create-cluster', 'cluster:3', 'cluster:2', 'workflow:f', 'cluster:1'])
  expect(suggested([], { hasOrganization: false })).toEqual(['route:/workspaces/settings'])
})

test('what fails by its health is suggested before what is newer', () => {
  const health = { state: 'failing', reason: null, detail: null, since: null, object: null } as const
  expect(suggested([cluster('3'), cluster('2'), entity({ id: '1', health })])).toEqual([
    'cluster:1',
    'cluster:3',
    'cluster:2',
  ])
})

test('without any cluster creating and importing one and inviting somebody are suggested', () => {
  const everything = [...pages, { path: '/workspaces/members', title: 'Team members' }]
  const ids = suggest(staticItems(everything, commands), { ...quiet, isFirstUse: true }).map(({ id }) => id)
  expect(ids).toEqual(['action:create-cluster', 'action:import-clusters', 'route:/workspaces/members'])
})
