import type { AttentionItem, Dashboard, Health } from '@bey/contract'
import { healthRank } from '@bey/contract'

type SummaryOf = {
  clusters: readonly { title: string; health: Health }[]
  databases: readonly Health[]
  attention: readonly AttentionItem[]
  nodes: number
  pods: { total: number; failing: number }
  runs24h: Dashboard['runs24h']
}

/** Pure: how the organization is, in one sentence and a second that gives its scope. */
export function summaryOf(given: SummaryOf): Dashboard['summary'] {
  const { clusters, databases, attention } = given
  for (const state of ['failing', 'degraded', 'unknown'] as const) {
    const items = attention.filter((item) => item.health.state === state)
    if (items.length === 0) continue
    const since = items.flatMap(({ health }) => health.since ?? []).toSorted()[0] ?? null
    return {
      state,
      text: troubleText(items, state, attention.filter(isUnreachable)),
      detail: scopeText(given, []),
      since,
    }
  }
  if (clusters.length === 0)
    return {
      state: 'healthy',
      text: 'No cluster yet',
      detail: sentences([...lookedAt(given), runsText(given)]),
      since: null,
    }
  const worst = clusters.toSorted((a, b) => healthRank(a.health.state) - healthRank(b.health.state))[0]
  if (worst && worst.health.state !== 'healthy') {
    const same = clusters.filter(({ health }) => health.state === worst.health.state)
    const what = same.length === 1 ? worst.title : `${same.length} clusters`
    const verb = same.length === 1 ? 'is' : 'are'
    const words = worst.health.state === 'starting' ? 'on the way' : 'not checked'
    return {
      state: worst.health.state,
      text: `${what} ${verb} ${words}`,
      detail: scopeText(given),
      since: worst.health.since,
    }
  }
  // All are healthy since the last of them became so.
  const since =
    [...clusters.map(({ health }) => health), ...databases]
      .flatMap((health) => health.since ?? [])
      .toSorted()
      .at(-1) ?? null
  return { state: 'healthy', text: 'Healthy', detail: scopeText(given), since }
}

const isUnreachable = ({ kind, health }: AttentionItem) =>
  (kind === 'Cluster' || kind === 'Database') && health.reason === 'Unreachable'

/** "3 workloads failing in prod-eu-1, 1 cluster does not answer": what nobody can look at is not the lesser trouble. */
function troubleText(
  items: readonly AttentionItem[],
  state: keyof typeof verbs,
  unreachable: readonly AttentionItem[],
): string {
  const alerts = items.filter(({ kind }) => kind === 'Alert')
  const seen = items.filter((item) => item.kind !== 'Alert' && !isUnreachable(item))
  const parts = seen.length > 0 ? [`${itemsText(seen, state)}${locationText(seen)}`] : []
  // An alert says of other things how they are: it is none of them.
  if (alerts.length > 0) parts.push(alertsText(alerts, state))
  const [only] = unreachable
  for (const kind of ['Cluster', 'Database'] as const) {
    const total = unreachable.filter((item) => item.kind === kind).length
    if (total > 0) parts.push(`${count(total, kind.toLowerCase())} ${total === 1 ? 'does' : 'do'} not answer`)
  }
  return `${parts.join(', ')}${only && unreachable.length === 1 && parts.length === 1 ? `: ${only.name}` : ''}`
}

/** "1 alert fires: Pods fail", "2 alerts fire", "1 alert of unknown state". */
function alertsText(alerts: readonly AttentionItem[], state: keyof typeof verbs): string {
  const total = count(alerts.length, 'alert')
  if (state === 'unknown') return `${total} of unknown state`
  const [only] = alerts
  return only && alerts.length === 1 ? `${total} fires: ${only.name}` : `${total} fire`
}

const nouns: Readonly<Record<string, string>> = {
  Node: 'node',
  PersistentVolumeClaim: 'volume claim',
  Cluster: 'cluster',
  Database: 'database',
  Network: 'network',
  Host: 'host',
  Certificate: 'certificate',
  Run: 'run',
}

const verbs = { failing: 'failing', degraded: 'degraded', unknown: 'of unknown health' }

