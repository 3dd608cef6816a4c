import type { CallOutput, MetricSource } from '@bey/contract'
import { useState } from 'react'
import { useChange } from '../../../data/use-change.ts'
import { causeOf } from '../../../lib/error-text.ts'
import { formatDuration } from '../../../lib/format.ts'
import { useSubmission } from '../../../lib/use-submission.ts'
import { Button } from '../../../ui/button.tsx'
import { Checkbox } from '../../../ui/checkbox.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { toast } from '../../../ui/toast.ts'
import { draftOf, emptySource, invalidIn, type SourceDraft, targetOf } from './source-draft.ts'
import { SourceFields } from './source-fields.tsx'

export interface SourceDialogProps {
  /** The one that is changed; undefined: a new one. */
  source: MetricSource | undefined
  onClose: () => void
}

const formId = 'metric-source'

/** Names a Prometheus-compatible store, or changes how it is reached. It is tested before it is stored. */
export function SourceDialog({ source, onClose }: SourceDialogProps) {
  const isNew = source === undefined
  const before = isNew ? emptySource : draftOf(source)
  const [draft, setDraft] = useState<SourceDraft>(before)
  const [isUntested, setUntested] = useState(false)
  const trial = useChange('metrics.sources.test')
  const shared = {
    invalid: invalidIn(draft),
    lost: JSON.stringify(draft) === JSON.stringify(before) ? undefined : 'the data source that you describe',
    fieldOfCode: { name_taken: 'name' },
    onSaved: () => {
      toast('success', isNew ? 'The data source can be chosen' : 'The data source was changed')
      onClose()
    },
  } as const
  const body = { name: draft.name.trim(), target: targetOf(draft), isUntested }
  const creation = useSubmission({
    ...shared,
    mutation: useChange('metrics.sources.create'),
    input: { body },
  })
  const change = useSubmission({
    ...shared,
    mutation: useChange('metrics.sources.update'),
    input: source && { params: { id: source.id }, body },
  })
  const { errors, refusal, isBusy, onChange, onSubmit } = isNew ? creation : change
  const failed = errors['target'] ?? refusal
  const cannotTry =
    Object.keys(invalidIn(draft, false)).length === 0 ? undefined : 'Fill in the fields first.'
  return (
    <Dialog
      open
      onOpenChange={(open) => (open ? undefined : onClose())}
      title={isNew ? 'Add data source' : `Change ${source.name}`}
      size="wide"
      isModalStrict
      footer={
        <>
          <Button
            busy={trial.isPending}
            disabledReason={cannotTry}
            onClick={() => trial.mutate({ body: { target: targetOf(draft) } })}
          >
            Test
          </Button>
          <span className="flex-1" />
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form={formId} variant="primary" busy={isBusy}>
            {isNew ? 'Add data source' : 'Save'}
          </Button>
        </>
      }
    >
      <form
        id={formId}
        noValidate
        aria-label={isNew ? 'Add data source' : 'Change data source'}
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          onSubmit()
        }}
      >
        <SourceFields
          draft={draft}
          errors={errors}
          onChange={(part) => {
            setDraft({ ...draft, ...part })
            trial.reset()
            onChange()
          }}
        />
        <div aria-live="polite" className="flex flex-col gap-3 empty:hidden">
          {trial.data ? <TrialResult result={trial.data} /> : null}
          {trial.error ? (
            <Notice tone="danger" title="It was not tested">
              {causeOf(trial.error)}
            </Notice>
          ) : null}
          {failed === undefined ? null : (
            <>
              <Notice
                tone="danger"
                title={isNew ? 'The data source was not added' : 'The data source was not changed'}
              >
                {failed}
              </Notice>
              <Checkbox
                label="Save it although the test failed"
                checked={isUntested}
                onChange={(event) => setUntested(event.target.checked)}
              />
            </>
          )}
        </div>
      </form>
    </Dialog>
  )
}

function TrialResult({ result: { problem, durationMs } }: { result: CallOutput<'metrics.sources.test'> }) {
  return problem === null ? (
    <Notice tone="info" title={`It works, in ${formatDuration(durationMs)}`}>
      It answers queries as Prometheus does.
    </Notice>
  ) : (
    <Notice tone="danger" title="It does not work">
      {problem}
    </Notice>
  )
}
