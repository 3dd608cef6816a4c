import { ConnectionProblem } from '../../../platform/outbound/connection-problem.ts'
import type { CnpgServers, CnpgTarget, OpenConnection } from '../provider.ts'
import type { DatabaseRow } from '../store.ts'
import { asCluster, clusterPath, messageOf } from './cluster-object.ts'
import type { DatabaseClusters } from './clusters.ts'

/** Connects to the primary of a database on a cluster. Throws ConnectionProblem with a sentence. */
export function openCnpg(
  { cnpg }: { cnpg: CnpgServers },
  row: DatabaseRow,
  password: string | null,
  applicationName: string,
): Promise<OpenConnection> {
  return cnpg.connect(targetOf(cnpg.clusters, row, password), applicationName)
}

function targetOf(clusters: DatabaseClusters, row: DatabaseRow, password: string | null): CnpgTarget {
  const { organizationId, clusterId, cnpg, databaseName, username } = row
  if (cnpg === null || clusterId === null) {
    throw new ConnectionProblem('The cluster that it runs on was removed from Bey.')
  }
  const { namespace, name, observed } = cnpg
  return {
    name,
    databaseName,
    username,
    password,
    primary: observed?.primary ?? null,
    openPort: (pod, port) =>
      clusters.openPort(organizationId, clusterId, { namespace, pod, port, program: 'PostgreSQL' }),
    async readPrimary() {
      const read = await clusters.asBey(organizationId, clusterId)
      const answer = await read(clusterPath(namespace, name))
      if (answer.status !== 200) {
        throw new ConnectionProblem(`The Cluster "${name}" cannot be read: ${messageOf(answer)}.`)
      }
      const primary = asCluster(answer.body).status?.currentPrimary
      if (primary) return primary
      throw new ConnectionProblem(`The Cluster "${name}" has no primary yet.`)
    },
  }
}
