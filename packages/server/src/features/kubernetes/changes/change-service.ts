import type { CallOutput, ChangeEntry, ObjectRef, ParsedInput, Role } from '@bey/contract'
import { auditActionText, foldWarnings, kubernetesActText, noNamespace, resourceOfKind } from '@bey/contract'
import type { Clock } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/db/database.ts'
import { AppError } from '../../../platform/errors.ts'
import type { ClusterSummaries, ClusterSummary } from '../connection/ports.ts'
import type { EventEntry } from '../watch/entries.ts'
import type { WatchCache } from '../watch/watch-cache.ts'
import type { Act, ListedVersion } from './version-store.ts'
import {
  actsWithin,
  changedVersions,
  findVersion,
  listVersions,
  objectBefore,
  recordedSince,
  runsWithin,
} from './version-store.ts'
import { mayNow } from '../../../platform/keys/key-rights.ts'

type Of = { organizationId: number; clusterId: number; role: Role }
type Address = Omit<ParsedInput<'kubernetes.history'>['params'], 'id'>

const maxEntries = 500
/** The longest time that is answered at once. */
const maxWindowMs = 7 * 24 * 3_600_000
/** An act through Bey and the version that it led to are at most so far apart. */
const sameActMs = 5_000

export type ChangeService = ReturnType<typeof createChangeService>

/** What changed in clusters. All throw AppError `not_found` for what is not the organization's. */
export function createChangeService(deps: {
  database: Database
  clusters: ClusterSummaries
  cache: WatchCache
  clock: Clock
}) {
  const { database, clusters, cache, clock } = deps

  async function clusterOf({ organizationId, clusterId }: Of): Promise<ClusterSummary> {
    const found = await clusters.find(organizationId, clusterId)
    if (!found) throw new AppError('not_found', `There is no cluster ${clusterId} in this organization.`)
    return found
  }

  async function actsFor(
    { organizationId, clusterId, role }: Of,
    from: Date,
    to: Date,
    limit = maxEntries,
  ): Promise<Act[]> {
    if (!mayNow(role, 'audit.read')) return []
    return database.readTenant(organizationId, (db) => actsWithin(db, { clusterId, from, to }, limit))
  }

  return {
    async history(of: Of, address: Address): Promise<CallOutput<'kubernetes.history'>> {
      await clusterOf(of)
      const { resource, name } = address
      const namespace = address.namespace === noNamespace ? '' : address.namespace
      const [rows, since] = await database.readTenant(of.organizationId, async (db) => [
        await listVersions(db, { clusterId: of.clusterId, resource, namespace, name }),
        await recordedSince(db, of.clusterId, resource),
      ])
      const [newest, oldest] = [rows[0], rows.at(-1)]
      const acts =
        newest && oldest
          ? await actsFor(
              of,
              new Date(oldest.at.getTime() - sameActMs),
              new Date(newest.at.getTime() + sameActMs),
            )
          : []
      return {
        versions: rows.map((row) => presentVersion(row, acts)),
        since: since?.toISOString() ?? null,
      }
    },

    async version(of: Of, versionId: string): Promise<CallOutput<'kubernetes.version'>> {
      await clusterOf(of)
      const found = await database.readTenant(of.organizationId, async (db) => {
        const version = await findVersion(db, of.clusterId, versionId)
        return version && { version, before: await objectBefore(db, of.clusterId, version) }
      })
      if (!found) throw new AppError('not_found', 'This version is not kept any more, or never was.')
      const { version, before } = found
      const { at } = version
      const acts = await actsFor(of, new Date(at.getTime() - sameActMs), new Date(at.getTime() + sameActMs))
      return {
        version: presentVersion(version, acts),
        object: version.object,
        before,
        ref: refOf(version),
      }
    },

    async changes(
      of: Of,
      query: ParsedInput<'kubernetes.changes'>['query'],
    ): Promise<CallOutput<'kubernetes.changes'>> {
      const cluster = await clusterOf(of)
      const window = { clusterId: of.clusterId, ...boundsOf(query) }
      const { namespace, atMost: limit, warnings } = query
      const [versions, runs, knownSince] = await database.readTenant(of.organizationId, async (db) => [
        await changedVersions(db, window, namespace, limit + 1),
        namespace === undefined ? await runsWithin(db, window, limit + 1) : [],
        await recordedSince(db, of.clusterId),
      ])
      const acts = await actsFor(of, window.from, window.to, limit + 1)
      const events = warnings === 'none' ? [] : await eventsOf(cluster)
      const each = [
        ...versions.map((version) => ofVersion(version, acts)),
        ...runs.map(ofRun),
        ...acts
          .filter((act) => namespace === undefined || act.diff?.['namespace'] === namespace)
          .filter((act) => !versions.some((version) => isSameAct(version, act)))
          .map(ofAct),
        ...events
          .filter(
            (event) => isWithin(event, window) && (namespace === undefined || event.namespace === namespace),
          )
          .map(ofEvent),
      ].toSorted((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : a.key < b.key ? -1 : 1))
      const entries = warnings === 'folded' ? foldWarnings(each) : each
      return {
        changes: entries.slice(0, limit),
        isComplete: entries.length <= limit,
        knownSince: knownSince?.toISOString() ?? null,
        asOf: clock.now().toISOString(),
      }
    },
  }

  /** Warnings that the cluster still has; none while it cannot be read. */
  async function eventsOf(cluster: {
    id: number
    organizationId: number
    title: string
  }): Promise<EventEntry[]> {
    try {
      const cached = await cache.read(cluster, ['events'], 2_000)
      return [...cached.table('events').values()].filter(({ type }) => type === 'Warning')
    } catch (error) {
      if (error instanceof AppError) return []
      throw error
    }
  }
}

