import { healthStates, type Health } from '../packages/contract/src/base/health.ts'
import { objectResourceId } from '../packages/contract/src/resources/kinds.ts'
import { inventoryReader } from '../packages/server/src/features/resources/inventory.ts'
import { createSearch } from '../packages/server/src/features/resources/search.ts'
import { realClock } from '../packages/server/src/platform/clock.ts'
import type { Resource } from '../packages/server/src/platform/inventory.ts'
import { report } from './figure.ts'
import { median, percentile } from './process-figures.ts'

const total = 100_000
const rounds = 25
const kinds = ['pod', 'service', 'deployment', 'configmap', 'job', 'ingress', 'volumeclaim', 'namespace']
const queries = [
  '',
  'kind:pod health:failing label:team=team-7',
  'web-99',
  'is:unowned -namespace:ns-1* created:<30d',
  'cluster:prod-3 name:web*7',
  'namespace:nowhere',
]

/** Whole answers over 100,000 resources – rows, sentence, counts and what the matches share – against a bare pass over them. */
export async function run(): Promise<void> {
  const resources = Array.from({ length: total }, (_, index) => resourceAt(index))
  const read = inventoryReader({ readTenant: async () => [] as never }, () => [
    { kinds, list: async () => ({ resources, gaps: [] }) },
    { kinds, list: async () => ({ resources: [], gaps: [] }) },
  ])
  const search = createSearch(read, realClock)
  const ask = { organizationId: 1, userId: 1, role: 'OWNER' } as const
  const times: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    for (const query of queries) {
      const startedAt = performance.now()
      await search(ask, { query, sort: 'health', page: 1, limit: 50 })
      times.push(performance.now() - startedAt)
    }
  }
  const bare = Array.from({ length: rounds }, () => {
    const startedAt = performance.now()
    const found = resources.filter(({ name }) => name.toLowerCase().includes('web-99'))
    return performance.now() - startedAt + (found.length < 0 ? 1 : 0)
  })
  const p95 = percentile(times, 0.95)
  report({
    name: 'an answer about 100,000 resources, p95',
    value: p95,
    unit: 'ms',
    goal: 100,
    detail: `median ${median(times).toFixed(0)} ms; ${(p95 / median(bare)).toFixed(1)} × a bare pass over their names`,
  })
}

const labelSets = Array.from({ length: 200 }, (_, index) => ({
  team: `team-${index % 20}`,
  app: `app-${index}`,
}))
const states = healthStates.map((state): Health => ({
  state,
  reason: null,
  detail: null,
  since: null,
  object: null,
}))

function resourceAt(index: number): Resource {
  const kind = kinds[index % kinds.length] ?? 'pod'
  const clusterId = 1 + (index % 10)
  const namespace = `ns-${index % 97}`
  const name = `web-${index}`
  return {
    id: objectResourceId({ kind, clusterId, namespace, name }),
    kind,
    name,
    cluster: { id: clusterId, title: `prod-${clusterId}` },
    namespace,
    health: states[index % 40 === 0 ? 0 : 4] ?? null,
    labels: labelSets[index % labelSets.length] ?? {},
    createdAt: new Date(Date.UTC(2026, 0, 1) + index * 300_000).toISOString(),
    createdBy: null,
    marks: [],
    href: '/',
  }
}
