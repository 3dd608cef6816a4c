import type { DataKeys } from '../../../platform/crypto/data-keys.ts'
import { StepFailure } from '../../../platform/engine/step-failure.ts'
import { AppError } from '../../../platform/errors.ts'
import { ConnectionProblem } from '../../../platform/outbound/connection-problem.ts'
import type { Json, StepContext, StepDefinition } from '../../workflows/definition/definition.ts'
import type { ActingRun, RunActor } from '../../workflows/steps/run-actor.ts'
import type { DatabaseParts } from '../parts.ts'
import { databaseIdOf } from '../run-moves.ts'
import { type DatabaseRow, findDatabase, lockDatabase, updateDatabase } from '../store.ts'
import { type ClusterObject, clusterPath, messageOf, observe } from './cluster-object.ts'
import type { PersonCall } from './clusters.ts'
import type { Subject } from './wait-for-cluster.ts'

export type ClusterStepParts = Omit<DatabaseParts, 'workflows'> & {
  dataKeys: DataKeys
  /** In whose name a run acts. Throws StepFailure once they may not any more. */
  actorOf: (run: ActingRun) => Promise<RunActor>
}

export type OnCluster = Subject & { row: DatabaseRow; actor: RunActor }
type Work = (context: StepContext, subject: OnCluster) => Promise<Json | undefined>

/** Makes steps that work on the Cluster of a database in the name of whoever started the run. */
export function clusterSteps({ database, providers, actorOf }: ClusterStepParts) {
  return function step(key: string, name: string, work: Work): StepDefinition {
    return {
      key,
      name,
      type: 'database',
      guarantee: 'at_least_once_keyed',
      async execute(context) {
        const { organizationId } = context.run
        const row = await database.readTenant(organizationId, (db) =>
          findDatabase(db, organizationId, databaseIdOf(context.run)),
        )
        if (row === undefined) throw new Error('The database of this run is gone')
        if (row.cnpg === null || row.clusterId === null) {
          throw new StepFailure('The cluster that it runs on was removed from Bey.')
        }
        const actor = await actorOf(context.run)
        const { namespace, name: cluster } = row.cnpg
        try {
          const person = { email: actor.user.email, role: actor.role }
          const open = await providers.cnpg.clusters.asPerson(organizationId, row.clusterId, person)
          const call: PersonCall = (method, path, options) =>
            open(method, path, { signal: context.signal, ...options })
          return await work(context, { row, actor, namespace, name: cluster, call })
        } catch (error) {
          if (context.signal.aborted) throw context.signal.reason
          if (error instanceof ConnectionProblem || error instanceof AppError) {
            throw new StepFailure(error.message, { cause: error, reason: 'network' })
          }
          throw error
        }
      },
    }
  }
}

/** Keeps what a Cluster says now. */
export async function keepObserved(
  { database, clock }: Pick<ClusterStepParts, 'database' | 'clock'>,
  { organizationId, id }: DatabaseRow,
  object: ClusterObject,
): Promise<void> {
  const observed = observe(object, clock.now())
  await database.withTenant(organizationId, async (db) => {
    const row = await lockDatabase(db, organizationId, id)
    if (row?.cnpg) await updateDatabase(db, organizationId, id, { cnpg: { ...row.cnpg, observed } })
  })
}

/** Changes a Cluster by a merge patch, as kubectl does. Throws StepFailure with the cluster's own reason. */
export async function patchCluster(
  { namespace, name, call }: Subject,
  patch: object,
  subresource = '',
): Promise<void> {
  const answer = await call('PATCH', `${clusterPath(namespace, name)}${subresource}?fieldManager=bey`, {
    body: patch,
    contentType: 'application/merge-patch+json',
  })
  if (answer.status < 300) return
  if (answer.status === 409) {
    throw new StepFailure(`The Cluster "${name}" was changed by somebody else at the same time. Try again.`)
  }
  throw new StepFailure(`The cluster refuses to change the Cluster "${name}": ${messageOf(answer)}.`)
}