function boundsOf({ from, to }: { from: string; to: string }): { from: Date; to: Date } {
  const bounds = { from: new Date(from), to: new Date(to) }
  const lengthMs = bounds.to.getTime() - bounds.from.getTime()
  if (lengthMs <= 0) throw new AppError('invalid_request', 'The time must end after it begins.')
  if (lengthMs > maxWindowMs) throw new AppError('invalid_request', 'Ask for at most 7 days at once.')
  return bounds
}

function isWithin({ lastSeenAt }: EventEntry, { from, to }: { from: Date; to: Date }): boolean {
  return lastSeenAt !== null && lastSeenAt >= from.toISOString() && lastSeenAt <= to.toISOString()
}

const refOf = ({ resource, kind, namespace, name }: ListedVersion): ObjectRef => ({
  resource,
  kind,
  namespace,
  name,
})

function presentVersion(row: ListedVersion, acts: readonly Act[]) {
  const { id, at, change, manager, bytes, isKept } = row
  const by = acts.find((act) => isSameAct(row, act))?.actor ?? null
  return { id, at: at.toISOString(), change, manager, by, bytes, isKept }
}

/** Whether an entry of the audit trail is the request that led to a version. */
function isSameAct(version: ListedVersion, { at, diff, outcome }: Act): boolean {
  return (
    outcome === 'success' &&
    diff !== null &&
    plainResource(diff['resource']) === version.resource.split('.')[0] &&
    diff['name'] === version.name &&
    (diff['namespace'] ?? '') === version.namespace &&
    Math.abs(at.getTime() - version.at.getTime()) <= sameActMs
  )
}

/** `deployments/scale` is a change of `deployments`. */
const plainResource = (resource: unknown) =>
  typeof resource === 'string' ? resource.split('/')[0] : undefined

/** Whether an act says more than that the object was created, updated or deleted. */
const isSpecific = ({ action }: Act) => !/^kubernetes\.(create|update|patch|apply|delete)$/.test(action)

/** "Restarted deployment web"; undefined for what is no act on one object. */
function actTitle({ action, diff, outcome }: Act): string | undefined {
  const [resource, name] = [plainResource(diff?.['resource']), diff?.['name']]
  if (!resource || typeof name !== 'string' || name === '') return undefined
  const text = kubernetesActText(action, `${resource}//${name}`, outcome === 'failure')
  return text && sentenceCase(text)
}

function ofVersion(version: ListedVersion, acts: readonly Act[]): ChangeEntry {
  const { id, at, change, manager, by } = presentVersion(version, acts)
  const act = acts.find((each) => isSameAct(version, each))
  return {
    key: `version ${id}`,
    at,
    kind: 'object',
    title: (act && isSpecific(act) && actTitle(act)) || `${version.kind} ${version.name} ${change}`,
    detail: manager && by === null ? `by ${manager}` : null,
    isTrouble: false,
    count: 1,
    object: refOf(version),
    versionId: id,
    run: null,
    by,
  }
}

function ofRun({
  id,
  workflowId,
  at,
  status,
  workflow,
}: Awaited<ReturnType<typeof runsWithin>>[number]): ChangeEntry {
  return {
    key: `run ${id}`,
    at: at.toISOString(),
    kind: 'run',
    title: `${workflow}: ${status}`,
    detail: null,
    isTrouble: status === 'failed' || status === 'timed_out',
    count: 1,
    object: null,
    versionId: null,
    run: { workflowId, runId: id },
    by: null,
  }
}

function ofAct(act: Act): ChangeEntry {
  const { id, at, actor, action, outcome } = act
  return {
    key: `act ${id}`,
    at: at.toISOString(),
    kind: 'action',
    title: actTitle(act) ?? sentenceCase(auditActionText(action)),
    detail: outcome === 'failure' ? 'refused by the cluster' : null,
    isTrouble: false,
    count: 1,
    object: null,
    versionId: null,
    run: null,
    by: actor || null,
  }
}

function ofEvent(event: EventEntry): ChangeEntry {
  const [kind = '', name = ''] = event.object.split('/')
  // A probe without an answer ends in a colon.
  const message = event.message.replace(/:\s*$/, '')
  return {
    key: `event ${event.uid}`,
    at: event.lastSeenAt ?? '',
    kind: 'event',
    title: `${event.reason}: ${kind} ${name}`,
    detail: event.count > 1 ? `${message} (${event.count} times)` : message,
    isTrouble: true,
    count: 1,
    object: { resource: resourceOfKind(kind) ?? null, kind, namespace: event.namespace, name },
    versionId: null,
    run: null,
    by: null,
  }
}

const sentenceCase = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
