import { stamp } from '../clock.ts'
import type { Cluster } from '../api/context.ts'
import { controllerManager } from '../api/resources.ts'
import { at, numberAt, put } from '../json.ts'
import { podUsage } from '../nodes/usage.ts'
import { formatQuantity, quantity } from '../quantity.ts'
import { labelSelector } from '../selectors.ts'
import { autoscalers, pods, type HorizontalPodAutoscaler, type LabelSelector, type Pod } from '../types.ts'
import { withCondition } from './conditions.ts'
import { runController, type Controller } from './controller.ts'
import { isReady } from './pod-state.ts'

const component = 'horizontal-pod-autoscaler'
const periodMs = 15_000
const tolerance = 0.1
const stableDownMs = 300_000

type Metric = NonNullable<HorizontalPodAutoscaler['spec']['metrics']>[number]
type Current = NonNullable<NonNullable<HorizontalPodAutoscaler['status']>['currentMetrics']>[number]
type Wish = { replicas: number; current: Current; text: string }
type Problem = { reason: string; message: string }

/** Metrics that this cluster has nobody to ask for, in the words of a cluster without such an adapter. */
function foreign({ type, pods: ofPods, object, external }: Metric): Problem {
  const api = 'no custom metrics API (custom.metrics.k8s.io) registered'
  switch (type) {
    case 'Pods': {
      const message = `unable to get metric ${ofPods?.metric.name}: unable to fetch metrics from custom metrics API: ${api}`
      return { reason: 'FailedGetPodsMetric', message }
    }
    case 'Object': {
      const message = `unable to get metric ${object?.metric.name}: ${object?.describedObject.kind} on ${object?.describedObject.name}: unable to fetch metrics from custom metrics API: ${api}`
      return { reason: 'FailedGetObjectMetric', message }
    }
    case 'External': {
      const message = `unable to get external metric ${external?.metric.name}: unable to fetch metrics from external metrics API: no external metrics API (external.metrics.k8s.io) registered`
      return { reason: 'FailedGetExternalMetric', message }
    }
    default:
      return { reason: 'InvalidMetricSourceType', message: `unknown metric source type "${type}"` }
  }
}

/** What one resource metric asks for, or why it cannot be known. */
function wish(cluster: Cluster, metric: Metric, running: readonly Pod[], replicas: number): Wish | Problem {
  const resource = metric.resource ?? metric.containerResource
  if (!resource) return foreign(metric)
  const only = metric.containerResource?.container
  const { name, target } = resource
  const reason = only === undefined ? 'FailedGetResourceMetric' : 'FailedGetContainerResourceMetric'
  const nowMs = cluster.clock.now()
  if (running.length === 0) {
    const message = `failed to get ${name} utilization: unable to get metrics for resource ${name}: no metrics returned from resource metrics API`
    return { reason, message }
  }
  let used = 0
  let asked = 0
  for (const pod of running) {
    const use = podUsage(pod, nowMs)
    const share = only === undefined ? 1 : 1 / pod.spec.containers.length
    used += (name === 'cpu' ? use.cores : use.memoryBytes) * share
    for (const { name: container, resources } of pod.spec.containers) {
      if (only !== undefined && container !== only) continue
      const request = resources?.requests?.[name]
      if (request === undefined && target.averageUtilization !== undefined) {
        const message = `failed to get ${name} utilization: missing request for ${name} in container ${container} of Pod ${pod.metadata.name}`
        return { reason, message }
      }
      asked += quantity(request)
    }
  }
  const average = used / running.length
  const averageValue = formatQuantity(name, average)
  if (target.averageUtilization !== undefined) {
    const share = Math.floor((used / asked) * 100)
    const ratio = share / target.averageUtilization
    const wanted = Math.abs(ratio - 1) <= tolerance ? replicas : Math.ceil(ratio * running.length)
    const current = {
      type: 'Resource',
      resource: { name, current: { averageUtilization: share, averageValue } },
    }
    return { replicas: wanted, current, text: `${name} resource utilization (percentage of request)` }
  }
  const ratio = average / Math.max(quantity(target.averageValue), 1e-9)
  const wanted = Math.abs(ratio - 1) <= tolerance ? replicas : Math.ceil(ratio * running.length)
  return {
    replicas: wanted,
    current: { type: 'Resource', resource: { name, current: { averageValue } } },
    text: `${name} resource`,
  }
}

