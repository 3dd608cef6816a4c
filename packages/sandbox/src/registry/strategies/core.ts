import { equal } from '../../json.ts'
import { stamp } from '../../clock.ts'
import { quantity } from '../../quantity.ts'
import { field, type Cause } from '../../status-error.ts'
import {
  type ConfigMap,
  claims,
  configMaps,
  events,
  namespaces,
  nodes,
  secrets,
  storageClasses,
  volumes,
  type Secret,
} from '../../types.ts'
import { strategy } from '../strategy.ts'

const dataKey = /^[-._a-zA-Z0-9]+$/
const largestDataBytes = 1024 * 1024
const keyText =
  "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')"

function checkData(data: Record<string, string> | undefined, path: string): Cause[] {
  const causes: Cause[] = []
  let bytes = 0
  for (const [key, value] of Object.entries(data ?? {})) {
    bytes += value.length
    if (!dataKey.test(key) || key.length > 253) causes.push(field.invalid(`${path}[${key}]`, key, keyText))
  }
  if (bytes > largestDataBytes) {
    const message = `Too long: may not be more than ${largestDataBytes} bytes`
    causes.push({ reason: 'FieldValueTooLong', message, field: path })
  }
  return causes
}

type Dated = { immutable?: boolean; data?: unknown }

function checkImmutable(object: Dated, old: Dated): Cause[] {
  if (!old.immutable) return []
  const causes: Cause[] = []
  const text = 'field is immutable when `immutable` is set'
  if (!object.immutable) causes.push(field.forbidden('immutable', text))
  if (!equal(object.data, old.data)) causes.push(field.forbidden('data', text))
  return causes
}

// What each type of secret must carry.
const secretKeys: Record<string, readonly string[]> = {
  'kubernetes.io/dockerconfigjson': ['.dockerconfigjson'],
  'kubernetes.io/dockercfg': ['.dockercfg'],
  'kubernetes.io/tls': ['tls.crt', 'tls.key'],
  'kubernetes.io/ssh-auth': ['ssh-privatekey'],
}

function checkSecret(secret: Secret): Cause[] {
  const causes = checkData(secret.data, 'data')
  for (const key of secretKeys[secret.type ?? ''] ?? []) {
    if (secret.data?.[key] === undefined) causes.push(field.required(`data[${key}]`))
  }
  return causes
}

