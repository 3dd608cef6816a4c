import {
  type RuleProtocol,
  ruleProtocols,
  type SecurityRule,
} from '@bey/contract/networks/security-group-rules'
import { X } from 'lucide-react'
import { useState } from 'react'
import type { Network, SecurityGroup } from '../../../data/networks.ts'
import { Badge } from '../../../ui/badge.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { Input } from '../../../ui/input.tsx'
import { Select } from '../../../ui/select.tsx'
import { PeerFields } from './peer-fields.tsx'

/** One rule: protocol, ports and peer in a line, with what is wrong or superfluous about it under it. */
export function RuleFields({
  rule,
  number,
  coveredBy,
  error,
  network,
  groups,
  onChange,
  onRemove,
}: {
  rule: SecurityRule
  /** As it is counted in the group. */
  number: number
  /** Number of the rule that says the same and more. */
  coveredBy: number | undefined
  error: string | undefined
  network: Network
  groups: readonly SecurityGroup[]
  onChange: (rule: SecurityRule) => void
  onRemove: () => void
}) {
  const [ports, setPorts] = useState<string>()
  const isAny = rule.protocol === 'any'
  return (
    <li className="border-b border-line py-2">
      <div className="flex items-start gap-2">
        <span className="w-6 shrink-0 pt-1.5 text-right text-text-3 tabular-nums">{number}</span>
        <div className="flex min-w-0 flex-1 flex-wrap items-center gap-2">
          <Select
            aria-label={`Protocol of rule ${number}`}
            className="w-24"
            value={rule.protocol}
            options={ruleProtocols.map((value) => ({
              value,
              label: value === 'any' ? 'any' : value.toUpperCase(),
            }))}
            onChange={(event) => {
              // The options are those of the list above.
              const protocol = event.target.value as RuleProtocol
              onChange({ ...rule, protocol, ports: protocol === 'any' ? [] : rule.ports })
            }}
          />
          <span className="w-44">
            <Input
              aria-label={`Ports of rule ${number}`}
              placeholder={isAny ? 'every port' : '443, 8000-8100, every if empty'}
              disabled={isAny}
              value={ports ?? rule.ports.join(', ')}
              spellCheck={false}
              autoComplete="off"

              onBlur={() => setPorts(undefined)}
              onChange={(event) => {
                setPorts(event.target.value)
                const given = event.target.value.split(',').map((port) => port.trim())
                onChange({ ...rule, ports: given.filter((port) => port !== '') })
              }}
            />
          </span>
          <span className="text-text-3">{rule.direction === 'in' ? 'from' : 'to'}</span>
          <PeerFields
            peer={rule.peer}
            number={number}
            network={network}
            groups={groups}
            onChange={(peer) => onChange({ ...rule, peer })}
          />
          {coveredBy === undefined ? null : <Badge>covered by {coveredBy}</Badge>}
        </div>
        <IconButton label={`Remove rule ${number}`} icon={<X size={14} aria-hidden />} onClick={onRemove} />
      </div>
      {error ? (
        <p role="alert" className="mt-1 pl-8 text-small text-danger">
          {error}
        </p>
      ) : null}
    </li>
  )
}
