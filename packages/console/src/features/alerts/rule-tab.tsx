import { useState } from 'react'
import { type Alert, useAlertReplay } from '../../data/alerts.ts'
import { useChange } from '../../data/use-change.ts'
import { useAlertActions } from './use-alert-actions.ts'
import { useSubmission } from '../../lib/use-submission.ts'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { toast } from '../../ui/toast.ts'
import { type AlertDraft, draftOf, draftProblems, judgedOf, ruleOf } from './alert-draft.ts'
import { AlertFields } from './alert-fields.tsx'
import { ReplaySummary } from './replay-summary.tsx'
import { useRested } from './use-rested.ts'

/** Changes the rule of an alert, with how often it would have fired beside it. */
export function RuleTab({ alert }: { alert: Alert }) {
  const before = draftOf(alert)
  const [draft, setDraft] = useState(before)
  const { updateReason } = useAlertActions(alert)
  const judged = judgedOf(draft)
  const rested = useRested(judged)
  const replay = useAlertReplay(rested && { ...rested, days: 7, alertId: alert.id })
  const rule = ruleOf(draft)
  const isSame = JSON.stringify(draft) === JSON.stringify(before)
  const { errors, refusal, onChange, onSubmit, isBusy } = useSubmission({
    mutation: useChange('alerts.update'),
    invalid: draftProblems(draft),
    input: rule && { params: { id: alert.id }, body: { ...rule, version: alert.version } },
    lost: isSame ? undefined : 'the changes of this alert',
    fieldOfCode: { name_taken: 'name' },
    onSaved: () => toast('success', 'The alert was changed. It begins anew with the new rule.'),
  })
  const change = (part: Partial<AlertDraft>) => {
    setDraft({ ...draft, ...part })
    onChange()
  }
  return (
    <form
      noValidate
      aria-label="Change alert"
      className="grid items-start gap-x-10 gap-y-8 px-(--gutter) py-6 lg:grid-cols-[minmax(0,1fr)_28rem]"
      onSubmit={(event) => {
        event.preventDefault()
        onSubmit()
      }}
    >
      <div className="flex min-w-0 flex-col gap-6">
        <AlertFields draft={draft} errors={errors} onChange={change} />
      </div>
      <div className="flex min-w-0 flex-col gap-4">
        <ReplaySummary
          judged={rested}
          replay={replay}
          onLimit={(limit) => change({ limit: String(limit) })}
        />
        {refusal === undefined ? null : (
          <Notice tone="danger" title="The alert was not changed">
            {refusal}
          </Notice>
        )}
        <Button
          type="submit"
          variant="primary"
          busy={isBusy}
          disabledReason={updateReason ?? (isSame ? 'Nothing is changed.' : undefined)}
        >
          Save changes
        </Button>
      </div>
    </form>
  )
}
