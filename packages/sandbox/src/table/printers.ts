import { listAt, numberAt, objectAt, plain, textAt } from '../json.ts'
import { scaleKind } from '../registry/scale.ts'
import { selectorText } from '../selectors.ts'
import type {
  CertificateSigningRequest,
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
  ReplicaSet,
  ReplicationController,
  ResourceQuota,
  Service,
  StatefulSet,
  StorageClass,
} from '../types.ts'
import { ageText, orNone } from './cells.ts'
import { columns, printer, type Printer } from './columns.ts'
import { flowControlPrinters } from './flow-control-printers.ts'
import { networkPrinters } from './network-printers.ts'
import { podCells } from './pod-printer.ts'
import { storagePrinters } from './storage-printers.ts'
import {
  containersOf,
  labelsText,
  serviceCells,
  nodeCells,
  jobCells,
  cronJobCells,
  ingressCells,
  eventCells,
  volumeCells,
  claimCells,
  sliceCells,
  endpointsText,
  quotaCells,
  plainData,
  hpaTargets,
} from './workload-cells.ts'

export const defaultPrinter: Printer = {
  columns: columns('Name,Created At').map((column) =>
    column.name === 'Name' ? column : { ...column, type: 'date' },
  ),
  cells: (object) => [object.metadata.name, object.metadata.creationTimestamp],
}

/** How each built-in kind is printed, by its key; the others show name and creation. */
export const printers: Readonly<Record<string, Printer>> = {
  componentstatuses: printer<KubeObject>('Name,Status,Message,Error', (object) => {
    const [condition] = listAt(object, 'conditions')
    const status = textAt(condition, 'status') === 'True' ? 'Healthy' : 'Unhealthy'
    return [
      object.metadata.name,
      status,
      textAt(condition, 'message') ?? '',
      textAt(condition, 'error') ?? '',
    ]
  }),
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
  ...networkPrinters,
  ...storagePrinters,
  ...flowControlPrinters,
  'certificatesigningrequests.certificates.k8s.io': printer<CertificateSigningRequest>(
    'Name,Age,SignerName,Requestor,RequestedDuration,Condition',
    ({ metadata, spec, status }, _nowMs, age) => {
      const found = ['Approved', 'Denied', 'Failed'].filter((type) =>
        status?.conditions?.some((one) => one.type === type && one.status === 'True'),
      )
      const states = [...found, ...(status?.certificate ? ['Issued'] : [])]
      return [
        metadata.name,
        age,
        spec.signerName,
        spec.username ?? '',
        spec.expirationSeconds === undefined ? '<none>' : ageText(spec.expirationSeconds * 1000),
        states.length > 0 ? states.join(',') : 'Pending',
      ]
    },
  ),
  replicationcontrollers: printer<ReplicationController>(
    'Name,Desired,Current,Ready,Age,*Containers,*Images,*Selector',
    ({ metadata, spec, status }, _nowMs, age) => {
      const containers = spec.template?.spec?.containers ?? []
      return [
        metadata.name,
        spec.replicas ?? 0,
        status?.replicas ?? 0,
        status?.readyReplicas ?? 0,
        age,
        containers.map((one) => one.name).join(','),
        containers.map((one) => one.image ?? '').join(','),
        orNone(
          Object.entries(spec.selector ?? {})
            .map((pair) => pair.join('='))
            .join(','),
        ),
      ]
    },
  ),
  podtemplates: printer<KubeObject>('Name,Containers,Images,Pod Labels', (object) => {
    const containers = listAt(object, 'template', 'spec', 'containers')
    const labels = Object.entries(objectAt(object, 'template', 'metadata', 'labels') ?? {})
    return [
      object.metadata.name,
      containers.map((one) => textAt(one, 'name') ?? '').join(','),
      containers.map((one) => textAt(one, 'image') ?? '').join(','),
      orNone(labels.map(([key, value]) => `${key}=${plain(value)}`).join(',')),
    ]
  }),
  'runtimeclasses.node.k8s.io': printer<KubeObject>('Name,Handler,Age', (object, _nowMs, age) => [
    object.metadata.name,
    textAt(object, 'handler') ?? '',
    age,
  ]),
  [scaleKind.key]: printer<KubeObject>('Name,Desired,Available,Age', (object, _nowMs, age) => [
    object.metadata.name,
    numberAt(object, 'spec', 'replicas') ?? 0,
    numberAt(object, 'status', 'replicas') ?? 0,
    age,
  ]),
  'apiservices.apiregistration.k8s.io': printer<KubeObject>(
    'Name,Service,Available,Age',
    (object, _nowMs, age) => {
      const service = objectAt(object, 'spec', 'service')
      const available = listAt(object, 'status', 'conditions').find(
        (one) => textAt(one, 'type') === 'Available',
      )
      return [
        object.metadata.name,
        service ? `${textAt(service, 'namespace')}/${textAt(service, 'name')}` : 'Local',
        textAt(available, 'status') ?? 'Unknown',
        age,
      ]
    },
  ),
  'validatingadmissionpolicies.admissionregistration.k8s.io': printer<KubeObject>(
    'Name,Validations,ParamKind,Age',
    (object, _nowMs, age) => {
      const kind = objectAt(object, 'spec', 'paramKind')
      return [
        object.metadata.name,
        listAt(object, 'spec', 'validations').length,
        kind ? `${textAt(kind, 'apiVersion')}/${textAt(kind, 'kind')}` : '<unset>',
        age,
      ]
    },
  ),
  'validatingadmissionpolicybindings.admissionregistration.k8s.io': printer<KubeObject>(
    'Name,PolicyName,ParamRef,Age',
    (object, _nowMs, age) => {
      const ref = objectAt(object, 'spec', 'paramRef')
      const text = ref ? `${textAt(ref, 'namespace') ?? '*'}/${textAt(ref, 'name') ?? '*'}` : '<unset>'
      return [object.metadata.name, textAt(object, 'spec', 'policyName') ?? '', text, age]
    },
  ),
  'validatingwebhookconfigurations.admissionregistration.k8s.io': webhookPrinter(),
  'mutatingwebhookconfigurations.admissionregistration.k8s.io': webhookPrinter(),
  'controllerrevisions.apps': printer<KubeObject>('Name,Controller,Revision,Age', (object, _nowMs, age) => {
    const owner = object.metadata.ownerReferences?.find((one) => one.controller)
    const group = owner?.apiVersion.split('/')[0] ?? ''
    const controller = owner ? `${owner.kind.toLowerCase()}.${group}/${owner.name}` : '<none>'
    return [object.metadata.name, controller, numberAt(object, 'revision') ?? 0, age]
  }),
}

function webhookPrinter(): Printer {
  return printer<KubeObject>('Name,Webhooks,Age', (object, _nowMs, age) => [
    object.metadata.name,
    listAt(object, 'webhooks').length,
    age,
  ])
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
