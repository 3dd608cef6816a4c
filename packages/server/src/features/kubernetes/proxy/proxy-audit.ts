import { personActor } from '../../../platform/act.ts'
import type { AuditEntry } from '../../../platform/audit/audit.ts'
import type { AuditBatch } from '../../../platform/audit/batch.ts'
import { onBehalfOf } from '../../../platform/audit/impersonation.ts'
import type { Clock } from '../../../platform/clock.ts'
import { AppError } from '../../../platform/errors.ts'
import type { Log } from '../../../platform/log.ts'
import type { Asked } from './admission.ts'
import { auditClass } from './authorize.ts'
import { createRequestCounts } from './request-counts.ts'

/** Where a request came from; `via` where its headers do not say it. */
export type Origin = { ip: string; userAgent: string; requestId: string; via?: AuditEntry['via'] }

/** A request that may be sent now. */
export type Intent = {
  /**
   * Call it once with the HTTP status, and with the name that the cluster gave to what was created, before the answer is
   * passed on. Never rejects: the act has happened.
   */
  complete(code: number, madeName?: string): Promise<void>
}

export type ProxyAudit = {
  /**
   * Before anything is sent: commits an entry for a write, an exec, a read of a Secret or an impersonation, whose outcome
   * is unknown until it is completed; other reads are counted when they are. Throws AppError `unavailable` where the
   * trail cannot be written; the request must not be sent then.
   */
  begin(request: Asked, origin: Origin): Promise<Intent>
  /** Counts a request that Bey refused by role: one entry a minute for each user and action. */
  refused(request: Asked, origin: Origin): void
  /** Writes what was counted. */
  flush(): Promise<void>
  stop(): Promise<void>
}

/** Reads and refusals are counted for this long before they become an entry, and lost where the process is killed. */
export const countingPeriodMs = 60_000

export function createProxyAudit(batch: AuditBatch, clock: Clock, log: Log): ProxyAudit {
  const reads = createRequestCounts(clock)
  const refusals = createRequestCounts(clock)

  const write = (request: Asked, entry: AuditEntry) =>
    onBehalfOf(request.caller.impersonator, () => batch.write(entry))

  async function flush(): Promise<void> {
    const entries = [
      ...reads.take().map((counted) => ({
        request: counted.request,
        entry: {
          ...base(counted.request, counted.origin),
          action: 'kubernetes.read',
          class: 'read',
          diff: counted.diff,
        } satisfies AuditEntry,
      })),
      ...refusals.take().map((counted) => ({
        request: counted.request,
        entry: {
          ...entryOf(counted.request, counted.origin, 'denied'),
          diff: counted.diff,
        } satisfies AuditEntry,
      })),
    ]
    await Promise.all(
      entries.map(({ request, entry }) =>
        write(request, entry).catch((error: unknown) =>
          log.warn(
            { err: error, organizationId: entry.organizationId },
            'Counted requests were not recorded',
          ),
        ),
      ),
    )
  }

  const cancel = clock.setInterval(() => void flush(), countingPeriodMs)
  return {
    async begin(request, origin) {
      if (auditClass(request) === 'counted') {
        return { complete: async () => reads.count(keyOf(request), request, origin) }
      }
      const intentId = await write(request, entryOf(request, origin, 'unknown')).catch((error: unknown) => {
        throw notRecorded(error)
      })
      return {
        async complete(code, madeName) {
          const named = { ...request.namedInBody, ...(madeName !== undefined && { name: madeName }) }
          const made = { ...request, namedInBody: named }
          const entry = { ...entryOf(made, origin, outcomeOf(code), code), intentId }
          await write(request, entry).catch((error: unknown) =>
            log.error({ err: error, intentId }, 'The outcome of a request to a cluster was not recorded'),
          )
        },
      }
    },
    refused(request, origin) {
      refusals.count(`${keyOf(request)}:${actionOf(request)}`, request, origin)
    },
    flush,
    async stop() {
      cancel()
      await flush()
    },
  }
}

function notRecorded(cause: unknown): AppError {
  return new AppError(
    'unavailable',
    'The audit trail cannot be written at the moment, so the request was not sent to the cluster. Try again in a few seconds; if it stays, ask the operator of this server.',
    { cause },
  )
}

function keyOf({ caller, cluster }: Asked): string {
  return `${caller.organizationId}:${caller.key}:${cluster.id}:${caller.impersonator?.name ?? ''}`
}

function base({ caller, cluster }: Asked, origin: Origin) {
  return {
    organizationId: caller.organizationId,
    actor: actorOf(caller),
    via: /^kubectl/i.test(origin.userAgent)
      ? 'kubectl'
      : caller.credential.kind === 'session'
        ? 'console'
        : 'api',
    target: { type: 'cluster', id: cluster.id, name: cluster.title },
    ...origin,
  } as const satisfies Partial<AuditEntry>
}

function actorOf({ userId, name, email, apiKey }: Asked['caller']): AuditEntry['actor'] {
  if (apiKey) return { type: 'api_key', id: apiKey.id, name: apiKey.name, email: null }
  return userId === undefined
    ? { type: 'token', name, email: null }
    : personActor({ id: userId, name, email })
}

function actionOf(request: Asked): string {
  const { info, act } = request
  if (auditClass(request) === 'exec') return `kubernetes.${info.resource?.subresource ?? 'exec'}`
  return `kubernetes.${act ?? info.verb}`
}

function outcomeOf(code: number): 'success' | 'failure' | 'denied' {
  if (code === 403) return 'denied'
  return code >= 400 ? 'failure' : 'success'
}

function entryOf(
  request: Asked,
  origin: Origin,
  outcome: NonNullable<AuditEntry['outcome']>,
  code?: number,
): AuditEntry {
  const { info, identity, isImpersonated, actsAs, namedInBody } = request
  const { resource } = info
  return {
    ...base(request, origin),
    action: actionOf(request),
    class: request.act === 'evict' ? 'delete' : classOf(auditClass(request), info.verb),
    outcome,
    // Of the body only how its object is called, and nothing of the query: an exec's command line may hold anything.
    diff: {
      verb: info.verb,
      ...(code !== undefined && { code }),
      // Nobody in the cluster itself can see who this was.
      ...(actsAs !== undefined && { actsAs }),
      ...(isImpersonated && { impersonates: { user: identity.user, groups: identity.groups } }),
      ...(resource
        ? {
            resource: resource.subresource ? `${resource.name}/${resource.subresource}` : resource.name,
            ...(resource.group && { group: resource.group }),
            ...(resource.namespace && { namespace: resource.namespace }),
            ...(resource.objectName ? { name: resource.objectName } : namedInBody),
          }
        : { path: info.path }),
    },
  }
}

function classOf(kind: ReturnType<typeof auditClass>, verb: string): AuditEntry['class'] {
  if (kind === 'exec') return 'execute'
  if (kind === 'secret') return 'read'
  if (kind === 'impersonated') return 'access'
  if (verb === 'create') return 'create'
  return verb.startsWith('delete') ? 'delete' : 'update'
}
