import { field, invalid, type Cause } from '../../status-error.ts'
import { parseCidr, parseIp } from '../../cel/ip-address.ts'
import { ipAddresses, serviceRanges, services, type Service } from '../../types.ts'
import { strategy, type StrategyContext } from '../strategy.ts'
import { checkPort } from './container-validation.ts'

const types = ['ClusterIP', 'ExternalName', 'LoadBalancer', 'NodePort']
const firstNodePort = 30_000
const nodePorts = 2768

function usedAddresses(context: StrategyContext): Set<string> {
  const { store } = context
  const reserved = store.list(ipAddresses).map((one) => one.metadata.name)
  return new Set([...reserved, ...store.list(services).flatMap((service) => service.spec.clusterIP ?? [])])
}

/** Whether a ServiceCIDR has this address. Before the first one is made, any will do. */
function isInRange(address: string, { store }: StrategyContext): boolean {
  const ip = parseIp(address)
  const ranges = store.list(serviceRanges).flatMap((one) => one.spec.cidrs ?? [])
  if (ranges.length === 0) return true
  return ip !== undefined && ranges.some((range) => parseCidr(range)?.contains(ip) ?? false)
}

function usedNodePorts(context: StrategyContext, except?: Service): Set<number> {
  const others = context.store
    .list(services)
    .filter((service) => service.metadata.uid !== except?.metadata.uid)
  return new Set(
    others.flatMap((service) => (service.spec.ports ?? []).flatMap((port) => port.nodePort ?? [])),
  )
}

function serviceKind() {
  return { group: '', resource: 'services', kind: 'Service' }
}

function assignAddress(service: Service, context: StrategyContext): void {
  const { spec } = service
  if (spec.type === 'ExternalName') return
  const used = usedAddresses(context)
  if (spec.clusterIP && spec.clusterIP !== 'None') {
    if (!isInRange(spec.clusterIP, context)) {
      const detail = `failed to allocate IP ${spec.clusterIP}: the provided network does not match the current range`
      const causes = [field.invalid('spec.clusterIPs', [spec.clusterIP], detail)]
      throw invalid(serviceKind(), service.metadata.name, causes)
    }
    if (used.has(spec.clusterIP)) {
      const detail = 'failed to allocate IP ' + spec.clusterIP + ': provided IP is already allocated'
      const causes = [field.invalid('spec.clusterIPs', [spec.clusterIP], detail)]
      throw invalid(serviceKind(), service.metadata.name, causes)
    }
  } else if (spec.clusterIP !== 'None') {
    if (used.size > 60_000)
      throw invalid(serviceKind(), service.metadata.name, [
        field.invalid('spec.clusterIPs', [], 'failed to allocate IP: range is full'),
      ])
    do {
      const place = 1 + Math.floor(context.random() * 65_533)
      spec.clusterIP = `10.96.${place >> 8}.${place & 255}`
    } while (used.has(spec.clusterIP) || spec.clusterIP === '10.96.0.1' || spec.clusterIP === '10.96.0.10')
  }
  spec.clusterIPs = [spec.clusterIP ?? 'None']
}

function assignNodePorts(service: Service, context: StrategyContext): void {
  const needsPorts = service.spec.type === 'NodePort' || service.spec.type === 'LoadBalancer'
  const used = usedNodePorts(context, service)
  for (const [i, port] of (service.spec.ports ?? []).entries()) {
    if (!needsPorts) {
      delete port.nodePort
      continue
    }
    if (port.nodePort) {
      const path = `spec.ports[${i}].nodePort`
      if (port.nodePort < firstNodePort || port.nodePort >= firstNodePort + nodePorts) {
        const detail = 'provided port is not in the valid range. The range of valid ports is 30000-32767'
        throw invalid(serviceKind(), service.metadata.name, [field.invalid(path, port.nodePort, detail)])
      }
      if (used.has(port.nodePort)) {
        const detail = 'provided port is already allocated'
        throw invalid(serviceKind(), service.metadata.name, [field.invalid(path, port.nodePort, detail)])
      }
    } else {
      if (used.size >= nodePorts) {
        const detail = 'failed to allocate a nodePort: range is full'
        const causes = [field.invalid(`spec.ports[${i}].nodePort`, 0, detail)]
        throw invalid(serviceKind(), service.metadata.name, causes)
      }
      do port.nodePort = firstNodePort + Math.floor(context.random() * nodePorts)
      while (used.has(port.nodePort))
    }
    used.add(port.nodePort)
  }
}

