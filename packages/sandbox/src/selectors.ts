import { at, plain } from './json.ts'
import { parseRequirements, type Requirement } from './label-expression.ts'
import { badRequest } from './status-error.ts'
import type { KubeObject, LabelSelector } from './types.ts'

type Labels = Record<string, string> | undefined
export type LabelTest = (labels: Labels) => boolean

function test({ key, operator, values }: Requirement): LabelTest {
  const [value = ''] = values
  switch (operator) {
    case 'exists':
      return (labels) => labels?.[key] !== undefined
    case '!':
      return (labels) => labels?.[key] === undefined
    case 'in':
      return (labels) => labels?.[key] !== undefined && values.includes(labels[key] ?? '')
    case 'notin':
      return (labels) => labels?.[key] === undefined || !values.includes(labels[key] ?? '')
    case '=':
    case '==':
      return (labels) => labels?.[key] === value
    case '!=':
      return (labels) => labels?.[key] !== value
    case '>':
      return (labels) => Number(labels?.[key]) > Number(value)
    case '<':
      return (labels) => Number(labels?.[key]) < Number(value)
  }
}

/** Parses `labelSelector=` of a request: `app=web,tier in (a,b),!canary`. Throws 400 when it does not parse. */
export function parseLabelSelector(text: string): LabelTest {
  if (text.trim() === '') return () => true
  const tests = parseRequirements(text).map(test)
  return (labels) => tests.every((one) => one(labels))
}

/** A test of the `selector` of an object. An empty selector selects everything, a missing one nothing. */
export function labelSelector(selector: LabelSelector | undefined): LabelTest {
  if (!selector) return () => false
  const wanted = Object.entries(selector.matchLabels ?? {})
  const expressions = selector.matchExpressions ?? []
  return (labels) => {
    for (const [key, value] of wanted) if (labels?.[key] !== value) return false
    return expressions.every(({ key, operator, values = [] }) => {
      const value = labels?.[key]
      if (operator === 'In') return value !== undefined && values.includes(value)
      if (operator === 'NotIn') return value === undefined || !values.includes(value)
      if (operator === 'Exists') return value !== undefined
      return value === undefined
    })
  }
}

/** The text form that Scale.status.selector and the Selector columns show. */
export function selectorText(selector: LabelSelector | undefined): string {
  const parts = Object.entries(selector?.matchLabels ?? {})
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, value]) => `${key}=${value}`)
  for (const { key, operator, values = [] } of selector?.matchExpressions ?? []) {
    if (operator === 'Exists') parts.push(key)
    else if (operator === 'DoesNotExist') parts.push(`!${key}`)
    else parts.push(`${key} ${operator === 'In' ? 'in' : 'notin'} (${values.toSorted().join(',')})`)
  }
  return parts.join(',')
}

export type FieldTest = (object: KubeObject) => boolean

// Kubernetes allows these besides metadata.name and metadata.namespace; others are refused.
const selectable: Record<string, readonly string[]> = {
  pods: [
    'spec.nodeName',
    'spec.restartPolicy',
    'spec.schedulerName',
    'spec.serviceAccountName',
    'spec.hostNetwork',
    'status.phase',
    'status.podIP',
    'status.podIPs',
    'status.nominatedNodeName',
  ],
  events: [
    'involvedObject.kind',
    'involvedObject.namespace',
    'involvedObject.name',
    'involvedObject.uid',
    'involvedObject.apiVersion',
    'involvedObject.resourceVersion',
    'involvedObject.fieldPath',
    'reason',
    'reportingComponent',
    'source',
    'type',
  ],
  nodes: ['spec.unschedulable'],
  namespaces: ['status.phase'],
  secrets: ['type'],
  services: ['spec.clusterIP', 'spec.type'],
  'replicasets.apps': ['status.replicas'],
  'jobs.batch': ['status.successful'],
  'certificatesigningrequests.certificates.k8s.io': ['spec.signerName'],
}

// What a field that nobody has set counts as.
const absent: Record<string, string> = { 'spec.unschedulable': 'false', 'spec.hostNetwork': 'false' }

function notSelectable(name: string, kindKey: string, isCustom: boolean): string {
  if (kindKey === 'jobs.batch') return `field label ${JSON.stringify(name)} not supported for batchv1.Job`
  if (isCustom || selectable[kindKey]) return `field label not supported: ${name}`
  return `${JSON.stringify(name)} is not a known field selector: only "metadata.name", "metadata.namespace"`
}

/**
 * Parses `fieldSelector=`. Throws 400 for a field that this kind cannot be selected by. A custom kind names its own
 * fields, if only none.
 */
export function parseFieldSelector(text: string, kindKey: string, own?: readonly string[]): FieldTest {
  if (text.trim() === '') return () => true
  const allowed = new Set([
    'metadata.name',
    'metadata.namespace',
    ...(selectable[kindKey] ?? []),
    ...(own ?? []),
  ])
  const parts = text.split(',').filter((part) => part !== '')
  const tests = parts.map((part): FieldTest => {
    const match = /^([^=!]*)(!=|==|=)(.*)$/s.exec(part)
    if (!match) throw badRequest(`invalid selector: '${text}'; can't understand '${part}'`)
    const [name, operator, wanted] = [match[1]?.trim() ?? '', match[2], match[3]?.trim() ?? '']
    if (!allowed.has(name)) throw badRequest(notSelectable(name, kindKey, own !== undefined))
    const path = (name === 'source' ? 'source.component' : name).split('.')
    return (object) => {
      const found = at(object, ...path)
      const value = found === undefined || found === null ? (absent[name] ?? '') : plain(found)
      return operator === '!=' ? value !== wanted : value === wanted
    }
  })
  return (object) => tests.every((one) => one(object))
}
