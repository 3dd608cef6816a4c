import { containersOf } from './containers.ts'
import type { Fields } from './fields.ts'
import { at, fields, items, text, texts } from './fields.ts'
import type { Panel, PanelPart, PanelValue } from './panel-parts.ts'
import { code, known, ref } from './panel-parts.ts'

export const podPanel: Panel = (pod) => {
  const namespace = text(at(pod, 'metadata', 'namespace')) ?? ''
  const { spec, status } = { spec: fields(pod['spec']), status: fields(pod['status']) }
  const addresses = items(status['podIPs']).flatMap(({ ip }) => text(ip) ?? [])
  return [
    { type: 'containers', title: 'Containers', containers: containersOf(pod) },
    volumesPart(spec, namespace),
    {
      type: 'facts',
      title: 'Placement',
      isAside: true,
      facts: known([
        { label: 'Node', value: ref('nodes', '', text(spec['nodeName'])) },
        { label: 'Address', value: code(addresses.join(', ') || text(status['podIP'])) },
        { label: 'Quality of service', value: text(status['qosClass']) },
        {
          label: 'Service account',
          value: ref('serviceaccounts', namespace, text(spec['serviceAccountName'])),
        },
        { label: 'Restarts containers', value: text(spec['restartPolicy'])?.toLowerCase() ?? null },
        { label: 'Priority class', value: text(spec['priorityClassName']) },
        { label: 'Started', value: time(status['startTime']) },
        { label: 'Node selector', value: Object.entries(fields(spec['nodeSelector'])).map(labelCode) },
        spec['hostNetwork'] === true && { label: 'Network', value: 'that of its node' },
      ]),
    },
  ]
}

function labelCode([key, value]: [string, unknown]): PanelValue {
  return { code: `${key}=${text(value) ?? ''}` }
}

function time(value: unknown): PanelValue {
  const found = text(value)
  return found === null ? null : { at: found }
}

/** The volumes of a specification of pods: what they hold, and where they are mounted. */
export function volumesPart(spec: Fields, namespace: string): PanelPart {
  const containers = [...items(spec['containers']), ...items(spec['initContainers'])]
  return {
    type: 'table',
    title: 'Volumes',
    columns: ['Name', 'Holds', 'Mounted at'],
    rows: items(spec['volumes']).map((volume) => {
      const name = text(volume['name']) ?? ''
      const mounts = containers.flatMap((container) =>
        items(container['volumeMounts'])
          .filter((mount) => mount['name'] === name)
          .map((mount): PanelValue => `${text(container['name'])}: ${text(mount['mountPath'])}`),
      )
      return [name, volumeSource(volume, namespace), mounts.length > 0 ? mounts : null]
    }),
  }
}

function volumeSource(volume: Fields, namespace: string): PanelValue {
  const claim = text(at(volume, 'persistentVolumeClaim', 'claimName'))
  if (claim !== null) return ref('persistentvolumeclaims', namespace, claim)
  const configMap = text(at(volume, 'configMap', 'name'))
  if (configMap !== null) return ref('configmaps', namespace, configMap)
  const secret = text(at(volume, 'secret', 'secretName'))
  if (secret !== null) return ref('secrets', namespace, secret)
  const host = text(at(volume, 'hostPath', 'path'))
  if (host !== null) return `path ${host} of the node`
  if (volume['emptyDir'] !== undefined)
    return at(volume, 'emptyDir', 'medium') === 'Memory'
      ? 'memory, gone with the pod'
      : 'empty directory, gone with the pod'
  if (volume['projected'] !== undefined) return projected(volume, namespace)
  if (volume['downwardAPI'] !== undefined) return 'fields of the pod itself'
  const driver = text(at(volume, 'csi', 'driver'))
  if (driver !== null) return `CSI driver ${driver}`
  if (volume['ephemeral'] !== undefined) return 'a claim of its own, gone with the pod'
  return Object.keys(volume).find((key) => key !== 'name') ?? null
}

function projected(volume: Fields, namespace: string): PanelValue {
  return items(at(volume, 'projected', 'sources')).flatMap((source): PanelValue[] => {
    const configMap = text(at(source, 'configMap', 'name'))
    const secret = text(at(source, 'secret', 'name'))
    if (configMap !== null) return [ref('configmaps', namespace, configMap)]
    if (secret !== null) return [ref('secrets', namespace, secret)]
    if (source['serviceAccountToken'] !== undefined) return ['token of the service account']
    if (source['downwardAPI'] !== undefined) return ['fields of the pod itself']
    return [...texts(Object.keys(source))]
  })
}
