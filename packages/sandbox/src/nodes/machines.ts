import { microStamp, stamp } from '../clock.ts'
import type { Cluster } from '../api/context.ts'
import type { NodeGroup } from '../options.ts'
import { formatBytes, quantity } from '../quantity.ts'
import { leases, namespaces, nodes, storageNodes, type Lease, type Node } from '../types.ts'
import { uuidOf } from '../uuid.ts'

const zones = ['a', 'b', 'c']

/** What a machine keeps for itself, as kubelets reserve it. */
const reservedMemoryBytes = 512 * 2 ** 20
/** What every machine of this architecture reports and few reserve. */
const hugePages = { 'hugepages-1Gi': '0', 'hugepages-2Mi': '0' }
const diskBytes = 100 * 2 ** 30

/** The numbers of the nodes there are, from which their addresses derive. */
function takenNumbers(cluster: Cluster): Set<number> {
  const taken = new Set<number>()
  for (const node of cluster.store.list(nodes)) {
    const match = /^10\.(\d+)\.(\d+)\.0\/24$/.exec(node.spec.podCIDR ?? '')
    if (match) taken.add((Number(match[1]) - 200) * 256 + Number(match[2]))
  }
  return taken
}

function addressOf(number: number): string {
  return `10.0.${(number + 9) >> 8}.${(number + 9) & 255}`
}

/** Pod ranges 10.200.x.0/24 upwards: room for 14,000 nodes and none of the service addresses. */
function rangeOf(number: number): string {
  return `10.${200 + (number >> 8)}.${number & 255}.0/24`
}

function conditions(nowMs: number): NonNullable<NonNullable<Node['status']>['conditions']> {
  const time = stamp(nowMs)
  const make = (type: string, status: string, reason: string, message: string) => ({
    type,
    status,
    reason,
    message,
    lastHeartbeatTime: time,
    lastTransitionTime: time,
  })
  return [
    make('MemoryPressure', 'False', 'KubeletHasSufficientMemory', 'kubelet has sufficient memory available'),
    make('DiskPressure', 'False', 'KubeletHasNoDiskPressure', 'kubelet has no disk pressure'),
    make('PIDPressure', 'False', 'KubeletHasSufficientPID', 'kubelet has sufficient PID available'),
    make('Ready', 'True', 'KubeletReady', 'kubelet is posting ready status'),
  ]
}

function nodeBody(
  cluster: Cluster,
  group: NodeGroup,
  name: string,
  number: number,
): { metadata: object; spec: object; status: Node['status'] } {
  const { region, version } = cluster
  const cpu = group.cpu ?? '4'
  const memoryBytes = quantity(group.memory ?? '16Gi')
  const zone = `${region}${zones[(number - 1) % zones.length]}`
  const address = addressOf(number)
  const range = rangeOf(number)
  const ready = Math.max(0, memoryBytes - reservedMemoryBytes)
  const isControl = Object.keys(group.labels ?? {}).some(
    (label) => label === 'node-role.kubernetes.io/control-plane',
  )
  return {
    metadata: {
      name,
      labels: {
        'beta.kubernetes.io/arch': 'amd64',
        'beta.kubernetes.io/os': 'linux',
        'kubernetes.io/arch': 'amd64',
        'kubernetes.io/hostname': name,
        'kubernetes.io/os': 'linux',
        'node.kubernetes.io/instance-type': `sandbox.${cpu}x${formatBytes(memoryBytes).toLowerCase()}`,
        'topology.kubernetes.io/region': region,
        'topology.kubernetes.io/zone': zone,
        'sandbox.bey/node-group': group.name,
        ...group.labels,
      },
      annotations: { 'node.alpha.kubernetes.io/ttl': '0', 'sandbox.bey/simulated': 'true' },
    },
    spec: {
      podCIDR: range,
      podCIDRs: [range],
      providerID: `sandbox://${region}/${name}`,
      ...(group.taints?.length ? { taints: group.taints } : {}),
    },
    status: {
      addresses: [
        { type: 'InternalIP', address },
        { type: 'Hostname', address: name },
      ],
      capacity: {
        cpu,
        memory: formatBytes(memoryBytes),
        pods: '110',
        'ephemeral-storage': formatBytes(diskBytes),
        ...hugePages,
      },
      allocatable: {
        cpu: String(Math.round((quantity(cpu) - 0.08) * 1000)) + 'm',
        memory: formatBytes(ready),
        pods: '110',
        'ephemeral-storage': formatBytes(diskBytes * 0.9),
        ...hugePages,
      },
      conditions: conditions(cluster.clock.now()),
      daemonEndpoints: { kubeletEndpoint: { Port: 10250 } },
      nodeInfo: {
        architecture: 'amd64',
        bootID: uuidOf(`${cluster.seed}/${name}/boot`),
        containerRuntimeVersion: 'containerd://2.1.4',
        kernelVersion: '6.12.43-sandbox',
        kubeProxyVersion: '',
        kubeletVersion: version,
        machineID: uuidOf(`${cluster.seed}/${name}/machine`).replaceAll('-', ''),
        operatingSystem: 'linux',
        osImage: isControl ? 'Simulated Linux (control plane)' : 'Simulated Linux',
        systemUUID: uuidOf(`${cluster.seed}/${name}/system`),
      },
    },
  }
}

