import type { RulePeer } from '@bey/contract/networks/security-group-rules'
import type { Network, SecurityGroup } from '../../../data/networks.ts'
import { Input } from '../../../ui/input.tsx'
import { Select } from '../../../ui/select.tsx'
import { useDatabaseNames } from './use-database-names.ts'
import { TextOfLabels } from './text-of-labels.tsx'

const kinds = [
  { value: 'anywhere', label: 'Anywhere' },
  { value: 'range', label: 'Range' },
  { value: 'subnet', label: 'Subnet' },
  { value: 'set', label: 'Named set' },
  { value: 'group', label: 'Security group' },
  { value: 'namespace', label: 'Namespace' },
  { value: 'workload', label: 'Workload' },
  { value: 'service', label: 'Service' },
  { value: 'database', label: 'Database' },
] as const

/** Whom a rule lets in, or lets one call. */
export function PeerFields({
  peer,
  number,
  network,
  groups,
  onChange,
}: {
  peer: RulePeer
  number: number
  network: Network
  groups: readonly SecurityGroup[]
  onChange: (peer: RulePeer) => void
}) {
  const databases = useDatabaseNames()
  const part = (about: string) => `${about} of rule ${number}`
  return (
    <>
      <Select
        aria-label={part('Peer')}
        className="w-36"
        value={peer.kind}
        options={kinds}
        onChange={(event) => onChange(peerOfKind(event.target.value, network, groups, databases))}
      />
      {peer.kind === 'range' ? (
        <span className="min-w-36 flex-1">
          <Input
            aria-label={part('Range')}
            value={peer.cidr}
            spellCheck={false}
            className="font-mono"
            onChange={(event) => onChange({ ...peer, cidr: event.target.value })}
          />
        </span>
      ) : null}
      {peer.kind === 'subnet' ? (
        <Choice
          label={part('Subnet')}
          value={peer.name}
          options={network.subnets.map(({ name, cidr }) => ({ value: name, label: `${name}, ${cidr}` }))}
          onChange={(name) => onChange({ ...peer, name })}
        />
      ) : null}
      {peer.kind === 'set' ? (
        <Choice
          label={part('Set')}
          value={peer.name}
          options={network.sets.map(({ name }) => ({ value: name, label: name }))}
          onChange={(name) => onChange({ ...peer, name })}
        />
      ) : null}
      {peer.kind === 'group' ? (
        <Choice
          label={part('Group')}
          value={peer.groupId}
          options={groups.map(({ id, name }) => ({ value: id, label: name }))}
          onChange={(groupId) => onChange({ ...peer, groupId })}
        />
      ) : null}
      {peer.kind === 'namespace' || peer.kind === 'workload' || peer.kind === 'service' ? (
        <span className="w-36">
          <Input
            aria-label={part('Namespace')}
            placeholder="namespace"
            value={peer.namespace}
            spellCheck={false}

            onChange={(event) => onChange({ ...peer, namespace: event.target.value })}
          />
        </span>
      ) : null}
      {peer.kind === 'service' ? (
        <span className="w-36">
          <Input
            aria-label={part('Service')}
            placeholder="service"
            value={peer.name}
            spellCheck={false}
            autoComplete="off"
            onChange={(event) => onChange({ ...peer, name: event.target.value })}
          />
        </span>
      ) : null}
      {peer.kind === 'database' ? (
        <Choice
          label={part('Database')}
          value={peer.databaseId}
          options={databases.map(({ id, name }) => ({ value: id, label: name }))}
          onChange={(databaseId) => onChange({ ...peer, databaseId })}
        />
      ) : null}
      {peer.kind === 'workload' ? (
        <TextOfLabels
          label={part('Labels')}
          labels={peer.labels}
          onChange={(labels) => onChange({ ...peer, labels })}
        />
      ) : null}
    </>
  )
}

interface ChoiceProps {
  label: string
  value: string
  options: readonly { value: string; label: string }[]
  onChange: (value: string) => void
}

/** One of the things that exist; what was chosen and is gone stays, and says so. */
function Choice({ label, value, options, onChange }: ChoiceProps) {
  const isKnown = options.some((option) => option.value === value)
  const missing = { value, label: value === '' ? 'Choose one' : 'gone' }
  return (
    <Select
      aria-label={label}
      className="min-w-36 flex-1"
      value={value}
      options={isKnown ? options : [missing, ...options]}
      onChange={(event) => onChange(event.target.value)}
    />
  )
}

function peerOfKind(
  kind: string,
  network: Network,
  groups: readonly SecurityGroup[],
  databases: readonly { id: string }[],
): RulePeer {
  switch (kind) {
    case 'range':
      return { kind, cidr: network.cidr }
    case 'subnet':
      return { kind, name: network.subnets[0]?.name ?? '' }
    case 'set':
      return { kind, name: network.sets[0]?.name ?? '' }
    case 'group':
      return { kind, groupId: groups[0]?.id ?? '' }
    case 'database': {
      const attached = network.attachments.find((each) => each.databaseId !== null)
      return { kind, databaseId: attached?.databaseId ?? databases[0]?.id ?? '' }
    }
    case 'namespace':
      return { kind, namespace: network.attachments.find((each) => each.namespace)?.namespace ?? '' }
    case 'workload':
      return {
        kind,
        namespace: network.attachments.find((each) => each.namespace)?.namespace ?? '',
        labels: { app: '' },
      }
    case 'service':
      return {
        kind,
        namespace: network.attachments.find((each) => each.namespace)?.namespace ?? '',
        name: '',
      }
    default:
      return { kind: 'anywhere' }
  }
}
