import { readDatabaseEnds } from '../database-ends.ts'
import type { NetworkParts } from '../parts.ts'
import { podsIn } from './pods-in.ts'
import type { ResolvedService } from './service-peers.ts'

/**
 * A database as a peer of rules in a cluster: the pods of its Cluster of CloudNativePG where that runs in the same cluster, or
 * else the addresses of its host as this server resolves them.
 */
export async function readDatabasePeer(
  parts: Pick<NetworkParts, 'database'>,
  organizationId: number,
  clusterId: number,
  databaseId: string,
): Promise<ResolvedService> {
  const [end] = await readDatabaseEnds(parts, organizationId, clusterId, [databaseId])
  if (end === undefined) return { problem: 'The database that it names is gone. Choose another peer.' }
  const { name, port, addresses, cnpgCluster } = end
  const ports = [{ name: 'postgres', port, protocol: 'TCP', target: port }]
  const title = `database ${name}`
  if (cnpgCluster !== undefined) {
    return { title, ports, peers: [podsIn(cnpgCluster.namespace, { 'cnpg.io/cluster': cnpgCluster.name })] }
  }
  if (addresses.length === 0) {
    return {
      problem: `No address of the database ${name} is known that this cluster could reach. Use a range, or a service.`,
    }
  }
  const peers = addresses
    .toSorted()
    .map((address) => ({ ipBlock: { cidr: `${address}/${address.includes(':') ? 128 : 32}` } }))
  return { title, ports, peers }
}
