import { resourceQueryLimits } from '@bey/contract'
import { useMetricSources } from '../../data/metric-sources.ts'
import { useList } from '../../data/use-read.ts'
import { Field } from '../../ui/field.tsx'
import { Input } from '../../ui/input.tsx'
import { Select } from '../../ui/select.tsx'
import { ExpressionInput } from '../../entities/metrics/expression-input.tsx'
import { TextArea } from '../../ui/text-area.tsx'
import type { FieldErrors } from '../../lib/use-submission.ts'
import type { AlertDraft } from './alert-draft.ts'

const kinds = [
  { value: 'threshold', label: 'Threshold: a value is beyond a limit' },
  { value: 'change', label: 'Change: a value rises or falls' },
  { value: 'forecast', label: 'Forecast: a value will reach a limit' },
  { value: 'absence', label: 'Absence: nothing is measured' },
]
const resourceKinds = [
  { value: 'match', label: 'Match: a resource matches, each by itself' },
  { value: 'threshold', label: 'Threshold: how many match is beyond a limit' },
  { value: 'change', label: 'Change: how many match rises or falls' },
  { value: 'absence', label: 'Absence: nothing matches' },
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
  const members = useList('members.list', { query: { limit: 200 } }).data?.members ?? []
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
      {draft.source === 'resources' ? (
        <Field
          label="Query"
          required
          hint="As in the list of resources: kind:secret expires:<14d"
          error={errors['expr']}
        >
          {(control) => (
            <Input
              {...control}
              className="font-mono text-small"
              value={draft.expr}
              maxLength={resourceQueryLimits.length}
              autoComplete="off"
              spellCheck={false}
              onChange={(event) => onChange({ expr: event.target.value })}
            />
          )}
        </Field>
      ) : (
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
      )}
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

const sourceIdOf = ({ source }: AlertDraft) =>
  source === 'metrics' || source === 'resources' ? undefined : source

/** What is watched: metrics, the inventory, or a data source. */
function SourceField({ draft, onChange }: Pick<AlertFieldsProps, 'draft' | 'onChange'>) {
  const sources = useMetricSources() ?? []
  const source = sourceIdOf(draft)
  const isGone = source !== undefined && !sources.some(({ id }) => id === source)
  const choose = (next: string) => {
    const { kind } = draft
    const isOther = (next === 'resources') !== (draft.source === 'resources')
    onChange({
      source: next,
      ...(isOther && {
        expr: '',
        kind: next === 'resources' ? 'match' : kind === 'match' ? 'threshold' : kind,
        ...(next === 'resources' && { forMinutes: '0' }),
      }),
    })
  }
  return (
    <Field label="Watches" required>
      {(control) => (
        <Select
          {...control}
          value={draft.source}
          onChange={(event) => choose(event.target.value)}
          options={[
            { value: 'metrics', label: 'Metrics' },
            { value: 'resources', label: 'Inventory of resources' },
            ...sources.map(({ id, name }) => ({ value: id, label: `Data source: ${name}` })),
            ...(isGone ? [{ value: source, label: 'A data source that is gone' }] : []),
          ]}
        />
      )}
    </Field>
  )
}

function ConditionFields({ draft, errors, onChange }: AlertFieldsProps) {
  const { kind } = draft
  const hasLimit = kind !== 'absence' && kind !== 'match'
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
      <Field label="Fires on" required error={errors['condition']}>
        {(control) => (
          <Select
            {...control}
            options={draft.source === 'resources' ? resourceKinds : kinds}
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
