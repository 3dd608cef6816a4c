import type { Fields } from './fields.ts'
import { at, fields, items, text, texts } from './fields.ts'
import { networkPolicySentences } from './network-policy-text.ts'
import type { Panel, PanelValue } from './panel-parts.ts'
import { code, known, ref } from './panel-parts.ts'
import { labelsText, selectorText } from './selector-text.ts'

const typeWords: Readonly<Record<string, string>> = {
  ClusterIP: 'inside the cluster',
  NodePort: 'on a port of every node',
  LoadBalancer: 'through a load balancer',
  ExternalName: 'an external name',
}

export const servicePanel: Panel = (service) => {
  const spec = fields(service['spec'])
  const type = text(spec['type']) ?? 'ClusterIP'
  const ips = texts(spec['clusterIPs']).join(', ') || text(spec['clusterIP'])
  return [
    {
      type: 'table',
      title: 'Ports',
      columns: ['Name', 'Port', 'Goes to', 'On the nodes'],
      rows: items(spec['ports']).map((port) => [
        text(port['name']),
        `${text(port['port']) ?? ''}/${text(port['protocol']) ?? 'TCP'}`,
        text(port['targetPort']) ?? text(port['port']),
        text(port['nodePort']),
      ]),
    },
    {
      type: 'facts',
      title: 'Service',
      isAside: true,
      facts: known([
        { label: 'Type', value: `${type}: ${typeWords[type] ?? type}` },
        {
          label: 'Address',
          value: ips === 'None' ? 'none (headless): its name resolves to the pods' : code(ips),
        },
        { label: 'External addresses', value: externalAddresses(service) },
        { label: 'External name', value: code(text(spec['externalName'])) },
        { label: 'Selects pods', value: code(labelsText(spec['selector'])) ?? 'none: no selector' },
        spec['sessionAffinity'] === 'ClientIP' && { label: 'A client', value: 'stays with one pod' },
        spec['externalTrafficPolicy'] === 'Local' && {
          label: 'From outside',
          value: 'only to pods of the same node',
        },
      ]),
    },
  ]
}

export const ingressPanel: Panel = (ingress) => {
  const namespace = text(at(ingress, 'metadata', 'namespace')) ?? ''
  const spec = fields(ingress['spec'])
  const rules = items(spec['rules']).flatMap((rule) =>
    items(at(rule, 'http', 'paths')).map((path): readonly PanelValue[] => [
      text(rule['host']) ?? 'every host',
      { code: `${text(path['path']) ?? '/'}${path['pathType'] === 'Exact' ? '' : '…'}` },
      backend(path['backend'], namespace),
    ]),
  )
  const fallback = spec['defaultBackend']
  return [
    {
      type: 'table',
      title: 'Routes',
      columns: ['Host', 'Path', 'Goes to'],
      rows: fallback ? [...rules, ['everything else', null, backend(fallback, namespace)]] : rules,
      empty: 'This ingress has no rules, and routes nothing.',
    },
    {
      type: 'table',
      title: 'Certificates',
      columns: ['Hosts', 'Secret'],
      rows: items(spec['tls']).map((tls) => [
        texts(tls['hosts']).join(', ') || 'every host',
        ref('secrets', namespace, text(tls['secretName'])),
      ]),
    },
    {
      type: 'facts',
      title: 'Ingress',
      isAside: true,
      facts: known([
        {
          label: 'Class',
          value:
            ref('ingressclasses.networking.k8s.io', '', text(spec['ingressClassName'])) ?? 'the default one',
        },
        { label: 'Reached at', value: externalAddresses(ingress) },
      ]),
    },
  ]
}

function backend(value: unknown, namespace: string): PanelValue {
  const service = text(at(value, 'service', 'name'))
  if (service !== null) {
    const port = text(at(value, 'service', 'port', 'name')) ?? text(at(value, 'service', 'port', 'number'))
    return { ref: { resource: 'services', namespace, name: service }, text: `${service}:${port ?? ''}` }
  }
  const kind = text(at(value, 'resource', 'kind'))
  return kind === null ? null : `${kind} ${text(at(value, 'resource', 'name')) ?? ''}`
}

function externalAddresses(object: Fields): PanelValue {
  const found = [
    ...items(at(object, 'status', 'loadBalancer', 'ingress')).flatMap(
      (each) => text(each['hostname']) ?? text(each['ip']) ?? [],
    ),
    ...texts(at(object, 'spec', 'externalIPs')),
  ]
  if (found.length > 0) return found.map((address) => ({ code: address }))
  return at(object, 'spec', 'type') === 'LoadBalancer' ? 'none yet' : null
}

export const networkPolicyPanel: Panel = (policy) => [
  { type: 'sentences', title: 'Rules', lines: networkPolicySentences(policy) },
  {
    type: 'facts',
    title: 'Applies to',
    isAside: true,
    facts: [
      {
        label: 'Pods',
        value: code(selectorText(at(policy, 'spec', 'podSelector'))) ?? 'all of the namespace',
      },
    ],
  },
]

export const endpointSlicePanel: Panel = (slice) => {
  const namespace = text(at(slice, 'metadata', 'namespace')) ?? ''
  return [
    {
      type: 'table',
      title: 'Endpoints',
      columns: ['Address', 'State', 'Of', 'Node'],
      rows: items(slice['endpoints']).map((endpoint) => {
        const isReady = at(endpoint, 'conditions', 'ready') !== false
        return [
          { code: texts(endpoint['addresses']).join(', ') },
          { status: isReady ? 'ready' : 'degraded', label: isReady ? 'ready' : 'not ready' },
          at(endpoint, 'targetRef', 'kind') === 'Pod'
            ? ref('pods', namespace, text(at(endpoint, 'targetRef', 'name')))
            : text(at(endpoint, 'targetRef', 'name')),
          ref('nodes', '', text(endpoint['nodeName'])),
        ]
      }),
      empty: 'This slice has no addresses.',
    },
    {
      type: 'table',
      title: 'Ports',
      columns: ['Name', 'Port'],
      rows: items(slice['ports']).map((port) => [
        text(port['name']),
        `${text(port['port']) ?? 'all'}/${text(port['protocol']) ?? 'TCP'}`,
      ]),
    },
  ]
}
