import type { NodeGroup } from '@bey/contract'

import type { LiveCluster, ProviderCluster, ProviderStep } from '../../features/clusters/provider.ts'
import { StepFailure } from '../../platform/engine/step-failure.ts'
import { type Admin, adminOf } from './admin.ts'
import type { Pace } from './pace.ts'

const pollMs = 150
const nodesTimeoutMs = 60_000
const podsTimeoutMs = 90_000

/** Joins the nodes that are missing and waits until the cluster calls each of them ready. */
export async function joinNodes(
  cluster: ProviderCluster,
  live: LiveCluster,
  step: ProviderStep,
  pace: Pace,
): Promise<void> {
  await withAdmin(live, step, async (admin) => {
    const wanted = cluster.nodeGroups.reduce((sum, group) => sum + group.count, 0)
    const before = await listNodes(admin)
    const missing = missingGroups(cluster.nodeGroups, before)
    if (before.length > 0) step.log(`${before.length} of ${wanted} nodes have joined already.`)
    else await pace.wait('join', step)
    if (missing.length > 0)
      await admin.call('POST', '/sandbox/v1/nodes', { groups: missing.map(sandboxGroup) })
    const reportedNodes = new Set<string>()
    await until(step, nodesTimeoutMs, async () => {
      const nodes = await listNodes(admin)
      for (const node of nodes.filter(isReady)) {
        if (reportedNodes.has(node.metadata.name)) continue
        reportedNodes.add(node.metadata.name)
        step.log(
          `Node ${node.metadata.name} joined with address ${addressOf(node)} and is ready (${reportedNodes.size} of ${wanted}).`,
        )
      }
      step.progress(80 + (20 * reportedNodes.size) / wanted)
      if (reportedNodes.size >= wanted) return undefined
      return `${reportedNodes.size} of ${wanted} nodes are ready.`
    })
  })
}

/** Installs what every cluster needs and waits until all of its pods are ready. */
export async function installAddons(live: LiveCluster, step: ProviderStep, pace: Pace): Promise<void> {
  await withAdmin(live, step, async (admin) => {
    await pace.wait('addons', step)
    // It resolves once everything is ready, and reports progress meanwhile.
    const installed = admin.call('POST', '/sandbox/v1/addons', {})
    installed.catch(() => undefined)
    let reportedLine = ''
    await until(step, podsTimeoutMs, async () => {
      const pods = await listPods(admin)
      const ready = pods.filter(isReady).length
      const line = `${ready} of ${pods.length} pods of kube-system are ready.`
      if (line !== reportedLine && pods.length > 0) step.log((reportedLine = line))
      step.progress(20 + (80 * ready) / Math.max(1, pods.length))
      return pods.length > 0 && ready === pods.length ? undefined : line
    })
    await installed
    const names = new Set((await listPods(admin)).map(workloadOf))
    step.log(`Installed ${[...names].sort().join(', ')}.`)
  })
}

/** Pods are named after their owner and a random end, and a ReplicaSet after its Deployment and a revision. */
function workloadOf({ metadata }: Item): string {
  const owner = metadata.ownerReferences?.[0]
  if (owner === undefined) return metadata.name
  return owner.kind === 'ReplicaSet' ? owner.name.replace(/-[^-]+$/, '') : owner.name
}

/** Asks the cluster for its version, its nodes and its pods, and compares them with what was ordered. */
export async function verify(cluster: ProviderCluster, live: LiveCluster, step: ProviderStep) {
  return withAdmin(live, step, async (admin) => {
    const version = (await admin.call<{ gitVersion: string }>('GET', '/version')).gitVersion
    const nodes = await listNodes(admin)
    const pods = await listPods(admin)
    const wanted = cluster.nodeGroups.reduce((sum, group) => sum + group.count, 0)
    const ready = nodes.filter(isReady).length
    step.log(`The API server answers as ${version}.`)
    step.log(
      `${ready} of ${wanted} nodes and ${pods.filter(isReady).length} of ${pods.length} system pods are ready.`,
    )
    if (ready < wanted) throw new StepFailure(`Only ${ready} of ${wanted} nodes are ready.`)
    return { version, nodeCount: nodes.length }
  })
}

async function withAdmin<T>(
  live: LiveCluster,
  step: ProviderStep,
  work: (admin: Admin) => Promise<T>,
): Promise<T> {
  const admin = adminOf(live, step.signal)
  try {
    return await work(admin)
  } finally {
    admin.close()
  }
}

/** Asks again until there is nothing left to wait for; the answer says what is missing. */
async function until(
  step: ProviderStep,
  timeoutMs: number,
  missing: () => Promise<string | undefined>,
): Promise<void> {
  for (let waitedMs = 0; ; waitedMs += pollMs) {
    const what = await missing()
    if (what === undefined) return
    if (waitedMs >= timeoutMs) throw new StepFailure(`After ${timeoutMs / 1000} s only ${what}`)
    await step.sleep(pollMs)
  }
}

type Condition = { type: string; status: string }
type Item = {
  metadata: {
    name: string
    labels?: Record<string, string>
    ownerReferences?: { kind: string; name: string }[]
  }
  status?: { conditions?: Condition[] }
}
type NodeItem = Item & { status?: { addresses?: { type: string; address: string }[] } }

async function listNodes(admin: Admin): Promise<NodeItem[]> {
  return (await admin.call<{ items: NodeItem[] }>('GET', '/api/v1/nodes')).items
}

async function listPods(admin: Admin): Promise<Item[]> {
  return (await admin.call<{ items: Item[] }>('GET', '/api/v1/namespaces/kube-system/pods')).items
}

function isReady(item: Item): boolean {
  return item.status?.conditions?.some((each) => each.type === 'Ready' && each.status === 'True') ?? false
}

function addressOf(node: NodeItem): string {
  return node.status?.addresses?.find((each) => each.type === 'InternalIP')?.address ?? 'unknown'
}

/** What of each group has not joined yet: after a crash a part may have. */
function missingGroups(groups: readonly NodeGroup[], nodes: readonly Item[]): NodeGroup[] {
  const joined = (group: NodeGroup) =>
    nodes.filter((node) => node.metadata.labels?.[groupLabel] === group.name).length
  return groups
    .map((group) => ({ ...group, count: group.count - joined(group) }))
    .filter((group) => group.count > 0)
}

const groupLabel = 'sandbox.bey/node-group'
const controlPlane = 'node-role.kubernetes.io/control-plane'

/** A group named `control-plane` takes the role by which Kubernetes keeps workloads off it. */
export function sandboxGroup(group: NodeGroup) {
  const isControl = group.name === 'control-plane'
  return {
    name: group.name,
    count: group.count,
    cpu: String(group.cpuCores),
    memory: `${Math.round(group.memoryBytes / 1024 ** 2)}Mi`,
    labels: { [isControl ? controlPlane : 'node-role.kubernetes.io/worker']: '' },
    ...(isControl ? { taints: [{ key: controlPlane, effect: 'NoSchedule' }] } : {}),
  }
}
