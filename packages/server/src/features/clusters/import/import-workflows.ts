import type { ConnectionCheck, ConnectionTest } from '@bey/contract'

import type { Clock } from '../../../platform/clock.ts'
import type { Database, Db } from '../../../platform/db/database.ts'
import { StepFailure } from '../../../platform/engine/step-failure.ts'
import type { ClusterCall } from '../../kubernetes/connection/cluster-call.ts'
import type {
  Json,
  StepContext,
  StepDefinition,
  WorkflowDefinition,
} from '../../workflows/definition/definition.ts'
import { type ClusterEvents, clusterIdOf } from '../cluster-events.ts'
import type { createClusterMoves } from '../cluster-moves.ts'
import type { Connections, Imported } from '../connections.ts'
import { deleteConnection, revokeTokens, updateCluster } from '../store.ts'
import { updateImported } from './import-store.ts'
import { checkLabels } from './probe/check-labels.ts'
import { jsonOf } from './probe/ask-cluster.ts'
import type { Probe } from './probe/probe.ts'
import { type Quantities, readNodes } from './read-cluster.ts'

type Options = {
  database: Database
  connections: Connections
  events: ClusterEvents
  moves: ReturnType<typeof createClusterMoves>
  probe: Probe
  call: ClusterCall
  quantities: Quantities
  clock: Clock
  onClusterGone(db: Db, organizationId: number, clusterId: number): Promise<void>
}

const addressChecks: readonly ConnectionCheck[] = ['name', 'address', 'connection', 'certificate']
const loginChecks: readonly ConnectionCheck[] = ['kubernetes', 'identity', 'rights', 'metrics']

