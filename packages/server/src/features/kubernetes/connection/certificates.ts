import type { ClusterAgents } from './cluster-agents.ts'
import type { ClusterConnection, Connect } from './ports.ts'

/** Remembers by which connection each cluster is watched, and so when the certificate ends that it shows there. */
export function createCertificates(agents: Pick<ClusterAgents, 'certificateEndsAt'>, connect: Connect) {
  const connections = new Map<number, ClusterConnection>()
  return {
    /** The same as `connect`. */
    async connect(organizationId: number, clusterId: number): Promise<ClusterConnection> {
      const connection = await connect(organizationId, clusterId)
      connections.set(clusterId, connection)
      return connection
    },
    /** In milliseconds since 1970; null where it is not known, and of clusters whose certificates Bey renews itself. */
    endOf(clusterId: number): number | null {
      const connection = connections.get(clusterId)
      if (!connection || connection.isOwn) return null
      return agents.certificateEndsAt(connection)?.getTime() ?? null
    },
    forget: (clusterId: number) => void connections.delete(clusterId),
  }
}
