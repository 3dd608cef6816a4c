import { quantity } from '../../quantity.ts'
import { field, type Cause } from '../../status-error.ts'
import type { Container } from '../../types.ts'
import { checkName } from '../names.ts'

type Probe = NonNullable<Container['livenessProbe']>

const pullPolicies = ['Always', 'IfNotPresent', 'Never']
const protocols = ['SCTP', 'TCP', 'UDP']

export function checkPort(port: number, path: string): Cause[] {
  if (port >= 1 && port <= 65535) return []
  return [field.invalid(path, port, 'must be between 1 and 65535, inclusive')]
}

export function checkPortName(name: string, path: string): Cause[] {
  const causes: Cause[] = []
  if (name.length > 15) causes.push(field.invalid(path, name, 'must be no more than 15 characters'))
  if (!/^[-a-z0-9]+$/.test(name)) {
    const text = 'must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)'
    causes.push(field.invalid(path, name, text))
  }
  if (!/[a-z]/.test(name)) {
    causes.push(field.invalid(path, name, 'must contain at least one letter (a-z)'))
  }
  if (name.includes('--')) {
    causes.push(field.invalid(path, name, 'must not contain consecutive hyphens'))
  }
  if (/^-|-$/.test(name)) {
    causes.push(field.invalid(path, name, 'must not begin or end with a hyphen'))
  }
  return causes
}

const probeCounts = [
  'initialDelaySeconds',
  'timeoutSeconds',
  'periodSeconds',
  'successThreshold',
  'failureThreshold',
] as const

function checkProbe(probe: Probe | undefined, path: string, mayWaitForMore: boolean): Cause[] {
  if (!probe) return []
  const causes: Cause[] = []
  const handlers = (['exec', 'httpGet', 'tcpSocket', 'grpc'] as const).filter((name) => probe[name])
  if (handlers.length === 0) causes.push(field.required(path, 'must specify a handler type'))
  for (const extra of handlers.slice(1))
    causes.push(field.forbidden(`${path}.${extra}`, 'may not specify more than 1 handler type'))
  if (probe.exec && !probe.exec.command?.length) causes.push(field.required(`${path}.exec.command`))
  for (const name of ['httpGet', 'tcpSocket'] as const) {
    const port = probe[name]?.port
    if (typeof port === 'number') causes.push(...checkPort(port, `${path}.${name}.port`))
    else if (port !== undefined) causes.push(...checkPortName(port, `${path}.${name}.port`))
  }
  for (const name of probeCounts) {
    const value = probe[name]
    if (value !== undefined && value < 0)
      causes.push(field.invalid(`${path}.${name}`, value, 'must be greater than or equal to 0'))
  }
  const needed = probe.successThreshold
  if (!mayWaitForMore && needed !== undefined && needed !== 1)
    causes.push(field.invalid(`${path}.successThreshold`, needed, 'must be 1'))
  return causes
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

export function checkContainer(container: Container, path: string, volumes: ReadonlySet<string>): Cause[] {
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
    if (port.hostPort) causes.push(...checkPort(port.hostPort, `${inner}.hostPort`))
    if (port.name) {
      causes.push(...checkPortName(port.name, `${inner}.name`))
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
    if (!mount.mountPath) causes.push(field.required(`${path}.volumeMounts[${i}].mountPath`))
    if (!volumes.has(mount.name)) causes.push(field.notFound(`${path}.volumeMounts[${i}].name`, mount.name))
    if (mounts.has(mount.mountPath)) {
      causes.push(field.invalid(`${path}.volumeMounts[${i}].mountPath`, mount.mountPath, 'must be unique'))
    }
    mounts.add(mount.mountPath)
  }
  for (const name of ['livenessProbe', 'readinessProbe', 'startupProbe'] as const)
    causes.push(...checkProbe(container[name], `${path}.${name}`, name === 'readinessProbe'))
  return [...causes, ...checkResources(container.resources, `${path}.resources`)]
}
