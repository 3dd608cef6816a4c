import { isValidDatabaseName, type ParsedInput } from '@bey/contract'

import { act, type Member } from '../../../platform/act.ts'
import { violatedConstraint } from '../../../platform/db/failure.ts'
import { AppError } from '../../../platform/errors.ts'
import { keepReply } from '../../../platform/http/kept-reply.ts'
import { ConnectionProblem } from '../../../platform/outbound/connection-problem.ts'
import { insertNewDatabase, orNameTaken } from '../new-database.ts'
import type { DatabaseServiceParts } from '../service.ts'
import { databaseTarget, existing, presentDatabase } from '../present.ts'
import { findDatabase } from '../store.ts'
import { asCluster, clusterPath, observe } from './cluster-object.ts'
import { openCluster, requireAnswer } from './cluster-rights.ts'
import { readOwner } from './owner-credential.ts'

type Input = ParsedInput<'databases.adopt'>['body']

/**
 * Manages a Cluster that exists, with the password that its operator made; nothing of it is changed. What is read is read in
 * the name of the caller, so that nobody gets through Bey what the cluster does not let them see. Throws AppError.
 */
export function createAdoption(parts: DatabaseServiceParts) {
  const { database, credentials, providers, clock } = parts

  return async (input: Input, caller: Member) => {
    const { organizationId } = caller
    const { namespace, cluster: name } = input
    const needed = ['kubernetes.write', 'kubernetes.secrets'] as const
    const { cluster, call } = await openCluster(providers.cnpg.clusters, caller, input.clusterId, needed)
    const answer = await call('GET', clusterPath(namespace, name))
    requireAnswer(answer, cluster, `The Cluster "${name}" in the namespace "${namespace}"`)
    const object = asCluster(answer.body)
    const owner = await readOwner((path) => call('GET', path), object).catch((error: unknown) => {
      if (error instanceof ConnectionProblem) throw new AppError('conflict', error.message, { cause: error })
      throw error
    })
    const title = input.name ?? nameOf(name)
    const made = await orAdopted(name, () =>
      orNameTaken(title, () =>
        database.withTenant(organizationId, async (db) => {
          const values = {
            name: title,
            description: input.description,
            isProtected: input.isProtected,
            provider: 'cnpg',
            status: 'connecting',
            databaseName: owner.databaseName,
            username: owner.username,
            tls: 'require',
            host: `${name}-rw.${namespace}.svc`,
            port: 5_432,
            clusterId: input.clusterId,
            cnpg: { namespace, name, isAdopted: true, wanted: null, observed: observe(object, clock.now()) },
          } as const
          const id = await insertNewDatabase(credentials, db, values, owner.password, caller)
          const row = existing(await findDatabase(db, organizationId, id))
          await act(db, caller, {
            action: 'database.adopt',
            class: 'create',
            diff: { provider: 'cnpg', cluster: cluster.title, namespace, name },
            target: databaseTarget(row),
          })
          return keepReply(db, presentDatabase(row))
        }),
      ),
    )
    parts.lookNow()
    return made
  }
}

function nameOf(cluster: string): string {
  if (isValidDatabaseName(cluster)) return cluster
  throw new AppError(
    'invalid_request',
    `"${cluster}" cannot be the name of a database in Bey. Give it another one.`,
  )
}

/** Explains that the Cluster belongs to another database. */
export async function orAdopted<T>(name: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (violatedConstraint(error) !== 'databases_cnpg_key') throw error
    throw new AppError('conflict', `The Cluster "${name}" is managed here already.`, { cause: error })
  }
}
