import { isIP } from 'node:net'
import { isObject, numberAt, objectAt, textAt } from '../json.ts'
import { field } from '../status-error.ts'
import {
  atLeast,
  fieldRules,
  oneOf,
  quantities,
  required,
  share,
  text,
  type FieldRules,
  type Rule,
} from './field-rules.ts'
import { checkName } from './names.ts'
import { selector } from './selector-rules.ts'

const accessModes = ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce', 'ReadWriteOncePod']

const quotaNames =
  /^((requests\.|limits\.)?(cpu|memory|ephemeral-storage)|requests\.storage|storage|pods|services(\.nodeports|\.loadbalancers)?|replicationcontrollers|resourcequotas|secrets|configmaps|persistentvolumeclaims|(requests\.)?hugepages-.+|.*\/.*)$/

const sources: Record<string, string> = {
  ContainerResource: 'containerResource',
  External: 'external',
  Object: 'object',
  Pods: 'pods',
  Resource: 'resource',
}

/** What a metric is, and that its own part is there. */
const metric: Rule = (value, path) => {
  const type = textAt(value, 'type') ?? ''
  const source = sources[type]
  if (source === undefined) return [field.unsupported(`${path}.type`, type, Object.keys(sources))]
  const own = objectAt(value, source)
  if (!own)
    return [field.required(`${path}.${source}`, 'must populate information for the given metric source')]
  const target = objectAt(own, 'target') ?? {}
  const isSet = target['averageUtilization'] !== undefined || target['averageValue'] !== undefined
  const text = 'must set either a target raw value or a target utilization'
  return source !== 'resource' || isSet
    ? []
    : [field.required(`${path}.${source}.target.averageUtilization`, text)]
}

const volumeMembers = new Set(
  'accessModes capacity claimRef mountOptions nodeAffinity persistentVolumeReclaimPolicy storageClassName volumeAttributesClassName volumeMode'.split(
    ' ',
  ),
)

const volumeSource: Rule = (spec, path) => {
  const own = Object.keys(isObject(spec) ? spec : {}).filter((name) => !volumeMembers.has(name))
  if (own.length === 0) return [field.required(path, 'must specify a volume type')]
  return own
    .slice(1)
    .map((name) => field.forbidden(`${path}.${name}`, 'may not specify more than 1 volume type'))
}

const isCidr = (value: string) => /\/\d{1,3}$/.test(value) && isIP(value.split('/')[0] ?? '') > 0
const subdomain: Rule = (value, path) =>
  typeof value === 'string' && value !== '' ? checkName(value, 'subdomain', path) : []

/** What holds for the fields of each kind, beside what its strategy looks at together. */
export const kindRules: Readonly<Record<string, FieldRules>> = {
  'deployments.apps': fieldRules({
    'spec.selector': selector,
    'spec.revisionHistoryLimit': atLeast(0),
    'spec.strategy.rollingUpdate.maxUnavailable': (value, path, owner) =>
      typeof value === 'string' && /^\d+%$/.test(value) ? share(value, path, owner) : [],
    'spec.progressDeadlineSeconds': (value, path, spec) =>
      typeof value === 'number' && value <= (numberAt(spec, 'minReadySeconds') ?? 0)
        ? [field.invalid(path, value, 'must be greater than minReadySeconds')]
        : [],
  }),
  'replicasets.apps': fieldRules({ 'spec.selector': selector, 'spec.minReadySeconds': atLeast(0) }),
  'daemonsets.apps': fieldRules({
    'spec.selector': selector,
    'spec.minReadySeconds': atLeast(0),
    'spec.revisionHistoryLimit': atLeast(0),
    'spec.updateStrategy.type': oneOf('RollingUpdate', 'OnDelete'),
    'spec.updateStrategy.rollingUpdate.maxUnavailable': share,
  }),
  'statefulsets.apps': fieldRules({
    'spec.selector': selector,
    'spec.minReadySeconds': atLeast(0),
    'spec.revisionHistoryLimit': atLeast(0),
    'spec.updateStrategy': (value, path) =>
      ['RollingUpdate', 'OnDelete', undefined].includes(textAt(value, 'type'))
        ? []
        : [field.invalid(path, value, "must be 'RollingUpdate' or 'OnDelete'")],
    'spec.updateStrategy.rollingUpdate.partition': atLeast(0),
  }),
  'jobs.batch': fieldRules({
    'spec.completionMode': oneOf('NonIndexed', 'Indexed'),
    'spec.completions': (value, path, spec) =>
      spec['completionMode'] === 'Indexed' && value === undefined
        ? [field.required(path, 'when completion mode is Indexed')]
        : [],
    'spec.ttlSecondsAfterFinished': atLeast(0),
    'spec.podReplacementPolicy': oneOf('Failed', 'TerminatingOrFailed'),
  }),
  'cronjobs.batch': fieldRules({
    'spec.schedule': required(),
    'spec.startingDeadlineSeconds': atLeast(0),
    'spec.successfulJobsHistoryLimit': atLeast(0),
    'spec.failedJobsHistoryLimit': atLeast(0),
  }),
  services: fieldRules({
    'spec.ports[].protocol': oneOf('SCTP', 'TCP', 'UDP'),
    'spec.sessionAffinity': oneOf('ClientIP', 'None'),
    'spec.externalTrafficPolicy': (value, path, spec) =>
      value !== undefined && spec['type'] === 'ClusterIP' && spec['externalIPs'] === undefined
        ? [field.invalid(path, value, 'may only be set for externally-accessible services')]
        : oneOf('Cluster', 'Local')(value, path, spec),
    'spec.loadBalancerSourceRanges[]': text(
      isCidr,
      'must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)',
    ),
  }),
  'horizontalpodautoscalers.autoscaling': fieldRules({
    'spec.scaleTargetRef.kind': required(),
    'spec.scaleTargetRef.name': required(),
    'spec.metrics[]': metric,
  }),
  'poddisruptionbudgets.policy': fieldRules({
    'spec.minAvailable': share,
    'spec.maxUnavailable': share,
    'spec.selector': selector,
    'spec.unhealthyPodEvictionPolicy': oneOf('AlwaysAllow', 'IfHealthyBudget'),
  }),
  persistentvolumes: fieldRules({
    spec: volumeSource,
    'spec.accessModes[]': oneOf(...accessModes),
    'spec.persistentVolumeReclaimPolicy': oneOf('Delete', 'Recycle', 'Retain'),
    'spec.volumeMode': oneOf('Block', 'Filesystem'),
  }),
  persistentvolumeclaims: fieldRules({
    'spec.volumeMode': oneOf('Block', 'Filesystem'),
    'spec.storageClassName': subdomain,
    'spec.selector': selector,
  }),
  resourcequotas: fieldRules({
    'spec.hard': quantities((name) => quotaNames.test(name), 'must be a standard resource for quota'),
  }),
  'storageclasses.storage.k8s.io': fieldRules({
    provisioner: required(),
    reclaimPolicy: oneOf('Delete', 'Retain'),
    volumeBindingMode: oneOf('Immediate', 'WaitForFirstConsumer'),
  }),
}
