import type { Cluster } from '../api/context.ts'
import { stamp } from '../clock.ts'
import type { JsonObject } from '../json.ts'
import { quantity } from '../quantity.ts'
import { pods, type Node, type Pod } from '../types.ts'
import type { Answer } from './shell-network.ts'
import { containerUsage, isRunning, nodeUsage, podUsage, type Use } from './usage.ts'
import { volumeStats } from './volume-stats.ts'

const json = 'application/json'
const text = 'text/plain; charset=utf-8'

function answer(type: string, body: string, status = '200 OK'): Answer {
  return { status, server: 'kubelet', type, body: Buffer.from(body) }
}

function podsOf(cluster: Cluster, node: Node): Pod[] {
  const id = ({ metadata }: Pod) => `${metadata.namespace}/${metadata.name}`
  const all = cluster.store.indexed(pods, 'node', node.metadata.name)
  return all.toSorted((a, b) => (id(a) < id(b) ? -1 : 1))
}

function cpu(use: Use, time: string): JsonObject {
  return { time, usageNanoCores: Math.round(use.cores * 1e9) }
}

function memory(use: Use, time: string, mostBytes?: number): JsonObject {
  const workingSetBytes = Math.round(use.memoryBytes)
  const available = mostBytes === undefined ? {} : { availableBytes: Math.round(mostBytes - workingSetBytes) }
  return { time, ...available, workingSetBytes }
}

function podStats(cluster: Cluster, pod: Pod, nowMs: number): JsonObject {
  const time = stamp(nowMs)
  const { name, namespace, uid } = pod.metadata
  const whole = podUsage(pod, nowMs)
  return {
    podRef: { name, namespace, uid },
    startTime: pod.status?.startTime ?? pod.metadata.creationTimestamp,
    containers: pod.spec.containers.map((container) => {
      const use = containerUsage(pod, container, nowMs)
      const state = pod.status?.containerStatuses?.find((one) => one.name === container.name)?.state
      const limit = container.resources?.limits?.['memory']
      const mostBytes = limit === undefined ? undefined : quantity(limit)
      return {
        name: container.name,
        startTime: state?.running?.startedAt ?? pod.metadata.creationTimestamp,
        cpu: cpu(use, time),
        memory: memory(use, time, mostBytes),
      }
    }),
    cpu: cpu(whole, time),
    memory: memory(whole, time),
    volume: volumeStats(cluster, pod, nowMs),
  }
}

/** `/stats/summary`, with the figures that the simulation knows: CPU, memory, the size of the disk, and volumes. */
function summary(cluster: Cluster, node: Node, running: readonly Pod[], nowMs: number): JsonObject {
  const time = stamp(nowMs)
  const use = nodeUsage(running, nowMs)
  const { capacity } = node.status ?? {}
  return {
    node: {
      nodeName: node.metadata.name,
      startTime: node.metadata.creationTimestamp,
      cpu: cpu(use, time),
      memory: memory(use, time, quantity(capacity?.['memory'])),
      fs: { time, capacityBytes: quantity(capacity?.['ephemeral-storage']) },
    },
    pods: running.map((pod) => podStats(cluster, pod, nowMs)),
  }
}

/** `/metrics/resource`: what metrics-server reads. */
function resourceMetrics(running: readonly Pod[], nowMs: number): string {
  const use = nodeUsage(running, nowMs)
  const lines = [
    '# HELP node_memory_working_set_bytes [STABLE] Current working set of the node in bytes',
    '# TYPE node_memory_working_set_bytes gauge',
    `node_memory_working_set_bytes ${Math.round(use.memoryBytes)} ${nowMs}`,
    '# HELP container_memory_working_set_bytes [STABLE] Current working set of the container in bytes',
    '# TYPE container_memory_working_set_bytes gauge',
  ]
  for (const pod of running)
    for (const container of pod.spec.containers) {
      const { memoryBytes } = containerUsage(pod, container, nowMs)
      const labels = `container="${container.name}",namespace="${pod.metadata.namespace}",pod="${pod.metadata.name}"`
      lines.push(`container_memory_working_set_bytes{${labels}} ${Math.round(memoryBytes)} ${nowMs}`)
    }
  lines.push(
    '# HELP scrape_error [ALPHA] 1 if there was an error while getting container metrics, 0 otherwise',
  )
  return `${[...lines, '# TYPE scrape_error gauge', 'scrape_error 0'].join('\n')}\n`
}

function configuration(node: Node): JsonObject {
  return {
    kubeletconfig: {
      kind: 'KubeletConfiguration',
      apiVersion: 'kubelet.config.k8s.io/v1beta1',
      port: node.status?.daemonEndpoints?.kubeletEndpoint?.Port ?? 10_250,
      clusterDNS: ['10.96.0.10'],
      clusterDomain: 'cluster.local',
      nodeStatusUpdateFrequency: '10s',
      nodeLeaseDurationSeconds: 40,
      maxPods: quantity(node.status?.capacity?.['pods']),
      cgroupDriver: 'systemd',
      containerRuntimeEndpoint: 'unix:///run/containerd/containerd.sock',
    },
  }
}

/** What a node's kubelet answers at its port; `path` as the proxy of the API passes it on. */
export function kubeletAnswer(cluster: Cluster, node: Node, path: string): Answer {
  const nowMs = cluster.clock.now()
  const running = podsOf(cluster, node).filter(isRunning)
  const list = (items: readonly Pod[]) =>
    answer(json, JSON.stringify({ kind: 'PodList', apiVersion: 'v1', metadata: {}, items }))
  switch (path.split('?')[0]?.replace(/(.)\/$/, '$1')) {
    case '/healthz':
    case '/healthz/ping':
    case '/healthz/syncloop':
    case '/healthz/log':
      return answer(text, 'ok')
    case '/pods':
      return list(podsOf(cluster, node))
    case '/runningpods':
      return list(running)
    case '/stats/summary':
      return answer(json, JSON.stringify(summary(cluster, node, running, nowMs), undefined, 1))
    case '/metrics/resource':
      return answer('text/plain; version=0.0.4; charset=utf-8', resourceMetrics(running, nowMs))
    case '/configz':
      return answer(json, JSON.stringify(configuration(node)))
    default:
      return answer(text, '404 page not found\n', '404 Not Found')
  }
}
