import { resourceOfKind } from '@bey/contract'
import type { Fields } from './fields.ts'
import { at, fields, figure, items, text, texts } from './fields.ts'
import type { Panel, PanelValue } from './panel-parts.ts'
import { code, known } from './panel-parts.ts'
import { selectorText } from './selector-text.ts'

export const autoscalerPanel: Panel = (autoscaler) => {
  const spec = fields(autoscaler['spec'])
  const status = fields(autoscaler['status'])
  const current = items(status['currentMetrics'])
  return [
    {
      type: 'table',
      title: 'Targets',
      columns: ['Metric', 'Now', 'Wanted'],
      rows: items(spec['metrics']).map((metric, index) => [
        metricName(metric),
        metricAmount(current[index], 'current') ?? 'unknown',
        metricAmount(metric, 'target'),
      ]),
      empty: 'This autoscaler follows no metric.',
    },
    {
      type: 'facts',
      title: 'Replicas',
      isAside: true,
      facts: known([
        { label: 'Scales', value: targetOf(autoscaler) },
        { label: 'Now', value: figure(status['currentReplicas']) },
        { label: 'Wanted', value: figure(status['desiredReplicas']) },
        { label: 'At least', value: figure(spec['minReplicas']) ?? 1 },
        { label: 'At most', value: figure(spec['maxReplicas']) },
        { label: 'Last scaled', value: time(status['lastScaleTime']) },
      ]),
    },
  ]
}

function targetOf(autoscaler: Fields): PanelValue {
  const kind = text(at(autoscaler, 'spec', 'scaleTargetRef', 'kind')) ?? ''
  const name = text(at(autoscaler, 'spec', 'scaleTargetRef', 'name')) ?? ''
  const namespace = text(at(autoscaler, 'metadata', 'namespace')) ?? ''
  const resource = resourceOfKind(kind)
  return resource ? { ref: { resource, namespace, name }, text: `${kind} ${name}` } : `${kind} ${name}`
}

/** The part of a metric that its type names: `Resource` is described in `resource`. */
function partOf(metric: Fields | undefined): Fields {
  const type = text(metric?.['type']) ?? ''
  return fields(metric?.[`${type.charAt(0).toLowerCase()}${type.slice(1)}`])
}

function metricName(metric: Fields): string {
  const part = partOf(metric)
  const name = text(part['name']) ?? text(at(part, 'metric', 'name')) ?? text(metric['type']) ?? ''
  const container = text(part['container'])
  const object = text(at(part, 'describedObject', 'name'))
  return `${name}${container ? ` of the container ${container}` : ''}${object ? ` of ${object}` : ''}`
}

function metricAmount(metric: Fields | undefined, field: 'current' | 'target'): string | null {
  const value = fields(partOf(metric)[field])
  const share = figure(value['averageUtilization'])
  if (share !== null) return `${share} % of what is requested`
  const average = text(value['averageValue'])
  return average === null ? text(value['value']) : `${average} a pod`
}

export const disruptionBudgetPanel: Panel = (budget) => {
  const spec = fields(budget['spec'])
  const status = fields(budget['status'])
  const allowed = figure(status['disruptionsAllowed']) ?? 0
  const least = text(spec['minAvailable'])
  const most = text(spec['maxUnavailable'])
  return [
    {
      type: 'sentences',
      title: 'Budget',
      lines: [
        allowed === 0
          ? 'No pod may be evicted now: a drain of its node waits.'
          : `${allowed} ${allowed === 1 ? 'pod' : 'pods'} may be evicted now.`,
      ],
    },
    {
      type: 'facts',
      title: 'Disruptions',
      isAside: true,
      facts: known([
        { label: 'Allowed now', value: allowed },
        { label: 'Healthy pods', value: figure(status['currentHealthy']) },
        { label: 'Healthy pods needed', value: figure(status['desiredHealthy']) },
        { label: 'Pods it covers', value: figure(status['expectedPods']) },
        least !== null && { label: 'Must be available', value: least },
        most !== null && { label: 'May be unavailable', value: most },
        { label: 'Selects pods', value: code(selectorText(spec['selector'])) },
      ]),
    },
  ]
}

export const definitionPanel: Panel = (definition) => {
  const spec = fields(definition['spec'])
  const plural = text(at(spec, 'names', 'plural')) ?? ''
  return [
    {
      type: 'table',
      title: 'Versions',
      columns: ['Version', 'Served', 'Stored', 'Printed columns'],
      rows: items(spec['versions']).map((version) => [
        text(version['name']),
        version['served'] === true ? 'yes' : 'no',
        version['storage'] === true ? 'yes' : 'no',
        items(version['additionalPrinterColumns'])
          .flatMap(({ name }) => text(name) ?? [])
          .join(', ') || null,
      ]),
    },
    {
      type: 'facts',
      title: 'Defines',
      isAside: true,
      facts: known([
        { label: 'Kind', value: text(at(spec, 'names', 'kind')) },
        { label: 'Group', value: code(text(spec['group'])) },
        { label: 'Resource', value: code(plural) },
        { label: 'Short names', value: texts(at(spec, 'names', 'shortNames')).join(', ') || null },
        {
          label: 'Belongs to',
          value: spec['scope'] === 'Namespaced' ? 'a namespace' : 'the whole cluster',
        },
      ]),
    },
  ]
}

function time(value: unknown): PanelValue {
  const found = text(value)
  return found === null ? null : { at: found }
}
