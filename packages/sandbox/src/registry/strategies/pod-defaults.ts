import { quantity } from '../../quantity.ts'
import type { Container, PodSpec } from '../../types.ts'

type Probe = NonNullable<Container['readinessProbe']>
type Resources = NonNullable<Container['resources']>

/** `Always` for `:latest` and untagged images, else `IfNotPresent`. */
function pullPolicy(image: string): string {
  const last = image.split('/').at(-1) ?? ''
  if (last.includes('@')) return 'IfNotPresent'
  const tag = last.split(':')[1]
  return tag === undefined || tag === 'latest' ? 'Always' : 'IfNotPresent'
}

function defaultProbe(probe: Probe | undefined): void {
  if (!probe) return
  probe.timeoutSeconds ??= 1
  probe.periodSeconds ??= 10
  probe.successThreshold ??= 1
  probe.failureThreshold ??= 3
  if (probe.httpGet) {
    probe.httpGet.path ??= '/'
    probe.httpGet.scheme ??= 'HTTP'
  }
  if (probe.grpc) probe.grpc.service ??= ''
}

function defaultResources(resources: Resources): void {
  if (!resources.limits) return
  const requests: Record<string, string> = { ...resources.requests }
  for (const [name, value] of Object.entries(resources.limits)) requests[name] ??= value
  resources.requests = requests
}

export function defaultContainer(container: Container): void {
  container.imagePullPolicy ??= pullPolicy(container.image ?? '')
  container.resources ??= {}
  container.terminationMessagePath ??= '/dev/termination-log'
  container.terminationMessagePolicy ??= 'File'
  defaultProbe(container.livenessProbe)
  defaultProbe(container.readinessProbe)
  defaultProbe(container.startupProbe)
  for (const port of container.ports ?? []) port.protocol ??= 'TCP'
  for (const variable of container.env ?? []) {
    const reference = variable.valueFrom?.fieldRef
    if (reference) reference.apiVersion ??= 'v1'
    const amount = variable.valueFrom?.resourceFieldRef
    if (amount) amount.divisor ??= '0'
  }
  for (const hook of [container.lifecycle?.postStart, container.lifecycle?.preStop]) {
    if (hook?.httpGet) {
      hook.httpGet.path ??= '/'
      hook.httpGet.scheme ??= 'HTTP'
    }
  }
}

type Volume = NonNullable<PodSpec['volumes']>[number]

function defaultVolume(volume: Volume): void {
  const sources = Object.keys(volume).filter((key) => key !== 'name')
  if (sources.length === 0) volume.emptyDir = {}
  if (volume.configMap) volume.configMap.defaultMode ??= 420
  if (volume.secret) volume.secret.defaultMode ??= 420
  if (volume.projected) volume.projected.defaultMode ??= 420
  if (volume.downwardAPI) volume.downwardAPI.defaultMode ??= 420
  if (volume.hostPath) volume.hostPath.type ??= ''
  const template = volume.ephemeral?.volumeClaimTemplate
  if (template) template.spec.volumeMode ??= 'Filesystem'
}

/** The defaults of a pod template, shared by every kind that has one. */
export function defaultPodSpec(spec: PodSpec): void {
  spec.restartPolicy ??= 'Always'
  spec.dnsPolicy ??= 'ClusterFirst'
  spec.schedulerName ??= 'default-scheduler'
  spec.terminationGracePeriodSeconds ??= 30
  spec.securityContext ??= {}
  if (spec.serviceAccountName) spec.serviceAccount = spec.serviceAccountName
  else if (spec.serviceAccount) spec.serviceAccountName = spec.serviceAccount
  for (const container of [...(spec.initContainers ?? []), ...spec.containers]) {
    defaultContainer(container)
    if (spec.hostNetwork) for (const port of container.ports ?? []) port.hostPort ??= port.containerPort
  }
  for (const volume of spec.volumes ?? []) defaultVolume(volume)
  for (const spread of spec.topologySpreadConstraints ?? []) spread.whenUnsatisfiable ||= 'DoNotSchedule'
}

/** The defaults that only pods themselves have, beyond those of their templates. */
export function defaultLivePod(spec: PodSpec): void {
  spec.enableServiceLinks ??= true
  for (const container of [...(spec.initContainers ?? []), ...spec.containers]) {
    if (container.resources) defaultResources(container.resources)
  }
}

/** Guaranteed, Burstable or BestEffort, after the rules of the API reference. */
export function qosClass(spec: PodSpec): 'Guaranteed' | 'Burstable' | 'BestEffort' {
  const containers = [...spec.containers, ...(spec.initContainers ?? [])]
  let isGuaranteed = true
  let hasAny = false
  for (const { resources } of containers) {
    for (const name of ['cpu', 'memory']) {
      const request = quantity(resources?.requests?.[name])
      const limit = quantity(resources?.limits?.[name])
      if (request > 0 || limit > 0) hasAny = true
      if (limit === 0 || request !== limit) isGuaranteed = false
    }
  }
  return !hasAny ? 'BestEffort' : isGuaranteed ? 'Guaranteed' : 'Burstable'
}