export function runAutoscalers(cluster: Cluster): Controller {
  const { store, resources, recorder, clock, registry } = cluster
  const past = new Map<string, { timeMs: number; replicas: number }[]>()

  function sync(hpa: HorizontalPodAutoscaler, again: (delayMs: number) => void): void {
    again(periodMs / Math.min(cluster.speed, 15))
    const { namespace, name, uid } = hpa.metadata
    const { scaleTargetRef: reference, minReplicas = 1, maxReplicas } = hpa.spec
    const kind = registry.byType(reference.apiVersion ?? 'apps/v1', reference.kind)
    const target = kind?.scale && store.find(kind.key, namespace, reference.name)
    const nowMs = clock.now()
    let conditions = hpa.status?.conditions ?? []
    const set = (type: string, status: string, reason: string, message: string) => {
      conditions = withCondition(conditions, { type, status, reason, message }, nowMs)
    }
    if (!kind?.scale || !target) {
      const message = `the HPA controller was unable to get the target's current scale: ${reference.kind.toLowerCase()}s.apps "${reference.name}" not found`
      set('AbleToScale', 'False', 'FailedGetScale', message)
      recorder.warning(component, hpa, 'FailedGetScale', message)
      resources.changeStatus(autoscalers, hpa, (draft) => {
        draft.status = { currentReplicas: 0, desiredReplicas: 0, conditions }
      })
      return
    }
    const current = numberAt(target, ...kind.scale.spec) ?? 1
    const selector = at(target, 'spec', 'selector')
    const matches = labelSelector(selector as LabelSelector | undefined)
    const running = store
      .list(pods, namespace)
      .filter((pod) => isReady(pod) && !pod.metadata.deletionTimestamp && matches(pod.metadata.labels))
    set(
      'AbleToScale',
      'True',
      'SucceededGetScale',
      "the HPA controller was able to get the target's current scale",
    )
    let desired = current
    const seen: Current[] = []
    if (current === 0)
      set(
        'ScalingActive',
        'False',
        'ScalingDisabled',
        'scaling is disabled since the replica count of the target is zero',
      )
    else {
      const wishes = (hpa.spec.metrics ?? []).map((metric) => wish(cluster, metric, running, current))
      const good = wishes.filter((one) => 'replicas' in one)
      const bad = wishes.find((one) => 'reason' in one)
      // What is unknown is reported even where other metrics suffice.
      if (bad !== undefined) recorder.warning(component, hpa, bad.reason, bad.message)
      if (bad !== undefined && good.length === 0) {
        const message = `the HPA was unable to compute the replica count: ${bad.message}`
        set('ScalingActive', 'False', bad.reason, message)
        recorder.warning(
          component,
          hpa,
          'FailedComputeMetricsReplicas',
          `invalid metrics (1 invalid out of ${wishes.length}), first error is: failed to get ${name} metric value: ${bad.message}`,
        )
      } else {
        const best = good.toSorted((a, b) => b.replicas - a.replicas)[0]
        seen.push(...good.map((one) => one.current))
        set(
          'ScalingActive',
          'True',
          'ValidMetricFound',
          `the HPA was able to successfully calculate a replica count from ${best?.text ?? ''}`,
        )
        const history = (past.get(uid) ?? []).filter(
          (one) => one.timeMs > nowMs - stableDownMs / cluster.speed,
        )
        history.push({ timeMs: nowMs, replicas: best?.replicas ?? current })
        past.set(uid, history)
        // Down only to the most that was wanted in the last minutes; up at most twofold, or by four.
        desired = Math.max(...history.map((one) => one.replicas))
        if ((best?.replicas ?? 0) < current && desired > current) desired = current
        desired = Math.min(desired, Math.max(2 * current, current + 4))
      }
      if (desired > maxReplicas)
        set(
          'ScalingLimited',
          'True',
          'TooManyReplicas',
          'the desired replica count is more than the maximum replica count',
        )
      else if (desired < minReplicas)
        set(
          'ScalingLimited',
          'True',
          'TooFewReplicas',
          'the desired replica count is less than the minimum replica count',
        )
      else
        set(
          'ScalingLimited',
          'False',
          'DesiredWithinRange',
          'the desired count is within the acceptable range',
        )
      desired = Math.min(maxReplicas, Math.max(minReplicas, desired))
    }
    let lastScaleTime = hpa.status?.lastScaleTime
    if (desired !== current) {
      const paths = kind.scale
      const by = { manager: controllerManager, subresource: 'scale' }
      resources.update(kind, namespace, reference.name, (copy) => put(copy, paths.spec, desired), by)
      lastScaleTime = stamp(nowMs)
      const why =
        desired > current
          ? 'cpu resource utilization (percentage of request) above target'
          : 'All metrics below target'
      recorder.normal(component, hpa, 'SuccessfulRescale', `New size: ${desired}; reason: ${why}`)
    }
    const latest = store.get(autoscalers, namespace, name)
    if (!latest) return
    resources.changeStatus(autoscalers, latest, (draft) => {
      draft.status = {
        observedGeneration: 1,
        ...(lastScaleTime ? { lastScaleTime } : {}),
        currentReplicas: numberAt(target, ...paths(kind.scale?.status)) ?? current,
        desiredReplicas: desired,
        ...(seen.length > 0 ? { currentMetrics: seen } : {}),
        conditions,
      }
    })
  }
  return runController(cluster, { kind: autoscalers, sync })
}

function paths(found: string[] | undefined): string[] {
  return found ?? ['status', 'replicas']
}
