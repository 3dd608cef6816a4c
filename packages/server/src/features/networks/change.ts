import { type HandlerOutput, networkCan, type ParsedInput } from '@bey/contract'
import { networkLimits, networkProblems, sameAttachment } from '@bey/contract/networks/rules'
import { isDeepStrictEqual } from 'node:util'

import { act, type Who } from '../../platform/act.ts'
import { uuidv7 } from '../../platform/crypto/uuid.ts'
import type { Db } from '../../platform/db/database.ts'
import { violatedConstraint } from '../../platform/db/failure.ts'
import { lockUntilCommit } from '../../platform/db/locks.ts'
import { AppError } from '../../platform/errors.ts'
import { keepReply } from '../../platform/http/kept-reply.ts'
import { listAttachments, replaceAttachments } from './attachment-rows.ts'
import { checkDraft, type NetworkDraft, requireNone } from './draft.ts'
import { givenOf } from './given-attachments.ts'
import { listGroups } from './groups/group-rows.ts'
import { brokenGroups } from './groups/surroundings.ts'
import { type NetworkParts, startNetworkRun } from './parts.ts'
import { existing, networkTarget, presentNetwork } from './present.ts'
import {
  allNetworks,
  countNetworks,
  findNetwork,
  insertNetwork,
  lockNetwork,
  moveNetwork,
  type NetworkRow,
  nextVersion,
  updateNetwork,
} from './store.ts'

type Created = ParsedInput<'networks.create'>['body']
type Changed = ParsedInput<'networks.update'>['body']
type Reply = HandlerOutput<'networks.get'>

/** Creation and change of networks: the row says what is to be, and a run makes it so. */
export function createChanges(parts: NetworkParts) {
  const { database, clock } = parts

  async function create(body: Created, caller: Who): Promise<Reply> {
    const { organizationId } = caller
    const { attachments, ...values } = body
    const { problems } = await checkDraft(parts, organizationId, body)
    requireNone(problems)
    return orTaken(body.name, () =>
      database.withTenant(organizationId, async (db) => {
        await lockUntilCommit(db, 'networkRanges', organizationId)
        await requireApart(db, organizationId, body)
        if ((await countNetworks(db, organizationId)) >= networkLimits.perOrganization) {
          throw new AppError(
            'limit_reached',
            `This organization has ${networkLimits.perOrganization} networks, which is the most it can have. Delete one first.`,
          )
        }
        const id = uuidv7()
        await insertNetwork(db, {
          ...values,
          id,
          organizationId,
          status: 'pending',
          createdBy: caller.user.id,
        })
        await replaceAttachments(db, { organizationId, networkId: id }, attachments)
        const row = existing(await findNetwork(db, organizationId, id))
        const run = await startNetworkRun(parts, db, row, 'network.create', caller)
        await act(db, caller, {
          action: 'network.create',
          class: 'create',
          diff: { cidr: body.cidr, cidr6: body.cidr6, attachments },
          target: networkTarget(row),
          runId: run.runId,
        })
        return keepReply(db, await presented(db, organizationId, id))
      }),
    )
  }

  async function update(id: string, body: Changed, caller: Who): Promise<Reply> {
    const { organizationId } = caller
    const before = await database.readTenant(organizationId, async (db) => ({
      row: existing(await findNetwork(db, organizationId, id)),
      attachments: givenOf(await listAttachments(db, organizationId, [id])),
    }))
    const draft = draftWith(before.row, before.attachments, body)
    const changed = diffOf(before.row, before.attachments, body)
    const needsRun = Object.keys(changed).some((field) => !words.includes(field))
    if (needsRun) requireNone((await checkDraft(parts, organizationId, draft, id)).problems)
    return orTaken(before.row.name, () =>
      database.withTenant(organizationId, async (db) => {
        if (needsRun) await lockUntilCommit(db, 'networkRanges', organizationId)
        const row = existing(await lockNetwork(db, organizationId, id))
        requireVersion(row, body.version ?? before.row.rowVersion)
        if (Object.keys(changed).length === 0) return presented(db, organizationId, id)
        if (needsRun) {
          const refusal = networkCan.change(row)
          if (refusal !== undefined)
            throw new AppError('conflict', `"${row.name}" was left alone: ${refusal}`)
          await requireApart(db, organizationId, draft, id)
          requireNone(brokenGroups(draft, await listGroups(db, organizationId, id)))
        }
        const { description = row.description, region = row.region } = body
        const { attachments, ...values } = draft
        await updateNetwork(db, organizationId, id, { ...values, description, region })
        await nextVersion(db, organizationId, id)
        if (body.attachments !== undefined) {
          await replaceAttachments(db, { organizationId, networkId: id }, attachments)
        }
        const run = needsRun ? await startNetworkRun(parts, db, row, 'network.update', caller) : undefined
        if (needsRun) await moveNetwork(db, row, [row.status], 'updating', { reason: null }, clock.now())
        await act(db, caller, {
          action: 'network.update',
          class: 'update',
          diff: changed,
          target: networkTarget(row),
          ...(run && { runId: run.runId }),
        })
        return presented(db, organizationId, id)
      }),
    )
  }

  return { create, update }
}

