import { serverItself } from '../../../platform/act.ts'
import { ConnectionProblem } from '../../../platform/outbound/connection-problem.ts'
import { type Measured, measureOnce, withoutOwn } from '../measure.ts'
import { monitorName } from '../open-connection.ts'
import { createPasswordReader } from '../password-of.ts'
import { problemText } from '../problem-text.ts'
import type { DatabaseRow } from '../store.ts'
import type { WatchParts } from '../watch-parts.ts'
import { asCluster, type ClusterObject, clusterPath, messageOf, observe } from './cluster-object.ts'
import { stateOf } from './cluster-state.ts'
import type { OwnRead } from './clusters.ts'
import { openCnpg } from './open-cnpg.ts'
import { readOwner } from './owner-credential.ts'
import { createSeen, type Look } from './seen.ts'

/** Reads the Cluster of a database on a cluster, asks its primary whether it answers, and measures it. */
export function createCnpgLook(parts: WatchParts) {
  const { providers, clock, database, credentials } = parts
  const passwordOf = createPasswordReader(parts)
  const seen = createSeen(parts)

  async function readCluster(row: DatabaseRow): Promise<{ object: ClusterObject; read: OwnRead }> {
    const { organizationId, clusterId, cnpg } = row
    if (cnpg === null || clusterId === null) {
      throw new ConnectionProblem('The cluster that it runs on was removed from Bey.')
    }
    const read = await providers.cnpg.clusters.asBey(organizationId, clusterId)
    const answer = await read(clusterPath(cnpg.namespace, cnpg.name))
    if (answer.status === 200) return { object: asCluster(answer.body), read }
    if (answer.status === 404) {
      throw new ConnectionProblem(
        `Its Cluster "${cnpg.name}" is gone from the namespace "${cnpg.namespace}", or CloudNativePG is.`,
      )
    }
    throw new ConnectionProblem(
      `The account that Bey uses in the cluster cannot read its Cluster: ${messageOf(answer)}.`,
    )
  }

  /** Takes over a password that was changed in the cluster; true where there was another one. */
  async function syncPassword(row: DatabaseRow, object: ClusterObject, read: OwnRead): Promise<boolean> {
    const { organizationId, credentialSecretId } = row
    if (credentialSecretId === null) return false
    const [owner, known] = await Promise.all([
      readOwner(read, object),
      credentials.read(organizationId, credentialSecretId),
    ])
    if (owner.password === known.password) return false
    await database.withTenant(organizationId, (db) =>
      credentials.replace(
        db,
        credentialSecretId,
        owner.password,
        'The password was changed in the cluster',
        serverItself(organizationId),
      ),
    )
    return true
  }

  async function measure(row: DatabaseRow, object: ClusterObject, read: OwnRead): Promise<Measured> {
    const before = row.status === 'available' ? row.figures : null
    const cnpg = row.cnpg && { ...row.cnpg, observed: observe(object, clock.now()) }
    const ask = async () => {
      const connection = await openCnpg(providers, { ...row, cnpg }, await passwordOf(row), monitorName)
      return measureOnce(connection, before, clock.now())
    }
    const found = await ask().catch(async (error: unknown) => {
      if (!isWrongPassword(error) || !(await syncPassword(row, object, read))) throw error
      return ask()
    })
    return withoutOwn(found, row.figures, parts.takeOwnTransactions(row.id))
  }

  async function find(row: DatabaseRow): Promise<Look> {
    let found: Awaited<ReturnType<typeof readCluster>>
    try {
      found = await readCluster(row)
    } catch (error) {
      if (error instanceof ConnectionProblem) return { problem: error.message }
      throw error
    }
    const cluster = { state: stateOf(found.object), observed: observe(found.object, clock.now()) }
    const isAwake = !['hibernated', 'hibernating'].includes(cluster.state.status)
    if (!isAwake || cluster.observed.primary === null || cluster.observed.readyInstances === 0) {
      return { cluster, problem: cluster.state.reason ?? 'It has no primary yet.' }
    }
    try {
      return { cluster, measured: await measure(row, found.object, found.read) }
    } catch (error) {
      return { cluster, problem: problemText(error) }
    }
  }

  return async function look(row: DatabaseRow): Promise<void> {
    const found = await find(row)
    await seen(row, found)
    if (found.measured !== undefined) parts.onAnswer(row)
  }
}

const isWrongPassword = (error: unknown) =>
  error instanceof ConnectionProblem && (error.cause as { code?: unknown } | undefined)?.code === '28P01'
