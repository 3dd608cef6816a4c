import type { ClusterCapacity, ClusterProvider } from '@bey/contract'
import { useId } from 'react'
import { Badge } from '../../ui/badge.tsx'
import { cx } from '../../ui/class-names.ts'
import { formatBytes, formatCount, formatNumber } from '../../lib/format.ts'
import { providerLabels } from '../../entities/clusters/cluster-text.ts'

export interface ProviderChoiceProps {
  providers: readonly ClusterProvider[]
  chosen: ClusterProvider['id']
  onChange: (provider: ClusterProvider) => void
}

/** Where the cluster will run. */
export function ProviderChoice({ providers, chosen, onChange }: ProviderChoiceProps) {
  const name = useId()
  return (
    <fieldset>
      <legend className="mb-1.5 font-medium">Provider</legend>
      <div className="grid gap-2 sm:grid-cols-2">
        {providers.map((provider) => (
          <div
            key={provider.id}
            className={cx(
              'relative flex items-start gap-2.5 rounded-card border p-3 has-focus-visible:outline-2 has-focus-visible:outline-offset-1 has-focus-visible:outline-ring',
              provider.id === chosen ? 'border-accent bg-accent-soft' : 'border-line-strong hover:bg-hover',
              providers.length === 1 && 'sm:col-span-2',
            )}
          >
            <input
              id={`${name}-${provider.id}`}
              type="radio"
              name={name}
              value={provider.id}
              checked={provider.id === chosen}
              onChange={() => onChange(provider)}
              aria-describedby={`${name}-${provider.id}-text`}
              className="mt-0.5 size-4 shrink-0 outline-none"
            />
            <div className="min-w-0">
              <div className="flex items-center gap-2 font-medium">
                {/* The label reaches over the whole card, so that a click anywhere chooses it. */}
                <label htmlFor={`${name}-${provider.id}`} className="after:absolute after:inset-0">
                  {provider.label}
                </label>
                {provider.label === providerLabels[provider.id] ? null : (
                  <Badge>{providerLabels[provider.id]}</Badge>
                )}
              </div>
              <div id={`${name}-${provider.id}-text`}>
                <p className="mt-0.5 text-text-2">{provider.description}</p>
                <p className="mt-0.5 text-small text-text-3 tabular-nums">Up to {provider.maxNodes} nodes</p>
                {provider.capacity ? (
                  <p className="mt-0.5 text-small text-text-3 tabular-nums">{roomText(provider.capacity)}</p>
                ) : null}
              </div>
            </div>
          </div>
        ))}
      </div>
    </fieldset>
  )
}

/** What this machine has left: "Room for 3 more of 24 on this machine, 512 MiB of memory and 10,240 objects each". */
function roomText(capacity: ClusterCapacity): string {
  const left = Math.max(0, capacity.maxSandboxes - capacity.sandboxes)
  const room = left === 0 ? 'No room for another' : `Room for ${formatNumber(left)} more`
  const each = `${formatBytes(capacity.sandboxBytes)} of memory and ${formatCount(capacity.maxObjects, 'object')} each`
  return `${room} of ${formatNumber(capacity.maxSandboxes)} on this machine, ${each}`
}
