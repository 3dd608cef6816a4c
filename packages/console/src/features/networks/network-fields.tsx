import { placesFor, rangeOf, parseRange, usableAddresses } from '@bey/contract/networks/ranges'
import { policyKinds } from '@bey/contract/networks/rules'
import { formatNumber } from '../../lib/format.ts'
import { Checkbox } from '../../ui/checkbox.tsx'
import { Field } from '../../ui/field.tsx'
import { Input } from '../../ui/input.tsx'
import { Select } from '../../ui/select.tsx'
import { AttachmentFields } from './attachment-fields.tsx'
import type { Draft } from './network-draft.ts'
import type { Claim } from './space-ticks.ts'
import { SetFields } from './set-fields.tsx'
import { SubnetFields } from './subnet-fields.tsx'

/** Ranges, subnets, what takes part, and who may enter: the fields of creation and change. */
export function NetworkFields({
  draft,
  claims,
  errors,
  onChange,
}: {
  draft: Draft
  claims: readonly Claim[]
  errors: Readonly<Record<string, string>>
  onChange: (part: Partial<Draft>) => void
}) {
  const range = parseRange(draft.cidr)
  return (
    <>
      <Field
        label="IPv4 range"
        required
        error={errors['cidr']}
        aside={
          'problem' in range ? undefined : `${formatNumber(Number(usableAddresses(range)))} usable addresses`
        }
      >
        {(control) => (
          <>
            <Input
              {...control}
              value={draft.cidr}
              autoComplete="off"
              spellCheck={false}
              className="font-mono"
              onChange={(event) => onChange({ cidr: event.target.value })}
            />
            <FreeRanges claims={claims} onChoose={(cidr) => onChange({ cidr })} />
          </>
        )}
      </Field>
      <Field label="IPv6 range" required={false} error={errors['cidr6']}>
        {(control) => (
          <Input
            {...control}
            value={draft.cidr6}
            autoComplete="off"
            spellCheck={false}
            placeholder="fd42::/48"
            className="font-mono"
            onChange={(event) => onChange({ cidr6: event.target.value })}
          />
        )}
      </Field>
      <SubnetFields draft={draft} errors={errors} onChange={(subnets) => onChange({ subnets })} />
      <SetFields sets={draft.sets} errors={errors} onChange={(sets) => onChange({ sets })} />
      <AttachmentFields
        attachments={draft.attachments}
        errors={errors}
        onChange={(attachments) => onChange({ attachments })}
      />
      <Checkbox
        label="Isolate it"
        hint="A network policy in each of its namespaces lets in its own namespaces and ranges alone. Other policies in a namespace add up with it and may let in more. What its pods call stays open. A cluster enforces policies only where its network plug-in does. Databases that Bey runs are reached from its ranges and their machine alone."
        checked={draft.isIsolated}
        onChange={(event) => onChange({ isIsolated: event.target.checked })}
      />
      <Field
        label="Kind of policies"
        hint="CiliumNetworkPolicy needs Cilium in each cluster. Changes of its rules are shown without the flows that would end."
      >
        {(control) => (
          <Select
            {...control}
            value={draft.policyKind}
            options={policyKinds.map((kind) => ({ value: kind, label: kind }))}
            onChange={(event) => {
              const chosen = policyKinds.find((kind) => kind === event.target.value)
              if (chosen !== undefined) onChange({ policyKind: chosen })
            }}
          />
        )}
      </Field>
    </>
  )
}

/** Free ranges of three sizes, the smallest gaps first, so that large ones stay whole. */
function FreeRanges({ claims, onChoose }: { claims: readonly Claim[]; onChoose: (cidr: string) => void }) {
  const taken = claims.flatMap(({ cidr }) => {
    const range = parseRange(cidr)
    return 'problem' in range ? [] : [range]
  })
  const free = [16, 20, 24].flatMap(
    (prefix) => placesFor(rangeOf('10.0.0.0/8'), taken, prefix)[0]?.cidr ?? [],
  )
  return (
    <p className="text-small text-text-3">
      Free:{' '}
      {free.map((cidr, at) => (
        <span key={cidr}>
          {at > 0 ? ', ' : ''}
          <button
            type="button"
            className="font-mono text-accent-text hover:underline"
            onClick={() => onChoose(cidr)}
          >
            {cidr}
          </button>
        </span>
      ))}
    </p>
  )
}
