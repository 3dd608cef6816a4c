import { stamp } from '../../clock.ts'
import { suffix } from '../../random.ts'
import { pods, priorityClasses, type Pod } from '../../types.ts'
import { strategy, type StrategyContext } from '../strategy.ts'
import { defaultLivePod, defaultPodSpec, qosClass } from './pod-defaults.ts'
import { builtInPriorities, checkReferences } from './pod-references.ts'
import { checkPodSpec, checkPodUpdate } from './pod-validation.ts'

const defaultTolerations = ['node.kubernetes.io/not-ready', 'node.kubernetes.io/unreachable']
const tokenMount = '/var/run/secrets/kubernetes.io/serviceaccount'

function addTokenVolume(pod: Pod, context: StrategyContext): void {
  if (pod.spec.automountServiceAccountToken === false) return
  const containers = [...(pod.spec.initContainers ?? []), ...pod.spec.containers]
  if (containers.every((one) => one.volumeMounts?.some((mount) => mount.mountPath === tokenMount))) return
  const name = `kube-api-access-${suffix(context.random)}`
  pod.spec.volumes = [
    ...(pod.spec.volumes ?? []),
    {
      name,
      projected: {
        defaultMode: 420,
        sources: [
          { serviceAccountToken: { expirationSeconds: 3607, path: 'token' } },
          { configMap: { name: 'kube-root-ca.crt', items: [{ key: 'ca.crt', path: 'ca.crt' }] } },
          {
            downwardAPI: {
              items: [{ path: 'namespace', fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.namespace' } }],
            },
          },
        ],
      },
    },
  ]
  for (const container of containers) {
    const mounts = container.volumeMounts ?? []
    if (mounts.some((mount) => mount.mountPath === tokenMount)) continue
    container.volumeMounts = [...mounts, { name, mountPath: tokenMount, readOnly: true }]
  }
}

function setPriority(pod: Pod, context: StrategyContext): void {
  const name = pod.spec.priorityClassName
  const found = name === undefined ? undefined : context.store.get(priorityClasses, undefined, name)
  pod.spec.priority = found?.value ?? (name === undefined ? 0 : (builtInPriorities[name] ?? 0))
  pod.spec.preemptionPolicy ??= found?.preemptionPolicy ?? 'PreemptLowerPriority'
}

function prepareCreate(pod: Pod, context: StrategyContext): void {
  checkReferences(pod, context)
  pod.spec.serviceAccountName ??= 'default'
  pod.spec.serviceAccount = pod.spec.serviceAccountName
  addTokenVolume(pod, context)
  setPriority(pod, context)
  const tolerations = pod.spec.tolerations ?? []
  for (const key of defaultTolerations) {
    const isThere = tolerations.some(
      (one) => (one.key === key || !one.key) && (!one.effect || one.effect === 'NoExecute'),
    )
    if (!isThere) tolerations.push({ key, operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 300 })
  }
  pod.spec.tolerations = tolerations
  pod.status = { phase: 'Pending', qosClass: qosClass(pod.spec) }
  if (pod.spec.nodeName) {
    const lastTransitionTime = stamp(context.clock.now())
    pod.status.conditions = [{ type: 'PodScheduled', status: 'True', lastTransitionTime }]
  }
}

export const podStrategy = strategy(pods, {
  defaults(pod) {
    defaultPodSpec(pod.spec)
    defaultLivePod(pod.spec)
  },
  prepareCreate,
  validate: (pod) => checkPodSpec(pod.spec, 'spec'),
  validateUpdate: checkPodUpdate,
  graceSeconds(pod, asked) {
    // Nothing runs before a pod has a node, nor after it has ended, so nobody needs to be waited for.
    if (!pod.spec.nodeName || pod.status?.phase === 'Succeeded' || pod.status?.phase === 'Failed') return 0
    return asked ?? pod.spec.terminationGracePeriodSeconds ?? 30
  },
})
