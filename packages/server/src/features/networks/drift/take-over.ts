import { networkCan } from '@bey/contract'
import type { SecurityGroupDraft } from '@bey/contract/networks/security-group-rules'

import { act } from '../../../platform/act.ts'
import { ClusterFailure } from '../../../platform/clusters/open-cluster.ts'
import type { Db } from '../../../platform/db/database.ts'
import { AppError } from '../../../platform/errors.ts'
import type { Handlers } from '../../../platform/http/handlers.ts'
import { keepReply } from '../../../platform/http/kept-reply.ts'
import { listAttachments } from '../attachment-rows.ts'
import { givenOf } from '../given-attachments.ts'
import { listGroups, updateGroup } from '../groups/group-rows.ts'
import { readServicePeers, type ServicesOf } from '../groups/service-peers.ts'
import { surroundingsOf } from '../groups/surroundings.ts'
import { openLive } from '../open-live.ts'
import { type NetworkParts, startNetworkRun } from '../parts.ts'
import { planPolicies } from '../plan.ts'
import { listPolicies, type Spec } from '../policy-rows.ts'
import { existing, networkTarget } from '../present.ts'
import { findNetwork, lockNetwork, moveNetwork, type NetworkRow } from '../store.ts'
import { ciliumAsStandard } from './cilium-as-standard.ts'
import { draftOfPolicy, type OwnedPolicy, ownerOf } from './draft-of-policy.ts'
import { type LiveDrift, readDrift } from './live-drift.ts'
import type { Inexpressible } from './policy-openings.ts'

type Refusal = { member: string | null; reason: string }
/** `servicesOf`: what rules that name services let in. */
type Live = LiveDrift & { servicesOf: ServicesOf }
type Subject = Awaited<ReturnType<typeof readSubject>>
type TakenOver = { owner: OwnedPolicy | undefined; after: SecurityGroupDraft | Refusal }

/** Taking over policies that were changed past Bey: what a cluster has becomes what is recorded. */
export function takeOverHandlers(parts: NetworkParts): Handlers<`networks.takeOver.${'plan' | 'start'}`> {
  const { database, clock } = parts

  /** The policy as its cluster has it now; throws `conflict` where that is what was written. */
  async function readLive(organizationId: number, id: string, policyId: string): Promise<Live> {
    const { policy, groups } = await database.readTenant(organizationId, async (db) =>
      readSubject(db, existing(await findNetwork(db, organizationId, id)), policyId),
    )
    try {
      const cluster = await openLive(parts, organizationId, policy.clusterId)
      const drift = await readDrift(cluster, policy, id)
      const { servicesOf, unread } = await readServicePeers(parts, organizationId, groups)
      const silent = unread.find(({ clusterId }) => clusterId === policy.clusterId)
      if (silent !== undefined) throw new ClusterFailure(silent.reason)
      if (drift.isDrifted) return { ...drift, servicesOf }
    } catch (error) {
      if (!(error instanceof ClusterFailure)) throw error
      throw new AppError('cluster_unreachable', `${policy.clusterTitle}: ${error.message}`, { cause: error })
    }
    throw new AppError(
      'conflict',
      `The policy ${policy.namespace}/${policy.name} matches its definition in Bey by now: there is nothing to take over.`,
    )
  }

  return {
    async 'networks.takeOver.plan'({ caller: { organizationId }, params: { id, policyId } }) {
      const live = await readLive(organizationId, id, policyId)
      const subject = await database.readTenant(organizationId, async (db) =>
        readSubject(db, existing(await findNetwork(db, organizationId, id)), policyId),
      )
      const { owner, after } = takenOver(subject, live)
      const isRefused = 'reason' in after
      const row = subject.groups.find((each) => each.id === owner?.group.id)
      const { policies, unread } = isRefused
        ? { policies: [], unread: [] }
        : await planPolicies(parts, organizationId, {
            ...subject.row,
            attached: subject.attached,
            groups: subject.groups.map((each) => (each.id === row?.id ? { ...each, ...after } : each)),
            keptIn: subject.kept.map(({ clusterId }) => clusterId),
          })
      return {
        refusal: isRefused ? after : null,
        found: live.found,
        group: row
          ? {
              id: row.id,
              name: row.name,
              version: row.rowVersion,
              before: draftOf(row),
              after: isRefused ? null : after,
            }
          : null,
        policies,
        unread,
      }
    },

    async 'networks.takeOver.start'({ caller, params: { id, policyId }, body }) {
      const { organizationId } = caller
      const live = await readLive(organizationId, id, policyId)
      if (live.found !== body.found) throw changedMeanwhile('The policy', 'in its cluster')
      return database.withTenant(organizationId, async (db) => {
        const row = existing(await lockNetwork(db, organizationId, id))
        const refusal = networkCan.change(row)
        if (refusal !== undefined) throw new AppError('conflict', `"${row.name}" was left alone: ${refusal}`)
        const subject = await readSubject(db, row, policyId)
        const { owner, after } = takenOver(subject, live)
        if ('reason' in after) throw refusedBy(after)
        const group = subject.groups.find((each) => each.id === owner?.group.id)
        if (
          group === undefined ||
          group.rowVersion !== body.version ||
          !(await updateGroup(db, group, after))
        )
          throw changedMeanwhile('The security group', 'here')
        const { clusterId, clusterTitle, kind, namespace, name } = subject.policy
        const taken = { kind, clusterId, namespace, name, found: live.found }
        const run = await startNetworkRun(parts, db, row, 'network.take_over', caller, { taken })
        await moveNetwork(db, row, [row.status], 'updating', { reason: null }, clock.now())
        await act(db, caller, {
          action: 'network.take_over',
          class: 'update',
          diff: {
            policy: `${clusterTitle}: ${namespace}/${name}`,
            group: group.name,
            from: { rules: group.rules, targets: group.targets },
            to: { rules: after.rules, targets: after.targets },
          },
          target: networkTarget(row),
          runId: run.runId,
        })
        const message = `The security group "${group.name}" becomes what ${namespace}/${name} says in ${clusterTitle}.`
        return keepReply(db, { networkId: id, ...run, status: 'queued', message })
      })
    },
  }
}

