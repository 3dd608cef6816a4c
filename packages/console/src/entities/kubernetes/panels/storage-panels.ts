import type { Fields } from './fields.ts'
import { at, entries, fields, items, text, texts } from './fields.ts'
import type { Panel, PanelValue } from './panel-parts.ts'
import { code, known, ref } from './panel-parts.ts'
import { selectorText } from './selector-text.ts'

const accessWords: Readonly<Record<string, string>> = {
  ReadWriteOnce: 'read and write by one node',
  ReadOnlyMany: 'read by many nodes',
  ReadWriteMany: 'read and write by many nodes',
  ReadWriteOncePod: 'read and write by one pod',
}

const reclaimWords: Readonly<Record<string, string>> = {
  Delete: 'deleted with its claim',
  Retain: 'kept when its claim is deleted',
  Recycle: 'emptied when its claim is deleted',
}

export const claimPanel: Panel = (claim) => {
  const wanted = text(at(claim, 'spec', 'resources', 'requests', 'storage'))
  const given = text(at(claim, 'status', 'capacity', 'storage'))
  const storageClass = text(at(claim, 'spec', 'storageClassName'))
  return [
    {
      type: 'facts',
      title: 'Claim',
      facts: known([
        phase(claim, { Bound: 'completed', Pending: 'pending', Lost: 'failed' }),
        { label: 'Size', value: given ?? wanted },
        given !== null && wanted !== null && given !== wanted && { label: 'Requested', value: wanted },
        {
          label: 'Storage class',
          value: ref('storageclasses.storage.k8s.io', '', storageClass) ?? 'the default one',
        },
        { label: 'Access', value: accessModes(claim) },
        { label: 'Volume', value: ref('persistentvolumes', '', text(at(claim, 'spec', 'volumeName'))) },
        { label: 'Used as', value: volumeMode(claim) },
        { label: 'Selects volumes', value: code(selectorText(at(claim, 'spec', 'selector'))) },
      ]),
    },
  ]
}

export const volumePanel: Panel = (volume) => {
  const spec = fields(volume['spec'])
  const claim = fields(spec['claimRef'])
  const claimName = text(claim['name'])
  const policy = text(spec['persistentVolumeReclaimPolicy']) ?? 'Retain'
  const className = text(spec['storageClassName'])
  const source = Object.keys(spec).find((key) => isSource(key, spec[key]))
  return [
    {
      type: 'facts',
      title: 'Volume',
      facts: known([
        phase(volume, { Bound: 'completed', Available: 'pending', Released: 'degraded', Failed: 'failed' }),
        { label: 'Size', value: text(at(spec, 'capacity', 'storage')) },
        {
          label: 'Claim',
          value:
            claimName === null
              ? 'none'
              : {
                  ref: {
                    resource: 'persistentvolumeclaims',
                    namespace: text(claim['namespace']) ?? '',
                    name: claimName,
                  },
                  text: `${text(claim['namespace']) ?? ''}/${claimName}`,
                },
        },
        { label: 'Storage class', value: ref('storageclasses.storage.k8s.io', '', className) },
        { label: 'Access', value: accessModes(volume) },
        { label: 'Used as', value: volumeMode(volume) },
        { label: 'Afterwards', value: reclaimWords[policy] ?? policy },
        { label: 'Kept by', value: text(at(spec, 'csi', 'driver')) ?? source ?? null },
        { label: 'Handle', value: code(text(at(spec, 'csi', 'volumeHandle'))) },
      ]),
    },
    { type: 'sentences', title: 'Node affinity', lines: nodeAffinity(spec) },
  ]
}

export const storageClassPanel: Panel = (storageClass) => {
  const policy = text(storageClass['reclaimPolicy']) ?? 'Delete'
  const isDefault =
    at(storageClass, 'metadata', 'annotations', 'storageclass.kubernetes.io/is-default-class') === 'true'
  return [
    {
      type: 'facts',
      title: 'Storage class',
      facts: known([
        { label: 'Default', value: isDefault ? 'yes: claims without a class get it' : 'no' },
        { label: 'Provisioner', value: code(text(storageClass['provisioner'])) },
        { label: 'Volumes afterwards', value: reclaimWords[policy] ?? policy },
        {
          label: 'Binds',
          value:
            storageClass['volumeBindingMode'] === 'WaitForFirstConsumer'
              ? 'when the first pod uses the claim'
              : 'at once',
        },
        {
          label: 'Claims can grow',
          value: storageClass['allowVolumeExpansion'] === true ? 'yes' : 'no',
        },
        { label: 'Mount options', value: texts(storageClass['mountOptions']).join(', ') || null },
      ]),
    },
    {
      type: 'table',
      title: 'Parameters',
      columns: ['Name', 'Value'],
      rows: entries(storageClass['parameters']).map(([key, value]) => [key, { code: value }]),
    },
  ]
}

function phase(object: Fields, looks: Readonly<Record<string, string>>) {
  const found = text(at(object, 'status', 'phase'))
  const value = found === null ? null : { status: looks[found] ?? 'unknown', label: found.toLowerCase() }
  return { label: 'Phase', value }
}

function accessModes(object: Fields): PanelValue {
  return texts(at(object, 'spec', 'accessModes')).map((mode) => accessWords[mode] ?? mode)
}

function volumeMode(object: Fields): string {
  return at(object, 'spec', 'volumeMode') === 'Block' ? 'a raw device' : 'a file system'
}

const notSources = new Set(['capacity', 'claimRef', 'nodeAffinity'])

function isSource(key: string, value: unknown): boolean {
  return typeof value === 'object' && !Array.isArray(value) && !notSources.has(key)
}

function nodeAffinity(spec: Fields): readonly string[] {
  return items(at(spec, 'nodeAffinity', 'required', 'nodeSelectorTerms')).map((term) => {
    const parts = [...items(term['matchExpressions']), ...items(term['matchFields'])].map((each) => {
      const values = texts(each['values']).join(' or ')
      const key = text(each['key']) ?? ''
      switch (each['operator']) {
        case 'In':
          return `${key} is ${values}`
        case 'NotIn':
          return `${key} is not ${values}`
        case 'Exists':
          return `${key} is set`
        case 'DoesNotExist':
          return `${key} is not set`
        default:
          return `${key} ${text(each['operator']) ?? ''} ${values}`
      }
    })
    return `Only on nodes where ${parts.join(' and ')}.`
  })
}
