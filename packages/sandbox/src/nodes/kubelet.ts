import { stamp } from '../clock.ts'
import type { Cluster } from '../api/context.ts'
import { deleteObject } from '../api/deletion.ts'
import type { Controller } from '../controllers/controller.ts'
import { queueKey, splitKey } from '../controllers/owner.ts'
import { WorkQueue } from '../controllers/work-queue.ts'
import { clone, equal } from '../json.ts'
import { hash } from '../random.ts'
import { nodes, pods, type Pod, type PodStatus } from '../types.ts'
import { missingData, missingEnvironment } from './missing-data.ts'
import { hostAddress, podAddress } from './pod-address.ts'
import type { PowerSwitch } from './node-power.ts'
import { forgetPrograms } from './program.ts'
import { PodRun } from './pod-run.ts'
import { summarize } from './pod-status.ts'

const component = 'kubelet'
const shutdownMs = 1200

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
    const missing = missingData(store, pod)
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
        status.podIP = podAddress(store, pod, node)
        status.podIPs = [{ ip: status.podIP }]
      }
      const dueMs = run.advance(pod, status, {
        nowMs,
        images: imagesOf(nodeName),
        missingEnvironment: (container) => missingEnvironment(store, pod, container),
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
    const change = (draft: Pod) => {
      draft.status = next
    }
    const written = resources.changeStatus(pods, pod, change, { manager: component })
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
