import { audit, type AuditEntry } from '../../../platform/audit/audit.ts'
import { onBehalfOf } from '../../../platform/audit/impersonation.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/db/database.ts'
import type { Log } from '../../../platform/log.ts'
import type { Admitted } from './admission.ts'
import { auditClass } from './authorize.ts'

/** Where a request came from. */
export type Origin = { ip: string; userAgent: string; requestId: string }

type Audited = Omit<Admitted, 'target'>

export type ProxyAudit = {
  /**
   * Writes the entry of a write, an exec or a read of a Secret, or counts any other read. Await it before the
   * answer is passed on: what could not be recorded is not shown. `code` is the HTTP status.
   */
  record(request: Audited, code: number, origin: Origin): Promise<void>
  /** Writes what was counted: one entry a user and cluster. */
  flush(): Promise<void>
  stop(): Promise<void>
}

/** Reads are counted for this long before they become an entry. */
export const countingPeriodMs = 10 * 60_000

type Counted = {
  request: Audited
  origin: Origin
  since: Date
  count: number
  byResource: Map<string, number>
}

export function createProxyAudit(database: Pick<Database, 'withTenant'>, clock: Clock, log: Log): ProxyAudit {
  let counted = new Map<string, Counted>()

  function count(request: Audited, origin: Origin): void {
    const { organizationId, userId, impersonator } = request.caller
    const key = `${organizationId}:${userId}:${request.cluster.id}:${impersonator?.name ?? ''}`
    let entry = counted.get(key)
    if (!entry)
      counted.set(key, (entry = { request, origin, since: clock.now(), count: 0, byResource: new Map() }))
    entry.count += 1
    const name = request.info.resource?.name ?? 'other'
    // Bounded, for a caller can name resources that do not exist.
    const bucket = entry.byResource.has(name) || entry.byResource.size < 100 ? name : 'other'
    entry.byResource.set(bucket, (entry.byResource.get(bucket) ?? 0) + 1)
  }

  async function flush(): Promise<void> {
    const batch = counted
    counted = new Map()
    for (const entry of batch.values()) {
      const { organizationId } = entry.request.caller
      const { impersonator } = entry.request.caller
      await onBehalfOf(impersonator, () =>
        database.withTenant(organizationId, (db) => audit(db, countEntry(entry, clock.now()))),
      ).catch((error: unknown) => log.warn({ err: error, organizationId }, 'Counted reads were not recorded'))
    }
  }

  const cancel = clock.setInterval(() => void flush(), countingPeriodMs)
  return {
    async record(request, code, origin) {
      if (auditClass(request.info) === 'counted') return count(request, origin)
      await onBehalfOf(request.caller.impersonator, () =>
        database.withTenant(request.caller.organizationId, (db) => audit(db, entryOf(request, code, origin))),
      )
    },
    flush,
    async stop() {
      cancel()
      await flush()
    },
  }
}

function base({ caller, cluster }: Audited, origin: Origin) {
  return {
    organizationId: caller.organizationId,
    actor: { type: 'user', id: caller.userId, display: caller.email },
    via: /^kubectl/i.test(origin.userAgent)
      ? 'kubectl'
      : caller.credential.kind === 'session'
        ? 'console'
        : 'api',
    target: { type: 'cluster', id: cluster.id, name: cluster.title },
    ...origin,
  } as const satisfies Partial<AuditEntry>
}

function entryOf(request: Audited, code: number, origin: Origin): AuditEntry {
  const { info } = request
  const kind = auditClass(info)
  const { resource } = info
  return {
    ...base(request, origin),
    action: kind === 'exec' ? `kubernetes.${resource?.subresource ?? 'exec'}` : `kubernetes.${info.verb}`,
    class: classOf(kind, info.verb),
    outcome: code === 403 ? 'denied' : code >= 400 ? 'failure' : 'success',
    // Never the body nor the query: an exec's command line or a field manager may hold anything.
    diff: {
      verb: info.verb,
      code,
      ...(resource
        ? {
            resource: resource.subresource ? `${resource.name}/${resource.subresource}` : resource.name,
            ...(resource.group && { group: resource.group }),
            ...(resource.namespace && { namespace: resource.namespace }),
            ...(resource.objectName && { name: resource.objectName }),
          }
        : { path: info.path }),
    },
  }
}

function classOf(kind: ReturnType<typeof auditClass>, verb: string): AuditEntry['class'] {
  if (kind === 'exec') return 'execute'
  if (kind === 'secret') return 'read'
  if (verb === 'create') return 'create'
  return verb.startsWith('delete') ? 'delete' : 'update'
}

function countEntry({ request, origin, since, count, byResource }: Counted, until: Date): AuditEntry {
  return {
    ...base(request, origin),
    action: 'kubernetes.read',
    class: 'read',
    diff: {
      requests: count,
      since: since.toISOString(),
      until: until.toISOString(),
      byResource: Object.fromEntries(byResource),
    },
  }
}