/** The lease by which a node says that it is alive. */
export function renewLease(cluster: Cluster, node: Node): void {
  const { store, resources, clock } = cluster
  const renewTime = microStamp(clock.now())
  const { name, uid } = node.metadata
  const old = store.get(leases, 'kube-node-lease', name)
  if (old) {
    // Written past the usual path: a heartbeat changes one field that nobody validates.
    const next: Lease = { ...old, metadata: { ...old.metadata }, spec: { ...old.spec, renewTime } }
    store.write(leases.key, next, true)
    return
  }
  if (!store.get(namespaces, undefined, 'kube-node-lease')) return
  resources.make(leases, 'kube-node-lease', {
    metadata: { name, ownerReferences: [{ apiVersion: 'v1', kind: 'Node', name, uid }] },
    spec: { holderIdentity: name, leaseDurationSeconds: 40, renewTime },
  })
}

const maxLabelLength = 63

/** Cut where it would not fit the label `kubernetes.io/hostname`; a digest keeps what was cut off apart. */
function nodeName(cluster: string, group: string, ordinal: number): string {
  const whole = `${cluster}-${group}`
  if (`${whole}-${ordinal}`.length <= maxLabelLength) return `${whole}-${ordinal}`
  const ending = `-${uuidOf(whole).slice(0, 8)}-${ordinal}`
  return whole.slice(0, maxLabelLength - ending.length) + ending
}

/** What storage drivers of a machine enter themselves in; its kubelet makes it. */
function makeStorageNode({ store, resources }: Cluster, { metadata: { name, uid } }: Node): void {
  if (store.get(storageNodes, undefined, name)) return
  const ownerReferences = [{ apiVersion: 'v1', kind: 'Node', name, uid }]
  resources.make(storageNodes, undefined, { metadata: { name, ownerReferences }, spec: { drivers: [] } })
}

/** The events of a machine that has just come up: its kubelet's, and the node controller's. */
function announce({ recorder }: Cluster, node: Node): void {
  const { name } = node.metadata
  // A kubelet does not know the uid of its node, and gives the name instead.
  const about = { ...node, metadata: { ...node.metadata, uid: name } }
  const say = (reason: string, text: string) =>
    recorder.normal('kubelet', about, reason, text, { host: name })
  const sayStatus = (reason: string) => say(reason, `Node ${name} status is now: ${reason}`)
  say('Starting', 'Starting kubelet.')
  for (const reason of ['NodeHasSufficientMemory', 'NodeHasNoDiskPressure', 'NodeHasSufficientPID'])
    sayStatus(reason)
  say('NodeAllocatableEnforced', 'Updated Node Allocatable limit across pods')
  const registered = `Node ${name} event: Registered Node ${name} in Controller`
  recorder.normal('node-controller', node, 'RegisteredNode', registered)
  sayStatus('NodeReady')
}

/** Adds the machines of these groups to the cluster, named after group and number. Returns their names. */
export function joinNodes(cluster: Cluster, groups: readonly NodeGroup[]): string[] {
  const { store, resources } = cluster
  const joined: string[] = []
  const taken = takenNumbers(cluster)
  let number = 0
  for (const group of groups) {
    let ordinal = 0
    for (let i = 0; i < group.count; i++) {
      let name: string
      do {
        ordinal += 1
        name = nodeName(cluster.name, group.name, ordinal)
      } while (store.get(nodes, undefined, name))
      do number += 1
      while (taken.has(number))
      const body = nodeBody(cluster, group, name, number)
      const node = resources.make<Node>(nodes, undefined, body)
      const ready =
        resources.changeStatus(nodes, node, (draft) => {
          draft.status = body.status
        }) ?? node
      renewLease(cluster, ready)
      makeStorageNode(cluster, ready)
      announce(cluster, ready)
      joined.push(name)
    }
  }
  return joined
}
