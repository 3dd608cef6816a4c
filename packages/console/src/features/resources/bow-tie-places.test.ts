import { expect, test } from 'vitest'
import type { RelationsOf } from '../../data/relations.ts'
import { placeBowTie } from './bow-tie-places.ts'

const resource = (id: string) => ({
  id,
  kind: id.slice(0, id.indexOf(':')),
  name: id,
  cluster: null,
  namespace: null,
  health: null,
  href: '/',
})
const related = (id: string, step: number, by: string) => ({
  ...resource(id),
  verb: 'routes_to' as const,
  text: 'routes to',
  step,
  by,
})

const data = (needs: string[], neededBy: RelationsOf['neededBy']): RelationsOf => ({
  resource: resource('deployment:web'),
  needs: needs.map((id) => related(id, 1, 'deployment:web')),
  needsTotal: needs.length,
  neededBy,
  neededByTotal: neededBy.length,
  directTotal: neededBy.filter(({ step }) => step === 1).length,
  text: '',
  asOf: '2026-11-23T00:00:00.000Z',
  gaps: [],
})

test('at most five boxes stand in a column, the last of more says how many are left', () => {
  const { boxes } = placeBowTie(
    data(['secret:1', 'secret:2', 'secret:3', 'secret:4', 'secret:5', 'secret:6'], []),
  )
  expect(boxes.filter(({ x }) => x === 0).map(({ resource: one, text }) => one?.id ?? text)).toEqual([
    'secret:1',
    'secret:2',
    'secret:3',
    'secret:4',
    '2 more',
  ])
})

test('an ingress behind others stands outside, joined to the box before it', () => {
  const { boxes, lines, columns } = placeBowTie(
    data([], [related('service:web', 1, 'deployment:web'), related('ingress:shop', 2, 'service:web')]),
  )
  const ingress = boxes.find(({ resource: one }) => one?.id === 'ingress:shop')
  const service = boxes.find(({ resource: one }) => one?.id === 'service:web')
  expect(ingress?.x).toBeGreaterThan(service?.x ?? 0)
  expect(lines).toHaveLength(2)
  expect(columns.map(({ title, count }) => [title, count])).toEqual([
    ['It needs', 0],
    ['1 step', 1],
    ['Outside', 1],
  ])
})
