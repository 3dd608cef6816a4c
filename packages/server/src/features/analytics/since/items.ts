import type { AttentionItem, SinceItem } from '@bey/contract'
import { auditActionText, entityHref, entityTypes, objectPath, type EntityType } from '@bey/contract'
import { failedStatuses, type ActOfOthers, type ChangedObject, type QueuedRun } from './happened-store.ts'
import type { Incident } from './incidents.ts'

const maxItems = 6

/** What is listed from, each newest first. */
export type SinceSources = {
  /** What needs attention now. */
  attention: readonly AttentionItem[]
  incidents: readonly Incident[]
  runs: readonly QueuedRun[]
  acts: readonly ActOfOthers[]
  objects: readonly ChangedObject[]
}

/**
 * What matters most of what happened, newest first: what is failing still, then trouble that is over, runs that failed,
 * what people did, and last what changed in clusters. Several of the same are one line.
 */
export function itemsOf(sources: SinceSources, fromMs: number): SinceItem[] {
  const ranked = [
    ...begunItems(sources.attention, fromMs),
    ...endedItems(sources.incidents),
    ...failedRunItems(sources.runs),
    ...actItems(sources.acts),
    ...objectItems(sources.objects),
  ]
  return ranked.slice(0, maxItems).toSorted((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : 0))
}

function begunItems(attention: readonly AttentionItem[], fromMs: number): SinceItem[] {
  return attention.flatMap(({ key, kind, name, cluster, health: { state, since }, href }) => {
    // Failed runs have lines of their own.
    if (kind === 'Run' || since === null || Date.parse(since) < fromMs) return []
    const text = begunText[state]
    if (text === undefined) return []
    const where = cluster === null || cluster.title === name ? null : cluster.title
    return [
      { key: `now ${key}`, at: since, kind: 'incident' as const, state, name, text, by: null, where, href },
    ]
  })
}

const begunText: Partial<Record<SinceItem['state'] & string, string>> = {
  failing: 'began to fail',
  degraded: 'needs attention',
  unknown: 'stopped answering',
}

/** Trouble of clusters that is over; what goes on is told by the things that fail. */
function endedItems(incidents: readonly Incident[]): SinceItem[] {
  return incidents.flatMap(({ clusterId, name, fromMs, toMs, most }) =>
    toMs === null
      ? []
      : [
          {
            key: `over ${clusterId} ${fromMs}`,
            at: new Date(fromMs).toISOString(),
            kind: 'incident' as const,
            state: 'healthy' as const,
            name,
            text: `had up to ${most === 1 ? '1 failing pod' : `${most} failing pods`} for ${spanText(toMs - fromMs)}, over`,
            by: null,
            where: null,
            href: `/kubernetes/clusters/${clusterId}`,
          },
        ],
  )
}

function failedRunItems(runs: readonly QueuedRun[]): SinceItem[] {
  const failed = runs.filter(({ status }) => failedStatuses.includes(status))
  return grouped(failed, ({ workflowId }) => workflowId).map(([newest, count]) => ({
    key: `run ${newest.workflowId}`,
    at: (newest.finishedAt ?? newest.queuedAt).toISOString(),
    kind: 'run',
    state: null,
    name: newest.workflow,
    text: newest.status === 'needs_attention' ? 'waits for a decision' : timesText('failed', count),
    by: null,
    where: null,
    href: `/workflows/${newest.workflowId}/runs/${newest.id}`,
  }))
}

function actItems(acts: readonly ActOfOthers[]): SinceItem[] {
  const key = ({ actor, action, targetType, targetId }: ActOfOthers) =>
    [actor, action, targetType, targetId].join('\n')
  return grouped(acts, key).map(([newest, count]) => ({
    key: `act ${key(newest)}`,
    at: newest.at.toISOString(),
    kind: 'change',
    state: null,
    name: newest.name,
    text: timesText(actText(newest), count),
    by: newest.actor,
    where: null,
    href: hrefOf(newest) ?? auditHref,
  }))
}

function objectItems(objects: readonly ChangedObject[]): SinceItem[] {
  const key = ({ clusterId, resource, namespace, name }: ChangedObject) =>
    [clusterId, resource, namespace, name].join('\n')
  return grouped(objects, key).map(([newest, count]) => ({
    key: `object ${key(newest)}`,
    at: newest.at.toISOString(),
    kind: 'change',
    state: null,
    name: newest.name,
    text: `${newest.kind} ${timesText(newest.change, count)}`,
    by: null,
    where: newest.cluster,
    href:
      newest.change === 'deleted' ? `/kubernetes/clusters/${newest.clusterId}/changes` : objectPath(newest),
  }))
}

/** "revealed a secret db-password"; without the name where it is that of who acted. */
export function actText({ action, targetName, name, actor }: ActOfOthers): string {
  const text = auditActionText(action)
  const isSelf = targetName === null || targetName === name || actor.includes(targetName)
  return isSelf ? text : `${text} ${targetName}`
}

const auditHref = '/workspaces/settings/security'

function hrefOf({ targetType, targetId }: ActOfOthers): string | undefined {
  const type = entityTypes.find((each): each is EntityType => each === targetType)
  return type === undefined || targetId === null ? undefined : entityHref({ type, id: targetId })
}

const timesText = (text: string, count: number) => (count === 1 ? text : `${text} ${count} times`)

/** Rows with the same key as one: the newest of them, and how many there are. */
function grouped<T>(rows: readonly T[], keyOf: (row: T) => string): [T, number][] {
  const groups = new Map<string, [T, number]>()
  for (const row of rows) {
    const group = groups.get(keyOf(row))
    if (group) group[1] += 1
    else groups.set(keyOf(row), [row, 1])
  }
  return [...groups.values()]
}

const minuteMs = 60_000

/** "14 min", "3 h", "2 days". */
function spanText(ms: number): string {
  if (ms < 90 * minuteMs) return `${Math.max(1, Math.round(ms / minuteMs))} min`
  const hours = Math.round(ms / (60 * minuteMs))
  return hours < 48 ? `${hours} h` : `${Math.round(hours / 24)} days`
}
