import { isRunOver } from '@bey/contract'
import { canReach } from '@bey/contract/reachability/can-reach'
import { and, eq, isNull, or, sql } from 'drizzle-orm'

import type { Db } from '../../platform/db/database.ts'
import { StepFailure } from '../../platform/engine/step-failure.ts'
import { AppError } from '../../platform/errors.ts'
import { networks } from '../../tables/networks.ts'
import { stepRuns } from '../../tables/step-runs.ts'
import { workflowRuns } from '../../tables/workflow-runs.ts'
import type { NetworkSteps } from '../workflows/steps/ports.ts'
import { listAttachments } from './attachment-rows.ts'
import { compareWithClusters } from './compare.ts'
import { listGroups } from './groups/group-rows.ts'
import { groupPlaces } from './groups/render-groups.ts'
import type { NetworkParts } from './parts.ts'
import { listPolicies } from './policy-rows.ts'
import { createPolicyReader, endNamed } from './reachability/read-policies.ts'
import { presentAnswer } from './reachability/present.ts'
import { existing } from './present.ts'
import type { PolicyChange } from './realise.ts'
import { startApply } from './start-apply.ts'
import { findNetwork, lockNetwork } from './store.ts'
import { uncoveredPlaces } from './uncovered.ts'

/** Applies and checks networks for steps of workflows. */
export function networkSteps(parts: NetworkParts): NetworkSteps {
  const { database } = parts
  const readCluster = createPolicyReader(parts)

  return {
    apply: (key, { network, group }, actor) =>
      orStepFailure(() =>
        database.withTenant(actor.organizationId, async (db) => {
          const { organizationId } = actor
          const id = await findId(db, organizationId, network)
          const row = existing(await lockNetwork(db, organizationId, id))
          if (group !== undefined) await requireGroup(db, row, group)
          const before = await findBegun(db, organizationId, id, key)
          if (before !== undefined) return { runId: before }
          if (['pending', 'creating', 'updating'].includes(row.status)) {
            return { busy: `"${row.name}" is ${row.status}. Waiting until that is done.` }
          }
          return startApply(parts, db, row, actor, { stepKey: key })
        }),
      ),

    applied: (organizationId, runId, group) =>
      database.readTenant(organizationId, async (db) => {
        const run = await findRun(db, organizationId, runId)
        if (run === undefined) throw new StepFailure('The run that applied the network is gone.')
        if (!isRunOver(run.status)) return undefined
        const { changes = [], changed_count: count = 0 } = run.applied ?? {}
        const failure = run.error?.message ?? `The run is ${run.status}.`
        if (group === undefined) {
          if (run.status === 'completed') return { changes, changed_count: count }
          throw new StepFailure(`The network was not applied: ${failure}`)
        }
        const places = await placesOfGroup(db, organizationId, run.networkId, group)
        const open = places.filter(({ checkedAt }) => checkedAt === undefined || checkedAt < run.queuedAt)
        if (open.length > 0) {
          const names = open.slice(0, 3).map(({ namespace, name }) => `${namespace}/${name}`)
          throw new StepFailure(`Not in force: ${names.join(', ')}. ${failure}`)
        }
        const own = changes.filter((change) =>
          places.some(({ namespace, name }) => change.namespace === namespace && change.name === name),
        )
        // A run that failed elsewhere does not say what it changed.
        return { changes: own, changed_count: run.applied === null ? null : own.length }
      }),

    reach: (organizationId, { clusterId, port, protocol, ...ends }) =>
      orStepFailure(async () => {
        const [from, to] = [endNamed(ends.from, 'from'), endNamed(ends.to, 'to')]
        const { compiled, basis } = await readCluster(organizationId, clusterId, [from, to])
        const { answer, sentence } = presentAnswer(
          canReach(compiled, from, to, { port, protocol }),
          basis.doubt,
        )
        return { answer, sentence, asOf: basis.asOf }
      }),

    drift: (organizationId, network) =>
      orStepFailure(async () => {
        const subject = await database.readTenant(organizationId, async (db) => {
          const id = await findId(db, organizationId, network)
          const row = existing(await findNetwork(db, organizationId, id))
          const attached = await listAttachments(db, organizationId, [id])
          return { ...row, attached, groups: await listGroups(db, organizationId, id) }
        })
        if (subject.status !== 'active' && subject.status !== 'degraded') {
          const why = subject.reason === null ? '' : ` ${subject.reason}`
          return { policies: 0, differing: [], unread: [`It is ${subject.status}.${why}`] }
        }
        const { differing, silent } = await compareWithClusters(parts, subject)
        const uncovered = await uncoveredPlaces(parts, subject)
        return {
          policies: subject.policyCount,
          differing: [
            ...differing.map((each) => `The policy ${each} differs from its definition in Bey.`),
            ...uncovered.map((each) => `${each}: no policy is kept there yet.`),
          ],
          unread: silent.map((title) => `${title} cannot be read.`),
        }
      }),
  }
}

