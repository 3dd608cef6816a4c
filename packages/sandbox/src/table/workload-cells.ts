import { objectAt, type Json } from '../json.ts'
import { selectorText } from '../selectors.ts'
import type {
  CronJob,
  EndpointSlice,
  Endpoints,
  Event,
  HorizontalPodAutoscaler,
  Ingress,
  Job,
  KubeObject,
  Node,
  PersistentVolume,
  PersistentVolumeClaim,
  PodSpec,
  ResourceQuota,
  Service,
} from '../types.ts'
import { ageText, milli, orNone, since } from './cells.ts'

export function containersOf(spec: PodSpec | undefined): [names: string, images: string] {
  const list = spec?.containers ?? []
  return [list.map((one) => one.name).join(','), list.map((one) => one.image ?? '').join(',')]
}

export function labelsText(labels: Record<string, string> | undefined): string {
  return orNone(
    Object.entries(labels ?? {})
      .map(([key, value]) => `${key}=${value}`)
      .join(','),
  )
}

export function serviceCells(service: Service, nowMs: number, age: string): Json[] {
  const { spec, status } = service
  const addresses = (status?.loadBalancer?.ingress ?? []).map((one) => one.ip ?? one.hostname ?? '')
  let external = addresses.length > 0 ? addresses.join(',') : orNone(spec.externalIPs?.join(','))
  if (spec.type === 'LoadBalancer' && addresses.length === 0 && !spec.externalIPs?.length)
    external = '<pending>'
  if (spec.type === 'ExternalName') external = spec.externalName ?? ''
  const ports = (spec.ports ?? []).map(
    (port) => `${port.port}${port.nodePort ? `:${port.nodePort}` : ''}/${port.protocol}`,
  )
  return [
    service.metadata.name,
    spec.type ?? '',
    orNone(spec.clusterIP),
    external,
    orNone(ports.join(',')),
    age,
    labelsText(spec.selector),
  ]
}

export function nodeCells(node: Node, nowMs: number, age: string): Json[] {
  const ready = node.status?.conditions?.find((one) => one.type === 'Ready')
  const words = [ready?.status === 'True' ? 'Ready' : ready ? 'NotReady' : 'Unknown']
  if (node.spec.unschedulable) words.push('SchedulingDisabled')
  const prefix = 'node-role.kubernetes.io/'
  const roles = Object.keys(node.metadata.labels ?? {})
    .filter((key) => key.startsWith(prefix))
    .map((key) => key.slice(prefix.length))
  const address = (type: string) => orNone(node.status?.addresses?.find((one) => one.type === type)?.address)
  const info = node.status?.nodeInfo
  return [
    node.metadata.name,
    words.join(','),
    orNone(roles.toSorted().join(',')),
    age,
    info?.kubeletVersion ?? '',
    address('InternalIP'),
    address('ExternalIP'),
    info?.osImage ?? '<unknown>',
    info?.kernelVersion ?? '<unknown>',
    info?.containerRuntimeVersion ?? '<unknown>',
  ]
}

function jobStatus(job: Job): string {
  const has = (type: string) =>
    job.status?.conditions?.some((one) => one.type === type && one.status === 'True')
  if (has('Complete')) return 'Complete'
  if (has('Failed')) return 'Failed'
  if (job.metadata.deletionTimestamp) return 'Terminating'
  if (has('Suspended')) return 'Suspended'
  if (has('FailureTarget')) return 'FailureTarget'
  return has('SuccessCriteriaMet') ? 'SuccessCriteriaMet' : 'Running'
}

export function jobCells(job: Job, nowMs: number, age: string): Json[] {
  const { completions, parallelism = 0 } = job.spec
  const succeeded = job.status?.succeeded ?? 0
  const wanted =
    completions !== undefined ? String(completions) : parallelism > 1 ? `1 of ${parallelism}` : '1'
  const started = job.status?.startTime
  const ended = job.status?.completionTime
  const duration = started ? ageText((ended ? Date.parse(ended) : nowMs) - Date.parse(started)) : ''
  return [
    job.metadata.name,
    jobStatus(job),
    `${succeeded}/${wanted}`,
    duration,
    age,
    ...containersOf(job.spec.template.spec),
    selectorText(job.spec.selector),
  ]
}

export function cronJobCells(job: CronJob, nowMs: number, age: string): Json[] {
  const last = job.status?.lastScheduleTime
  return [
    job.metadata.name,
    job.spec.schedule,
    orNone(job.spec.timeZone),
    job.spec.suspend ? 'True' : 'False',
    job.status?.active?.length ?? 0,
    last ? since(last, nowMs) : '<none>',
    age,
    ...containersOf(job.spec.jobTemplate.spec?.template.spec),
    '<none>',
  ]
}

