import { isIP } from 'node:net'
import { at, isObject, listAt, objectAt, textAt, type Json } from '../json.ts'
import { field, type Cause } from '../status-error.ts'
import { between, fieldRules, oneMember, oneOf, required, text, type Rule } from './field-rules.ts'
import { checkName } from './names.ts'
import { nodeTerm, selector } from './selector-rules.ts'

const userId = between(0, 2_147_483_647)

const podFields =
  /^(metadata\.(name|namespace|uid)|metadata\.(annotations|labels)\['[^']+'\]|spec\.(nodeName|serviceAccountName)|status\.(hostIPs?|podIPs?))$/

const fieldPath: Rule = (value, path) =>
  typeof value === 'string' && !podFields.test(value)
    ? [field.invalid(path, value, `error converting fieldPath: field label not supported: ${value}`)]
    : required()(value, path, {})

const hook: Rule = (value, path) => {
  const handlers = ['exec', 'httpGet', 'tcpSocket', 'sleep']
  return isObject(value) && handlers.every((name) => value[name] === undefined)
    ? [field.required(path, 'must specify a handler type')]
    : []
}

const container: Record<string, Rule> = {
  'env[].name': required(),
  'env[].valueFrom': oneMember(
    ['fieldRef', 'resourceFieldRef', 'configMapKeyRef', 'secretKeyRef', 'fileKeyRef'],
    'must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef` or `secretKeyRef`',
    'may not have more than one field specified at a time',
  ),
  'env[].valueFrom.fieldRef.fieldPath': fieldPath,
  terminationMessagePolicy: oneOf('FallbackToLogsOnError', 'File'),
  'lifecycle.preStop': hook,
  'lifecycle.postStart': hook,
  'securityContext.runAsUser': userId,
  'securityContext.runAsGroup': userId,
  securityContext: (value, path) =>
    at(value, 'privileged') === true && at(value, 'allowPrivilegeEscalation') === false
      ? [
          field.invalid(
            path,
            value,
            'cannot set `allowPrivilegeEscalation` to false and `privileged` to true',
          ),
        ]
      : [],
  'volumeMounts[].subPath': (value, path) => [
    ...text((one) => !one.startsWith('/'), 'must be a relative path')(value, path, {}),
    ...text((one) => !one.split('/').includes('..'), "must not contain '..'")(value, path, {}),
  ],
}

const nodeAffinity = 'affinity.nodeAffinity'
const hard = 'requiredDuringSchedulingIgnoredDuringExecution'
const soft = 'preferredDuringSchedulingIgnoredDuringExecution'
const weight = between(1, 100, 'must be in the range 1-100')
const topologyKey = required('can not be empty')

function podTerms(affinity: string): Record<string, Rule> {
  return {
    [`${affinity}.${hard}[].topologyKey`]: topologyKey,
    [`${affinity}.${hard}[].labelSelector`]: selector,
    [`${affinity}.${soft}[].weight`]: weight,
    [`${affinity}.${soft}[].podAffinityTerm.topologyKey`]: topologyKey,
    [`${affinity}.${soft}[].podAffinityTerm.labelSelector`]: selector,
  }
}

const label: Rule = (value, path) =>
  typeof value === 'string' && value ? checkName(value, 'label', path) : []

function hostPorts(containers: Json | undefined, path: string): Cause[] {
  return (Array.isArray(containers) ? containers : []).flatMap((one, i) =>
    listAt(one, 'ports').flatMap((port, j) => {
      const [inside, outside] = [at(port, 'containerPort'), at(port, 'hostPort')]
      return outside === undefined || inside === outside
        ? []
        : [
            field.invalid(
              `${path}[${i}].ports[${j}].containerPort`,
              inside,
              'must match `hostPort` when `hostNetwork` is true',
            ),
          ]
    }),
  )
}

/** What holds for the fields of a pod's spec, wherever it stands, beside what is checked together. */
export const podRules = fieldRules({
  ...Object.fromEntries(
    ['initContainers[]', 'containers[]', 'ephemeralContainers[]'].flatMap((part) =>
      Object.entries(container).map(([path, rule]) => [`${part}.${path}`, rule]),
    ),
  ),
  'volumes[].hostPath.path': required(),
  'volumes[].persistentVolumeClaim.claimName': required(),
  'topologySpreadConstraints[].maxSkew': between(1, Infinity, 'must be greater than zero'),
  'topologySpreadConstraints[].topologyKey': topologyKey,
  'topologySpreadConstraints[].whenUnsatisfiable': oneOf('DoNotSchedule', 'ScheduleAnyway'),
  'topologySpreadConstraints[].labelSelector': selector,
  [`${nodeAffinity}.${hard}.nodeSelectorTerms`]: (value, path) =>
    Array.isArray(value) && value.length > 0
      ? []
      : [field.required(path, 'must have at least one node selector term')],
  [`${nodeAffinity}.${hard}.nodeSelectorTerms[]`]: nodeTerm,
  [`${nodeAffinity}.${soft}[].weight`]: weight,
  [`${nodeAffinity}.${soft}[].preference`]: nodeTerm,
  ...podTerms('affinity.podAffinity'),
  ...podTerms('affinity.podAntiAffinity'),
  dnsPolicy: (value, path, spec) =>
    value === 'None' && listAt(objectAt(spec, 'dnsConfig'), 'nameservers').length === 0
      ? [
          field.required(
            path.replace(/dnsPolicy$/, 'dnsConfig.nameservers'),
            'must provide at least one DNS nameserver when `dnsPolicy` is None',
          ),
        ]
      : [],
  'hostAliases[].ip': text(
    (value) => isIP(value) > 0,
    'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)',
  ),
  containers: (value, path, spec) => (spec['hostNetwork'] === true ? hostPorts(value, path) : []),
  hostname: label,
  subdomain: label,
  preemptionPolicy: oneOf('Never', 'PreemptLowerPriority'),
  schedulingGates: (value, path) => {
    const names = (Array.isArray(value) ? value : []).map((one) => textAt(one, 'name') ?? '')
    return names.flatMap((name, i) =>
      names.indexOf(name) < i ? [field.duplicate(`${path}[${i}]`, name)] : [],
    )
  },
  'securityContext.runAsUser': userId,
  'securityContext.runAsGroup': userId,
  'securityContext.fsGroup': userId,
})
