import type { Attention, AttentionItem, Health } from '@bey/contract'
import { healthRank, needsAttention, objectPath, resourceOfKind } from '@bey/contract'
import type { ClusterAssessment } from './assessor.ts'

const maxItems = 50

type ClusterRef = { id: number; title: string }

/** What needs attention in a cluster: nodes, workloads with all their pods, and volume claims. */
export function attentionOf(cluster: ClusterRef, assessment: ClusterAssessment): AttentionItem[] {
  const items: AttentionItem[] = []
  const { id, title } = cluster
  const page = `/kubernetes/clusters/${id}`
  const of = { id, title }
  const explained = (kind: string, namespace: string, name: string, health: Health): AttentionItem => ({
    ...item(of, kind, namespace, name, health),
    href: objectPath({ clusterId: id, resource: resourceOfKind(kind) ?? '', namespace, name }),
    action: 'explain',
  })
  for (const [{ name }, health] of assessment.nodes) {
    if (needsAttention(health)) items.push(explained('Node', '', name, health))
  }
  for (const { kind, namespace, name, verdict } of assessment.workloads) {
    const { health, affected } = verdict
    if (!needsAttention(health)) continue
    items.push({
      ...explained(kind, namespace, name, health),
      affected: affected.count > 0 ? affected : null,
    })
  }
  for (const [{ namespace, name }, health] of assessment.claims) {
    if (needsAttention(health)) items.push(explained('PersistentVolumeClaim', namespace, name, health))
  }
  const { certificate } = assessment
  if (needsAttention(certificate)) {
    const { key, ...rest } = item(of, 'Cluster', null, title, certificate)
    items.push({ key: `${key}/certificate`, ...rest, href: page, action: 'open' })
  }
  if (assessment.unreadable) {
    const { kinds, reason } = assessment.unreadable
    const detail = `${kinds.join(', ')}: ${reason}`
    const health: Health = { state: 'unknown', reason: 'NotReadable', detail, since: null, object: null }
    items.push({ ...item(of, 'Cluster', null, title, health), href: page, action: 'open' })
  }
  return items
}

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

/**
 * What takes much else with it: a cluster that does not answer, a node that is lost. Whatever fails because of it began
 * later, and what failed before is no longer the worst.
 */
function isLost({ kind, health }: AttentionItem): boolean {
  return kind === 'Cluster' ? health.reason === 'Unreachable' : kind === 'Node' && health.state === 'failing'
}

/** What is lost first, then the worst, among equals the one that has lasted longest. */
export function attentionList(items: readonly AttentionItem[]): Attention {
  const counts = { failing: 0, degraded: 0, unknown: 0 }
  for (const { health } of items) {
    if (health.state in counts) counts[health.state as keyof typeof counts] += 1
  }
  const sorted = items.toSorted(
    (a, b) =>
      Number(isLost(b)) - Number(isLost(a)) ||
      healthRank(a.health.state) - healthRank(b.health.state) ||
      (a.health.since ?? '9').localeCompare(b.health.since ?? '9') ||
      a.key.localeCompare(b.key),
  )
  return { items: sorted.slice(0, maxItems), counts }
}