async function presented(db: Db, organizationId: number, id: string): Promise<Reply> {
  const row = existing(await findNetwork(db, organizationId, id))
  return presentNetwork(row, await listAttachments(db, organizationId, [id]))
}

/** Fields that no cluster knows of, so that no run follows when they change. */
const words: readonly string[] = ['description', 'region']

function draftWith(row: NetworkRow, attached: NetworkDraft['attachments'], body: Changed): NetworkDraft {
  return {
    cidr: body.cidr ?? row.cidr,
    cidr6: body.cidr6 === undefined ? row.cidr6 : body.cidr6,
    isIsolated: body.isIsolated ?? row.isIsolated,
    policyKind: body.policyKind ?? row.policyKind,
    subnets: body.subnets ?? row.subnets,
    sets: body.sets ?? row.sets,
    attachments: body.attachments ?? attached,
  }
}

/** What a change makes different, by field. */
function diffOf(row: NetworkRow, attachments: NetworkDraft['attachments'], body: Changed) {
  const before: Record<string, unknown> = { ...row, attachments }
  const { version: _, ...given } = body
  return Object.fromEntries(
    Object.entries(given).flatMap(([field, to]) => {
      const isSame =
        field === 'attachments' && body.attachments !== undefined
          ? isSameSet(attachments, body.attachments)
          : isDeepStrictEqual(before[field], to)
      return to === undefined || isSame ? [] : [[field, { from: before[field], to }]]
    }),
  )
}

/** The order in which things are attached means nothing. */
const isSameSet = (one: NetworkDraft['attachments'], other: NetworkDraft['attachments']) =>
  one.length === other.length && one.every((each) => other.some((also) => sameAttachment(each, also)))

function requireVersion(row: NetworkRow, version: number): void {
  if (row.rowVersion === version) return
  throw new AppError(
    'conflict',
    `Somebody changed "${row.name}" meanwhile. Read it again, so that their change is not lost, and repeat yours.`,
  )
}

/** Once more with the lock: two who claim the same addresses at the same moment do not both get them. */
async function requireApart(db: Db, organizationId: number, draft: NetworkDraft, id?: string): Promise<void> {
  const rows = await allNetworks(db, organizationId)
  const claims = rows
    .filter((row) => row.id !== id)
    .flatMap(({ id: networkId, name, cidr, cidr6 }) =>
      [cidr, ...(cidr6 === null ? [] : [cidr6])].map(
        (each) => ({ kind: 'network', cidr: each, name, networkId, clusterId: null }) as const,
      ),
    )
  requireNone(networkProblems({ ...draft, clusterIds: [] }, claims))
}

/** Explains that another network has the name or what is attached. */
async function orTaken<T>(name: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const constraint = violatedConstraint(error)
    if (constraint === 'networks_name_key') {
      throw new AppError('name_taken', `A network named "${name}" exists already. Choose another name.`, {
        cause: error,
      })
    }
    if (constraint?.startsWith('network_attachments_')) {
      throw new AppError('conflict', 'Something of it was attached to another network at the same moment.', {
        cause: error,
      })
    }
    throw error
  }
}
