import type { Attention, AttentionItem, Health } from '@bey/contract'
import { healthRank, needsAttention } from '@bey/contract'
import type { ClusterAssessment } from './assessor.ts'

const maxItems = 50

type ClusterRef = { id: number; title: string }

/** What needs attention in a cluster: nodes, workloads with all their pods, and volume claims. */
export function attentionOf(cluster: ClusterRef, assessment: ClusterAssessment): AttentionItem[] {
  const items: AttentionItem[] = []
  const { id, title } = cluster
  const page = `/kubernetes/clusters/${id}`
  const of = { id, title }
  for (const [node, health] of assessment.nodes) {
    if (!needsAttention(health)) continue
    const { name } = node
    const href = `${page}/nodes?q=${encodeURIComponent(name)}`
    items.push({ ...item(of, 'Node', '', name, health), href, action: 'open' })
  }
  for (const { kind, namespace, name, verdict } of assessment.workloads) {
    const { health, affected } = verdict
    if (!needsAttention(health)) continue
    const where = `namespace=${encodeURIComponent(namespace)}&q=${encodeURIComponent(name)}`
    const isAboutEvents = eventReasons.has(health.reason ?? '')
    items.push({
      ...item(of, kind, namespace, name, health),
      affected: affected.count > 0 ? affected : null,
      href: `${page}/${isAboutEvents ? 'events' : 'pods'}?${where}`,
      action: isAboutEvents ? 'events' : 'pods',
    })
  }
  for (const [claim, health] of assessment.claims) {
    if (!needsAttention(health)) continue
    const { namespace, name } = claim
    const href = `${page}/events?namespace=${encodeURIComponent(namespace)}&q=${encodeURIComponent(name)}`
    items.push({ ...item(of, 'PersistentVolumeClaim', namespace, name, health), href, action: 'events' })
  }
  if (assessment.blindness) {
    const { kinds, reason } = assessment.blindness
    const detail = `${kinds.join(', ')}: ${reason}`
    const health: Health = { state: 'unknown', reason: 'NotReadable', detail, since: null, object: null }
    items.push({ ...item(of, 'Cluster', null, title, health), href: page, action: 'open' })
  }
  return items
}

/** Reasons of which the events of an object tell more than its pods. */
const eventReasons: ReadonlySet<string> = new Set([
  'Unschedulable',
  'ImagePullBackOff',
  'ErrImagePull',
  'InvalidImageName',
  'CreateContainerConfigError',
  'CreateContainerError',
  'FailedCreate',
])

function item(
  cluster: ClusterRef,
  kind: string,
  namespace: string | null,
  name: string,
  health: Health,
): Omit<AttentionItem, 'href' | 'action'> {
  return {
    key: `${cluster.id}/${kind}/${namespace ?? ''}/${name}`,
    kind,
    name,
    namespace: namespace || null,
    cluster,
    health,
    affected: null,
  }
}

/** The worst first, among equals the one that has lasted longest. */
export function attentionList(items: readonly AttentionItem[]): Attention {
  const counts = { failing: 0, degraded: 0, unknown: 0 }
  for (const { health } of items) {
    if (health.state in counts) counts[health.state as keyof typeof counts] += 1
  }
  const sorted = items.toSorted(
    (a, b) =>
      healthRank(a.health.state) - healthRank(b.health.state) ||
      (a.health.since ?? '9').localeCompare(b.health.since ?? '9') ||
      a.key.localeCompare(b.key),
  )
  return { items: sorted.slice(0, maxItems), counts }
}
