/**
 * How one resource relates to another. A relation reads from the resource that needs to the resource that is needed: a
 * pod runs on a node, a workflow reads a secret. What fails or is deleted reaches the resources that need it.
 */
export const relationVerbs = [
  'owned_by',
  'started_by',
  'belongs_to',
  'part_of',
  'runs_on',
  'mounts',
  'reads_secret',
  'copied_from',
  'updated_from',
  'kept_in',
  'presents',
  'backs_up_to',
  'connects_to',
  'routes_to',
  'allowed_by',
  'allows',
  'attached_to',
  'held_by',
  'created_by',
] as const
export type RelationVerb = (typeof relationVerbs)[number]

/** `from` needs `to`; both are ids of the inventory. */
export type Relation = { from: string; to: string; verb: RelationVerb }

/** When a resource feels it, earliest first. */
export const impactTimes = ['at_once', 'next_restart', 'next_use', 'when_destroyed'] as const
export type ImpactTime = (typeof impactTimes)[number]

/**
 * What happens to `from`: it is deleted too, it stops working at that time, it goes on without the network rules of
 * `to`, or nothing.
 */
export type RelationEffect = 'goes_with' | ImpactTime | 'rules_end' | 'none'

export type RelationRule = {
  /** Between the names of `from` and `to`: "web-1 runs on node-2". */
  text: string
  /** The other way around: "node-2 runs web-1". */
  reverse: string
  /** Of `from`, when `to` does not work. */
  whenFails: RelationEffect
  /** Of `from`, when `to` is deleted. */
  whenDeleted: RelationEffect
  /** `from` stops only when all that it leads to by this verb stop: a service with one workload left still answers. */
  needsAll?: boolean
  /** `to` stops when all that lead to it by this verb stop: a deployment without a pod that works. */
  livesByThem?: boolean
  /** What `from` does then, after its name. */
  consequence: string
}

/** Every verb with its texts and rules. */
export const relationRules: Readonly<Record<RelationVerb, RelationRule>> = {
  /** Pods of a workload. */
  owned_by: {
    text: 'is owned by',
    reverse: 'owns',
    whenFails: 'none',
    whenDeleted: 'goes_with',
    livesByThem: true,
    consequence: 'is deleted',
  },
  /** Jobs of a cron job. */
  started_by: {
    text: 'is started by',
    reverse: 'starts',
    whenFails: 'none',
    whenDeleted: 'goes_with',
    consequence: 'is deleted',
  },
  /** Objects of a namespace, namespaces of a cluster. */
  belongs_to: {
    text: 'is in',
    reverse: 'contains',
    whenFails: 'none',
    whenDeleted: 'goes_with',
    consequence: 'is deleted',
  },
  /** Nodes of a cluster. */
  part_of: {
    text: 'is part of',
    reverse: 'has',
    whenFails: 'at_once',
    whenDeleted: 'goes_with',
    consequence: 'does not work',
  },
  /** Pods on a node, databases on a cluster. */
  runs_on: {
    text: 'runs on',
    reverse: 'runs',
    whenFails: 'at_once',
    whenDeleted: 'goes_with',
    consequence: 'stops',
  },
  /** Config maps, Kubernetes secrets and volume claims of pods: a running pod keeps what it has. */
  mounts: {
    text: 'mounts',
    reverse: 'is mounted by',
    whenFails: 'at_once',
    whenDeleted: 'next_restart',
    consequence: 'does not start',
  },
  reads_secret: {
    text: 'reads',
    reverse: 'is read by',
    whenFails: 'next_use',
    whenDeleted: 'next_use',
    consequence: 'cannot read its value',
  },
  /** Kubernetes secrets that are removed with the secret that they are kept equal to. */
  copied_from: {
    text: 'is a copy of',
    reverse: 'is copied to',
    whenFails: 'none',
    // What is deleted can be restored for a while; until then its copies stay.
    whenDeleted: 'when_destroyed',
    consequence: 'is deleted from its cluster',
  },
  /** Kubernetes secrets that stay as they are when the secret is destroyed. */
  updated_from: {
    text: 'is updated from',
    reverse: 'updates',
    whenFails: 'none',
    whenDeleted: 'none',
    consequence: 'is no longer updated',
  },
  /** Certificates, in the Kubernetes secret with their key. */
  kept_in: {
    text: 'is kept in',
    reverse: 'keeps',
    whenFails: 'none',
    whenDeleted: 'goes_with',
    consequence: 'is deleted',
  },
  /** From an ingress to the certificates that it shows to browsers. */
  presents: {
    text: 'presents',
    reverse: 'is presented by',
    whenFails: 'at_once',
    whenDeleted: 'at_once',
    consequence: 'has no certificate that browsers accept',
  },
  /** Databases, to the targets that keep their backups. */
  backs_up_to: {
    text: 'keeps backups in',
    reverse: 'keeps backups of',
    whenFails: 'next_use',
    whenDeleted: 'next_use',
    consequence: 'cannot reach its backups there',
  },
  connects_to: {
    text: 'connects to',
    reverse: 'is called by',
    whenFails: 'next_use',
    whenDeleted: 'next_use',
    consequence: 'fails at its next run',
  },
  /** From an ingress to its services, from a service to its workloads. */
  routes_to: {
    text: 'routes to',
    reverse: 'receives from',
    whenFails: 'at_once',
    whenDeleted: 'at_once',
    needsAll: true,
    consequence: 'answers no request',
  },
  /** From workloads, pods and namespaces to the network policies and security groups that select them. */
  allowed_by: {
    text: 'is governed by',
    reverse: 'governs',
    whenFails: 'none',
    whenDeleted: 'rules_end',
    consequence: 'is no longer limited by its rules',
  },
  /** From a security group to what its rules let in or let its pods call. */
  allows: {
    text: 'allows',
    reverse: 'is allowed by',
    whenFails: 'none',
    whenDeleted: 'none',
    consequence: 'is kept',
  },
  /** Namespaces and databases of a network of Bey. */
  attached_to: {
    text: 'is attached to',
    reverse: 'has attached',
    whenFails: 'none',
    whenDeleted: 'rules_end',
    consequence: 'is no longer limited by its rules',
  },
  /** Personal API keys. */
  held_by: {
    text: 'is held by',
    reverse: 'holds',
    whenFails: 'none',
    whenDeleted: 'goes_with',
    consequence: 'is deleted',
  },
  created_by: {
    text: 'was created by',
    reverse: 'created',
    whenFails: 'none',
    whenDeleted: 'none',
    consequence: 'is kept',
  },
}

/**
 * Kinds that exist to be needed: one that nothing needs any more is left without use. Others, such as workflows, are of
 * use by themselves.
 */
export const neededKinds: ReadonlySet<string> = new Set([
  'secret',
  'network',
  'configmap',
  'k8s-secret',
  'volumeclaim',
  'networkpolicy',
  'certificate',
  'security-group',
  'backup-target',
  'data-source',
])

/** Verbs that say where a resource is or who made it, and not what it is used for. */
export const placeVerbs: ReadonlySet<RelationVerb> = new Set([
  'belongs_to',
  'created_by',
  'part_of',
  'held_by',
])

export const relationLimits = {
  /** Edges between two resources that one path may have. */
  depth: 10,
  /** Ticks of a graph; of more resources each tick stands for several. */
  drawn: 2_000,
  /** Ticks of one kind. */
  ticksOfKind: 600,
  /** Rows of an opened kind, of neighbours and of an impact. */
  rows: 200,
  /** Relations of the table. */
  edgeRows: 200,
} as const
