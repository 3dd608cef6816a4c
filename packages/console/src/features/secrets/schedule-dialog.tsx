import type { SecretDetail } from '@bey/contract'
import { defaultGenerator, generatedTypes, secretLimits } from '@bey/contract'
import { useState } from 'react'
import type { SubmitEvent } from 'react'
import { useChange } from '../../data/use-change.ts'
import { useList } from '../../data/use-read.ts'
import { causeOf } from '../../lib/error-text.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { Input } from '../../ui/input.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Select } from '../../ui/select.tsx'
import { toast } from '../../ui/toast.ts'
import { GeneratorFields, generatorOf, OverlapField } from './rotation-options.tsx'

/** Lets the server make a new value every so many days, or ends that. */
export function ScheduleDialog({ secret, onClose }: { secret: SecretDetail; onClose: () => void }) {
  const { rotation } = secret
  const generator = rotation?.generator ?? defaultGenerator
  const [days, setDays] = useState(String(rotation?.everyDays ?? 30))
  const [options, setOptions] = useState({ ...generator, length: String(generator.length) })
  const [hours, setHours] = useState(rotation?.overlapHours ?? null)
  const canGenerate = generatedTypes.includes(secret.type)
  const [workflowId, setWorkflowId] = useState(rotation?.workflowId ?? '')
  const workflows = useList('workflows.list', { query: { limit: 200, state: 'active' } })
  const own = workflows.data?.workflows.filter(({ isBuiltIn }) => !isBuiltIn) ?? []
  const update = useChange('secrets.update', { isSecret: true })
  const everyDays = Number(days)
  const isValid = Number.isInteger(everyDays) && everyDays >= 1 && everyDays <= secretLimits.rotationDays
  const made = generatorOf(options)
  const isUnmade = !canGenerate && workflowId === ''
  const save = (next: SecretDetail['rotation'], message: string) =>
    update.mutate(
      { params: { id: secret.id }, body: { rotation: next } },
      {
        onSuccess: () => {
          toast('success', message)
          onClose()
        },
      },
    )
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (!isValid || !made || isUnmade || update.isPending) return
    const next = {
      everyDays,
      generator: made,
      overlapHours: hours,
      ...(workflowId !== '' && { workflowId }),
    }
    save(next, `${secret.name} is rotated every ${days === '1' ? 'day' : `${days} days`}`)
  }
  return (
    <Dialog
      open
      onOpenChange={(isOpen) => (isOpen ? undefined : onClose())}
      title="Rotation schedule"
      description={secret.name}
      isModalStrict
    >
      <form onSubmit={submit} className="flex flex-col gap-4 pb-1">
        <Field
          label="Interval in days"
          className="max-w-48"
          error={isValid ? undefined : `Enter a number from 1 to ${secretLimits.rotationDays}.`}
        >
          {(control) => (
            <Input
              {...control}
              data-initial-focus=""
              inputMode="numeric"
              value={days}
              onChange={(event) => setDays(event.target.value)}
            />
          )}
        </Field>
        <Field
          label="New value by"
          hint="A workflow gets `secret_id` and `secret`, the name, as its input, and stores the value itself."
        >
          {(control) => (
            <Select
              {...control}
              className="w-full"
              value={workflowId}
              options={[
                { value: '', label: canGenerate ? 'The server, at random' : 'Choose a workflow' },
                ...own.map(({ id, name }) => ({ value: id, label: name })),
              ]}
              onChange={(event) => setWorkflowId(event.target.value)}
            />
          )}
        </Field>
        {workflowId === '' && canGenerate ? (
          <>
            <GeneratorFields draft={options} onChange={setOptions} />
            <OverlapField hours={hours} onChange={setHours} />
          </>
        ) : null}
        <p className="text-small text-text-2">
          A value that the server makes is never shown. Where a rotation fails, the managers of the secret are
          notified, and it is tried again.
        </p>
        {update.error ? (
          <Notice tone="danger" title="The schedule was not changed">
            {causeOf(update.error)}
          </Notice>
        ) : null}
        <div className="flex flex-wrap justify-end gap-2">
          {rotation ? (
            <Button
              className="mr-auto"
              busy={update.isPending}
              onClick={() => save(null, `${secret.name} is rotated manually only`)}
            >
              End schedule
            </Button>
          ) : null}
          <Button onClick={onClose}>Cancel</Button>
          <Button
            type="submit"
            variant="primary"
            busy={update.isPending}
            disabled={!isValid || !made || isUnmade}
          >
            Save schedule
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
