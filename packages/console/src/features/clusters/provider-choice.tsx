import type { ClusterProvider } from '@bey/contract'
import { useId } from 'react'
import { Badge } from '../../ui/badge.tsx'
import { cx } from '../../ui/class-names.ts'
import { providerLabels } from './cluster-text.ts'

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
          <label
            key={provider.id}
            className={cx(
              'flex items-start gap-2.5 rounded-card border p-3 has-focus-visible:outline-2 has-focus-visible:outline-offset-1 has-focus-visible:outline-ring',
              provider.id === chosen ? 'border-accent bg-accent-soft' : 'border-line-strong hover:bg-hover',
              providers.length === 1 && 'sm:col-span-2',
            )}
          >
            <input
              type="radio"
              name={name}
              value={provider.id}
              checked={provider.id === chosen}
              onChange={() => onChange(provider)}
              className="mt-0.5 size-4 shrink-0 outline-none"
            />
            <span className="min-w-0">
              <span className="flex items-center gap-2 font-medium">
                {provider.label}
                {provider.label === providerLabels[provider.id] ? null : (
                  <Badge>{providerLabels[provider.id]}</Badge>
                )}
              </span>
              <span className="mt-0.5 block text-text-2">{provider.description}</span>
              <span className="mt-0.5 block text-small text-text-3 tabular-nums">
                Up to {provider.maxNodes} nodes
              </span>
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}
