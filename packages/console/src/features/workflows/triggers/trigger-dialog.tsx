import type { Trigger, Workflow } from '@bey/contract'
import { triggerEventNames as eventNames, triggerEventTable } from '@bey/contract'
import { useState } from 'react'
import type { SubmitEvent } from 'react'
import { useSaveTrigger } from '../../../data/workflow-triggers.ts'
import { fieldsOf } from '../schema-form/field-schema.ts'
import { FreeField } from '../schema-form/free-field.tsx'
import { causeOf, fieldErrorsOf } from '../../../lib/error-text.ts'
import { Button } from '../../../ui/button.tsx'
import { Checkbox } from '../../../ui/checkbox.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Field } from '../../../ui/field.tsx'
import { Input } from '../../../ui/input.tsx'
import { Segmented } from '../../../ui/segmented.tsx'
import { Select } from '../../../ui/select.tsx'
import { isRecord } from '../definition/draft.ts'
import { ScheduleFields } from './schedule-fields.tsx'
import { newTrigger, triggerBody, triggerDraft } from './trigger-draft.ts'
import type { TriggerDraft } from './trigger-draft.ts'

export interface TriggerDialogProps {
  workflow: Workflow
  /** Undefined: a new one. */
  trigger: Trigger | undefined
  onSaved: (reply: { trigger: Trigger; secret: string | null }) => void
  onClose: () => void
}

/** Describes what starts a workflow by itself. */
export function TriggerDialog({ workflow, trigger, onSaved, onClose }: TriggerDialogProps) {
  const [draft, setDraft] = useState(() => {
    const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
    return trigger ? triggerDraft(trigger, timeZone) : newTrigger(timeZone)
  })
  const save = useSaveTrigger(workflow.id)
  const errors = fieldErrorsOf(save.error)
  const [wasSubmitted, setSubmitted] = useState(false)
  const missingName = wasSubmitted && draft.name.trim() === '' ? 'Enter a name for the trigger.' : undefined
  const isAtField = ['name', 'settings.cron', 'settings.when', 'settings.event_key'].some(
    (path) => errors[path],
  )
  const change = (part: Partial<TriggerDraft>) => {
    setDraft({ ...draft, ...part })
    if (save.isError) save.reset()
  }
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    setSubmitted(true)
    if (save.isPending || draft.name.trim() === '') return
    save.mutate({ triggerId: trigger?.id, body: triggerBody(draft) }, { onSuccess: onSaved })
  }
  return (
    <Dialog
      open
      onOpenChange={(open) => (open ? undefined : onClose())}
      title={trigger ? `Edit ${trigger.name}` : 'Add trigger'}
      description={`Starts ${workflow.name} by itself.`}
      size="wide"
      isModalStrict
    >
      <form onSubmit={submit} noValidate className="flex flex-col gap-4 pb-1">
        {trigger ? null : (
          <div>
            <Segmented
              label="What starts it"
              value={draft.type}
              options={[
                { value: 'schedule', label: 'Schedule' },
                { value: 'webhook', label: 'Webhook' },
                { value: 'event', label: 'Event' },
              ]}
              onChange={(type) => change({ type })}
            />
          </div>
        )}
        <Field label="Name" required error={missingName ?? errors['name']}>
          {(control) => (
            <Input
              {...control}
              data-initial-focus=""
              value={draft.name}
              maxLength={200}
              autoComplete="off"
              onChange={({ target }) => change({ name: target.value })}
            />
          )}
        </Field>
        {draft.type === 'schedule' ? (
          <ScheduleFields draft={draft} error={errors['settings.cron']} onChange={change} />
        ) : null}
        {draft.type === 'webhook' ? (
          <WebhookFields draft={draft} error={errors['settings.event_key']} onChange={change} />
        ) : null}
        {draft.type === 'event' ? (
          <Field
            label="Event"
            hint={`Each such event starts a run. The event has ${fieldsOfEvent(draft.event).join(', ')}.`}
          >
            {(control) => (
              <Select
                {...control}
                className="w-full"
                value={draft.event}
                options={eventNames.map((name) => ({ value: name, label: triggerEventTable[name].label }))}
                onChange={({ target }) => change({ event: target.value })}
              />
            )}
          </Field>
        ) : null}
        <Field
          label="Only when"
          required={false}
          hint={whenHints[draft.type]}
          error={errors['settings.when']}
        >
          {(control) => (
            <Input
              {...control}
              className="font-mono text-small"
              value={draft.when}
              autoComplete="off"
              spellCheck={false}
              onChange={({ target }) => change({ when: target.value })}
            />
          )}
        </Field>
        {fieldsOf(workflow.inputSchema).length > 0 ? (
          <FreeField
            label="Input"
            required={false}
            hint={`By name, as YAML: ${fieldsOf(workflow.inputSchema)
              .map(([name]) => name)
              .join(', ')}. Values may be templates over the trigger's data.`}
            value={Object.keys(draft.input).length > 0 ? draft.input : undefined}
            onChange={(input) => change({ input: isRecord(input) ? input : {} })}
          />
        ) : null}
        <Checkbox
          label="Enabled"
          checked={draft.isEnabled}
          onChange={({ target }) => change({ isEnabled: target.checked })}
        />
        <div role="alert" className={save.error && !isAtField ? 'text-danger' : 'hidden'}>
          {save.error ? `The trigger was not saved. ${causeOf(save.error)}` : null}
        </div>
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" busy={save.isPending}>
            {trigger ? 'Save trigger' : 'Add trigger'}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

const whenHints = {
  schedule: 'An expression over scheduled_at.',
  webhook: 'An expression over body and headers, for example body.ref == "refs/heads/main"',
  event: 'An expression over event, for example event.status == "failed"',
} as const

function fieldsOfEvent(name: string): readonly string[] {
  const known = eventNames.find((each) => each === name)
  return known ? triggerEventTable[known].fields : []
}

function WebhookFields(props: {
  draft: TriggerDraft
  error: string | undefined
  onChange: (change: Partial<TriggerDraft>) => void
}) {
  const { draft, error, onChange } = props
  return (
    <>
      <Field label="Senders authenticate with">
        {(control) => (
          <Select
            {...control}
            className="w-full"
            value={draft.authentication}
            options={[
              { value: 'hmac', label: 'a signature over the body (Standard Webhooks, GitHub)' },
              { value: 'token', label: 'a bearer token' },
            ]}
            onChange={({ target }) =>
              onChange({ authentication: target.value === 'token' ? 'token' : 'hmac' })
            }
          />
        )}
      </Field>
      <Field
        label="Key of an event"
        required={false}
        hint="An expression over body and headers. The same key within 24 h starts one run only."
        error={error}
      >
        {(control) => (
          <Input
            {...control}
            className="font-mono text-small"
            value={draft.eventKey}
            placeholder="body.id"
            autoComplete="off"
            spellCheck={false}
            onChange={({ target }) => onChange({ eventKey: target.value })}
          />
        )}
      </Field>
    </>
  )
}
