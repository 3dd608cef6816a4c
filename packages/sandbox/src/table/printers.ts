import { listAt, numberAt, objectAt, textAt, type Json } from '../json.ts'
import { selectorText } from '../selectors.ts'
import type {
  CronJob,
  DaemonSet,
  Deployment,
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
  Pod,
  PodDisruptionBudget,
  PodSpec,
  ReplicaSet,
  ResourceQuota,
  Service,
  StatefulSet,
  StorageClass,
} from '../types.ts'
import { ageText, milli, orNone, since } from './cells.ts'
import { columns, type Column, type Printer } from './columns.ts'
import { podCells } from './pod-printer.ts'

function printer<T>(
  list: string,
  cells: (object: T, nowMs: number, age: string) => Json[],
  strings?: string[],
): Printer {
  const made: Column[] = columns(list, strings)
  return {
    columns: made,
    // A printer only ever sees objects of the kind that it is registered for.
    cells: (object, nowMs) =>
      cells(object as unknown as T, nowMs, since(object.metadata.creationTimestamp, nowMs)),
  }
}

function containersOf(spec: PodSpec | undefined): [names: string, images: string] {
  const list = spec?.containers ?? []
  return [list.map((one) => one.name).join(','), list.map((one) => one.image ?? '').join(',')]
}

function labelsText(labels: Record<string, string> | undefined): string {
  return orNone(
    Object.entries(labels ?? {})
      .map(([key, value]) => `${key}=${value}`)
      .join(','),
  )
}

