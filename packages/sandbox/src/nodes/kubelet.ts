import { stamp } from '../clock.ts'
import type { Cluster } from '../api/context.ts'
import { deleteObject } from '../api/deletion.ts'
import type { Controller } from '../controllers/controller.ts'
import { queueKey, splitKey } from '../controllers/owner.ts'
import { WorkQueue } from '../controllers/work-queue.ts'
import { clone, equal } from '../json.ts'
import { hash } from '../random.ts'
import {
  configMaps,
  nodes,
  pods,
  secrets,
  type Container,
  type Node,
  type Pod,
  type PodStatus,
} from '../types.ts'
import { forgetPrograms } from './program.ts'
import { PodRun } from './pod-run.ts'
import { summarize } from './pod-status.ts'

const component = 'kubelet'
const shutdownMs = 1200

/** Which nodes are switched off: nothing on them moves and nobody hears from them. */
export type PowerSwitch = { isOff(node: string): boolean; onChange(listener: (node: string) => void): void }

/** Plays the kubelets of all nodes: runs the pods that are bound to them, as far as the API can see. */
export function runKubelets(cluster: Cluster, power: PowerSwitch): Controller {
  const { store, resources, recorder, clock } = cluster
  const runs = new Map<string, PodRun>()
  const images = new Map<string, Set<string>>()
  // What this wrote itself needs no second look.
  const ownWrites = new Set<string>()
  const delay = (ms: number) => ms / cluster.speed

  function imagesOf(node: string): Set<string> {
    const found = images.get(node) ?? new Set<string>()
    images.set(node, found)
    return found
  }

  /** Data that the pod needs and that is not there keeps it from starting. */
  function missingData(pod: Pod): { isVolume: boolean; message: string } | undefined {
    const { namespace } = pod.metadata
    const lacks = (kind: typeof configMaps | typeof secrets, name: string | undefined, optional?: boolean) =>
      name !== undefined && !optional && !store.get<unknown>(kind, namespace, name)
    for (const { configMap, secret } of pod.spec.volumes ?? []) {
      if (lacks(configMaps, configMap?.name, configMap?.optional))
        return { isVolume: true, message: `configmap "${configMap?.name}" not found` }
      if (lacks(secrets, secret?.secretName, secret?.optional))
        return { isVolume: true, message: `secret "${secret?.secretName}" not found` }
    }
    return undefined
  }

  function missingEnvironment(pod: Pod, container: Container): string | undefined {
    const { namespace } = pod.metadata
    for (const { valueFrom } of container.env ?? []) {
      const map = valueFrom?.configMapKeyRef
      if (map && !map.optional) {
        const found = store.get(configMaps, namespace, map.name ?? '')
        if (!found) return `configmap "${map.name}" not found`
        if (found.data?.[map.key] === undefined)
          return `couldn't find key ${map.key} in ConfigMap ${namespace}/${map.name}`
      }
      const secret = valueFrom?.secretKeyRef
      if (secret && !secret.optional) {
        const found = store.get(secrets, namespace, secret.name ?? '')
        if (!found) return `secret "${secret.name}" not found`
        if (found.data?.[secret.key] === undefined)
          return `couldn't find key ${secret.key} in Secret ${namespace}/${secret.name}`
      }
    }
    for (const { configMapRef, secretRef } of container.envFrom ?? []) {
      if (
        configMapRef &&
        !configMapRef.optional &&
        !store.get(configMaps, namespace, configMapRef.name ?? '')
      )
        return `configmap "${configMapRef.name}" not found`
      if (secretRef && !secretRef.optional && !store.get(secrets, namespace, secretRef.name ?? ''))
        return `secret "${secretRef.name}" not found`
    }
    return undefined
  }

  function podAddress(pod: Pod, node: Node): string {
    if (pod.spec.hostNetwork) return hostAddress(node)
    const range = /^(\d+\.\d+\.\d+)\./.exec(node.spec.podCIDR ?? '')?.[1] ?? '10.244.0'
    const taken = new Set(store.indexed(pods, 'node', node.metadata.name).map((one) => one.status?.podIP))
    let last = 2 + (hash(pod.metadata.uid) % 250)
    // A node with more pods than its range has addresses, which only direct binding makes, shares them.
    for (let i = 0; i < 250 && taken.has(`${range}.${last}`); i++) last = 2 + ((last - 1) % 250)
    return `${range}.${last}`
  }

  function terminate(pod: Pod, run: PodRun, again: (delayMs: number) => void): void {
    const { namespace, name } = pod.metadata
    const graceMs = (pod.metadata.deletionGracePeriodSeconds ?? 30) * 1000
    if (run.stopAtMs === undefined) {
      const quick = Math.min(graceMs, shutdownMs + (hash(pod.metadata.uid) % 600))
      const hook = pod.spec.containers.some((one) => one.lifecycle?.preStop) ? Math.min(graceMs, 5000) : 0
      run.stopAtMs = clock.now() + delay(Math.max(quick, hook))
      for (const container of pod.spec.containers) {
        const status = pod.status?.containerStatuses?.find((one) => one.name === container.name)
        if (!status?.state?.running) continue
        const fieldPath = `spec.containers{${container.name}}`
        recorder.normal(component, pod, 'Killing', `Stopping container ${container.name}`, {
          host: pod.spec.nodeName ?? '',
          fieldPath,
        })
      }
    }
    const leftMs = run.stopAtMs - clock.now()
    if (leftMs > 0) return again(leftMs)
    const final = run.terminated(pod, clone(pod.status ?? {}), clock.now())
    const end = (draft: Pod) => {
      draft.status = summarize(draft, final, clock.now())
    }
    resources.changeStatus(pods, pod, end, { manager: component })
    runs.delete(pod.metadata.uid)
    deleteObject(resources, cluster.registry.stored(pods.key), namespace, name, { graceSeconds: 0 })
  }

  function sync(pod: Pod, again: (delayMs: number) => void): void {
    const nodeName = pod.spec.nodeName ?? ''
    const node = store.get(nodes, undefined, nodeName)
    if (!node || power.isOff(nodeName)) return
    const { uid } = pod.metadata
    const run = runs.get(uid) ?? new PodRun(pod, cluster)
    runs.set(uid, run)
    if (pod.metadata.deletionTimestamp) return terminate(pod, run, again)
    if (pod.status?.phase === 'Succeeded' || pod.status?.phase === 'Failed') return
    const nowMs = clock.now()
    const status: PodStatus = clone(pod.status ?? {})
    status.hostIP ??= hostAddress(node)
    status.hostIPs ??= [{ ip: status.hostIP }]
    status.startTime ??= stamp(nowMs)
    const missing = missingData(pod)
    if (missing && !status.containerStatuses?.some((one) => one.state?.running)) {
      const volume = pod.spec.volumes?.find((one) =>
        missing.message.includes(`"${one.configMap?.name ?? one.secret?.secretName}"`),
      )
      const message = `MountVolume.SetUp failed for volume "${volume?.name}" : ${missing.message}`
      recorder.warning(component, pod, 'FailedMount', message, { host: nodeName })
      run.wait(status, pod)
      again(delay(10_000))
    } else {
      if (status.podIP === undefined) {
        status.podIP = podAddress(pod, node)
        status.podIPs = [{ ip: status.podIP }]
      }
      const dueMs = run.advance(pod, status, {
        nowMs,
        images: imagesOf(nodeName),
        missingEnvironment: (container) => missingEnvironment(pod, container),
      })
      if (dueMs !== undefined) again(dueMs - nowMs)
      // The network is there before the images are: also a pod whose image cannot be pulled has an address.
      const hasNetwork = [...(status.containerStatuses ?? []), ...(status.initContainerStatuses ?? [])].some(
        (one) => one.containerID || /^(ErrImage|ImagePull)/.test(one.state?.waiting?.reason ?? ''),
      )
      if (!hasNetwork) {
        delete status.podIP
        delete status.podIPs
      }
    }
    const next = summarize(pod, status, nowMs)
    if (equal(next, pod.status)) return
    const tell = (draft: Pod) => {
      draft.status = next
    }
    const written = resources.changeStatus(pods, pod, tell, { manager: component })
    if (written) ownWrites.add(written.metadata.resourceVersion)
  }

  const queue = new WorkQueue(
    clock,
    (key) => {
      const pod = store.get(pods, ...splitKey(key))
      if (pod?.spec.nodeName) sync(pod, (delayMs) => queue.addAfter(key, delayMs))
      else queue.forget(key)
    },
    cluster.report,
  )
  for (const pod of store.list(pods)) if (pod.spec.nodeName) queue.add(queueKey(pod))
  const wake = (node: string) => {
    for (const pod of store.indexed(pods, 'node', node)) queue.add(queueKey(pod))
  }
  power.onChange(wake)
  cluster.endings.onEnd((pod) => queue.add(queueKey(pod)))
  const stops = [
    store.subscribe(pods.key, ({ type, object }) => {
      if (type === 'DELETED') {
        runs.delete(object.metadata.uid)
        forgetPrograms(cluster, object.metadata.uid)
        queue.forget(queueKey(object))
      } else {
        const isOwn = ownWrites.delete(object.metadata.resourceVersion)
        if (!isOwn && store.get(pods, object.metadata.namespace, object.metadata.name)?.spec.nodeName)
          queue.add(queueKey(object))
      }
    }),
    store.subscribe(nodes.key, ({ type, object }) => {
      if (type === 'ADDED') wake(object.metadata.name)
    }),
  ]
  return {
    stop() {
      for (const stop of stops) stop()
      queue.stop()
    },
  }
}

function hostAddress(node: Node): string {
  return node.status?.addresses?.find((one) => one.type === 'InternalIP')?.address ?? '127.0.0.1'
}
