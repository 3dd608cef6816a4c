import { deniedReason, reportKindRules } from '@bey/contract'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { useReportPreview } from '../../data/reports.ts'
import { useRole } from '../../data/session.ts'
import { useStaleReason } from '../../data/stale-reason.ts'
import { useChange } from '../../data/use-change.ts'
import { failureOf } from '../../lib/failed-query.ts'
import { useSubmission } from '../../lib/use-submission.ts'
import { ErrorState } from '../../ui/error-state.tsx'
import { Field } from '../../ui/field.tsx'
import { FormPage } from '../../ui/form-page.tsx'
import { Input } from '../../ui/input.tsx'
import { Select } from '../../ui/select.tsx'
import { PaperFrame } from './paper-frame.tsx'
import { asKind, kindsFor, newDraft, parametersOf, type ReportDraft } from './report-draft.ts'
import { CoversFields, GoesOutFields } from './report-fields.tsx'

/** Describes a report with what it says now below it. `?type=` opens the form with a kind. */
export function ReportCreatePage() {
  const search: { type?: unknown } = useSearch({ strict: false })
  const role = useRole()
  const kinds = kindsFor(role ?? 'VIEWER')
  const [draft, setDraft] = useState(() => newDraft(asKind(search.type) ?? 'reliability'))
  const navigate = useNavigate()
  const stale = useStaleReason()
  const parameters = parametersOf(draft)
  const preview = useReportPreview({ kind: draft.kind, parameters })
  const { name, kind, schedule, recipients } = draft
  const {
    errors,
    refusal,
    onChange,
    wasSubmitted: _,
    ...submission
  } = useSubmission({
    mutation: useChange('reports.create'),
    invalid: name.trim() === '' ? { name: 'Enter a name for the report.' } : {},
    input:
      name.trim() === ''
        ? undefined
        : {
            body: {
              name: name.trim(),
              kind,
              parameters,
              schedule: schedule === '' ? null : schedule,
              recipients,
            },
          },
    lost: undefined,
    fieldOfCode: { name_taken: 'name' },
    onSaved: ({ id }) => void navigate({ href: `/analytics/reports/${id}`, replace: true }),
  })
  const change = (part: Partial<ReportDraft>) => {
    setDraft({ ...draft, ...part })
    onChange()
  }
  const failure = failureOf('Failed to preview the report', preview)
  return (
    <FormPage
      title="Create report"
      description={`${reportKindRules[kind].label}: ${reportKindRules[kind].about}`}
      {...submission}
      refusal={refusal === undefined ? undefined : { title: 'The report was not created', detail: refusal }}
      disabledReason={deniedReason(role, 'reports.create') ?? stale}
      cancelHref="/analytics/reports"
      summary={
        <section aria-label="Preview" className="bg-active p-2">
          {failure ? <ErrorState {...failure} isCompact /> : null}
          {preview.data && !failure ? (
            <PaperFrame
              title="Preview of the report"
              html={preview.data.html}
              isStale={preview.isPlaceholderData}
            />
          ) : null}
        </section>
      }
    >
      <Field label="Kind">
        {(control) => (
          <Select
            {...control}
            value={kind}
            onChange={({ target }) => {
              const next = asKind(target.value)
              if (next === undefined) return
              const isNamed = name !== reportKindRules[kind].label
              change({
                kind: next,
                hiddenSections: [],
                ...(isNamed ? {} : { name: reportKindRules[next].label }),
              })
            }}
            options={kinds.map((value) => ({ value, label: reportKindRules[value].label }))}
          />
        )}
      </Field>
      <Field label="Name" required error={errors['name']}>
        {(control) => (
          <Input
            {...control}
            value={name}
            autoComplete="off"
            onChange={({ target }) => change({ name: target.value })}
          />
        )}
      </Field>
      <CoversFields draft={draft} onChange={change} />
      <GoesOutFields draft={draft} onChange={change} isMailConfigured={preview.data?.isMailConfigured} />
    </FormPage>
  )
}
