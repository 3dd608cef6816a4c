import type { Network } from '../../data/networks.ts'
import { formatCount, formatNumber } from '../../lib/format.ts'

export const networkHref = (id: string, tab?: string) => `/networking/${id}${tab ? `?tab=${tab}` : ''}`

/** "prod-eu, 3 databases": clusters by name, of the rest how many. */
export function attachedText({ attachments }: Pick<Network, 'attachments'>): string {
  const of = (kind: Network['attachments'][number]['kind']) =>
    attachments.filter((each) => each.kind === kind)
  const parts = [
    ...of('cluster').map(({ name }) => name),
    ...counted(of('namespace').length, 'namespace'),
    ...counted(of('database').length, 'database'),
  ]
  return parts.length === 0 ? '—' : parts.join(', ')
}

const counted = (count: number, one: string) => (count === 0 ? [] : [formatCount(count, one)])

/** Addresses of the IPv4 range of a network, by the length after its slash. */
export const addressCount = ({ cidr }: Pick<Network, 'cidr'>): number =>
  2 ** (32 - Number(cidr.split('/')[1]))

/** "41 of 4,096"; a dash until its clusters were read. */
export function heldText(network: Pick<Network, 'cidr' | 'figures'>): string {
  if (network.figures === null) return '—'
  return `${formatNumber(network.figures.held)} of ${formatNumber(addressCount(network))}`
}
