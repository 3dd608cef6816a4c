import { databaseNameRule, type DatabasePlanId, databasePlanIds } from '@bey/contract'
import type { ReactNode } from 'react'
import { planLabels } from '../../../entities/databases/database-text.ts'
import type { FieldErrors } from '../../../lib/use-submission.ts'
import { Badge } from '../../../ui/badge.tsx'
import { cx } from '../../../ui/class-names.ts'
import { Field } from '../../../ui/field.tsx'
import { Input } from '../../../ui/input.tsx'
import { Section } from '../../../ui/section.tsx'
import { Select } from '../../../ui/select.tsx'
import type { RestorePlace } from './restore-place.ts'

export interface WhereDraft {
  name: string
  plan: DatabasePlanId
}

export interface WhereSectionProps {
  databaseName: string
  isDeleted: boolean
  place: RestorePlace
  onPlace: (place: RestorePlace) => void
  draft: WhereDraft
  onChange: (part: Partial<WhereDraft>) => void
  errors: FieldErrors
}

/** Where the restored rows go. */
export function WhereSection(props: WhereSectionProps) {
  const { databaseName, isDeleted, place, onPlace } = props
  return (
    <Section title="3 Where to">
      <fieldset className="overflow-hidden rounded-card border border-line">
        <legend className="sr-only">Where to</legend>
        <Place value="new" chosen={place} onChoose={onPlace} title="A new database">
          {isDeleted ? 'made of the backups, which stay' : 'beside it; copy what you need by hand'}
        </Place>
        {isDeleted ? null : (
          <Place value="swap" chosen={place} onChoose={onPlace} title={`In place of ${databaseName}`}>
            restored beside it first; you see what differs, and then swap
          </Place>
        )}
      </fieldset>
      <div className="mt-4 grid gap-4 sm:grid-cols-[minmax(0,1fr)_12rem]">
        <NameFields {...props} />
      </div>
    </Section>
  )
}

function NameFields({ place, draft, onChange, errors }: WhereSectionProps) {
  return (
    <>
      <Field
        label={place === 'swap' ? 'Name of the copy until it is swapped' : 'Name of the new database'}
        required
        hint={databaseNameRule}
        error={errors['name']}
      >
        {(control) => (
          <Input
            {...control}
            value={draft.name}
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
            onChange={({ target }) => onChange({ name: target.value })}
          />
        )}
      </Field>
      <Field label="Size" error={errors['plan']}>
        {(control) => (
          <Select
            {...control}
            className="w-full"
            value={draft.plan}
            options={databasePlanIds.map((value) => ({ value, label: planLabels[value] }))}
            onChange={({ target }) => {
              const chosen = databasePlanIds.find((each) => each === target.value)
              if (chosen !== undefined) onChange({ plan: chosen })
            }}
          />
        )}
      </Field>
    </>
  )
}

export function Place({
  value,
  chosen,
  onChoose,
  title,
  badge,
  children,
}: {
  value: RestorePlace
  chosen: RestorePlace
  onChoose: (place: RestorePlace) => void
  title: string
  badge?: string
  children: ReactNode
}) {
  return (
    <label
      className={cx(
        'flex min-h-9 cursor-pointer flex-wrap items-center gap-x-3 gap-y-0.5 border-line px-3 py-2 not-first-of-type:border-t touch:min-h-11',
        value === chosen && 'bg-accent-soft',
      )}
    >
      <input
        type="radio"
        name="place"
        className="size-4 shrink-0 accent-accent"
        checked={value === chosen}
        onChange={() => onChoose(value)}
      />
      <span className="min-w-0 flex-1 basis-60">
        <span className="font-medium break-words">{title}</span>{' '}
        <span className="ml-1 text-text-2">{children}</span>
      </span>
      {badge === undefined ? null : <Badge>{badge}</Badge>}
    </label>
  )
}
