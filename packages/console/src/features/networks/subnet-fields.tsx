import { parseRange, placesFor } from '@bey/contract/networks/ranges'
import { Plus, X } from 'lucide-react'
import { Button } from '../../ui/button.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { Input } from '../../ui/input.tsx'
import type { Draft } from './network-draft.ts'

type Subnets = Draft['subnets']

/** Parts of the network with names, each in a row; a new one is proposed where it fits best. */
export function SubnetFields({
  draft,
  errors,
  onChange,
}: {
  draft: Draft
  errors: Readonly<Record<string, string>>
  onChange: (subnets: Subnets) => void
}) {
  const { subnets } = draft
  const set = (at: number, part: Partial<Subnets[number]>) =>
    onChange(subnets.map((each, index) => (index === at ? { ...each, ...part } : each)))
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-1.5 font-medium">
        Subnets <span className="ml-1 font-normal text-text-3">optional</span>
      </legend>
      {subnets.map((subnet, at) => {
        const error = errors[`subnets.${at}.name`] ?? errors[`subnets.${at}.cidr`] ?? errors[`subnets.${at}`]
        return (
          <div key={at}>
            <div className="flex items-center gap-2">
              <Input
                aria-label={`Name of subnet ${at + 1}`}
                aria-invalid={errors[`subnets.${at}.name`] ? true : undefined}
                value={subnet.name}
                placeholder="nodes"
                autoComplete="off"
                spellCheck={false}
                className="min-w-0 flex-1"
                onChange={(event) => set(at, { name: event.target.value })}
              />
              <Input
                aria-label={`Range of subnet ${at + 1}`}
                aria-invalid={errors[`subnets.${at}.cidr`] ? true : undefined}
                value={subnet.cidr}
                autoComplete="off"
                spellCheck={false}
                className="min-w-0 flex-1 font-mono"
                onChange={(event) => set(at, { cidr: event.target.value })}
              />
              <IconButton
                label={`Remove subnet ${subnet.name || at + 1}`}
                icon={<X size={14} aria-hidden />}
                onClick={() => onChange(subnets.filter((_, index) => index !== at))}
              />
            </div>
            {error ? (
              <p role="alert" className="mt-1 text-small text-danger">
                {error}
              </p>
            ) : null}
          </div>
        )
      })}
      <div>
        <Button
          size="small"
          icon={<Plus size={14} aria-hidden />}
          onClick={() => onChange([...subnets, { name: '', cidr: proposed(draft), description: '' }])}
        >
          Add subnet
        </Button>
      </div>
    </fieldset>
  )
}

/** A sixteenth of the network, or the largest that is left, where it leaves the largest free block whole. */
function proposed({ cidr, subnets }: Pick<Draft, 'cidr' | 'subnets'>): string {
  const range = parseRange(cidr)
  if ('problem' in range) return ''
  const taken = subnets.flatMap((subnet) => {
    const each = parseRange(subnet.cidr)
    return 'problem' in each ? [] : [each]
  })
  for (let prefix = Math.min(range.prefix + 4, 30); prefix <= 30; prefix += 1) {
    const [place] = placesFor(range, taken, prefix)
    if (place !== undefined) return place.cidr
  }
  return ''
}