/** The network with its groups and the policy, as they are in the transaction. */
async function readSubject(db: Db, row: NetworkRow, policyId: string) {
  const { organizationId, id } = row
  const kept = await listPolicies(db, organizationId, id)
  const policy = kept.find((each) => each.id === policyId)
  if (policy === undefined) throw new AppError('not_found', 'This network keeps no such policy.')
  const attached = await listAttachments(db, organizationId, [id])
  return { row, kept, policy, attached, groups: await listGroups(db, organizationId, id) }
}

function takenOver({ row, policy, attached, groups }: Subject, { spec, servicesOf }: Live): TakenOver {
  const around = { network: row.name, subnets: row.subnets, sets: row.sets, servicesOf }
  const owner = ownerOf(groups, row.name, policy)
  if (owner === undefined) return { owner, after: ownerless(row, policy.name) }
  const checked = surroundingsOf(row, givenOf(attached), groups)
  const standard = spec === null || policy.kind === 'NetworkPolicy' ? spec : ciliumAsStandard(spec)
  if (isInexpressible(standard)) return { owner, after: standard }
  return { owner, after: draftOfPolicy(standard, owner, groups, { ...around, checked }) }
}

const isInexpressible = (spec: Spec | Inexpressible | null): spec is Inexpressible =>
  spec !== null && typeof spec['member'] === 'string' && typeof spec['reason'] === 'string'

/** Why a policy that belongs to no security group stays as it is defined. */
function ownerless({ name, isIsolated }: NetworkRow, policy: string): Refusal {
  const reason =
    isIsolated && policy === `bey-${name}`
      ? 'It is the isolation of the network, which follows from its ranges and what is attached. Change those, or let somebody in by a security group, and put the policy right.'
      : 'No security group has it any more. Put it right, which deletes it.'
  return { member: null, reason }
}

const draftOf = ({ filtersIn, filtersOut, rules, targets }: SecurityGroupDraft): SecurityGroupDraft => ({
  filtersIn,
  filtersOut,
  rules,
  targets,
})

const refusedBy = ({ member, reason }: Refusal | Inexpressible) =>
  new AppError('conflict', `It cannot be taken over${member === null ? '' : `, for ${member}`}. ${reason}`)

const changedMeanwhile = (what: string, where: string) =>
  new AppError(
    'conflict',
    `${what} was changed ${where} after you saw the difference. Nothing was taken over. Look at it again.`,
  )
