import { at, fields, items, text } from './fields.ts'
import { nodeAmounts } from './node-amounts.ts'
import type { Panel, PanelValue } from './panel-parts.ts'
import { code, known } from './panel-parts.ts'

const effectWords: Readonly<Record<string, string>> = {
  NoSchedule: 'no new pods',
  PreferNoSchedule: 'new pods only if nothing else fits',
  NoExecute: 'pods are evicted',
}

export const nodePanel: Panel = (node) => {
  const info = fields(at(node, 'status', 'nodeInfo'))
  return [
    {
      type: 'table',
      title: 'Resources',
      columns: ['Resource', 'Capacity', 'For pods'],
      rows: nodeAmounts(node).map(({ label, capacity, allocatable, format }) => [
        label,
        format(capacity),
        allocatable === null ? null : format(allocatable),
      ]),
    },
    {
      type: 'table',
      title: 'Taints',
      columns: ['Taint', 'What it does', 'Since'],
      rows: items(at(node, 'spec', 'taints')).map((taint) => {
        const value = text(taint['value'])
        const effect = text(taint['effect']) ?? ''
        return [
          { code: `${text(taint['key']) ?? ''}${value ? `=${value}` : ''}:${effect}` },
          effectWords[effect] ?? null,
          time(taint['timeAdded']),
        ]
      }),
    },
    {
      type: 'facts',
      title: 'Machine',
      isAside: true,
      facts: known([
        {
          label: 'New pods',
          value: at(node, 'spec', 'unschedulable') === true ? 'not accepted: cordoned' : 'accepted',
        },
        ...items(at(node, 'status', 'addresses')).map((address) => ({
          label: addressWords[text(address['type']) ?? ''] ?? text(address['type']) ?? '',
          value: code(text(address['address'])),
        })),
        { label: 'Kubelet', value: text(info['kubeletVersion']) },
        { label: 'Operating system', value: text(info['osImage']) },
        { label: 'Kernel', value: text(info['kernelVersion']) },
        { label: 'Architecture', value: text(info['architecture']) },
        { label: 'Container runtime', value: text(info['containerRuntimeVersion']) },
        { label: 'Provider id', value: code(text(at(node, 'spec', 'providerID'))) },
        { label: 'Addresses of pods', value: code(text(at(node, 'spec', 'podCIDR'))) },
      ]),
    },
  ]
}

const addressWords: Readonly<Record<string, string>> = {
  InternalIP: 'Internal address',
  ExternalIP: 'External address',
  Hostname: 'Host name',
  InternalDNS: 'Internal name',
  ExternalDNS: 'External name',
}

function time(value: unknown): PanelValue {
  const found = text(value)
  return found === null ? null : { at: found }
}
