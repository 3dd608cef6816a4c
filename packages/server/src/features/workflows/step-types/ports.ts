import type { Role } from '@bey/contract'
import type { Client } from 'pg'

import type { Clock } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/db/database.ts'
import type { Outbound } from '../../../platform/outbound/outbound.ts'
import type { ClustersPort } from './cluster-actions.ts'
import type { StepContext } from '../definition.ts'
import type { Publish } from '../ports.ts'
import type { RunActor } from './run-actor.ts'

/** What actions reach beyond their own config; each is given by the owner of the thing. */
export type StepParts = {
  database: Database
  clock: Clock
  publish: Publish
  /** Guards connections to addresses that users name. */
  outbound: Outbound
  kubernetes: KubernetesAccess
  clusters: ClustersPort
  /** Whether this instance can send mails at all. */
  isMailConfigured(): Promise<boolean>
  /**
   * A connection to a database of the organization, by name or id, which the caller ends; in a server of Bey's as its
   * owner, or as a role that cannot write. Throws StepFailure where it does not exist or does not answer.
   */
  openDatabase(
    organizationId: number,
    database: string,
    isReadOnly: boolean,
  ): Promise<{ client: Client; target: { type: 'database'; id: string; name: string } }>
  databaseProofs: DatabaseProofs
  /** Stores a new value that the server makes, once for each `reason`; answers the version. */
  rotateSecret(rotation: SecretRotation): Promise<{ version: number }>
}

export type ProofKind = 'backup' | 'drill'

/** Backups and restore drills of the databases of an organization, for the steps that wait for them. */
export type DatabaseProofs = {
  /**
   * Begins one under this id, a UUID, and answers its run; a repetition finds it. The database is named or given by its id.
   * Throws StepFailure where it cannot begin.
   */
  begin(kind: ProofKind, id: string, database: string, actor: RunActor): Promise<{ runId: string }>
  /** What came of it; undefined while it is under way. Throws StepFailure where it failed or proved nothing. */
  outcome(kind: ProofKind, organizationId: number, id: string): Promise<Record<string, unknown> | undefined>
}

type SecretRotation = {
  organizationId: number
  actor: RunActor
  name: string
  /** Names the step of the run: a repetition finds the version that was made before. */
  reason: string
  overlapHours: number | null
}

/** An answer of the Kubernetes API, whatever its status; the body is an empty object where it is no JSON object. */
export type KubeReply = { status: number; body: Record<string, unknown> }

export type KubeCallOptions = { body?: unknown; contentType?: string; signal?: AbortSignal }

/** One cluster in somebody's name. Throws StepFailure (`network`) where it does not answer. */
export type ClusterApi = {
  call(
    method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    path: string,
    options?: KubeCallOptions,
  ): Promise<KubeReply>
  /** Lines of a text as they come, such as a followed log. */
  lines(path: string, signal: AbortSignal): AsyncIterable<string>
  drainNode(context: StepContext, drain: NodeDrain): Promise<{ evicted: number }>
}

export type NodeDrain = {
  clusterId: number
  node: string
  timeoutSeconds: number
  force: boolean
  deleteEmptyDirData: boolean
}

export type KubernetesAccess = {
  /** Throws StepFailure where the cluster is not running. */
  open(
    organizationId: number,
    clusterId: number,
    identity: { email: string; role: Role },
  ): Promise<ClusterApi>
}
