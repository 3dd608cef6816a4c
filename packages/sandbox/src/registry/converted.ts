import { isObject, objectAt, textAt, type Json, type JsonObject } from '../json.ts'
import { allVerbs, type Kind } from './kind.ts'

/** autoscaling/v1 knows one metric, the CPU; the others ride along in an annotation, as in Kubernetes. */
const metricsAnnotation = 'autoscaling.alpha.kubernetes.io/metrics'

function isCpuUtilization(metric: Json): boolean {
  return (
    isObject(metric) &&
    textAt(metric, 'resource', 'name') === 'cpu' &&
    textAt(metric, 'resource', 'target', 'type') === 'Utilization'
  )
}

function autoscalerFromV2(object: JsonObject): JsonObject {
  const { metrics, behavior, ...spec } = objectAt(object, 'spec') ?? {}
  void behavior
  const all = Array.isArray(metrics) ? metrics : []
  const cpu = all.find(isCpuUtilization)
  const others = all.filter((metric) => metric !== cpu)
  const { currentMetrics, conditions, ...status } = objectAt(object, 'status') ?? {}
  void conditions
  const current = (Array.isArray(currentMetrics) ? currentMetrics : []).find(
    (metric) => textAt(metric, 'resource', 'name') === 'cpu',
  )
  const metadata = objectAt(object, 'metadata') ?? {}
  const annotations = { ...objectAt(metadata, 'annotations') }
  if (others.length > 0) annotations[metricsAnnotation] = JSON.stringify(others)
  const target = objectAt(cpu, 'resource', 'target')?.['averageUtilization']
  const utilization = objectAt(current, 'resource', 'current')?.['averageUtilization']
  return {
    ...object,
    apiVersion: 'autoscaling/v1',
    metadata: Object.keys(annotations).length > 0 ? { ...metadata, annotations } : metadata,
    spec: { ...spec, ...(target === undefined ? {} : { targetCPUUtilizationPercentage: target }) },
    status: {
      ...status,
      ...(utilization === undefined ? {} : { currentCPUUtilizationPercentage: utilization }),
    },
  }
}

function autoscalerToV2(object: JsonObject): JsonObject {
  const { targetCPUUtilizationPercentage: target, ...spec } = objectAt(object, 'spec') ?? {}
  const { currentCPUUtilizationPercentage, ...status } = objectAt(object, 'status') ?? {}
  void currentCPUUtilizationPercentage
  const metadata = { ...objectAt(object, 'metadata') }
  const { [metricsAnnotation]: kept, ...annotations } = objectAt(metadata, 'annotations') ?? {}
  if (metadata['annotations']) metadata['annotations'] = annotations
  const metrics: Json[] = []
  if (target !== undefined && target !== null) {
    const averageUtilization = target
    metrics.push({
      type: 'Resource',
      resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization } },
    })
  }
  if (typeof kept === 'string' && kept.startsWith('[')) {
    const others: unknown = JSON.parse(kept)
    if (Array.isArray(others)) metrics.push(...others.filter(isObject))
  }
  return {
    ...object,
    apiVersion: 'autoscaling/v2',
    metadata,
    spec: { ...spec, ...(metrics.length > 0 ? { metrics } : {}) },
    ...(object['status'] === undefined ? {} : { status }),
  }
}

const renamed: [newName: string, coreName: string][] = [
  ['note', 'message'],
  ['regarding', 'involvedObject'],
  ['deprecatedSource', 'source'],
  ['deprecatedFirstTimestamp', 'firstTimestamp'],
  ['deprecatedLastTimestamp', 'lastTimestamp'],
  ['deprecatedCount', 'count'],
  ['reportingController', 'reportingComponent'],
]

function renameMembers(
  object: JsonObject,
  apiVersion: string,
  pairs: [from: string, to: string][],
): JsonObject {
  const names = new Map(pairs)
  const result: JsonObject = {}
  for (const [name, value] of Object.entries(object)) result[names.get(name) ?? name] = value
  return { ...result, apiVersion }
}

const coreFromNew = renamed
const newFromCore = renamed.map(([newName, coreName]): [string, string] => [coreName, newName])

/** Kinds that are another version of a stored one. */
export const convertedKinds: readonly Kind[] = [
  {
    group: 'autoscaling',
    version: 'v1',
    resource: 'horizontalpodautoscalers',
    kind: 'HorizontalPodAutoscaler',
    singular: 'horizontalpodautoscaler',
    shortNames: ['hpa'],
    categories: ['all'],
    namespaced: true,
    verbs: allVerbs,
    key: 'horizontalpodautoscalers.autoscaling',
    model: 'V1HorizontalPodAutoscaler',
    hasStatus: true,
    hasGeneration: false,
    convert: { fromStored: autoscalerFromV2, toStored: autoscalerToV2 },
  },
  {
    group: 'events.k8s.io',
    version: 'v1',
    resource: 'events',
    kind: 'Event',
    singular: 'event',
    shortNames: ['ev'],
    categories: [],
    namespaced: true,
    verbs: allVerbs,
    key: 'events',
    model: 'EventsV1Event',
    hasStatus: false,
    hasGeneration: false,
    convert: {
      fromStored: (object) => renameMembers(object, 'events.k8s.io/v1', newFromCore),
      toStored: (object) => {
        const core = renameMembers(object, 'v1', coreFromNew)
        const { series, ...rest } = core
        return { source: {}, ...rest, ...(isObject(series) ? { series } : {}) }
      },
    },
  },
]
