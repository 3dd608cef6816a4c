import { useMembers } from '../../data/members.ts'
import { Field } from '../../ui/field.tsx'
import { Input } from '../../ui/input.tsx'
import { Select } from '../../ui/select.tsx'
import { ExpressionInput } from '../../entities/metrics/expression-input.tsx'
import { SourceSelect, useHasSources } from '../../entities/metrics/source-select.tsx'
import { TextArea } from '../../ui/text-area.tsx'
import type { FieldErrors } from '../../lib/use-submission.ts'
import type { AlertDraft } from './alert-draft.ts'

const kinds = [
  { value: 'threshold', label: 'Threshold: a value is beyond a limit' },
  { value: 'change', label: 'Change: a value rises or falls' },
  { value: 'forecast', label: 'Forecast: a value will reach a limit' },
  { value: 'absence', label: 'Absence: nothing is measured' },
]
const severities = [
  { value: 'warning', label: 'Warning' },
  { value: 'critical', label: 'Critical' },
]
const audiences = [
  { value: 'owner', label: 'The owner' },
  { value: 'admins', label: 'Admins and owners of the organization' },
  { value: 'everyone', label: 'Everyone' },
]
const units = [
  { value: 'percent', label: 'per cent' },
  { value: 'absolute', label: 'in its unit' },
]

export interface AlertFieldsProps {
  draft: AlertDraft
  errors: FieldErrors
  onChange: (part: Partial<AlertDraft>) => void
}

/** The fields of an alert. Values of selects are those of the draft's unions. */
export function AlertFields({ draft, errors, onChange }: AlertFieldsProps) {
  const members = useMembers({ limit: 200 }).data?.members ?? []
  return (
    <>
      <Field label="Name" required error={errors['name']}>
        {(control) => (
          <Input
            {...control}
            value={draft.name}
            autoComplete="off"
            onChange={(event) => onChange({ name: event.target.value })}
          />
        )}
      </Field>
      <SourceField draft={draft} onChange={onChange} />
      <Field
        label="Expression"
        required
        hint="PromQL. Each series that it selects is watched by itself."
        error={errors['expr']}
      >
        {(control) => (
          <ExpressionInput
            {...control}
            rows={3}
            source={sourceIdOf(draft)}
            value={draft.expr}
            onChange={(expr) => onChange({ expr })}
          />
        )}
      </Field>
      <ConditionFields draft={draft} errors={errors} onChange={onChange} />
      <div className="grid gap-4 sm:grid-cols-3">
        <Field label="Severity" required error={errors['severity']}>
          {(control) => (
            <Select
              {...control}
              options={severities}
              value={draft.severity}
              onChange={(event) =>
                onChange({ severity: event.target.value === 'critical' ? 'critical' : 'warning' })
              }
            />
          )}
        </Field>
        <Field label="Owner" required={false} error={errors['ownerId']}>
          {(control) => (
            <Select
              {...control}
              options={[
                ...(draft.owner === undefined ? [{ value: 'me', label: 'Me' }] : []),
                { value: '', label: 'Nobody' },
                ...members.map(({ id, name }) => ({ value: String(id), label: name })),
              ]}
              value={draft.owner ?? 'me'}
              onChange={(event) =>
                onChange({ owner: event.target.value === 'me' ? undefined : event.target.value })
              }
            />
          )}
        </Field>
        <Field label="Notifies" required error={errors['audience']}>
          {(control) => (
            <Select
              {...control}
              options={audiences}
              value={draft.audience}
              onChange={(event) =>
                // The values are those of the options.
                onChange({ audience: event.target.value as AlertDraft['audience'] })
              }
            />
          )}
        </Field>
      </div>
      <Field label="What to do when it fires" required={false} error={errors['description']}>
        {(control) => (
          <TextArea
            {...control}
            rows={3}
            value={draft.description}
            onChange={(event) => onChange({ description: event.target.value })}
          />
        )}
      </Field>
    </>
  )
}

const sourceIdOf = ({ source }: AlertDraft) => (source === 'metrics' ? undefined : source)

/** What evaluates the expression, where there is a choice. */
function SourceField({ draft, onChange }: Pick<AlertFieldsProps, 'draft' | 'onChange'>) {
  const source = sourceIdOf(draft)
  if (!useHasSources(source)) return null
  return (
    <Field label="Data source" required>
      {(control) => (
        <SourceSelect
          {...control}
          value={source}
          onChange={(next) => onChange({ source: next ?? 'metrics' })}
        />
      )}
    </Field>
  )
}

function ConditionFields({ draft, errors, onChange }: AlertFieldsProps) {
  const { kind } = draft
  const hasLimit = kind !== 'absence'
  const hasWithin = kind === 'change' || kind === 'forecast'
  const sides =
    kind === 'change'
      ? [
          { value: 'above', label: 'rises by' },
          { value: 'below', label: 'falls by' },
        ]
      : [
          { value: 'above', label: 'above' },
          { value: 'below', label: 'below' },
        ]
  return (
    <>
      <Field label="Fires on" required>
        {(control) => (
          <Select
            {...control}
            options={kinds}
            value={kind}
            // The values are those of the options.
            onChange={(event) => onChange({ kind: event.target.value as AlertDraft['kind'] })}
          />
        )}
      </Field>
      <div className="grid gap-4 sm:grid-cols-3">
        {hasLimit ? (
          <>
            <Field label="Direction" required>
              {(control) => (
                <Select
                  {...control}
                  options={sides}
                  value={draft.side}
                  onChange={(event) => onChange({ side: event.target.value === 'below' ? 'below' : 'above' })}
                />
              )}
            </Field>
            <Field label={kind === 'change' ? 'By at least' : 'Limit'} required error={errors['limit']}>
              {(control) => (
                <Input
                  {...control}
                  inputMode="decimal"
                  value={draft.limit}
                  onChange={(event) => onChange({ limit: event.target.value })}
                />
              )}
            </Field>
          </>
        ) : null}
        {kind === 'change' ? (
          <Field label="Measured" required>
            {(control) => (
              <Select
                {...control}
                options={units}
                value={draft.isPercent ? 'percent' : 'absolute'}
                onChange={(event) => onChange({ isPercent: event.target.value === 'percent' })}
              />
            )}
          </Field>
        ) : null}
        {hasWithin ? (
          <Field label="Within (minutes)" required error={errors['within']}>
            {(control) => (
              <Input
                {...control}
                inputMode="numeric"
                value={draft.withinMinutes}
                onChange={(event) => onChange({ withinMinutes: event.target.value })}
              />
            )}
          </Field>
        ) : null}
        <Field label="For (minutes)" required error={errors['forMs']}>
          {(control) => (
            <Input
              {...control}
              inputMode="numeric"
              value={draft.forMinutes}
              onChange={(event) => onChange({ forMinutes: event.target.value })}
            />
          )}
        </Field>
      </div>
    </>
  )
}
