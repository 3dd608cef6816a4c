import { equal } from '../../json.ts'
import { field, type Cause } from '../../status-error.ts'
import type { Pod, PodSpec, Toleration } from '../../types.ts'
import { checkFields } from '../field-rules.ts'
import { checkLabels, checkName } from '../names.ts'
import { podRules } from '../pod-rules.ts'
import { checkContainer } from './container-validation.ts'

const restartPolicies = ['Always', 'OnFailure', 'Never']
const dnsPolicies = ['ClusterFirstWithHostNet', 'ClusterFirst', 'Default', 'None']
const tolerationEffects = ['NoSchedule', 'PreferNoSchedule', 'NoExecute']

function checkToleration(toleration: Toleration, path: string): Cause[] {
  const { key, operator, value, effect, tolerationSeconds } = toleration
  const causes: Cause[] = []
  if (key) causes.push(...checkLabels({ [key]: '' }, `${path}.key`))
  if (!key && operator !== 'Exists') {
    const text = 'operator must be Exists when `key` is empty, which means "match all values and all keys"'
    causes.push(field.invalid(`${path}.operator`, operator ?? '', text))
  }
  if (tolerationSeconds !== undefined && effect !== 'NoExecute') {
    const text = "effect must be 'NoExecute' when `tolerationSeconds` is set"
    causes.push(field.invalid(`${path}.effect`, effect ?? '', text))
  }
  if (operator === 'Exists' && value)
    causes.push(
      field.invalid(`${path}.operator`, toleration, "value must be empty when `operator` is 'Exists'"),
    )
  if (operator && !['Equal', 'Exists'].includes(operator))
    causes.push(field.unsupported(`${path}.operator`, operator, ['Equal', 'Exists']))
  if (effect && !tolerationEffects.includes(effect))
    causes.push(field.unsupported(`${path}.effect`, effect, tolerationEffects))
  return causes
}

/** Everything that can be wrong with a pod spec or template at `path`. */
export function checkPodSpec(spec: PodSpec, path: string): Cause[] {
  const causes: Cause[] = []
  const volumes = new Set<string>()
  for (const [i, volume] of (spec.volumes ?? []).entries()) {
    causes.push(...checkName(volume.name, 'label', `${path}.volumes[${i}].name`))
    if (volumes.has(volume.name)) causes.push(field.duplicate(`${path}.volumes[${i}].name`, volume.name))
    volumes.add(volume.name)
    if (volume.configMap && !volume.configMap.name)
      causes.push(field.required(`${path}.volumes[${i}].configMap.name`))
    if (volume.secret && !volume.secret.secretName)
      causes.push(field.required(`${path}.volumes[${i}].secret.secretName`))
    if (Object.keys(volume).length > 2) {
      causes.push(field.forbidden(`${path}.volumes[${i}]`, 'may not specify more than 1 volume type'))
    }
  }
  if (spec.containers.length === 0) causes.push(field.required(`${path}.containers`))
  const names = new Set<string>()
  for (const part of ['initContainers', 'containers'] as const) {
    for (const [i, container] of (spec[part] ?? []).entries()) {
      const inner = `${path}.${part}[${i}]`
      if (names.has(container.name)) causes.push(field.duplicate(`${inner}.name`, container.name))
      names.add(container.name)
      causes.push(...checkContainer(container, inner, volumes))
    }
  }
  if (spec.restartPolicy && !restartPolicies.includes(spec.restartPolicy)) {
    causes.push(field.unsupported(`${path}.restartPolicy`, spec.restartPolicy, restartPolicies))
  }
  if (spec.dnsPolicy && !dnsPolicies.includes(spec.dnsPolicy)) {
    causes.push(field.unsupported(`${path}.dnsPolicy`, spec.dnsPolicy, dnsPolicies))
  }
  const grace = spec.terminationGracePeriodSeconds
  if (grace !== undefined && grace < 0) {
    causes.push(
      field.invalid(`${path}.terminationGracePeriodSeconds`, grace, 'must be greater than or equal to 0'),
    )
  }
  const deadline = spec.activeDeadlineSeconds
  if (deadline !== undefined && (deadline < 1 || deadline > 2_147_483_647)) {
    const text = 'must be between 1 and 2147483647, inclusive'
    causes.push(field.invalid(`${path}.activeDeadlineSeconds`, deadline, text))
  }
  for (const [i, toleration] of (spec.tolerations ?? []).entries())
    causes.push(...checkToleration(toleration, `${path}.tolerations[${i}]`))
  causes.push(...checkFields(podRules, spec, path))
  return [...causes, ...checkLabels(spec.nodeSelector, `${path}.nodeSelector`)]
}

const frozenText =
  'pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)'

/** A pod's spec is frozen but for images, deadline and added tolerations. */
export function checkPodUpdate(pod: Pod, old: Pod): Cause[] {
  const frozen = (spec: PodSpec) => ({
    ...spec,
    containers: spec.containers.map((container) => ({ ...container, image: '' })),
    initContainers: (spec.initContainers ?? []).map((container) => ({ ...container, image: '' })),
    activeDeadlineSeconds: 0,
    tolerations: [],
    schedulingGates: [],
  })
  const added = pod.spec.tolerations ?? []
  const isKept = (old.spec.tolerations ?? []).every((one) => added.some((other) => equal(one, other)))
  if (equal(frozen(pod.spec), frozen(old.spec)) && isKept) return []
  return [field.forbidden('spec', frozenText)]
}
