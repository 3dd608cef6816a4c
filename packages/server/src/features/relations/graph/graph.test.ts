import { relationVerbs, type Relation } from '@bey/contract'
import { describe, expect, test } from 'vitest'
import { impactOf } from './impact.ts'
import { indexRelations } from './index-relations.ts'
import { neighbours, shortestPath } from './walk.ts'

const relation = (text: string): Relation => {
  const [from = '', verb, to = ''] = text.split(' ')
  const known = relationVerbs.find((each) => each === verb)
  if (!known) throw new Error(`Unknown verb in "${text}"`)
  return { from, to, verb: known }
}
const index = (...texts: string[]) => indexRelations(texts.map(relation))

/** Two pods of a deployment on two nodes, behind a service and an ingress. */
const shop = [
  'pod:a runs_on node:1',
  'pod:b runs_on node:2',
  'pod:a owned_by deployment:web',
  'pod:b owned_by deployment:web',
  'pod:a mounts configmap:web',
  'pod:b mounts configmap:web',
  'service:web routes_to deployment:web',
  'ingress:shop routes_to service:web',
]

const effects = (texts: string[], start: string, act: 'fails' | 'deleted') =>
  Object.fromEntries(
    impactOf(index(...texts), start, act).reached.map(({ id, effect, when }) => [id, `${effect} ${when}`]),
  )

describe('neighbours', () => {
  test('stop at the depth, and follow the direction that is asked for', () => {
    const graph = index(...shop)
    expect([...neighbours(graph, 'service:web', { direction: 'needs', depth: 1 })]).toEqual([
      ['service:web', 0],
      ['deployment:web', 1],
    ])
    expect(
      neighbours(graph, 'deployment:web', { direction: 'needed_by', depth: 2 }).get('ingress:shop'),
    ).toBe(2)
  })

  test('in a cycle each resource is named once, with its least number of steps', () => {
    const graph = index('a:1 connects_to a:2', 'a:2 connects_to a:3', 'a:3 connects_to a:1')
    expect([...neighbours(graph, 'a:1', { direction: 'needs', depth: 10 })]).toEqual([
      ['a:1', 0],
      ['a:2', 1],
      ['a:3', 2],
    ])
  })
})

describe('the path between two resources', () => {
  test('names the relation of every step', () => {
    const path = shortestPath(index(...shop), 'ingress:shop', 'node:2', { direction: 'both', depth: 10 })
    expect(path?.map(({ id, relation: by }) => [id, by?.verb ?? null])).toEqual([
      ['ingress:shop', null],
      ['service:web', 'routes_to'],
      ['deployment:web', 'routes_to'],
      ['pod:b', 'owned_by'],
      ['node:2', 'runs_on'],
    ])
  })

  test('is undefined where there is none, or where it is longer than the depth', () => {
    const graph = index(...shop)
    expect(shortestPath(graph, 'node:1', 'ingress:shop', { direction: 'needs', depth: 10 })).toBeUndefined()
    expect(shortestPath(graph, 'ingress:shop', 'node:2', { direction: 'both', depth: 3 })).toBeUndefined()
  })
})

describe('what a failure reaches', () => {
  test('one node of two: its pod stops, what other pods carry goes on with the rest', () => {
    expect(effects(shop, 'node:1', 'fails')).toEqual({
      'pod:a': 'stops at_once',
      'deployment:web': 'partly at_once',
    })
  })

  test('the only node: everything that leads to it stops, up to the ingress', () => {
    const onOne = shop.map((text) => text.replace('node:2', 'node:1'))
    expect(effects(onOne, 'node:1', 'fails')).toEqual({
      'pod:a': 'stops at_once',
      'pod:b': 'stops at_once',
      'deployment:web': 'stops at_once',
      'service:web': 'stops at_once',
      'ingress:shop': 'stops at_once',
    })
  })

  test('a service with another workload answers on', () => {
    const texts = [...shop, 'service:web routes_to deployment:old']
    expect(effects(texts, 'deployment:old', 'fails')).toEqual({ 'service:web': 'partly at_once' })
  })

  test('nothing, where nothing needs it', () => {
    expect(impactOf(index(...shop), 'ingress:shop', 'fails').reached).toEqual([])
  })
})

