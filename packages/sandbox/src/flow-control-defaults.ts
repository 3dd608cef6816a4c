import type { JsonObject } from './json.ts'

type Made = { name: string; spec: JsonObject }

/** A level that shares the server's seats; `queues` are their number, the hand and the length, none to reject. */
function limited(
  name: string,
  nominalConcurrencyShares: number,
  lendablePercent: number,
  queues?: [number, number, number],
): Made {
  const [number, handSize, queueLengthLimit] = queues ?? []
  const limitResponse = queues
    ? { type: 'Queue', queuing: { queues: number, handSize, queueLengthLimit } }
    : { type: 'Reject' }
  return {
    name,
    spec: { type: 'Limited', limited: { nominalConcurrencyShares, lendablePercent, limitResponse } },
  }
}

/** The priority levels of API Priority and Fairness that Kubernetes 1.33 makes for itself. */
export const defaultPriorityLevels: readonly Made[] = [
  { name: 'exempt', spec: { type: 'Exempt', exempt: { nominalConcurrencyShares: 0, lendablePercent: 0 } } },
  limited('catch-all', 5, 0),
  limited('system', 30, 33, [64, 6, 50]),
  limited('node-high', 40, 25, [64, 6, 50]),
  limited('leader-election', 10, 0, [16, 4, 50]),
  limited('workload-high', 40, 50, [128, 6, 50]),
  limited('workload-low', 100, 90, [128, 6, 50]),
  limited('global-default', 20, 50, [128, 6, 50]),
]

const group = (name: string): JsonObject => ({ kind: 'Group', group: { name } })
const user = (name: string): JsonObject => ({ kind: 'User', user: { name } })
const account = (name: string): JsonObject => ({
  kind: 'ServiceAccount',
  serviceAccount: { name, namespace: 'kube-system' },
})

function on(verbs: string[], apiGroup: string, resources: string[], clusterScope = false): JsonObject {
  return {
    verbs,
    apiGroups: [apiGroup],
    resources,
    namespaces: ['*'],
    ...(clusterScope ? { clusterScope } : {}),
  }
}

const everything = {
  resourceRules: [on(['*'], '*', ['*'], true)],
  nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }],
}
const elections = {
  resourceRules: [on(['get', 'create', 'update'], 'coordination.k8s.io', ['leases'])],
}

function schema(
  name: string,
  level: string,
  matchingPrecedence: number,
  distinguisher: 'ByUser' | 'ByNamespace' | undefined,
  subjects: JsonObject[],
  rules: JsonObject = everything,
): Made {
  return {
    name,
    spec: {
      priorityLevelConfiguration: { name: level },
      matchingPrecedence,
      ...(distinguisher ? { distinguisherMethod: { type: distinguisher } } : {}),
      rules: [{ subjects, ...rules }],
    },
  }
}

const everybody = [group('system:unauthenticated'), group('system:authenticated')]
const probes = { nonResourceRules: [{ verbs: ['get'], nonResourceURLs: ['/healthz', '/readyz', '/livez'] }] }
const nodeReports = {
  resourceRules: [
    on(['*'], '', ['nodes', 'nodes/status'], true),
    on(['*'], 'coordination.k8s.io', ['leases']),
  ],
}
const endpointWrites = { resourceRules: [on(['get', 'create', 'update'], '', ['endpoints'])] }

/** The flow schemas that Kubernetes 1.33 makes for itself. */
export const defaultFlowSchemas: readonly Made[] = [
  schema('exempt', 'exempt', 1, undefined, [group('system:masters')]),
  schema('catch-all', 'catch-all', 10_000, 'ByUser', everybody),
  schema('system-nodes', 'system', 500, 'ByUser', [group('system:nodes')]),
  schema('system-node-high', 'node-high', 400, 'ByUser', [group('system:nodes')], nodeReports),
  schema('probes', 'exempt', 2, undefined, everybody, probes),
  schema(
    'system-leader-election',
    'leader-election',
    100,
    'ByUser',
    [user('system:kube-controller-manager'), user('system:kube-scheduler'), account('*')],
    elections,
  ),
  schema(
    'endpoint-controller',
    'workload-high',
    150,
    'ByUser',
    [
      user('system:kube-controller-manager'),
      account('endpoint-controller'),
      account('endpointslicemirroring-controller'),
    ],
    endpointWrites,
  ),
  schema('workload-leader-election', 'leader-election', 200, 'ByUser', [account('*')], elections),
  schema('kube-controller-manager', 'workload-high', 800, 'ByNamespace', [
    user('system:kube-controller-manager'),
  ]),
  schema('kube-scheduler', 'workload-high', 800, 'ByNamespace', [user('system:kube-scheduler')]),
  schema('kube-system-service-accounts', 'workload-high', 900, 'ByNamespace', [account('*')]),
  schema('service-accounts', 'workload-low', 9000, 'ByUser', [group('system:serviceaccounts')]),
  schema('global-default', 'global-default', 9900, 'ByUser', everybody),
]
