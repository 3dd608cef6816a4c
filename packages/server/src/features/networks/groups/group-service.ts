import { networkCan, type SecurityGroup } from '@bey/contract'
import {
  groupProblems,
  type SecurityGroupDraft,
  securityGroupLimits,
} from '@bey/contract/networks/security-group-rules'
import { isDeepStrictEqual } from 'node:util'

import { act, type Who } from '../../../platform/act.ts'
import { uuidv7 } from '../../../platform/crypto/uuid.ts'
import type { Db } from '../../../platform/db/database.ts'
import { violatedConstraint } from '../../../platform/db/failure.ts'
import { AppError } from '../../../platform/errors.ts'
import type { Handlers } from '../../../platform/http/handlers.ts'
import { keepReply } from '../../../platform/http/kept-reply.ts'
import { presentActor } from '../../../platform/present-actor.ts'
import { listAttachments } from '../attachment-rows.ts'
import { requireNone } from '../draft.ts'
import { givenOf } from '../given-attachments.ts'
import { type NetworkParts, startNetworkRun } from '../parts.ts'
import { planPolicies } from '../plan.ts'
import { listPolicies } from '../policy-rows.ts'
import { existing, networkTarget } from '../present.ts'
import { findNetwork, lockNetwork, moveNetwork, type NetworkRow } from '../store.ts'
import { readServicePeers, servicePeerProblems } from './service-peers.ts'
import { surroundingsOf } from './surroundings.ts'
import { deleteGroup, type GroupRow, insertGroup, listGroups, updateGroup } from './group-rows.ts'

type Names = `securityGroups.${'list' | 'get' | 'plan' | 'create' | 'update' | 'delete'}`

/** Security groups of networks. Each change of rules is a run of the network that puts them into its clusters. */
export function groupHandlers(parts: NetworkParts): Handlers<Names> {
  const { database, clock } = parts

  /** Queues the run that makes a change of groups so, with the network locked. */
  async function startChange(db: Db, row: NetworkRow, caller: Who) {
    const run = await startNetworkRun(parts, db, row, 'network.apply', caller)
    await moveNetwork(db, row, [row.status], 'updating', { reason: null }, clock.now())
    return run
  }

  /** Asked of the clusters before anything is locked. One that does not answer leaves its services unknown. */
  async function serviceProblems(
    organizationId: number,
    draft: Pick<SecurityGroupDraft, 'rules' | 'targets'>,
  ) {
    const { servicesOf } = await readServicePeers(parts, organizationId, [draft])
    return servicePeerProblems(draft, servicesOf)
  }

  return {
    'securityGroups.list': ({ caller: { organizationId }, params: { id } }) =>
      database.readTenant(organizationId, async (db) => {
        existing(await findNetwork(db, organizationId, id))
        return { groups: (await listGroups(db, organizationId, id)).map(present) }
      }),

    'securityGroups.get': ({ caller: { organizationId }, params: { id, groupId } }) =>
      database.readTenant(organizationId, async (db) => {
        existing(await findNetwork(db, organizationId, id))
        return present(found(await listGroups(db, organizationId, id), groupId))
      }),

    'securityGroups.plan': async ({ caller: { organizationId }, params: { id }, body }) => {
      const { name = 'new', groupId = '', ...draft } = body
      const { row, attached, groups, keptIn } = await readSubject(parts, organizationId, id)
      const own = groups.find((each) => each.id === groupId)
      const others = groups.filter((each) => each.id !== groupId)
      const problems = groupProblems(draft, surroundingsOf(row, givenOf(attached), groups))
      if (problems.length === 0) problems.push(...(await serviceProblems(organizationId, draft)))
      if (problems.length > 0) return { problems, policies: [], unread: [] }
      const planned = { ...draft, id: groupId, name: own?.name ?? name }
      const subject = { ...row, attached, groups: [...others, planned], keptIn }
      return { problems, ...(await planPolicies(parts, organizationId, subject)) }
    },

    'securityGroups.create': async ({ caller, params: { id }, body }) => {
      requireNone(await serviceProblems(caller.organizationId, body))
      return orNameTaken(body.name, () =>
        database.withTenant(caller.organizationId, async (db) => {
          const { organizationId, user } = caller
          const { row, attached, groups } = await lockSubject(db, organizationId, id)
          if (groups.length >= securityGroupLimits.perNetwork) {
            throw new AppError(
              'limit_reached',
              `The network "${row.name}" has ${securityGroupLimits.perNetwork} security groups, which is the most it can have. Delete one first.`,
            )
          }
          requireNone(groupProblems(body, surroundingsOf(row, givenOf(attached), groups)))
          const groupId = uuidv7()
          await insertGroup(db, { ...body, id: groupId, organizationId, networkId: id, createdBy: user.id })
          const run = body.targets.length > 0 ? await startChange(db, row, caller) : undefined
          await act(db, caller, {
            action: 'network.create_group',
            class: 'update',
            diff: { group: body.name, rules: body.rules, targets: body.targets },
            target: networkTarget(row),
            ...(run && { runId: run.runId }),
          })
          return keepReply(db, present(found(await listGroups(db, organizationId, id), groupId)))
        }),
      )
    },

    'securityGroups.update': async ({ caller, params: { id, groupId }, body }) => {
      if (body.rules !== undefined || body.targets !== undefined) {
        const { groups } = await readSubject(parts, caller.organizationId, id)
        const before = found(groups, groupId)
        const { rules = before.rules, targets = before.targets } = body
        requireNone(await serviceProblems(caller.organizationId, { rules, targets }))
      }
      return database.withTenant(caller.organizationId, async (db) => {
        const { organizationId } = caller
        const { version, description, ...given } = body
        const { row, attached, groups } = await lockSubject(
          db,
          organizationId,
          id,
          Object.keys(given).length > 0,
        )
        const before = found(groups, groupId)
        const draft: SecurityGroupDraft = {
          filtersIn: given.filtersIn ?? before.filtersIn,
          filtersOut: given.filtersOut ?? before.filtersOut,
          rules: given.rules ?? before.rules,
          targets: given.targets ?? before.targets,
        }
        const { filtersIn, filtersOut, rules, targets } = before
        const isSame = isDeepStrictEqual(draft, { filtersIn, filtersOut, rules, targets })
        if (isSame && (description === undefined || description === before.description))
          return present(before)
        if (!isSame) requireNone(groupProblems(draft, surroundingsOf(row, givenOf(attached), groups)))
        const values = { ...draft, description: description ?? before.description }
        const isNewest = version === undefined || version === before.rowVersion
        if (!isNewest || !(await updateGroup(db, before, values))) {
          throw new AppError(
            'conflict',
            `Somebody changed "${before.name}" meanwhile. Read it again, so that their change is not lost, and repeat yours.`,
          )
        }
        // A group that is on nothing, before and after, has no policy in a cluster.
        const isPut = before.targets.length + draft.targets.length > 0
        const run = isSame || !isPut ? undefined : await startChange(db, row, caller)
        await act(db, caller, {
          action: 'network.update_group',
          class: 'update',
          diff: {
            group: before.name,
            from: { rules, targets },
            to: { rules: draft.rules, targets: draft.targets },
          },
          target: networkTarget(row),
          ...(run && { runId: run.runId }),
        })
        return present(found(await listGroups(db, organizationId, id), groupId))
      })
    },

    'securityGroups.delete': ({ caller, params: { id, groupId } }) =>
      database.withTenant(caller.organizationId, async (db) => {
        const { organizationId } = caller
        const { row, groups } = await lockSubject(db, organizationId, id)
        const group = found(groups, groupId)
        const users = groups.filter(
          (each) =>
            each.id !== groupId &&
            each.rules.some(({ peer }) => peer.kind === 'group' && peer.groupId === groupId),
        )
        if (users.length > 0) {
          const names = users.map(({ name }) => name).join(', ')
          throw new AppError(
            'conflict',
            `"${group.name}" was left alone: rules of ${names} name it. Change them first.`,
          )
        }
        await deleteGroup(db, organizationId, groupId)
        const run = group.targets.length > 0 ? await startChange(db, row, caller) : undefined
        await act(db, caller, {
          action: 'network.delete_group',
          class: 'update',
          diff: { group: group.name },
          target: networkTarget(row),
          ...(run && { runId: run.runId }),
        })
        return null
      }),
  }
}

