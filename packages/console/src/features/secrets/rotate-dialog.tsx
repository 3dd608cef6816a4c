import type { SecretDetail } from '@bey/contract'
import { defaultGenerator, generatedTypes, secretLimits } from '@bey/contract'
import { useId, useState } from 'react'
import type { SubmitEvent } from 'react'
import { useRead } from '../../data/use-read.ts'
import { useChange } from '../../data/use-change.ts'
import { causeOf, fieldErrorsOf } from '../../lib/error-text.ts'
import { formatCount } from '../../lib/format.ts'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import { Drawer } from '../../ui/drawer.tsx'
import { Field } from '../../ui/field.tsx'
import { Input } from '../../ui/input.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Select } from '../../ui/select.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { toast } from '../../ui/toast.ts'
import { RotationEffects, keyOfUse } from './rotation-effects.tsx'
import { GeneratorLine, generatorOf, OverlapField } from './rotation-options.tsx'
import { effectOf, restartedPods, rotationText } from './rotation-text.ts'
import { knownValue, readValue } from './value-draft.ts'
import { ValueFields } from './value-fields.tsx'

const sources = [
  { value: 'generator', label: 'The server makes a random one; nobody sees it' },
  { value: 'given', label: 'I enter it' },
]

/** Replaces the value after saying what follows, restarts and breaks. */
export function RotateDialog({ secret, onClose }: { secret: SecretDetail; onClose: () => void }) {
  const canGenerate = generatedTypes.includes(secret.type)
  const [source, setSource] = useState(canGenerate ? 'generator' : 'given')
  const generator = secret.rotation?.generator ?? defaultGenerator
  const [options, setOptions] = useState({ ...generator, length: String(generator.length) })
  const [draft, setDraft] = useState(() => knownValue(secret.facts.fields))
  const [hours, setHours] = useState(secret.rotation?.overlapHours ?? null)
  const [reason, setReason] = useState('')
  const [accepted, setAccepted] = useState<ReadonlySet<string>>(new Set())
  const [wasSubmitted, setSubmitted] = useState(false)
  // The version that was current when this opened: a refusal says that it is no longer.
  const [expectedVersion] = useState(secret.currentVersion)
  const usage = useRead('secrets.usage', { params: { id: secret.id } })
  const rotateOnly = useChange('secrets.rotate', { isSecret: true })
  const rotateAndRestart = useChange('secrets.rotateAndRestart', { isSecret: true })
  const hasCopies = usage.data?.uses.some(({ type }) => type === 'cluster') === true
  const [isRun, setRun] = useState(true)
  const withRun = hasCopies && isRun
  const rotate = withRun ? rotateAndRestart : rotateOnly
  const formId = useId()
  const isGenerated = source === 'generator'
  const value = readValue(secret.type, draft)
  const made = generatorOf(options)
  const refused = fieldErrorsOf(rotate.error)
  const errors = { ...refused, ...(wasSubmitted && 'errors' in value ? value.errors : {}) }
  const isReady = reason.trim().length >= 3 && (isGenerated ? made !== undefined : true)
  const open = (usage.data?.uses ?? []).filter(
    (use) => effectOf(use, withRun) === 'breaks' && !accepted.has(keyOfUse(use)),
  )
  const blocked =
    usage.data === undefined
      ? 'What uses this secret is still being read.'
      : open.length > 0
        ? `Tick what may break: ${open.map(({ name }) => name).join(', ')}.`
        : undefined

  const pods = usage.data ? restartedPods(usage.data.uses, withRun) : 0

  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    setSubmitted(true)
    if (!isReady || blocked || rotate.isPending || (!isGenerated && 'errors' in value)) return
    const body = {
      reason: reason.trim(),
      overlapHours: hours,
      expectedVersion,
      ...(isGenerated ? made && { generator: made } : 'value' in value && { value: value.value }),
    }
    if (withRun) {
      rotateAndRestart.mutate(
        { params: { id: secret.id }, body },
        {
          onSuccess({ secret: { currentVersion }, workflowId, runId }) {
            const href = `/workflows/${workflowId}/runs/${runId}`
            const description = 'What uses it is being restarted. Open the run to follow it.'
            toast('success', `${secret.name} is at version ${currentVersion}`, { href, description })
            onClose()
          },
        },
      )
      return
    }
    rotateOnly.mutate(
      { params: { id: secret.id }, body },
      {
        onSuccess({ currentVersion }) {
          toast('success', `${secret.name} is at version ${currentVersion}`)
          onClose()
        },
      },
    )
  }
  return (
    <Drawer
      open
      onOpenChange={(isOpen) => (isOpen ? undefined : onClose())}
      title={`Rotate ${secret.name}`}
      description={`Version ${expectedVersion} → ${expectedVersion + 1}. ${usage.data ? rotationText(usage.data.uses, withRun) : ''}`}
      width="wide"
      isModalStrict
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            type="submit"
            form={formId}
            variant="primary"
            busy={rotate.isPending}
            disabled={!isReady}
            disabledReason={blocked}
          >
            {pods > 0 ? `Rotate and restart ${formatCount(pods, 'pod')}` : 'Rotate now'}
          </Button>
        </>
      }
    >
      <form id={formId} onSubmit={submit} className="flex flex-col gap-4 pb-1">
        {usage.data ? (
          <RotationEffects
            uses={usage.data.uses}
            isRun={withRun}
            accepted={accepted}
            onAccept={setAccepted}
          />
        ) : (
          <Skeleton className="h-9" />
        )}
        {canGenerate ? (
          <Field label="New value">
            {(control) => (
              <Select
                {...control}
                className="w-full"
                value={source}
                options={sources}
                onChange={(event) => setSource(event.target.value)}
              />
            )}
          </Field>
        ) : null}
        {isGenerated ? (
          <GeneratorLine draft={options} onChange={setOptions} />
        ) : (
          <ValueFields type={secret.type} draft={draft} onChange={setDraft} errors={errors} isChange />
        )}
        <OverlapField hours={hours} onChange={setHours} />
        {hasCopies ? (
          <Checkbox
            label="Restart what uses it, and restore this value if that fails"
            hint="One run writes the copies in clusters, restarts the workloads that mount them and waits until they run."
            checked={isRun}
            onChange={(event) => setRun(event.target.checked)}
          />
        ) : null}
        <Field label="Reason" required hint="Kept with the version and in the audit trail.">
          {(control) => (
            <Input
              {...control}
              {...(isGenerated && { 'data-initial-focus': '' })}
              value={reason}
              maxLength={secretLimits.reason}
              autoComplete="off"
              onChange={(event) => setReason(event.target.value)}
            />
          )}
        </Field>
        {rotate.error && Object.keys(refused).length === 0 ? (
          <Notice tone="danger" title="The value was not rotated">
            {causeOf(rotate.error)}
          </Notice>
        ) : null}
      </form>
    </Drawer>
  )
}
