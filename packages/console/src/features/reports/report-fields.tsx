import { reportKindRules, reportPeriodLabels, type ReportPeriod, reportPeriods } from '@bey/contract'
import { useList, useRead } from '../../data/use-read.ts'
import { timeZoneOptions } from '../../lib/time-zones.ts'
import { Checkbox } from '../../ui/checkbox.tsx'
import { Field } from '../../ui/field.tsx'
import { Select } from '../../ui/select.tsx'
import { type ReportDraft, schedules } from './report-draft.ts'

interface FieldsProps {
  draft: ReportDraft
  onChange: (part: Partial<ReportDraft>) => void
}

/** Period, time zone, clusters, comparison and sections. */
export function CoversFields({ draft, onChange }: FieldsProps) {
  const rule = reportKindRules[draft.kind]
  const clusters = useRead(
    'clusters.list',
    { query: { limit: 50, sort: 'title', order: 'asc' } },
    { isEnabled: rule.hasClusters },
  )
  const known = clusters.data?.clusters ?? []
  const gone = draft.clusterIds.filter((id) => clusters.data && !known.some((each) => each.id === id))
  return (
    <>
      {rule.hasPeriod ? (
        <Field label="Period">
          {(control) => (
            <Select
              {...control}
              value={draft.period}
              onChange={({ target }) => {
                // The options are the periods.
                onChange({ period: target.value as ReportPeriod })
              }}
              options={reportPeriods.map((value) => ({ value, label: reportPeriodLabels[value] }))}
            />
          )}
        </Field>
      ) : null}
      <Field label="Time zone">
        {(control) => (
          <Select
            {...control}
            className="max-w-full"
            value={draft.timeZone}
            onChange={({ target }) => onChange({ timeZone: target.value })}
            options={timeZoneOptions(draft.timeZone)}
          />
        )}
      </Field>
      {rule.hasPeriod ? (
        <Checkbox
          label="Compare with the period before"
          checked={draft.isCompared}
          onChange={({ target }) => onChange({ isCompared: target.checked })}
        />
      ) : null}
      {rule.hasClusters && known.length + gone.length > 0 ? (
        <CheckList
          legend="Clusters"
          hint={draft.clusterIds.length === 0 ? 'All clusters' : `${draft.clusterIds.length} chosen`}
          options={[
            ...known.map(({ id, title }) => ({ value: id, label: title })),
            ...gone.map((id) => ({ value: id, label: `Cluster ${id}, deleted` })),
          ]}
          values={draft.clusterIds}
          onChange={(clusterIds) => onChange({ clusterIds })}
        />
      ) : null}
      <CheckList
        legend="Sections"
        hint="The summary is always there"
        options={Object.entries(rule.sections).map(([value, label]) => ({ value, label }))}
        values={Object.keys(rule.sections).filter((id) => !draft.hiddenSections.includes(id))}
        onChange={(shown) =>
          onChange({ hiddenSections: Object.keys(rule.sections).filter((id) => !shown.includes(id)) })
        }
      />
    </>
  )
}

/** Schedule and recipients. Without mail it says so before anything is saved. */
export function GoesOutFields({
  draft,
  onChange,
  isMailConfigured,
}: FieldsProps & { isMailConfigured: boolean | undefined }) {
  const members = useList('members.list', { query: { limit: 50, sort: 'name' } }).data?.members ?? []
  const isOther = schedules.every(({ value }) => value !== draft.schedule)
  return (
    <>
      <Field label="Schedule">
        {(control) => (
          <Select
            {...control}
            value={draft.schedule}
            onChange={({ target }) => onChange({ schedule: target.value })}
            options={[...schedules, ...(isOther ? [{ value: draft.schedule, label: draft.schedule }] : [])]}
          />
        )}
      </Field>
      <CheckList
        legend="Recipients"
        hint={
          isMailConfigured === false
            ? 'No mail server is configured: recipients are not mailed, and find the issue here.'
            : 'Each gets the summary by mail with a link to the issue'
        }
        options={members.map(({ id, name }) => ({ value: id, label: name }))}
        values={draft.recipients}
        onChange={(recipients) => onChange({ recipients })}
      />
    </>
  )
}

interface CheckListProps<T> {
  legend: string
  hint: string
  options: readonly { value: T; label: string }[]
  values: readonly T[]
  onChange: (values: T[]) => void
}

function CheckList<T extends string | number>({
  legend,
  hint,
  options,
  values,
  onChange,
}: CheckListProps<T>) {
  return (
    <fieldset className="min-w-0">
      <legend className="font-medium">{legend}</legend>
      <p className="mb-1 text-small text-text-3">{hint}</p>
      <div className="flex max-h-56 flex-col gap-1 overflow-y-auto">
        {options.map(({ value, label }) => (
          <Checkbox
            key={value}
            label={<span className="break-words">{label}</span>}
            checked={values.includes(value)}
            onChange={({ target }) =>
              onChange(target.checked ? [...values, value] : values.filter((each) => each !== value))
            }
          />
        ))}
      </div>
    </fieldset>
  )
}
