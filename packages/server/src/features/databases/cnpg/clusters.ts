import type { Role } from '@bey/contract'
import type { Duplex, Readable } from 'node:stream'

/** What a cluster answered to one request. */
type Answer = { status: number; body: unknown }

/** One request to a cluster in a person's name. Throws ConnectionProblem where the cluster does not answer. */
export type PersonCall = (
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
  path: string,
  options?: { body?: unknown; contentType?: string; signal?: AbortSignal },
) => Promise<Answer>

/** One reading request in Bey's own name; throws as a PersonCall does. */
export type OwnRead = (path: string) => Promise<Answer>

type Cluster = { id: number; organizationId: number; title: string }

/**
 * The clusters of an organization, as far as databases on them need. What a person asks for is done in their name, so that
 * the cluster's own RBAC decides; what Bey looks at by itself is read in its own. Each throws AppError for a cluster that
 * is unknown or not running.
 */
export type DatabaseClusters = {
  /** Those whose API can be expected to answer, by title. */
  listRunning(organizationId: number, limit: number): Promise<Cluster[]>
  find(organizationId: number, clusterId: number): Promise<Cluster | undefined>
  asPerson(
    organizationId: number,
    clusterId: number,
    person: { email: string; role: Role },
  ): Promise<PersonCall>
  asBey(organizationId: number, clusterId: number): Promise<OwnRead>
  /** Connects to a port of a pod through the API of its cluster. Throws ConnectionProblem with a sentence. */
  openPort(
    organizationId: number,
    clusterId: number,
    target: { namespace: string; pod: string; port: number; program: string },
  ): Promise<Duplex>
  /**
   * What a command prints in a pod, in a person's name. It fails with a ConnectionProblem where the command does not end
   * with 0, and to destroy it ends the command.
   */
  exec(
    organizationId: number,
    clusterId: number,
    person: { email: string; role: Role },
    target: { namespace: string; pod: string; container: string; command: readonly string[] },
  ): Promise<Readable>
  /** Calls back whenever an object of CloudNativePG of a cluster changed, until stopped. */
  follow(cluster: Cluster, onChange: () => void): { stop(): void }
}