describe('what a deletion reaches', () => {
  test('a config map: its pods at the next restart, and then what they carry', () => {
    expect(effects(shop, 'configmap:web', 'deleted')).toEqual({
      'pod:a': 'stops next_restart',
      'pod:b': 'stops next_restart',
      'deployment:web': 'stops next_restart',
      'service:web': 'stops next_restart',
      'ingress:shop': 'stops next_restart',
    })
  })

  test('a deployment: its pods go with it, and what only they used is left without use', () => {
    const impact = impactOf(
      index(...shop, 'pod:c mounts configmap:shared', 'pod:a mounts configmap:shared'),
      'deployment:web',
      'deleted',
    )
    expect(impact.reached.filter(({ effect }) => effect === 'goes_with').map(({ id }) => id)).toEqual([
      'pod:a',
      'pod:b',
    ])
    expect(impact.unused).toEqual(['configmap:web'])
  })

  test('a network: what is attached goes on without its rules', () => {
    expect(effects(['namespace:shop attached_to network:1'], 'network:1', 'deleted')).toEqual({
      'namespace:shop': 'rules_end at_once',
    })
    expect(effects(['namespace:shop attached_to network:1'], 'network:1', 'fails')).toEqual({})
  })

  test('a secret: copies go when it is destroyed, and what mounts them does not start then', () => {
    const texts = [
      'k8s-secret:1 copied_from secret:1',
      'pod:1 mounts k8s-secret:1',
      'k8s-secret:2 updated_from secret:1',
    ]
    expect(effects(texts, 'secret:1', 'deleted')).toEqual({
      'k8s-secret:1': 'stops when_destroyed',
      'pod:1': 'stops when_destroyed',
    })
  })

  test('a member: personal keys go along, what the member made is kept', () => {
    const impact = impactOf(
      index('api-key:1 held_by member:1', 'secret:1 created_by member:1'),
      'member:1',
      'deleted',
    )
    expect(impact.reached.map(({ id, effect }) => [id, effect])).toEqual([['api-key:1', 'goes_with']])
    expect(impact.kept).toEqual(['secret:1'])
  })

  test('a failure that comes later does not hide one that comes at once', () => {
    const texts = [
      'workflow:1 reads_secret secret:1',
      'x:1 routes_to workflow:1',
      'x:1 mounts configmap:1',
      'configmap:1 belongs_to secret:1',
    ]
    // By the workflow at its next use, by the config map, which goes along, at the next restart.
    expect(effects(texts, 'secret:1', 'deleted')['x:1']).toBe('stops next_restart')
  })
})

/** The same numbers in every run. */
function randoms(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return state / 2_147_483_648
  }
}

function randomGraph(seed: number, nodes: number, edges: number): Relation[] {
  const random = randoms(seed)
  const pick = () => `pod:${Math.floor(random() * nodes)}`
  return Array.from({ length: edges }, () => ({
    from: pick(),
    to: pick(),
    verb: relationVerbs[Math.floor(random() * relationVerbs.length)] ?? 'mounts',
  }))
}

describe('in graphs with cycles of every kind', () => {
  const seeds = Array.from({ length: 60 }, (_, seed) => seed + 1)

  test('each resource is reached once, never the start, and by one that is reached before it', () => {
    for (const seed of seeds) {
      const graph = indexRelations(randomGraph(seed, 25, 70))
      for (const act of ['fails', 'deleted'] as const) {
        const { reached } = impactOf(graph, 'pod:0', act)
        const ids = reached.map(({ id }) => id)
        expect(new Set(ids).size).toBe(ids.length)
        expect(ids).not.toContain('pod:0')
        for (const { by, step, effect } of reached) {
          const before = reached.find(({ id }) => id === by)
          expect(by === 'pod:0' || before !== undefined).toBe(true)
          if (effect !== 'partly') expect(step).toBe((before?.step ?? 0) + 1)
          expect(before?.effect).not.toBe('partly')
          expect(before?.effect).not.toBe('rules_end')
        }
      }
    }
  })

  test('a deletion reaches at least what goes along by deletion alone', () => {
    for (const seed of seeds) {
      const relations = randomGraph(seed, 25, 70)
      const graph = indexRelations(relations)
      const along = indexRelations(
        relations.filter(({ verb }) => verb === 'owned_by' || verb === 'belongs_to'),
      )
      const reached = new Set(impactOf(graph, 'pod:0', 'deleted').reached.map(({ id }) => id))
      for (const id of neighbours(along, 'pod:0', { direction: 'needed_by', depth: 100 }).keys())
        expect(id === 'pod:0' || reached.has(id)).toBe(true)
    }
  })

  test('a path is as long as the number of steps of its end, and holds together', () => {
    for (const seed of seeds) {
      const graph = indexRelations(randomGraph(seed, 25, 40))
      const steps = neighbours(graph, 'pod:0', { direction: 'both', depth: 10 })
      for (const [id, step] of steps) {
        const path = shortestPath(graph, 'pod:0', id, { direction: 'both', depth: 10 }) ?? []
        expect(path.length - 1).toBe(step)
        for (const [at, { id: here, relation: by }] of path.entries())
          if (by) expect(new Set([by.from, by.to])).toEqual(new Set([here, path[at - 1]?.id]))
      }
    }
  })
})
