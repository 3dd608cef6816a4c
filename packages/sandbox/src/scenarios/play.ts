import { clone, textAt } from '../json.ts'
import type { Cluster } from '../api/context.ts'
import { withCondition } from '../controllers/conditions.ts'
import { joinNodes } from '../nodes/machines.ts'
import type { NodePower } from '../nodes/node-power.ts'
import { badRequest, StatusError } from '../status-error.ts'
import { nodes, secrets, type Node } from '../types.ts'
import { requireRoom } from './scenario-size.ts'
import { scenarios, type Scenario } from './scenarios.ts'

const dayMs = 24 * 60 * 60 * 1000

/** Nodes that carry programs. */
export function workers({ store }: Cluster): Node[] {
  return store
    .list(nodes)
    .filter((node) => node.metadata.labels?.['node-role.kubernetes.io/control-plane'] === undefined)
}

function create(cluster: Cluster, { objects }: Scenario): void {
  for (const object of objects) {
    const kind = cluster.registry.byType(textAt(object, 'apiVersion') ?? '', textAt(object, 'kind') ?? '')
    if (!kind) throw new Error(`A scenario names the kind ${textAt(object, 'kind')}, which there is not.`)
    try {
      cluster.resources.create(kind, textAt(object, 'metadata', 'namespace'), clone(object))
    } catch (error) {
      // Playing a scenario twice, or one after the other, leaves what is there.
      if (!(error instanceof StatusError && error.reason === 'AlreadyExists')) throw error
    }
  }
}

const pressureTaint = 'node.kubernetes.io/disk-pressure'

function setDiskPressure(cluster: Cluster, node: Node, isFull: boolean): void {
  const { resources, recorder, clock } = cluster
  const reason = isFull ? 'KubeletHasDiskPressure' : 'KubeletHasNoDiskPressure'
  const marked = resources.changeStatus(nodes, node, (draft) => {
    const condition = {
      type: 'DiskPressure',
      status: isFull ? 'True' : 'False',
      reason,
      message: isFull ? 'kubelet has disk pressure' : 'kubelet has no disk pressure',
    }
    draft.status = {
      ...draft.status,
      conditions: withCondition(draft.status?.conditions, condition, clock.now()),
    }
  })
  if (!marked) return
  resources.change(nodes, marked, (draft) => {
    const others = (draft.spec.taints ?? []).filter((taint) => taint.key !== pressureTaint)
    draft.spec.taints = isFull ? [...others, { key: pressureTaint, effect: 'NoSchedule' }] : others
  })
  const { name } = node.metadata
  const event = isFull ? 'NodeHasDiskPressure' : 'NodeHasNoDiskPressure'
  recorder.normal('kubelet', marked, event, `Node ${name} status is now: ${event}`, { host: name })
}

/** Lets a node report that its disk is full. */
export function fillDisk(cluster: Cluster, node: Node): void {
  setDiskPressure(cluster, node, true)
}

/** Lets a node report that its disk has room again. */
export function clearDisk(cluster: Cluster, node: Node): void {
  setDiskPressure(cluster, node, false)
}

/** Stores a TLS secret whose certificate ends soon. */
export async function addCertificate(
  cluster: Cluster,
  {
    namespace,
    name,
    host,
    daysLeft,
    labels,
  }: NonNullable<Scenario['certificate']> & { labels?: Record<string, string> },
): Promise<void> {
  if (cluster.store.get(secrets, namespace, name)) return
  const { makeCertificates } = await import('../http/certificates.ts')
  const made = await makeCertificates(name, [host], cluster.clock.now(), daysLeft * dayMs)
  const encode = (text: string) => Buffer.from(text).toString('base64')
  cluster.resources.make(secrets, namespace, {
    metadata: { name, ...(labels ? { labels } : {}) },
    type: 'kubernetes.io/tls',
    data: {
      'tls.crt': encode(made.certificatePem),
      'tls.key': encode(made.keyPem),
      'ca.crt': encode(made.caPem),
    },
  })
}

/** Brings a scenario about on top of what there is. Throws 400 for one that does not exist or does not fit. */
export async function playScenario(cluster: Cluster, power: NodePower, name: string): Promise<void> {
  const scenario = Object.hasOwn(scenarios, name) ? scenarios[name] : undefined
  if (!scenario) {
    throw badRequest(
      `There is no scenario named ${JSON.stringify(name)}. There are: ${Object.keys(scenarios).join(', ')}.`,
    )
  }
  requireRoom(cluster, name, scenario)
  if (scenario.nodes) {
    const { count, cpu, memory } = scenario.nodes
    const missing = count - cluster.store.count(nodes.key)
    if (missing > 0) joinNodes(cluster, [{ name: 'pool', count: missing, cpu, memory }])
  }
  create(cluster, scenario)
  const machines = workers(cluster)
  for (const node of machines.slice(0, scenario.fullDisks ?? 0)) fillDisk(cluster, node)
  for (const node of machines.slice(machines.length - (scenario.stoppedWorkers ?? 0)))
    power.stop(node.metadata.name)
  if (scenario.certificate) await addCertificate(cluster, scenario.certificate)
  cluster.store.flush()
}
