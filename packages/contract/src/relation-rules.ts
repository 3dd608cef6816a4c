/**
 * How one resource relates to another. A relation reads from the one that needs to the one that is needed: a pod runs on
 * a node, a workflow reads a secret. What fails or is deleted reaches whatever leads to it.
 */
export const relationVerbs = [
  /** Goes when it goes: a pod belongs to its deployment, an object to its namespace, a namespace to its cluster. */
  'belongs_to',
  'runs_on',
  'mounts',
  'reads_secret',
  'connects_to',
  /** From the service to its workloads, from the ingress to its services. */
  'routes_to',
  'started_by',
  'backed_up_by',
  /** From what may be reached to the policy or network that allows it. */
  'allowed_by',
  'part_of',
] as const
export type RelationVerb = (typeof relationVerbs)[number]

/** `from` needs `to`; both are ids of the inventory. */
export type Relation = { from: string; to: string; verb: RelationVerb }
