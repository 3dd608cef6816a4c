import type { IngressHost } from '@bey/contract'
import type { PaletteItems } from './item.ts'

const page = '/networking/ingress'

/** A host as the palette lists it; it leads to its row in the list of hosts. */
export function hostItem(host: IngressHost): PaletteItems['host'] {
  const name = encodeURIComponent(host.host)
  return {
    id: `host:${host.host}`,
    type: 'host',
    title: host.host,
    description: [...host.clusters.map(({ title }) => title), ...host.namespaces].join(' · '),
    category: 'Host',
    group: 'hosts',
    shortcuts: [],
    path: `${page}?search=${name}&peek=${name}`,
    host,
  }
}