export const coreStrategies = [
  strategy(namespaces, {
    name: 'label',
    defaults(namespace) {
      namespace.spec ??= {}
      namespace.metadata.labels = {
        ...namespace.metadata.labels,
        'kubernetes.io/metadata.name': namespace.metadata.name,
      }
    },
    prepareCreate(namespace) {
      namespace.spec = { finalizers: ['kubernetes'] }
      namespace.status = { phase: 'Active' }
    },
    prepareUpdate(namespace, old) {
      namespace.spec = old.spec
    },
  }),
  strategy(nodes, {
    defaults(node) {
      node.spec ??= {}
    },
    validate: ({ spec }) =>
      (spec.taints ?? []).flatMap((taint, i) => {
        const effects = ['NoSchedule', 'PreferNoSchedule', 'NoExecute']
        if (effects.includes(taint.effect)) return []
        return [field.unsupported(`metadata.taints[${i}].effect`, taint.effect, effects)]
      }),
    prepareUpdate(node, old, context) {
      const now = stamp(context.clock.now())
      for (const taint of node.spec.taints ?? []) {
        if (taint.effect === 'NoExecute') taint.timeAdded ??= now
      }
      const key = 'node.kubernetes.io/unschedulable'
      const others = (node.spec.taints ?? []).filter((taint) => taint.key !== key)
      if (node.spec.unschedulable)
        node.spec.taints = [...others, { key, effect: 'NoSchedule', timeAdded: now }]
      else if (old.spec.unschedulable) {
        if (others.length > 0) node.spec.taints = others
        else delete node.spec.taints
      }
    },
  }),
  strategy(configMaps, {
    validate(map: ConfigMap) {
      const causes = [...checkData(map.data, 'data'), ...checkData(map.binaryData, 'binaryData')]
      for (const key of Object.keys(map.binaryData ?? {})) {
        if (map.data?.[key] !== undefined)
          causes.push(field.invalid(`data[${key}]`, key, 'duplicate of key present in binaryData'))
      }
      return causes
    },
    validateUpdate: (map, old) => checkImmutable(map, old),
  }),
  strategy(secrets, {
    defaults(secret) {
      secret.type ??= 'Opaque'
      if (!secret.stringData) return
      const data = { ...secret.data }
      for (const [key, value] of Object.entries(secret.stringData))
        data[key] = Buffer.from(value).toString('base64')
      secret.data = data
      delete secret.stringData
    },
    validate: checkSecret,
    validateUpdate: (secret, old) => [
      ...(secret.type === old.type ? [] : [field.invalid('type', secret.type, 'field is immutable')]),
      ...checkImmutable(secret, old),
    ],
  }),
  strategy(events, {
    defaults(event) {
      event.metadata.namespace ??= 'default'
      event.source ??= {}
      event.reportingComponent ??= ''
      event.reportingInstance ??= ''
    },
  }),
  strategy(claims, {
    defaults({ spec }) {
      spec.volumeMode ??= 'Filesystem'
      spec.resources ??= {}
    },
    prepareCreate(claim, context) {
      claim.status = { phase: 'Pending' }
      claim.metadata.finalizers = [
        ...new Set([...(claim.metadata.finalizers ?? []), 'kubernetes.io/pvc-protection']),
      ]
      if (claim.spec.storageClassName !== undefined) return
      const isDefault = 'storageclass.kubernetes.io/is-default-class'
      const found = context.store
        .list(storageClasses)
        .find((one) => one.metadata.annotations?.[isDefault] === 'true')
      if (found) claim.spec.storageClassName = found.metadata.name
    },
    validate({ spec }) {
      const causes: Cause[] = []
      const modes = ['ReadWriteOnce', 'ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOncePod']
      if (!spec.accessModes?.length)
        causes.push(field.required('spec.accessModes', 'at least 1 access mode is required'))
      for (const [i, mode] of (spec.accessModes ?? []).entries()) {
        if (!modes.includes(mode)) causes.push(field.unsupported(`spec.accessModes[${i}]`, mode, modes))
      }
      const size = spec.resources?.requests?.['storage']
      if (!size) causes.push(field.required('spec.resources[storage]'))
      else if (quantity(size) <= 0)
        causes.push(field.invalid('spec.resources[storage]', size, 'must be greater than zero'))
      return causes
    },
    validateUpdate({ spec }, { spec: old, status }) {
      const rest = (one: typeof spec) => ({
        ...one,
        resources: undefined,
        volumeName: undefined,
        volumeAttributesClassName: undefined,
      })
      const isBinding = old.volumeName === undefined || old.volumeName === spec.volumeName
      const [size = '', before = ''] = [spec, old].map((one) => one.resources?.requests?.['storage'])
      const shrunk =
        quantity(size) < quantity(before) && quantity(size) <= quantity(status?.capacity?.['storage'])
      const tooSmall = field.forbidden(
        'spec.resources.requests.storage',
        'field can not be less than status.capacity',
      )
      // A claim has the size that it was bound with; only a bound one grows.
      const isFixed = old.volumeName === undefined && size !== before
      if (equal(rest(spec), rest(old)) && isBinding && !isFixed) return shrunk ? [tooSmall] : []
      const text =
        'spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims'
      return [field.forbidden('spec', text)]
    },
  }),
  strategy(volumes, {
    defaults({ spec }) {
      spec.persistentVolumeReclaimPolicy ??= 'Retain'
      spec.volumeMode ??= 'Filesystem'
    },
    prepareCreate(volume) {
      volume.status = { phase: 'Pending' }
      volume.metadata.finalizers = [
        ...new Set([...(volume.metadata.finalizers ?? []), 'kubernetes.io/pv-protection']),
      ]
    },
    validate({ spec }) {
      const causes: Cause[] = []
      if (!spec.accessModes?.length) causes.push(field.required('spec.accessModes'))
      if (!spec.capacity?.['storage']) causes.push(field.required('spec.capacity'))
      return causes
    },
  }),
  strategy(storageClasses, {
    defaults(storage) {
      storage.reclaimPolicy ??= 'Delete'
      storage.volumeBindingMode ??= 'Immediate'
    },
    validateUpdate: (storage, old) =>
      storage.provisioner === old.provisioner && equal(storage.parameters, old.parameters)
        ? []
        : [field.forbidden('parameters', 'updates to parameters are forbidden.')],
  }),
]
