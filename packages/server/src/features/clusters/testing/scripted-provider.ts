import type { ClusterProvider, LiveCluster, ProviderCluster, ProviderStep } from '../provider.ts'

type Operation = 'allocate' | 'start' | 'join' | 'addons' | 'verify' | 'stop' | 'remove'

export type ScriptedProvider = ClusterProvider & {
  /** Lets one operation on one cluster do something else than succeed; by the cluster's title. */
  on(title: string, operation: Operation, act: (step: ProviderStep) => Promise<void>): void
  /** Lets an operation do something on every cluster. */
  onAny(operation: Operation, act: (cluster: ProviderCluster, step: ProviderStep) => Promise<void>): void
  /** What was called, in order: `title:operation`. */
  calls: string[]
  exit(clusterId: number, reason: string): void
}

/** A provider without machines, for what the clusters feature itself does. */
export function scriptedProvider(): ScriptedProvider {
  const acts = new Map<string, (step: ProviderStep) => Promise<void>>()
  const general = new Map<Operation, (cluster: ProviderCluster, step: ProviderStep) => Promise<void>>()
  const calls: string[] = []
  const listeners: ((clusterId: number, reason: string) => void)[] = []

  async function run(cluster: ProviderCluster, operation: Operation, step: ProviderStep): Promise<void> {
    const key = `${cluster.title}:${operation}`
    calls.push(key)
    step.log(`Doing ${operation} of ${cluster.title}.`)
    await acts.get(key)?.(step)
    await general.get(operation)?.(cluster, step)
  }

  const live = (cluster: ProviderCluster): LiveCluster => ({
    url: `https://127.0.0.1:${1000 + cluster.id}`,
    caPem: 'ca',
    token: `token-of-${cluster.id}`,
    machineId: 'm1',
    dir: `/nowhere/${cluster.id}`,
    port: 1000 + cluster.id,
    pid: 1,
  })

  return {
    id: 'sandbox',
    calls,
    on: (title, operation, act) => void acts.set(`${title}:${operation}`, act),
    onAny: (operation, act) => void general.set(operation, act),
    exit: (clusterId, reason) => listeners.forEach((listener) => listener(clusterId, reason)),
    describe: () => ({
      id: 'sandbox',
      label: 'Sandbox',
      description: 'For tests.',
      regions: ['local', 'far'],
      versions: ['v1'],
      defaultNodeGroups: [{ name: 'workers', count: 2, cpuCores: 4, memoryBytes: 16 * 1024 ** 3 }],
      maxNodes: 300,
    }),
    async choosePlacement(cluster) {
      const { machineId, dir, port } = live(cluster)
      return { machineId, dir, port }
    },
    allocateMachines: (cluster, _place, step) => run(cluster, 'allocate', step),
    async startControlPlane(cluster, _place, step) {
      await run(cluster, 'start', step)
      return live(cluster)
    },
    joinNodes: (cluster, _live, step) => run(cluster, 'join', step),
    installAddons: (cluster, _live, step) => run(cluster, 'addons', step),
    async verify(cluster, _live, step) {
      await run(cluster, 'verify', step)
      return { version: 'v1', nodeCount: 2 }
    },
    stopControlPlane: (cluster, step) => run(cluster, 'stop', step),
    removeState: (cluster, step) => run(cluster, 'remove', step),
    keepRunning: async (cluster) => live(cluster),
    isHere: (placement) => placement.machineId === 'm1',
    onExit: (callback) => listeners.push(callback),
    stopAll: async () => undefined,
  }
}