async function readSubject({ database }: Pick<NetworkParts, 'database'>, organizationId: number, id: string) {
  return database.readTenant(organizationId, async (db) => ({
    row: existing(await findNetwork(db, organizationId, id)),
    attached: await listAttachments(db, organizationId, [id]),
    groups: await listGroups(db, organizationId, id),
    keptIn: (await listPolicies(db, organizationId, id)).map(({ clusterId }) => clusterId),
  }))
}

/** The network with its groups, locked; throws AppError `conflict` while another change is under way. */
async function lockSubject(db: Db, organizationId: number, id: string, needsRun = true) {
  const row = existing(await lockNetwork(db, organizationId, id))
  const refusal = needsRun ? networkCan.change(row) : undefined
  if (refusal !== undefined) throw new AppError('conflict', `"${row.name}" was left alone: ${refusal}`)
  return {
    row,
    attached: await listAttachments(db, organizationId, [id]),
    groups: await listGroups(db, organizationId, id),
  }
}

function found(groups: readonly GroupRow[], id: string): GroupRow {
  const group = groups.find((each) => each.id === id)
  if (group !== undefined) return group
  throw new AppError('not_found', 'There is no such security group in this network.')
}

function present(row: GroupRow): SecurityGroup {
  return {
    id: row.id,
    networkId: row.networkId,
    name: row.name,
    description: row.description,
    filtersIn: row.filtersIn,
    filtersOut: row.filtersOut,
    rules: row.rules,
    targets: row.targets,
    version: row.rowVersion,
    createdBy: presentActor(row.createdBy, row.createdByName, row.createdByEmail),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  }
}

async function orNameTaken<T>(name: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (violatedConstraint(error) !== 'security_groups_name_key') throw error
    throw new AppError('name_taken', `This network has a security group named "${name}" already.`, {
      cause: error,
    })
  }
}
