import { containersOfSpec } from './containers.ts'
import type { Fields } from './fields.ts'
import { at, fields, figure, items, text } from './fields.ts'
import type { Panel, PanelFact, PanelPart } from './panel-parts.ts'
import { code, known } from './panel-parts.ts'
import { volumesPart } from './pod-panel.ts'
import { selectorText } from './selector-text.ts'

export const deploymentPanel: Panel = (object) => [
  rollout(object, [
    count('Desired replicas', at(object, 'spec', 'replicas') ?? 1),
    count('Ready', at(object, 'status', 'readyReplicas') ?? 0),
    count('Of the current version', at(object, 'status', 'updatedReplicas') ?? 0),
    count('Available', at(object, 'status', 'availableReplicas') ?? 0),
    at(object, 'spec', 'paused') === true && { label: 'Rollout', value: 'paused' },
    { label: 'Strategy', value: deploymentStrategy(object) },
    {
      label: 'Revision',
      value: text(at(object, 'metadata', 'annotations', 'deployment.kubernetes.io/revision')),
    },
    count('Old versions kept', at(object, 'spec', 'revisionHistoryLimit')),
  ]),
  ...templateParts(object),
]

export const statefulSetPanel: Panel = (object) => [
  rollout(object, [
    count('Desired replicas', at(object, 'spec', 'replicas') ?? 1),
    count('Ready', at(object, 'status', 'readyReplicas') ?? 0),
    count('Of the current version', at(object, 'status', 'updatedReplicas') ?? 0),
    { label: 'Strategy', value: setStrategy(object) },
    {
      label: 'Starts pods',
      value: at(object, 'spec', 'podManagementPolicy') === 'Parallel' ? 'all at once' : 'one after the other',
    },
    { label: 'Service', value: serviceRef(object) },
    { label: 'Current version', value: code(text(at(object, 'status', 'updateRevision'))) },
  ]),
  ...templateParts(object),
  {
    type: 'table',
    title: 'Claims of each pod',
    columns: ['Name', 'Class', 'Size', 'Access'],
    rows: items(at(object, 'spec', 'volumeClaimTemplates')).map((claim) => [
      text(at(claim, 'metadata', 'name')),
      text(at(claim, 'spec', 'storageClassName')) ?? 'the default one',
      text(at(claim, 'spec', 'resources', 'requests', 'storage')),
      (at(claim, 'spec', 'accessModes') as readonly string[] | undefined)?.join(', ') ?? null,
    ]),
  },
]

export const daemonSetPanel: Panel = (object) => [
  rollout(object, [
    count('Desired nodes', at(object, 'status', 'desiredNumberScheduled') ?? 0),
    count('Ready', at(object, 'status', 'numberReady') ?? 0),
    count('Of the current version', at(object, 'status', 'updatedNumberScheduled') ?? 0),
    count('On nodes where it should not be', at(object, 'status', 'numberMisscheduled')),
    { label: 'Strategy', value: setStrategy(object) },
  ]),
  ...templateParts(object),
]

export const replicaSetPanel: Panel = (object) => [
  rollout(object, [
    count('Desired replicas', at(object, 'spec', 'replicas') ?? 1),
    count('Ready', at(object, 'status', 'readyReplicas') ?? 0),
    {
      label: 'Revision',
      value: text(at(object, 'metadata', 'annotations', 'deployment.kubernetes.io/revision')),
    },
  ]),
  ...templateParts(object),
]

function rollout(object: Fields, facts: readonly (PanelFact | false)[]): PanelPart {
  return {
    type: 'facts',
    title: 'Rollout',
    isAside: true,
    facts: known([
      ...facts,
      { label: 'Selector', value: code(selectorText(at(object, 'spec', 'selector'))) },
    ]),
  }
}

/** What a template of pods holds. */
export function templateParts(object: Fields, ...path: readonly string[]): readonly PanelPart[] {
  const spec = fields(at(object, ...(path.length > 0 ? path : ['spec', 'template']), 'spec'))
  const namespace = text(at(object, 'metadata', 'namespace')) ?? ''
  return [
    { type: 'containers', title: 'Containers', containers: containersOfSpec(spec) },
    volumesPart(spec, namespace),
  ]
}

function count(label: string, value: unknown): PanelFact {
  return { label, value: figure(value) }
}

function deploymentStrategy(object: Fields): string {
  const strategy = fields(at(object, 'spec', 'strategy'))
  if (strategy['type'] === 'Recreate') return 'all old pods end before new ones start'
  const surge = text(at(strategy, 'rollingUpdate', 'maxSurge')) ?? '25%'
  const unavailable = text(at(strategy, 'rollingUpdate', 'maxUnavailable')) ?? '25%'
  return `rolling: at most ${surge} more, ${unavailable} fewer`
}

function setStrategy(object: Fields): string {
  const strategy = fields(at(object, 'spec', 'updateStrategy'))
  if (strategy['type'] === 'OnDelete') return 'a pod changes when it is deleted'
  const partition = figure(at(strategy, 'rollingUpdate', 'partition')) ?? 0
  const unavailable = text(at(strategy, 'rollingUpdate', 'maxUnavailable'))
  return [
    'rolling',
    ...(unavailable ? [`at most ${unavailable} unavailable`] : []),
    ...(partition > 0 ? [`pods from number ${partition} on`] : []),
  ].join(': ')
}

function serviceRef(object: Fields) {
  const name = text(at(object, 'spec', 'serviceName'))
  const namespace = text(at(object, 'metadata', 'namespace')) ?? ''
  return name === null ? null : { ref: { resource: 'services', namespace, name } }
}
