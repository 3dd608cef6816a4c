import { dataEntries } from './data-entries.ts'
import { at, entries, fields, items, text, texts } from './fields.ts'
import type { Panel } from './panel-parts.ts'
import { known, ref } from './panel-parts.ts'

export const configMapPanel: Panel = (configMap) => [
  { type: 'data', title: 'Data', entries: dataEntries(configMap) },
  ...immutable(configMap['immutable'] === true),
]

const secretWords: Readonly<Record<string, string>> = {
  Opaque: 'anything',
  'kubernetes.io/tls': 'a certificate with its key',
  'kubernetes.io/dockerconfigjson': 'access to an image registry',
  'kubernetes.io/dockercfg': 'access to an image registry',
  'kubernetes.io/service-account-token': 'the token of a service account',
  'kubernetes.io/basic-auth': 'user name and password',
  'kubernetes.io/ssh-auth': 'an SSH key',
  'bootstrap.kubernetes.io/token': 'the token with which nodes join',
}

export const secretPanel: Panel = (secret) => {
  const type = text(secret['type']) ?? 'Opaque'
  return [
    { type: 'secret', title: 'Keys', keys: Object.keys(fields(secret['data'])).toSorted() },
    {
      type: 'facts',
      title: 'Secret',
      isAside: true,
      facts: known([
        { label: 'Type', value: { code: type } },
        { label: 'Holds', value: secretWords[type] ?? null },
        secret['immutable'] === true && { label: 'Can be changed', value: 'no: immutable' },
      ]),
    },
  ]
}

function immutable(isImmutable: boolean) {
  if (!isImmutable) return []
  return [
    {
      type: 'facts' as const,
      title: 'Config map',
      isAside: true,
      facts: [{ label: 'Can be changed', value: 'no: immutable' }],
    },
  ]
}

export const quotaPanel: Panel = (quota) => {
  const used = fields(at(quota, 'status', 'used'))
  const hard = entries(at(quota, 'status', 'hard') ?? at(quota, 'spec', 'hard'))
  return [
    {
      type: 'table',
      title: 'Quota',
      columns: ['Resource', 'Used', 'At most'],
      rows: hard.map(([name, limit]) => [name, text(used[name]) ?? '0', limit]),
      empty: 'This quota limits nothing.',
    },
  ]
}

export const limitRangePanel: Panel = (range) => [
  {
    type: 'table',
    title: 'Limits',
    columns: ['For each', 'Resource', 'Least', 'Most', 'Default request', 'Default limit'],
    rows: items(at(range, 'spec', 'limits')).flatMap((limit) => {
      const names = new Set(
        ['min', 'max', 'default', 'defaultRequest'].flatMap((key) => Object.keys(fields(limit[key]))),
      )
      return [...names].map((name) => [
        text(limit['type']),
        name,
        text(at(limit, 'min', name)),
        text(at(limit, 'max', name)),
        text(at(limit, 'defaultRequest', name)),
        text(at(limit, 'default', name)),
      ])
    }),
  },
]

export const namespacePanel: Panel = (namespace) => {
  const phase = text(at(namespace, 'status', 'phase')) ?? 'Active'
  return [
    {
      type: 'facts',
      title: 'Namespace',
      isAside: true,
      facts: known([
        {
          label: 'Phase',
          value: { status: phase === 'Active' ? 'ready' : 'deleting', label: phase.toLowerCase() },
        },
        { label: 'Ends after', value: texts(at(namespace, 'spec', 'finalizers')).join(', ') || null },
      ]),
    },
  ]
}

export const serviceAccountPanel: Panel = (account) => {
  const namespace = text(at(account, 'metadata', 'namespace')) ?? ''
  const secrets = (key: string) =>
    items(account[key]).map(({ name }) => ref('secrets', namespace, text(name)))
  return [
    {
      type: 'facts',
      title: 'Service account',
      facts: known([
        { label: 'Secrets', value: secrets('secrets') },
        { label: 'Pulls images with', value: secrets('imagePullSecrets') },
        {
          label: 'Token in pods',
          value: account['automountServiceAccountToken'] === false ? 'not mounted' : 'mounted',
        },
        {
          label: 'Name in rules',
          value: {
            code: `system:serviceaccount:${namespace}:${text(at(account, 'metadata', 'name')) ?? ''}`,
          },
        },
      ]),
    },
  ]
}
