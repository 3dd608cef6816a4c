import { deniedReason } from '@bey/contract'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { useAlertReplay } from '../../data/alerts.ts'
import { useRole } from '../../data/session.ts'
import { useStaleReason } from '../../data/stale-reason.ts'
import { useChange } from '../../data/use-change.ts'
import { alertHref } from '../../entities/alerts/alert-text.ts'
import { useSubmission } from '../../lib/use-submission.ts'
import { FormPage } from '../../ui/form-page.tsx'
import { type AlertDraft, draftProblems, filledDraft, judgedOf, ruleOf } from './alert-draft.ts'
import { AlertFields } from './alert-fields.tsx'
import { ReplaySummary } from './replay-summary.tsx'
import { useRested } from './use-rested.ts'

/**
 * Writes an alert, with how often it would have fired beside it. `?expr=`, `name`, `limit` and `side` fill the form, as
 * `alertCreateHref` writes them.
 */
export function AlertCreatePage() {
  const search: Record<string, unknown> = useSearch({ strict: false })
  const [given] = useState(() => filledDraft(search))
  const [draft, setDraft] = useState(given)
  const navigate = useNavigate()
  const stale = useStaleReason()
  const denied = deniedReason(useRole(), 'alerts.create')
  const judged = judgedOf(draft)
  const rested = useRested(judged)
  const replay = useAlertReplay(rested && { ...rested, days: 7 })
  const rule = ruleOf(draft)
  const {
    errors,
    refusal,
    onChange,
    wasSubmitted: _,
    ...submission
  } = useSubmission({
    mutation: useChange('alerts.create'),
    invalid: draftProblems(draft),
    input: rule && { body: rule },
    lost:
      draft === given || (draft.name === '' && draft.expr === '') ? undefined : 'the alert that you describe',
    fieldOfCode: { name_taken: 'name' },
    onSaved: ({ id }) => void navigate({ href: alertHref(id), replace: true }),
  })
  const change = (part: Partial<AlertDraft>) => {
    setDraft({ ...draft, ...part })
    onChange()
  }
  return (
    <FormPage
      title="Create alert"
      description="It is evaluated every 30 s as soon as it is created."
      {...submission}
      refusal={refusal === undefined ? undefined : { title: 'The alert was not created', detail: refusal }}
      disabledReason={denied ?? stale}
      cancelHref="/analytics/alerts"
      summary={
        <ReplaySummary
          judged={rested}
          replay={replay}
          onLimit={(limit) => change({ limit: String(limit) })}
        />
      }
    >
      <AlertFields draft={draft} errors={errors} onChange={change} />
    </FormPage>
  )
}