/** What the feature refuses in a sentence is the failure of the step. */
async function orStepFailure<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof AppError) throw new StepFailure(error.message, { cause: error })
    throw error
  }
}

async function findId(db: Db, organizationId: number, nameOrId: string): Promise<string> {
  const [row] = await db
    .select({ id: networks.id })
    .from(networks)
    .where(
      and(
        eq(networks.organizationId, organizationId),
        isNull(networks.deletedAt),
        or(eq(networks.name, nameOrId), eq(sql`${networks.id}::text`, nameOrId)),
      ),
    )
    .limit(1)
  if (row === undefined) throw new StepFailure(`There is no network "${nameOrId}" in this organization.`)
  return row.id
}

async function requireGroup(
  db: Db,
  row: { organizationId: number; id: string; name: string },
  group: string,
): Promise<void> {
  const groups = await listGroups(db, row.organizationId, row.id)
  if (groups.some(({ name }) => name === group)) return
  throw new StepFailure(`The network "${row.name}" has no security group "${group}".`)
}

const ofNetwork = (organizationId: number) =>
  and(eq(workflowRuns.organizationId, organizationId), eq(workflowRuns.subjectType, 'network'))

/** The run that an earlier attempt of a step began. */
async function findBegun(
  db: Db,
  organizationId: number,
  networkId: string,
  key: string,
): Promise<string | undefined> {
  const [row] = await db
    .select({ id: workflowRuns.id })
    .from(workflowRuns)
    .where(
      and(
        ofNetwork(organizationId),
        eq(workflowRuns.subjectId, networkId),
        eq(sql`${workflowRuns.input} ->> 'stepKey'`, key),
      ),
    )
    .limit(1)
  return row?.id
}

async function findRun(db: Db, organizationId: number, runId: string) {
  const [row] = await db
    .select({
      status: workflowRuns.status,
      error: workflowRuns.error,
      queuedAt: workflowRuns.queuedAt,
      networkId: sql<string>`${workflowRuns.subjectId}`,
      // Written by the built-in workflow alone.
      applied: sql<{ changes?: PolicyChange[]; changed_count?: number } | null>`${stepRuns.output}`,
    })
    .from(workflowRuns)
    .leftJoin(
      stepRuns,
      and(
        eq(stepRuns.organizationId, organizationId),
        eq(stepRuns.runId, workflowRuns.id),
        eq(stepRuns.key, 'apply'),
      ),
    )
    .where(and(ofNetwork(organizationId), eq(workflowRuns.id, runId)))
  return row
}

/** Where a group has policies, with the moment of the last look at which each was in force. */
async function placesOfGroup(db: Db, organizationId: number, networkId: string, name: string) {
  const row = existing(await findNetwork(db, organizationId, networkId))
  const group = (await listGroups(db, organizationId, networkId)).find((each) => each.name === name)
  const kept = await listPolicies(db, organizationId, networkId)
  return groupPlaces(group ?? { name, targets: [] }, row.name).map((place) => {
    const found = kept.find(
      (each) =>
        each.clusterId === place.clusterId && each.namespace === place.namespace && each.name === place.name,
    )
    return { ...place, checkedAt: found?.state === 'in_force' ? found.checkedAt : undefined }
  })
}