/** "3 workloads and 1 node failing". */
function itemsText(items: readonly AttentionItem[], state: keyof typeof verbs): string {
  const counts = new Map<string, number>()
  for (const { kind } of items) {
    const noun = nouns[kind] ?? 'workload'
    counts.set(noun, (counts.get(noun) ?? 0) + 1)
  }
  const order = [
    'cluster',
    'node',
    'workload',
    'volume claim',
    'database',
    'network',
    'host',
    'certificate',
    'run',
  ]
  const parts = order.flatMap((noun) => {
    const count = counts.get(noun)
    return count ? [`${count} ${noun}${count === 1 ? '' : 's'}`] : []
  })
  const last = parts.pop() ?? ''
  return `${parts.length > 0 ? `${parts.join(', ')} and ` : ''}${last} ${verbs[state]}`
}

/** " in prod-eu-1", " in 2 clusters", or nothing of what is in none. */
function locationText(items: readonly AttentionItem[]): string {
  const titles = new Set(
    items.flatMap(({ kind, cluster }) => (cluster && kind !== 'Cluster' ? [cluster.title] : [])),
  )
  if (titles.size === 0) {
    const [only] = items.filter(({ kind }) => kind === 'Cluster' || kind === 'Database')
    return only && items.length === 1 ? `: ${only.name}` : ''
  }
  return titles.size === 1 ? ` in ${[...titles].join('')}` : ` in ${titles.size} clusters`
}

/** "11 of 188 pods fail. The other 3 clusters are healthy.", and what else is said of what is well. */
function scopeText(given: SummaryOf, others = [runsText(given)]): string {
  const { clusters, pods } = given
  const well = clusters.filter(({ health }) => health.state === 'healthy').length
  const parts =
    pods.failing > 0
      ? [`${pods.failing} of ${count(pods.total, 'pod')} ${pods.failing === 1 ? 'fails' : 'fail'}`]
      : lookedAt(given)
  if (well > 0 && well + 1 < clusters.length)
    parts.push(`${count(well, 'cluster')} ${well === 1 ? 'is' : 'are'} healthy`)
  else if (well > 0 && well < clusters.length)
    parts.push(well === 1 ? 'The other cluster is healthy' : `The other ${well} clusters are healthy`)
  return sentences([...parts, ...others])
}

const sentences = (parts: readonly string[]) =>
  parts
    .filter(Boolean)
    .map((part) => `${part.replace(/\.$/, '')}.`)
    .join(' ')

/** "3 clusters, 12 nodes, 40 pods and 2 databases checked"; of 3 clusters 2 where the third does not answer. */
function lookedAt({ clusters, databases, nodes, pods, attention }: SummaryOf): string[] {
  const parts: string[] = []
  if (clusters.length > 0) {
    const missing = attention.filter((item) => item.kind === 'Cluster' && isUnreachable(item)).length
    parts.push(share(clusters.length, missing, 'cluster'), count(nodes, 'node'), count(pods.total, 'pod'))
  }
  if (databases.length > 0) {
    const unseen = databases.filter(({ state, reason }) => state === 'starting' || reason === 'Unreachable')
    parts.push(share(databases.length, unseen.length, 'database'))
  }
  const last = parts.pop()
  if (last === undefined) return []
  return [`${parts.length > 0 ? `${parts.join(', ')} and ` : ''}${last} checked`]
}

/** "3 clusters", or "2 of 3 clusters". */
function share(total: number, missing: number, noun: string): string {
  const all = count(total, noun)
  return missing === 0 ? all : `${(total - missing).toLocaleString('en')} of ${all}`
}

function runsText({ runs24h: { total, byStatus, totalIsExact } }: SummaryOf): string {
  if (total === 0) return ''
  if (totalIsExact === false) return `More than ${count(total, 'run')} in 24 h.`
  const completed = byStatus['completed'] ?? 0
  const all =
    completed === total ? (total === 1 ? ', completed' : ', all completed') : `, ${completed} completed`
  return `${count(total, 'run')} in 24 h${all}.`
}

function count(number: number, noun: string): string {
  return `${number.toLocaleString('en')} ${noun}${number === 1 ? '' : 's'}`
}