export function hpaTargets(hpa: HorizontalPodAutoscaler): string {
  const texts = (hpa.spec.metrics ?? []).map((metric, i) => {
    const current = hpa.status?.currentMetrics?.[i]
    if (metric.type === 'Resource' && metric.resource) {
      const { name, target } = metric.resource
      if (target.averageValue !== undefined)
        return `${name}: ${milli(current?.resource?.current.averageValue)}/${target.averageValue}`
      const now = current?.resource?.current.averageUtilization
      return `${name}: ${now === undefined ? '<unknown>' : `${now}%`}/${target.averageUtilization ?? '<auto>'}%`
    }
    return '<unknown>/<unknown>'
  })
  if (texts.length > 2) return `${texts.slice(0, 2).join(', ')} + ${texts.length - 2} more...`
  return texts.length > 0 ? texts.join(', ') : '<none>'
}

export function ingressCells(ingress: Ingress, nowMs: number, age: string): Json[] {
  const hosts = (ingress.spec.rules ?? []).map((rule) => rule.host || '*')
  const addresses = (ingress.status?.loadBalancer?.ingress ?? []).map((one) => one.ip ?? one.hostname ?? '')
  return [
    ingress.metadata.name,
    orNone(ingress.spec.ingressClassName),
    hosts.join(',') || '*',
    addresses.join(','),
    ingress.spec.tls?.length ? '80, 443' : '80',
    age,
  ]
}

export function eventCells(event: Event, nowMs: number): Json[] {
  const { involvedObject: about, source } = event
  const first = event.firstTimestamp ?? event.eventTime
  const last = event.lastTimestamp ?? event.series?.lastObservedTime ?? first
  const from = [source?.component || event.reportingComponent, source?.host].filter(Boolean).join(', ')
  return [
    since(last, nowMs),
    event.type ?? '',
    event.reason ?? '',
    `${(about.kind ?? '').toLowerCase()}/${about.name ?? ''}`,
    about.fieldPath ?? '',
    from,
    (event.message ?? '').trim(),
    since(first, nowMs),
    event.count ?? event.series?.count ?? 1,
    event.metadata.name,
  ]
}

const modes: Record<string, string> = {
  ReadWriteOnce: 'RWO',
  ReadOnlyMany: 'ROX',
  ReadWriteMany: 'RWX',
  ReadWriteOncePod: 'RWOP',
}

function modesText(list: string[] | undefined): string {
  return (list ?? []).map((mode) => modes[mode] ?? mode).join(',')
}

export function volumeCells(volume: PersistentVolume, nowMs: number, age: string): Json[] {
  const { spec, status } = volume
  const claim = spec.claimRef ? `${spec.claimRef.namespace}/${spec.claimRef.name}` : ''
  return [
    volume.metadata.name,
    spec.capacity?.['storage'] ?? '',
    modesText(spec.accessModes),
    spec.persistentVolumeReclaimPolicy ?? '',
    volume.metadata.deletionTimestamp ? 'Terminating' : (status?.phase ?? ''),
    claim,
    spec.storageClassName ?? '',
    spec.volumeAttributesClassName ?? '<unset>',
    status?.reason ?? '',
    age,
    spec.volumeMode ?? '',
  ]
}

export function claimCells(claim: PersistentVolumeClaim, nowMs: number, age: string): Json[] {
  const { spec, status, metadata } = claim
  const isBound = Boolean(spec.volumeName)
  return [
    metadata.name,
    metadata.deletionTimestamp ? 'Terminating' : (status?.phase ?? ''),
    spec.volumeName ?? '',
    isBound ? (status?.capacity?.['storage'] ?? '') : '',
    isBound ? modesText(status?.accessModes) : '',
    spec.storageClassName ?? '',
    spec.volumeAttributesClassName ?? '<unset>',
    age,
    spec.volumeMode ?? '',
  ]
}

export function sliceCells(slice: EndpointSlice, nowMs: number, age: string): Json[] {
  const ports = (slice.ports ?? []).map((port) => String(port.port ?? '*'))
  const all = (slice.endpoints ?? []).flatMap((endpoint) => endpoint.addresses)
  const shown = all.length > 3 ? `${all.slice(0, 3).join(',')} + ${all.length - 3} more...` : all.join(',')
  return [slice.metadata.name, slice.addressType, ports.join(',') || '<unset>', shown || '<unset>', age]
}

export function endpointsText(endpoints: Endpoints): string {
  const all = (endpoints.subsets ?? []).flatMap((set) =>
    (set.addresses ?? []).flatMap((one) =>
      set.ports?.length ? set.ports.map((port) => `${one.ip}:${port.port}`) : [one.ip],
    ),
  )
  if (all.length === 0) return '<none>'
  return all.length > 3 ? `${all.slice(0, 3).join(',')} + ${all.length - 3} more...` : all.join(',')
}

export function quotaCells(quota: ResourceQuota, nowMs: number, age: string): Json[] {
  const requests: string[] = []
  const limits: string[] = []
  for (const [name, hard] of Object.entries(quota.status?.hard ?? {}).toSorted(([a], [b]) =>
    a < b ? -1 : 1,
  )) {
    const text = `${name}: ${quota.status?.used?.[name] ?? '0'}/${hard}`
    if (name.startsWith('limits.')) limits.push(text)
    else requests.push(text)
  }
  return [quota.metadata.name, requests.join(', '), limits.join(', '), age]
}

export const plainData = (object: KubeObject) => Object.keys(objectAt(object, 'data') ?? {}).length
