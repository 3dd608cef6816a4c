import { equal } from '../../json.ts'
import { quantity } from '../../quantity.ts'
import { field, type Cause } from '../../status-error.ts'
import type { Container, Pod, PodSpec } from '../../types.ts'
import { checkLabels, checkName } from '../names.ts'

const pullPolicies = ['Always', 'IfNotPresent', 'Never']
const restartPolicies = ['Always', 'OnFailure', 'Never']
const dnsPolicies = ['ClusterFirstWithHostNet', 'ClusterFirst', 'Default', 'None']
const protocols = ['SCTP', 'TCP', 'UDP']
const tolerationEffects = ['NoSchedule', 'PreferNoSchedule', 'NoExecute']

export function checkPort(port: number, path: string): Cause[] {
  if (port >= 1 && port <= 65535) return []
  return [field.invalid(path, port, 'must be between 1 and 65535, inclusive')]
}

function checkResources(resources: Container['resources'], path: string): Cause[] {
  const causes: Cause[] = []
  for (const part of ['limits', 'requests'] as const) {
    for (const [name, value] of Object.entries(resources?.[part] ?? {})) {
      const inner = `${path}.${part}[${name}]`
      if (quantity(value) < 0) causes.push(field.invalid(inner, value, 'must be greater than or equal to 0'))
      if (!/^(cpu|memory|ephemeral-storage|hugepages-.+)$/.test(name) && !name.includes('/')) {
        causes.push(field.invalid(inner, name, 'must be a standard resource type or fully qualified'))
      }
    }
  }
  for (const [name, request] of Object.entries(resources?.requests ?? {})) {
    const limit = resources?.limits?.[name]
    if (limit !== undefined && quantity(request) > quantity(limit)) {
      causes.push(
        field.invalid(`${path}.requests`, request, `must be less than or equal to ${name} limit of ${limit}`),
      )
    }
  }
  return causes
}

function checkContainer(container: Container, path: string, volumes: ReadonlySet<string>): Cause[] {
  const causes: Cause[] = []
  if (container.name) causes.push(...checkName(container.name, 'label', `${path}.name`))
  if (!container.image) causes.push(field.required(`${path}.image`))
  else if (container.image !== container.image.trim()) {
    causes.push(
      field.invalid(`${path}.image`, container.image, 'must not have leading or trailing whitespace'),
    )
  }
  const policy = container.imagePullPolicy
  if (policy !== undefined && !pullPolicies.includes(policy)) {
    causes.push(field.unsupported(`${path}.imagePullPolicy`, policy, pullPolicies))
  }
  const seen = new Set<string>()
  for (const [i, port] of (container.ports ?? []).entries()) {
    const inner = `${path}.ports[${i}]`
    causes.push(...checkPort(port.containerPort, `${inner}.containerPort`))
    if (port.protocol && !protocols.includes(port.protocol)) {
      causes.push(field.unsupported(`${inner}.protocol`, port.protocol, protocols))
    }
    if (port.name) {
      if (
        !/^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/.test(port.name) ||
        port.name.length > 15 ||
        !/[a-z]/.test(port.name)
      ) {
        causes.push(
          field.invalid(
            `${inner}.name`,
            port.name,
            'must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)',
          ),
        )
      }
      if (seen.has(port.name)) causes.push(field.duplicate(`${inner}.name`, port.name))
      seen.add(port.name)
    }
  }
  for (const [i, variable] of (container.env ?? []).entries()) {
    if (/[\s=]/.test(variable.name)) {
      causes.push(
        field.invalid(
          `${path}.env[${i}].name`,
          variable.name,
          "a valid environment variable name must consist only of printable ASCII characters other than '='",
        ),
      )
    }
    if (variable.value && variable.valueFrom) {
      causes.push(
        field.invalid(`${path}.env[${i}].valueFrom`, '', 'may not be specified when `value` is not empty'),
      )
    }
  }
  const mounts = new Set<string>()
  for (const [i, mount] of (container.volumeMounts ?? []).entries()) {
    if (!volumes.has(mount.name)) causes.push(field.notFound(`${path}.volumeMounts[${i}].name`, mount.name))
    if (mounts.has(mount.mountPath)) {
      causes.push(field.invalid(`${path}.volumeMounts[${i}].mountPath`, mount.mountPath, 'must be unique'))
    }
    mounts.add(mount.mountPath)
  }
  for (const name of ['livenessProbe', 'readinessProbe', 'startupProbe'] as const) {
    const probe = container[name]
    if (probe && !probe.exec && !probe.httpGet && !probe.tcpSocket && !probe.grpc) {
      causes.push(field.required(`${path}.${name}`, 'must specify a handler type'))
    }
  }
  return [...causes, ...checkResources(container.resources, `${path}.resources`)]
}

/** Everything that can be wrong with a pod spec or template at `path`. */
export function checkPodSpec(spec: PodSpec, path: string): Cause[] {
  const causes: Cause[] = []
  const volumes = new Set<string>()
  for (const [i, volume] of (spec.volumes ?? []).entries()) {
    causes.push(...checkName(volume.name, 'label', `${path}.volumes[${i}].name`))
    if (volumes.has(volume.name)) causes.push(field.duplicate(`${path}.volumes[${i}].name`, volume.name))
    volumes.add(volume.name)
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
  for (const [i, toleration] of (spec.tolerations ?? []).entries()) {
    if (toleration.effect && !tolerationEffects.includes(toleration.effect)) {
      causes.push(field.unsupported(`${path}.tolerations[${i}].effect`, toleration.effect, tolerationEffects))
    }
  }
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
