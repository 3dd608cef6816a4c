import { networkCan } from '@bey/contract'
import { networkLimits } from '@bey/contract/networks/rules'

import { act } from '../../platform/act.ts'
import { AppError } from '../../platform/errors.ts'
import type { Handlers } from '../../platform/http/handlers.ts'
import { keepReply } from '../../platform/http/kept-reply.ts'
import { accessOf } from './database-access.ts'
import { heldAddresses } from './addresses.ts'
import { listAttachments } from './attachment-rows.ts'
import { createChanges } from './change.ts'
import { readClaims } from './claims.ts'
import { checkDraft } from './draft.ts'
import { type NetworkParts, startNetworkRun } from './parts.ts'
import { planPolicies } from './plan.ts'
import { listGroups } from './groups/group-rows.ts'
import { listPolicies } from './policy-rows.ts'
import { existing, networkTarget, presentNetwork, presentPolicy } from './present.ts'
import { listNetworks, summarize } from './list.ts'
import { startApply } from './start-apply.ts'
import { findNetwork, lockNetwork, moveNetwork } from './store.ts'

type Names = `networks.${
  | 'list'
  | 'space'
  | 'plan'
  | 'get'
  | 'addresses'
  | 'policies'
  | 'create'
  | 'update'
  | 'apply'
  | 'delete'}`

/** Networks of an organization. What is not the organization's is `not_found`. */
export function networkHandlers(parts: NetworkParts): Handlers<Names> {
  const { database, clock } = parts
  const changes = createChanges(parts)

  return {
    'networks.list': ({ caller: { organizationId }, query }) =>
      database.readTenant(organizationId, async (db) => {
        const { rows, total } = await listNetworks(db, organizationId, query)
        const attached = await listAttachments(
          db,
          organizationId,
          rows.map(({ id }) => id),
        )
        const networks = rows.map((row) => presentNetwork(row, attached))
        const summary = await summarize(db, organizationId)
        return { networks, ...total, page: query.page, limit: query.limit, summary }
      }),

    'networks.space': ({ caller: { organizationId } }) => readClaims(parts, organizationId),

    'networks.plan': async ({ caller: { organizationId }, body }) => {
      const { networkId, name: newName = 'new', ...draft } = body
      const subject = await database.readTenant(organizationId, async (db) => {
        if (networkId === undefined) return { id: '', name: newName, groups: [], keptIn: [] }
        const { id, name } = existing(await findNetwork(db, organizationId, networkId))
        const kept = await listPolicies(db, organizationId, id)
        const keptIn = kept.map(({ clusterId }) => clusterId)
        return { id, name, groups: await listGroups(db, organizationId, id), keptIn }
      })
      const { problems, unread } = await checkDraft(parts, organizationId, draft, networkId)
      if (problems.length > 0) return { problems, policies: [], databases: [], unread }
      const attached = draft.attachments.map((each) => ({
        clusterId: each.kind === 'database' ? null : each.clusterId,
        namespace: each.kind === 'namespace' ? each.namespace : null,
      }))
      const planned = await planPolicies(parts, organizationId, { ...draft, ...subject, attached })
      const silent = [...unread, ...planned.unread]
      const members = draft.attachments.map((each) => ({
        databaseId: each.kind === 'database' ? each.databaseId : null,
      }))
      const wanted = accessOf({ ...draft, ...subject, attached: members })
      return {
        problems,
        policies: planned.policies,
        databases: await parts.access.plan(organizationId, wanted),
        unread: silent.filter(
          ({ clusterId }, at) => silent.findIndex((each) => each.clusterId === clusterId) === at,
        ),
      }
    },

    'networks.get': ({ caller: { organizationId }, params: { id } }) =>
      database.readTenant(organizationId, async (db) => {
        const row = existing(await findNetwork(db, organizationId, id))
        return presentNetwork(row, await listAttachments(db, organizationId, [id]))
      }),

    'networks.addresses': async ({ caller: { organizationId }, params: { id }, query: { search } }) => {
      const { row, attached } = await database.readTenant(organizationId, async (db) => ({
        row: existing(await findNetwork(db, organizationId, id)),
        attached: await listAttachments(db, organizationId, [id]),
      }))
      const { held, unread } = await heldAddresses(parts, row, attached)
      const text = search?.toLowerCase()
      const listed = text
        ? held.filter(({ shown }) => shown.address === text || shown.name.toLowerCase().includes(text))
        : held
      return {
        addresses: listed.slice(0, networkLimits.addresses).map(({ shown }) => shown),
        total: held.length,
        asOf: clock.now().toISOString(),
        unread,
      }
    },

    async 'networks.policies'({ caller: { organizationId }, params: { id } }) {
      const { row, attached, rows } = await database.readTenant(organizationId, async (db) => ({
        row: existing(await findNetwork(db, organizationId, id)),
        attached: await listAttachments(db, organizationId, [id]),
        rows: await listPolicies(db, organizationId, id),
      }))
      const { drifts } = await parts.access.compare(organizationId, accessOf({ ...row, attached }))
      return {
        policies: rows.map((each) => presentPolicy(each, row.figures?.silent ?? [])),
        databases: drifts,
      }
    },

    'networks.create': ({ caller, body }) => changes.create(body, caller),
    'networks.update': ({ caller, params: { id }, body }) => changes.update(id, body, caller),

    'networks.apply': ({ caller, params: { id } }) =>
      database.withTenant(caller.organizationId, async (db) => {
        const row = existing(await lockNetwork(db, caller.organizationId, id))
        const run = await startApply(parts, db, row, caller)
        const message = `The policies of "${row.name}" are put into its clusters.`
        return keepReply(db, { networkId: id, ...run, status: 'queued', message })
      }),

    'networks.delete': ({ caller, params: { id } }) =>
      database.withTenant(caller.organizationId, async (db) => {
        const row = existing(await lockNetwork(db, caller.organizationId, id))
        const attached = await listAttachments(db, caller.organizationId, [id])
        const refusal = networkCan.delete({ status: row.status, attachedCount: attached.length })
        if (refusal !== undefined) {
          const names = attached.slice(0, 3).map(({ name }) => name)
          const which =
            names.length === 0 ? '' : ` Attached: ${names.join(', ')}${attached.length > 3 ? ' …' : ''}.`
          throw new AppError('conflict', `"${row.name}" was left alone: ${refusal}${which}`)
        }
        const run = await startNetworkRun(parts, db, row, 'network.delete', caller)
        await moveNetwork(db, row, [row.status], 'deleting', { reason: null }, clock.now())
        await act(db, caller, {
          action: 'network.delete',
          class: 'delete',
          target: networkTarget(row),
          runId: run.runId,
        })
        const message = `The deletion of "${row.name}" started.`
        return keepReply(db, { networkId: id, ...run, status: 'queued', message })
      }),
  }
}
