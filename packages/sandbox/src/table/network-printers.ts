import { objectAt, plain, textAt } from '../json.ts'
import type { IPAddress, KubeObject, ServiceCIDR } from '../types.ts'
import { orNone } from './cells.ts'
import { printer, type Printer } from './columns.ts'

/** How the kinds of networking.k8s.io beside ingresses are printed. */
export const networkPrinters: Readonly<Record<string, Printer>> = {
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
          .map(([key, value]) => `${key}=${plain(value)}`)
          .join(','),
      ),
      age,
    ]
  }),
  'ipaddresses.networking.k8s.io': printer<IPAddress>(
    'Name,ParentRef,Age',
    ({ metadata, spec }, _nowMs, age) => {
      const { group, resource, namespace, name } = spec.parentRef
      const of = group ? `${resource}.${group}` : resource
      return [metadata.name, [of.toLowerCase(), ...(namespace ? [namespace] : []), name].join('/'), age]
    },
  ),
  'servicecidrs.networking.k8s.io': printer<ServiceCIDR>(
    'Name,CIDRs,Age',
    ({ metadata, spec }, _nowMs, age) => [metadata.name, (spec.cidrs ?? []).join(','), age],
  ),
}