function validate({ spec }: Service): Cause[] {
  const causes: Cause[] = []
  if (spec.type && !types.includes(spec.type)) causes.push(field.unsupported('spec.type', spec.type, types))
  if (spec.type === 'ExternalName') {
    if (!spec.externalName) causes.push(field.required('spec.externalName'))
    return causes
  }
  const ports = spec.ports ?? []
  if (ports.length === 0 && spec.clusterIP !== 'None') causes.push(field.required('spec.ports'))
  const names = new Set<string>()
  const numbers = new Set<string>()
  for (const [i, port] of ports.entries()) {
    const path = `spec.ports[${i}]`
    if (ports.length > 1 && !port.name) causes.push(field.required(`${path}.name`))
    if (port.name && names.has(port.name)) causes.push(field.duplicate(`${path}.name`, port.name))
    if (port.name) names.add(port.name)
    causes.push(...checkPort(port.port, `${path}.port`))
    if (typeof port.targetPort === 'number') causes.push(...checkPort(port.targetPort, `${path}.targetPort`))
    const id = `${port.protocol ?? 'TCP'}/${port.port}`
    if (numbers.has(id))
      causes.push(field.duplicate(path, { port: port.port, protocol: port.protocol ?? 'TCP' }))
    numbers.add(id)
  }
  return causes
}

export const serviceStrategy = strategy(services, {
  name: 'label1035',
  defaults({ spec }) {
    spec.type ??= 'ClusterIP'
    spec.sessionAffinity ??= 'None'
    for (const port of spec.ports ?? []) {
      port.protocol ??= 'TCP'
      port.targetPort ??= port.port
      if (port.targetPort === '' || port.targetPort === 0) port.targetPort = port.port
    }
    if (spec.type === 'ExternalName') return
    spec.internalTrafficPolicy ??= 'Cluster'
    spec.ipFamilies ??= ['IPv4']
    spec.ipFamilyPolicy ??= 'SingleStack'
    if (spec.type === 'LoadBalancer') spec.allocateLoadBalancerNodePorts ??= true
    if (spec.type !== 'ClusterIP') spec.externalTrafficPolicy ??= 'Cluster'
  },
  prepareCreate(service, context) {
    const unused = (service.spec.ports ?? []).findIndex((port) => port.nodePort)
    if (service.spec.type === 'ClusterIP' && unused >= 0) {
      const text = "may not be used when `type` is 'ClusterIP'"
      const causes = [field.forbidden(`spec.ports[${unused}].nodePort`, text)]
      throw invalid(serviceKind(), service.metadata.name, causes)
    }
    assignAddress(service, context)
    assignNodePorts(service, context)
    service.status = { loadBalancer: {} }
  },
  prepareUpdate(service, old, context) {
    if (service.spec.type === 'ExternalName') {
      delete service.spec.clusterIP
      delete service.spec.clusterIPs
    } else if (!service.spec.clusterIP) {
      if (old.spec.clusterIP) {
        service.spec.clusterIP = old.spec.clusterIP
        service.spec.clusterIPs = old.spec.clusterIPs
      } else assignAddress(service, context)
    }
    if (service.spec.type === 'ClusterIP') delete service.spec.externalTrafficPolicy
    if (service.spec.type !== 'LoadBalancer') delete service.spec.allocateLoadBalancerNodePorts
    for (const port of service.spec.ports ?? []) {
      port.nodePort ??= old.spec.ports?.find(
        (one) => one.port === port.port && one.protocol === port.protocol,
      )?.nodePort
    }
    assignNodePorts(service, context)
  },
  validate,
  validateUpdate({ spec }, { spec: old }) {
    const isFrozen = old.type !== 'ExternalName' && spec.type !== 'ExternalName' && old.clusterIP
    if (!isFrozen || spec.clusterIP === old.clusterIP) return []
    return [field.invalid('spec.clusterIPs[0]', [spec.clusterIP], 'may not change once set')]
  },
})
