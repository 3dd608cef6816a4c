import type { CallOutput, ParsedInput, Webhook } from '@bey/contract'
import { auditEntriesEvent, webhookBounds as bounds } from '@bey/contract'
import { keepReply } from '../../platform/http/kept-reply.ts'
import { act } from '../../platform/act.ts'
import type { Refusals } from '../../platform/audit/refusals.ts'
import type { DataKeys } from '../../platform/crypto/data-keys.ts'
import { uuidv7 } from '../../platform/crypto/uuid.ts'
import type { Database, Db } from '../../platform/db/database.ts'
import { violatedConstraint } from '../../platform/db/failure.ts'
import { AppError } from '../../platform/errors.ts'
import type { TenantCaller } from '../../platform/http/handlers.ts'
import { countRefusedAddress } from '../../platform/http/refusals.ts'
import type { Outbound } from '../../platform/outbound/outbound.ts'
import { whyNotNow } from '../../platform/keys/key-rights.ts'
import { deleteStream, insertStream, setStreamClasses } from './audit-stream/store.ts'
import { presentWebhook } from './present.ts'
import { newSigningSecret, sealHeaders, storeSecret } from './secrets.ts'
import {
  countWebhooks,
  deleteWebhook,
  findWebhook,
  insertWebhook,
  listWebhooks,
  lockWebhook,
  replaceSecret,
  updateWebhook,
  type WebhookRow,
} from './store.ts'

export type WebhookService = ReturnType<typeof createWebhookService>

export type WebhookParts = {
  database: Pick<Database, 'withTenant' | 'readTenant'>
  dataKeys: DataKeys
  outbound: Pick<Outbound, 'refusalOfHost'>
  refusals: Refusals
  /** Something may be due now. */
  wake: () => void
}

/** Webhooks of an organization. All throw AppError `not_found` for what is not the organization's. */
export function createWebhookService({ database, dataKeys, outbound, refusals, wake }: WebhookParts) {
  async function load(db: Db, { organizationId, role }: TenantCaller, id: string): Promise<Webhook> {
    return presentWebhook((await findWebhook(db, organizationId, id)) ?? missingWebhook(), role)
  }

  /** Throws `invalid_request` for an address that is refused already by how it is written; names are checked as they are used. */
  function requireAllowed(caller: TenantCaller, url: string | undefined): void {
    const { hostname = '' } = url === undefined ? {} : new URL(url)
    const refusal = url === undefined ? undefined : outbound.refusalOfHost(hostname)
    if (!refusal) return
    const message = `${refusal.message}. Use another address.`
    countRefusedAddress(refusals, caller, { type: 'webhook', name: hostname }, `${refusal.message}.`)
    throw new AppError('invalid_request', message, { errors: [{ path: 'url', message }] })
  }

  return {
    list({ organizationId, role }: TenantCaller, query: ParsedInput<'webhooks.list'>['query']) {
      return database.readTenant(organizationId, async (db) => {
        const { rows, ...total } = await listWebhooks(db, organizationId, query)
        return {
          webhooks: rows.map((row) => presentWebhook(row, role)),
          ...total,
          page: query.page,
          limit: query.limit,
        }
      })
    },

    get: (caller: TenantCaller, id: string) =>
      database.readTenant(caller.organizationId, (db) => load(db, caller, id)),

    create(
      caller: TenantCaller,
      {
        headers,
        auditClasses: classes,
        auditFrom: from,
        filters,
        ...input
      }: ParsedInput<'webhooks.create'>['body'],
    ): Promise<CallOutput<'webhooks.create'>> {
      requireAllowed(caller, input.url)
      const isStream = input.events.includes(auditEntriesEvent)
      if (isStream) requireAuditReader(caller)
      const { organizationId } = caller
      const secret = newSigningSecret()
      return orNameTaken(input.name, () =>
        database.withTenant(organizationId, async (db) => {
          if ((await countWebhooks(db, organizationId)) >= bounds.perOrganization) {
            throw new AppError(
              'limit_reached',
              `This organization has ${bounds.perOrganization} webhooks, which is the limit. Delete one that is not used any more.`,
            )
          }
          const id = uuidv7()
          const of = { organizationId, webhookId: id }
          const sealed = await sealHeaders(db, dataKeys, of, headers)
          const events = [...new Set(input.events)]
          await insertWebhook(db, {
            ...input,
            ...filters,
            ...sealed,
            events,
            id,
            organizationId,
            createdBy: caller.user.id,
          })
          await storeSecret(db, dataKeys, of, secret)
          if (isStream) await insertStream(db, { ...of, classes, from })
          const diff = { url: shownUrl(input.url), events, ...(isStream && { auditClasses: classes }) }
          const target = { type: 'webhook', id, name: input.name }
          await act(db, caller, { action: 'webhook.create', class: 'create', target, diff })
          return keepReply(db, { webhook: await load(db, caller, id), secret })
        }),
      )
    },

    async update(
      caller: TenantCaller,
      id: string,
      input: ParsedInput<'webhooks.update'>['body'],
    ): Promise<Webhook> {
      requireAllowed(caller, input.url)
      const { organizationId } = caller
      const webhook = await orNameTaken(input.name ?? '', () =>
        database.withTenant(organizationId, async (db) => {
          const before = await lockedWebhook(db, organizationId, id)
          const { headers, events, auditClasses, filters, ...rest } = input
          const isStream = (events ?? before.events).includes(auditEntriesEvent)
          // Whoever may send the log elsewhere may read it.
          if (isStream || before.audit) requireAuditReader(caller)
          const sealed =
            headers && (await sealHeaders(db, dataKeys, { organizationId, webhookId: id }, headers))
          const changes = {
            ...rest,
            ...(events && { events: [...new Set(events)] }),
            ...filters,
            ...sealed,
            // Whoever enables it again gives its receiver another five days.
            ...(input.status === 'enabled' && { failingSince: null, disabledReason: null }),
          }
          await updateWebhook(db, organizationId, id, changes)
          const classes = auditClasses ?? before.audit?.classes ?? []
          if (!isStream) await deleteStream(db, organizationId, id)
          else if (before.audit) await setStreamClasses(db, organizationId, id, classes)
          else await insertStream(db, { organizationId, webhookId: id, classes, from: 'next' })
          const diff = {
            ...diffOf(before, { ...changes, headersSealed: undefined }),
            ...(auditClasses && { auditClasses: [before.audit?.classes ?? null, auditClasses] }),
          }
          const target = { type: 'webhook', id, name: input.name ?? before.name }
          await act(db, caller, { action: 'webhook.update', class: 'update', target, diff })
          return load(db, caller, id)
        }),
      )
      wake()
      return webhook
    },

    rotateSecret(
      caller: TenantCaller,
      id: string,
      overlapHours: number,
    ): Promise<CallOutput<'webhooks.rotateSecret'>> {
      const { organizationId } = caller
      const secret = newSigningSecret()
      return database.withTenant(organizationId, async (db) => {
        const row = await lockedWebhook(db, organizationId, id)
        await replaceSecret(db, organizationId, id, overlapHours)
        await storeSecret(db, dataKeys, { organizationId, webhookId: id }, secret)
        await act(db, caller, {
          action: 'webhook.rotate_secret',
          class: 'update',
          target: { type: 'webhook', id, name: row.name },
          diff: { overlapHours },
        })
        return keepReply(db, { webhook: await load(db, caller, id), secret })
      })
    },

    async delete(caller: TenantCaller, id: string): Promise<void> {
      const { organizationId } = caller
      await database.withTenant(organizationId, async (db) => {
        const row = await lockedWebhook(db, organizationId, id)
        await deleteWebhook(db, organizationId, id)
        await act(db, caller, {
          action: 'webhook.delete',
          class: 'delete',
          target: { type: 'webhook', id, name: row.name },
          diff: { url: shownUrl(row.url) },
        })
      })
    },
  }
}