/** The built-in workflows that take a cluster in and let it go. Nothing of either changes anything in it. */
export function importWorkflows(options: Options): WorkflowDefinition[] {
  const { database, connections, events, moves, probe, call, quantities, clock } = options

  async function importedOf({ run }: StepContext): Promise<Imported & { id: number }> {
    const id = clusterIdOf(run)
    const known = await database.readTenant(run.organizationId, (db) =>
      connections.imported(db, run.organizationId, id),
    )
    if (known === null) throw new StepFailure('Its credentials are not kept any more. Import it again.')
    return { ...known, id }
  }

  /** Tests the connection, keeps the result and logs these checks; fails with the one that failed. */
  async function tested(context: StepContext, checks: readonly ConnectionCheck[]): Promise<ConnectionTest> {
    const { connection, imported, id } = await importedOf(context)
    const { namespace, chosenNamespaces } = imported
    const test = await probe.test(connection, {
      ...(namespace !== null && { namespace }),
      chosen: chosenNamespaces ?? [],
    })
    const impersonates = test.rights?.impersonation.isUsed ?? false
    await database.withTenant(context.run.organizationId, (db) =>
      updateImported(db, id, { imported: { ...imported, impersonates }, test }),
    )
    for (const { key, state, detail } of test.checks) {
      if (!checks.includes(key)) continue
      context.log(
        `${checkLabels[key]}: ${detail}.`,
        state === 'ok' ? 'info' : state === 'failed' ? 'error' : 'warning',
      )
    }
    if (test.stoppedAt !== null && checks.includes(test.stoppedAt))
      throw new StepFailure(`${test.problem?.title ?? ''} ${test.problem?.detail ?? ''}`.trim())
    return test
  }

  const importSteps: StepDefinition[] = [
    step('check_address', 'Check address', async (context) => {
      const test = await tested(context, addressChecks)
      return { isVerified: test.state !== 'unverified' }
    }),
    step('log_in', 'Log in', async (context) => {
      const test = await tested(context, loginChecks)
      // The address may have failed only now.
      if (test.problem !== null) throw new StepFailure(`${test.problem.title} ${test.problem.detail}`)
      const { rights, identity } = test
      if (rights) context.log(rights.impersonation.reason)
      return { identity: identity?.user ?? '', version: test.version ?? '' }
    }),
    step('read_cluster', 'Read version and nodes', async (context) => {
      const { connection, id, test } = await importedOf(context)
      const nodes = await readNodes(call, { ...connection, impersonate: false }, quantities, context.signal)
      if (nodes === undefined)
        context.log('Bey may not read the nodes, so their figures are not shown.', 'warning')
      const { region = '', nodeGroups = [] } = nodes ?? {}
      const count = nodeGroups.reduce((sum, group) => sum + group.count, 0)
      const version = test?.version ?? ''
      context.log(
        `Kubernetes ${version || 'of a version that it does not tell'}, ${count} nodes${region && ` in ${region}`}.`,
      )
      await database.withTenant(context.run.organizationId, async (db) => {
        await updateCluster(db, id, { region, version, nodeGroups })
        await events.listChanged(db, context.run.organizationId)
      })
      return { nodeCount: count, version }
    }),
    step('first_lists', 'Read first lists', async (context) => {
      const { connection, test } = await importedOf(context)
      const namespaces =
        test?.rights?.readsAll === false ? test.rights.namespaces.map(({ name }) => name) : ['']
      for (const [label, path] of firstLists) {
        let total = 0
        for (const namespace of namespaces) {
          const where = namespace === '' ? path : path.replace(/\/([^/]+)$/, `/namespaces/${namespace}/$1`)
          const reply = await call({ ...connection, impersonate: false }, 'GET', `${where}?limit=1`, {
            signal: context.signal,
          })
          total += reply.status === 200 ? countOf(reply.text === '' ? undefined : jsonOf(reply)) : 0
        }
        context.log(`${total} ${label}${namespaces[0] === '' ? '' : ` in ${namespaces.length} namespaces`}.`)
      }
      return undefined
    }),
  ]

  const disconnectSteps: StepDefinition[] = [
    step('delete_access', 'Revoke access', async (context) => {
      const { organizationId } = context.run
      const id = clusterIdOf(context.run)
      const count = await database.withTenant(organizationId, async (db) => {
        const revoked = await revokeTokens(db, id, clock.now())
        await options.onClusterGone(db, organizationId, id)
        return revoked
      })
      context.log(`Revoked ${count} kubeconfig token${count === 1 ? '' : 's'} that led through Bey.`)
      return { revokedTokens: count }
    }),
    step('forget_credentials', 'Forget credentials', async (context) => {
      const { organizationId } = context.run
      const known = await database.readTenant(organizationId, (db) =>
        connections.imported(db, organizationId, clusterIdOf(context.run)),
      )
      await database.withTenant(organizationId, (db) => deleteConnection(db, clusterIdOf(context.run)))
      context.log('The credentials were deleted. Nothing was changed in the cluster: it goes on as it is.')
      const identity = known?.test?.identity?.user
      if (identity) context.log(`There, "${identity}" keeps its rights until you take them away.`)
      return undefined
    }),
  ]

  return [
    {
      key: 'cluster.import',
      name: 'Import cluster',
      description:
        'Checks the address of an existing cluster, logs in, and reads its version, nodes and first lists.',
      type: 'provisioning',
      cancelPermission: 'clusters.provision',
      steps: importSteps,
      onMove: moves.creation('Import'),
    },
    {
      key: 'cluster.disconnect',
      name: 'Disconnect cluster',
      description: 'Forgets an imported cluster and its credentials, and changes nothing in it.',
      type: 'maintenance',
      cancelPermission: 'clusters.delete',
      steps: disconnectSteps,
      onMove: moves.removal('Disconnecting'),
    },
  ]
}

function step(
  key: string,
  name: string,
  execute: (context: StepContext) => Promise<Json | undefined>,
): StepDefinition {
  const type =
    key === 'delete_access' || key === 'forget_credentials' ? 'cluster.disconnect' : 'cluster.import'
  return { key, name, type, guarantee: 'at_least_once_keyed', execute }
}

const firstLists: readonly (readonly [string, string])[] = [
  ['pods', '/api/v1/pods'],
  ['deployments', '/apis/apps/v1/deployments'],
  ['services', '/api/v1/services'],
]

/** Of a list that was asked for one item: what the server says of the rest. */
function countOf(list: Record<string, unknown> | undefined): number {
  const items = Array.isArray(list?.['items']) ? list['items'].length : 0
  const metadata = list?.['metadata'] as { remainingItemCount?: number } | undefined
  return items + (metadata?.remainingItemCount ?? 0)
}