function serviceCells(service: Service, nowMs: number, age: string): Json[] {
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

function nodeCells(node: Node, nowMs: number, age: string): Json[] {
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

function jobCells(job: Job, nowMs: number, age: string): Json[] {
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

function cronJobCells(job: CronJob, nowMs: number, age: string): Json[] {
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

function hpaTargets(hpa: HorizontalPodAutoscaler): string {
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

function ingressCells(ingress: Ingress, nowMs: number, age: string): Json[] {
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

function eventCells(event: Event, nowMs: number): Json[] {
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

function volumeCells(volume: PersistentVolume, nowMs: number, age: string): Json[] {
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

function claimCells(claim: PersistentVolumeClaim, nowMs: number, age: string): Json[] {
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

function sliceCells(slice: EndpointSlice, nowMs: number, age: string): Json[] {
  const ports = (slice.ports ?? []).map((port) => String(port.port ?? '*'))
  const all = (slice.endpoints ?? []).flatMap((endpoint) => endpoint.addresses)
  const shown = all.length > 3 ? `${all.slice(0, 3).join(',')} + ${all.length - 3} more...` : all.join(',')
  return [slice.metadata.name, slice.addressType, ports.join(',') || '<unset>', shown || '<unset>', age]
}

function endpointsText(endpoints: Endpoints): string {
  const all = (endpoints.subsets ?? []).flatMap((set) =>
    (set.addresses ?? []).flatMap((one) =>
      set.ports?.length ? set.ports.map((port) => `${one.ip}:${port.port}`) : [one.ip],
    ),
  )
  if (all.length === 0) return '<none>'
  return all.length > 3 ? `${all.slice(0, 3).join(',')} + ${all.length - 3} more...` : all.join(',')
}

function quotaCells(quota: ResourceQuota, nowMs: number, age: string): Json[] {
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

const plainData = (object: KubeObject) => Object.keys(objectAt(object, 'data') ?? {}).length

export const defaultPrinter: Printer = {
  columns: columns('Name,Created At').map((column) =>
    column.name === 'Name' ? column : { ...column, type: 'date' },
  ),
  cells: (object) => [object.metadata.name, object.metadata.creationTimestamp],
}

/** How each built-in kind is printed, by its key; the others show name and creation. */
export const printers: Readonly<Record<string, Printer>> = {
  pods: printer<Pod>('Name,Ready,Status,Restarts,Age,*IP,*Node,*Nominated Node,*Readiness Gates', podCells, [
    'Restarts',
  ]),
  'deployments.apps': printer<Deployment>(
    'Name,Ready,Up-to-date,Available,Age,*Containers,*Images,*Selector',
    ({ metadata, spec, status }, _nowMs, age) => [
      metadata.name,
      `${status?.readyReplicas ?? 0}/${spec.replicas ?? 0}`,
      status?.updatedReplicas ?? 0,
      status?.availableReplicas ?? 0,
      age,
      ...containersOf(spec.template.spec),
      selectorText(spec.selector),
    ],
  ),
  'replicasets.apps': printer<ReplicaSet>(
    'Name,Desired,Current,Ready,Age,*Containers,*Images,*Selector',
    ({ metadata, spec, status }, _nowMs, age) => [
      metadata.name,
      spec.replicas ?? 0,
      status?.replicas ?? 0,
      status?.readyReplicas ?? 0,
      age,
      ...containersOf(spec.template?.spec),
      selectorText(spec.selector),
    ],
  ),
  'statefulsets.apps': printer<StatefulSet>(
    'Name,Ready,Age,*Containers,*Images',
    ({ metadata, spec, status }, _nowMs, age) => [
      metadata.name,
      `${status?.readyReplicas ?? 0}/${spec.replicas ?? 0}`,
      age,
      ...containersOf(spec.template.spec),
    ],
  ),
  'daemonsets.apps': printer<DaemonSet>(
    'Name,Desired,Current,Ready,Up-to-date,Available,Node Selector,Age,*Containers,*Images,*Selector',
    ({ metadata, spec, status }, _nowMs, age) => [
      metadata.name,
      status?.desiredNumberScheduled ?? 0,
      status?.currentNumberScheduled ?? 0,
      status?.numberReady ?? 0,
      status?.updatedNumberScheduled ?? 0,
      status?.numberAvailable ?? 0,
      labelsText(spec.template.spec?.nodeSelector),
      age,
      ...containersOf(spec.template.spec),
      selectorText(spec.selector),
    ],
  ),
  'jobs.batch': printer<Job>('Name,Status,Completions,Duration,Age,*Containers,*Images,*Selector', jobCells),
  'cronjobs.batch': printer<CronJob>(
    'Name,Schedule,Timezone,Suspend,Active,Last Schedule,Age,*Containers,*Images,*Selector',
    cronJobCells,
  ),
  services: printer<Service>('Name,Type,Cluster-IP,External-IP,Port(s),Age,*Selector', serviceCells),
  'ingresses.networking.k8s.io': printer<Ingress>('Name,Class,Hosts,Address,Ports,Age', ingressCells),
  nodes: printer<Node>(
    'Name,Status,Roles,Age,Version,*Internal-IP,*External-IP,*OS-Image,*Kernel-Version,*Container-Runtime',
    nodeCells,
  ),
  namespaces: printer<KubeObject>('Name,Status,Age', (object, _nowMs, age) => [
    object.metadata.name,
    textAt(object, 'status', 'phase') ?? '',
    age,
  ]),
  configmaps: printer<KubeObject>('Name,Data,Age', (object, _nowMs, age) => [
    object.metadata.name,
    plainData(object) + Object.keys(objectAt(object, 'binaryData') ?? {}).length,
    age,
  ]),
  secrets: printer<KubeObject>('Name,Type,Data,Age', (object, _nowMs, age) => [
    object.metadata.name,
    textAt(object, 'type') ?? '',
    plainData(object),
    age,
  ]),
  serviceaccounts: printer<KubeObject>('Name,Secrets,Age', (object, _nowMs, age) => [
    object.metadata.name,
    listAt(object, 'secrets').length,
    age,
  ]),
  events: printer<Event>(
    'Last Seen,Type,Reason,Object,*Subobject,*Source,Message,*First Seen,*Count,*Name',
    eventCells,
  ),
  persistentvolumes: printer<PersistentVolume>(
    'Name,Capacity,Access Modes,Reclaim Policy,Status,Claim,StorageClass,VolumeAttributesClass,Reason,Age,*VolumeMode',
    volumeCells,
  ),
  persistentvolumeclaims: printer<PersistentVolumeClaim>(
    'Name,Status,Volume,Capacity,Access Modes,StorageClass,VolumeAttributesClass,Age,*VolumeMode',
    claimCells,
  ),
  'storageclasses.storage.k8s.io': printer<StorageClass>(
    'Name,Provisioner,ReclaimPolicy,VolumeBindingMode,AllowVolumeExpansion,Age',
    (storage, _nowMs, age) => {
      const isDefault =
        storage.metadata.annotations?.['storageclass.kubernetes.io/is-default-class'] === 'true'
      return [
        `${storage.metadata.name}${isDefault ? ' (default)' : ''}`,
        storage.provisioner,
        storage.reclaimPolicy ?? '',
        storage.volumeBindingMode ?? '',
        storage.allowVolumeExpansion ?? false,
        age,
      ]
    },
  ),
  'horizontalpodautoscalers.autoscaling': printer<HorizontalPodAutoscaler>(
    'Name,Reference,Targets,MinPods,MaxPods,Replicas,Age',
    (hpa, _nowMs, age) => [
      hpa.metadata.name,
      `${hpa.spec.scaleTargetRef.kind}/${hpa.spec.scaleTargetRef.name}`,
      hpaTargets(hpa),
      hpa.spec.minReplicas ?? '<unset>',
      hpa.spec.maxReplicas,
      hpa.status?.currentReplicas ?? 0,
      age,
    ],
  ),
  'poddisruptionbudgets.policy': printer<PodDisruptionBudget>(
    'Name,Min Available,Max Unavailable,Allowed Disruptions,Age',
    ({ metadata, spec, status }, _nowMs, age) => [
      metadata.name,
      String(spec.minAvailable ?? 'N/A'),
      String(spec.maxUnavailable ?? 'N/A'),
      status?.disruptionsAllowed ?? 0,
      age,
    ],
  ),
  'endpointslices.discovery.k8s.io': printer<EndpointSlice>(
    'Name,AddressType,Ports,Endpoints,Age',
    sliceCells,
  ),
  endpoints: printer<Endpoints>('Name,Endpoints,Age', (object, _nowMs, age) => [
    object.metadata.name,
    endpointsText(object),
    age,
  ]),
  resourcequotas: printer<ResourceQuota>('Name,Request,Limit,Age', quotaCells),
  'leases.coordination.k8s.io': printer<KubeObject>('Name,Holder,Age', (object, _nowMs, age) => [
    object.metadata.name,
    textAt(object, 'spec', 'holderIdentity') ?? '',
    age,
  ]),
  'roles.rbac.authorization.k8s.io': defaultPrinter,
  'clusterroles.rbac.authorization.k8s.io': defaultPrinter,
  'rolebindings.rbac.authorization.k8s.io': rolePrinter(),
  'clusterrolebindings.rbac.authorization.k8s.io': rolePrinter(),
  'priorityclasses.scheduling.k8s.io': printer<KubeObject>(
    'Name,Value,Global-Default,Age,PreemptionPolicy',
    (object, _nowMs, age) => [
      object.metadata.name,
      numberAt(object, 'value') ?? 0,
      object['globalDefault'] === true,
      age,
      textAt(object, 'preemptionPolicy') ?? '',
    ],
  ),
  'ingressclasses.networking.k8s.io': printer<KubeObject>(
    'Name,Controller,Parameters,Age',
    (object, _nowMs, age) => [
      object.metadata.name,
      textAt(object, 'spec', 'controller') ?? '',
      '<none>',
      age,
    ],
  ),
  'networkpolicies.networking.k8s.io': printer<KubeObject>('Name,Pod-Selector,Age', (object, _nowMs, age) => {
    const labels = objectAt(object, 'spec', 'podSelector', 'matchLabels') ?? {}
    return [
      object.metadata.name,
      orNone(
        Object.entries(labels)
          .map(([key, value]) => `${key}=${String(value)}`)
          .join(','),
      ),
      age,
    ]
  }),
  'controllerrevisions.apps': printer<KubeObject>('Name,Controller,Revision,Age', (object, _nowMs, age) => {
    const owner = object.metadata.ownerReferences?.find((one) => one.controller)
    const group = owner?.apiVersion.split('/')[0] ?? ''
    const controller = owner ? `${owner.kind.toLowerCase()}.${group}/${owner.name}` : '<none>'
    return [object.metadata.name, controller, numberAt(object, 'revision') ?? 0, age]
  }),
}

function rolePrinter(): Printer {
  return printer<KubeObject>('Name,Role,Age,*Users,*Groups,*ServiceAccounts', (object, _nowMs, age) => {
    const subjects = listAt(object, 'subjects')
    const names = (kind: string) =>
      subjects
        .filter((one) => textAt(one, 'kind') === kind)
        .map((one) => [textAt(one, 'namespace'), textAt(one, 'name')].filter(Boolean).join('/'))
        .join(', ')
    const role = `${textAt(object, 'roleRef', 'kind') ?? ''}/${textAt(object, 'roleRef', 'name') ?? ''}`
    return [object.metadata.name, role, age, names('User'), names('Group'), names('ServiceAccount')]
  })
}
