import { actorText } from '@bey/contract'
import type { Network } from '../../data/networks.ts'
import { Facts } from '../../ui/facts.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { NetworkStatus } from './network-status.tsx'
import { attachedText, heldText } from './network-text.ts'

/** What is known of a network beside its name. */
export function NetworkFacts({ network }: { network: Network }) {
  const { description, region, cidr, cidr6, isIsolated, policyCount, createdBy, createdAt } = network
  return (
    <Facts
      facts={[
        { label: 'Status', value: <NetworkStatus network={network} /> },
        { label: 'IPv4 range', value: <code className="text-small">{cidr}</code> },
        ...(cidr6 === null
          ? []
          : [{ label: 'IPv6 range', value: <code className="text-small">{cidr6}</code> }]),
        { label: 'Addresses in use', value: heldText(network) },
        { label: 'Attached', value: attachedText(network) },
        { label: 'Isolated', value: isIsolated ? 'yes' : 'no' },
        { label: 'Policies in clusters', value: policyCount },
        ...(region === '' ? [] : [{ label: 'Region', value: region }]),
        { label: 'Description', value: description || '—' },
        { label: 'Created by', value: actorText(createdBy) },
        { label: 'Created', value: <RelativeTime at={createdAt} /> },
      ]}
    />
  )
}