export async function lockedWebhook(db: Db, organizationId: number, id: string): Promise<WebhookRow> {
  if (!(await lockWebhook(db, organizationId, id))) missingWebhook()
  return (await findWebhook(db, organizationId, id)) ?? missingWebhook()
}

function requireAuditReader({ role }: TenantCaller): void {
  const reason = whyNotNow(role, 'audit.read')
  if (reason !== undefined) {
    throw new AppError('forbidden', `This webhook streams the audit log. ${reason}`)
  }
}

export function missingWebhook(): never {
  throw new AppError('not_found', 'There is no such webhook in this organization.')
}

/** A URL without its query, which may hold a token. */
function shownUrl(url: string): string {
  const { origin, pathname, search } = new URL(url)
  return `${origin}${pathname}${search === '' ? '' : '?…'}`
}

const changeable = [
  'name',
  'url',
  'events',
  'statuses',
  'workflowIds',
  'clusterIds',
  'headerNames',
  'isOrdered',
  'status',
] as const

type Changed = Partial<Pick<WebhookRow, (typeof changeable)[number]>>

function diffOf(
  before: WebhookRow,
  changes: Changed & { headersSealed?: undefined },
): Record<string, unknown> {
  return Object.fromEntries(
    changeable
      .filter(
        (field) =>
          changes[field] !== undefined && JSON.stringify(changes[field]) !== JSON.stringify(before[field]),
      )
      .map((field) => {
        const pair = [before[field], changes[field]]
        return [field, field === 'url' ? pair.map((url) => shownUrl(String(url))) : pair]
      }),
  )
}

async function orNameTaken<T>(name: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (violatedConstraint(error) !== 'webhooks_name_key') throw error
    throw new AppError('name_taken', `A webhook named "${name}" exists already. Choose another name.`, {
      cause: error,
    })
  }
}
