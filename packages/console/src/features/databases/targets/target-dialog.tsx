import type { BackupTarget, CallOutput } from '@bey/contract'
import { useState } from 'react'
import { useChange } from '../../../data/use-change.ts'
import { causeOf } from '../../../lib/error-text.ts'
import { formatDuration } from '../../../lib/format.ts'
import { useSubmission } from '../../../lib/use-submission.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { toast } from '../../../ui/toast.ts'
import { accessOf, draftOf, emptyTarget, invalidIn, type TargetDraft } from './target-draft.ts'
import { TargetFields } from './target-fields.tsx'

export interface TargetDialogProps {
  /** The one that is changed; undefined: a new one. */
  target: BackupTarget | undefined
  onClose: () => void
}

const formId = 'backup-target'

/** Names a bucket for backups, or changes how it is reached, with a trial that stores nothing. */
export function TargetDialog({ target, onClose }: TargetDialogProps) {
  const isNew = target === undefined
  const before = isNew ? emptyTarget : draftOf(target)
  const [draft, setDraft] = useState<TargetDraft>(before)
  const create = useChange('databases.backupTargets.create', { isSecret: true })
  const update = useChange('databases.backupTargets.update', { isSecret: true })
  const trial = useChange('databases.backupTargets.test', { isSecret: true })
  const invalid = invalidIn(draft, isNew)
  const isChanged = JSON.stringify(draft) !== JSON.stringify(before)
  const shared = {
    invalid,
    lost: isChanged ? 'the bucket that you describe' : undefined,
    fieldOfCode: { name_taken: 'name' },
    onSaved: () => {
      toast('success', isNew ? 'The bucket can be chosen for backups' : 'The bucket was changed')
      onClose()
    },
  } as const
  const name = draft.name.trim()
  const { secretAccessKey, ...access } = accessOf(draft)
  const creation = useSubmission({
    ...shared,
    mutation: create,
    input: { body: { name, ...access, secretAccessKey } },
  })
  const change = useSubmission({
    ...shared,
    mutation: update,
    input: target && {
      params: { id: target.id },
      body: { name, ...access, ...(secretAccessKey === '' ? {} : { secretAccessKey }) },
    },
  })
  const { errors, refusal, isBusy, onChange, onSubmit } = isNew ? creation : change
  const cannotTry =
    Object.keys(invalidIn({ ...draft, name: 'any' }, true)).length === 0
      ? undefined
      : isNew
        ? 'Fill in the fields first.'
        : 'Enter the secret access key to try it before it is stored.'
  return (
    <Dialog
      open
      onOpenChange={(open) => (open ? undefined : onClose())}
      title={isNew ? 'Add bucket' : `Change ${target.name}`}
      size="wide"
      isModalStrict
      footer={
        <>
          <Button
            busy={trial.isPending}
            disabledReason={cannotTry}
            onClick={() => trial.mutate({ body: accessOf(draft) })}
          >
            Test
          </Button>
          <span className="flex-1" />
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form={formId} variant="primary" busy={isBusy}>
            {isNew ? 'Add bucket' : 'Save'}
          </Button>
        </>
      }
    >
      <form
        id={formId}
        noValidate
        aria-label={isNew ? 'Add bucket' : 'Change bucket'}
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          onSubmit()
        }}
      >
        <TargetFields
          draft={draft}
          errors={errors}
          isNew={isNew}
          isUsed={(target?.databases ?? 0) > 0}
          onChange={(part) => {
            setDraft({ ...draft, ...part })
            trial.reset()
            onChange()
          }}
        />
        <div aria-live="polite" className="flex flex-col gap-3 empty:hidden">
          {trial.data ? <TrialResult result={trial.data} /> : null}
          {trial.error ? <SeenNotice title="It was not tested" text={causeOf(trial.error)} /> : null}
          {refusal === undefined ? null : (
            <SeenNotice
              title={isNew ? 'The bucket was not added' : 'The bucket was not changed'}
              text={refusal}
            />
          )}
        </div>
      </form>
    </Dialog>
  )
}

function TrialResult({ result }: { result: CallOutput<'databases.backupTargets.test'> }) {
  const { isGood, problem, durationMs } = result
  return isGood ? (
    <SeenNotice
      tone="info"
      title={`It works, in ${formatDuration(durationMs)}`}
      text="A small object was written, read, listed and removed."
    />
  ) : (
    <SeenNotice title="It does not work" text={problem} />
  )
}

/** A notice below the fields that is scrolled to when it appears. */
function SeenNotice(props: { tone?: 'info' | 'danger'; title: string; text: string | null }) {
  const { tone = 'danger', title, text } = props
  return (
    <div ref={(element) => element?.scrollIntoView({ block: 'nearest' })}>
      <Notice tone={tone} title={title}>
        {text}
      </Notice>
    </div>
  )
}
