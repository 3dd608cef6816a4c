import type { KeyResource, Permission, Role } from '@bey/contract'
import type { Client } from 'pg'

import type { Clock } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/db/database.ts'
import type { Outbound } from '../../../platform/outbound/outbound.ts'
import type { ClustersPort } from './cluster-actions.ts'
import type { StepContext } from '../definition/definition.ts'
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
  networks: NetworkSteps
  /** Stores a new value that the server makes, once for each `reason`; answers the version. */
  rotateSecret(rotation: SecretRotation): Promise<{ version: number }>
}

export type ProofKind = 'backup' | 'drill'

/** Backups and restore drills of the databases of an organization, for the steps that wait for them. */
export type DatabaseProofs = {
  /**
   * Begins one under this id, a UUID, and answers its run; a repetition finds it. The database is named or given by its id.
   * `requireRight` throws StepFailure where the run may not use a permission that this database needs besides. Throws
   * StepFailure where it cannot begin.
   */
  begin(
    kind: ProofKind,
    id: string,
    database: string,
    actor: RunActor,
    requireRight: (permission: Permission, touched: readonly KeyResource[]) => Promise<unknown>,
  ): Promise<{ runId: string }>
  /** What came of it; undefined while it is under way. Throws StepFailure where it failed or proved nothing. */
  outcome(kind: ProofKind, organizationId: number, id: string): Promise<Record<string, unknown> | undefined>
}

/** A question about one cluster: whether one end reaches another, each named as `workload:shop/web`. */
type ReachQuestion = {
  clusterId: number
  from: string
  to: string
  port: number
  protocol: 'TCP' | 'UDP' | 'SCTP'
}

/** Networks of an organization, for the steps that apply and check them. Each is named or given by its id. */
export type NetworkSteps = {
  /**
   * Begins a run that puts a network into its clusters, once for each `key`, and answers it; a sentence while another change
   * of the network is under way. Throws StepFailure where there is no such network or group, or it cannot be changed.
   */
  apply(
    key: string,
    subject: { network: string; group: string | undefined },
    actor: RunActor,
  ): Promise<{ runId: string } | { busy: string }>
  /**
   * What that run changed; undefined while it is under way. With a group, what it changed of the group. Throws StepFailure
   * where it failed; with a group, where a policy of the group is not in force.
   */
  applied(
    organizationId: number,
    runId: string,
    group: string | undefined,
  ): Promise<Record<string, unknown> | undefined>
  /** Throws StepFailure where an end names nothing, or the cluster cannot be asked. */
  reach(
    organizationId: number,
    question: ReachQuestion,
  ): Promise<{ answer: 'yes' | 'no' | 'partly' | 'unknown'; sentence: string; asOf: string }>
  /**
   * Compares the policies of a network with its clusters now: `differing` and `unread` are sentences, the latter of what could
   * not be looked at. Throws StepFailure where there is no such network.
   */
  drift(
    organizationId: number,
    network: string,
  ): Promise<{ policies: number; differing: string[]; unread: string[] }>
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
