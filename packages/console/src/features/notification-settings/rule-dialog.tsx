import type { NotificationChannel, NotificationRule, NotificationRuleInput } from '@bey/contract'
import {
  notificationDigests,
  notificationEventLabels,
  notificationEvents,
  notificationRuleBounds,
  notificationSeverities,
} from '@bey/contract'
import type { SubmitEvent } from 'react'
import { useState } from 'react'
import { useClusters } from '../../data/clusters.ts'
import { useSaveNotificationRule } from '../../data/notification-rules.ts'
import { useWorkflows } from '../../data/workflows.ts'
import { deviceTimeZone, timeZones } from '../../lib/time-zones.ts'
import { useSubmission } from '../../lib/use-submission.ts'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { Input } from '../../ui/input.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Select } from '../../ui/select.tsx'
import { inputOf, newRule } from './rule-draft.ts'
import { SubjectChoice } from './subject-choice.tsx'

interface RuleDialogProps {
  owner: NotificationRule['owner']
  /** Undefined: a new one. */
  rule: NotificationRule | undefined
  channels: readonly NotificationChannel[]
  isMailConfigured: boolean
  onClose: () => void
}

/** What a rule notifies of, where and when. */
export function RuleDialog({ owner, rule, onClose, ...rest }: RuleDialogProps) {
  return (
    <Dialog
      open
      onOpenChange={(open) => (open ? undefined : onClose())}
      title={
        rule ? `Change ${rule.name}` : owner === 'mine' ? 'New rule of yours' : 'New rule of the organization'
      }
      description={
        owner === 'mine'
          ? 'Your rules are in force for you instead of the organization’s.'
          : 'For every member who has no rules of their own, and for channels.'
      }
      isModalStrict
    >
      <RuleForm owner={owner} rule={rule} onClose={onClose} {...rest} />
    </Dialog>
  )
}

const severityLabels = { info: 'Everything', warning: 'Warnings and errors', error: 'Errors only' }
const digestLabels = { none: 'At once', hourly: 'Every hour', daily: 'Every morning at 8:00' }

function RuleForm({ owner, rule, channels, isMailConfigured, onClose }: RuleDialogProps) {
  const mutation = useSaveNotificationRule(rule?.id)
  const [draft, setDraft] = useState<NotificationRuleInput>(() =>
    rule ? inputOf(rule) : newRule(deviceTimeZone()),
  )
  const clusters = useClusters({ limit: 200 }).data?.clusters ?? []
  const workflows = useWorkflows({ limit: 200 }).data?.workflows ?? []
  const invalid: Record<string, string> = {
    ...(draft.name.trim() === '' && { name: 'Enter a name.' }),
    ...(draft.events.length === 0 && { events: 'Choose at least one event.' }),
  }
  const form = useSubmission({
    mutation,
    invalid,
    input: Object.keys(invalid).length === 0 ? { owner, ...draft } : undefined,
    lost: undefined,
    onSaved: onClose,
  })
  const change = (part: Partial<NotificationRuleInput>) => {
    form.onChange()
    setDraft({ ...draft, ...part })
  }
  const toggled = <T,>(all: readonly T[], value: T, isOn: boolean): T[] =>
    isOn ? [...all, value] : all.filter((each) => each !== value)
  return (
    <form
      className="flex flex-col gap-5"
      onSubmit={(event: SubmitEvent) => {
        event.preventDefault()
        form.onSubmit()
      }}
    >
      <Field label="Name" error={form.errors['name']}>
        {(control) => (
          <Input
            {...control}
            value={draft.name}
            maxLength={80}
            onChange={({ target }) => change({ name: target.value })}
          />
        )}
      </Field>
      <fieldset className="flex flex-col gap-2">
        <legend className="mb-2 font-medium">Notify of</legend>
        {notificationEvents.map((event) => (
          <Checkbox
            key={event}
            label={notificationEventLabels[event]}
            checked={draft.events.includes(event)}
            onChange={({ target }) => change({ events: toggled(draft.events, event, target.checked) })}
          />
        ))}
        {form.errors['events'] ? (
          <p role="alert" className="text-small text-danger">
            {form.errors['events']}
          </p>
        ) : null}
      </fieldset>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label="How bad">
          {(control) => (
            <Select
              {...control}
              className="w-full"
              value={draft.minSeverity}
              options={notificationSeverities.map((value) => ({ value, label: severityLabels[value] }))}
              onChange={({ target }) => {
                const found = notificationSeverities.find((each) => each === target.value)
                if (found) change({ minSeverity: found })
              }}
            />
          )}
        </Field>
        <Field label="Whose">
          {(control) => (
            <Select
              {...control}
              className="w-full"
              value={draft.whose}
              options={[
                { value: 'anyone', label: 'Everybody’s' },
                { value: 'mine', label: 'Only what concerns the person' },
              ]}
              onChange={({ target }) => change({ whose: target.value === 'mine' ? 'mine' : 'anyone' })}
            />
          )}
        </Field>
        <SubjectChoice
          label="Clusters"
          all="Every cluster"
          more="Add a cluster…"
          subjects={clusters.map(({ id, title }) => ({ id, name: title }))}
          chosen={draft.clusterIds}
          max={notificationRuleBounds.maxSubjects}
          onChange={(clusterIds) => change({ clusterIds })}
        />
        <SubjectChoice
          label="Workflows"
          all="Every workflow"
          more="Add a workflow…"
          subjects={workflows}
          chosen={draft.workflowIds}
          max={notificationRuleBounds.maxSubjects}
          onChange={(workflowIds) => change({ workflowIds })}
        />
        <Field label="When">
          {(control) => (
            <Select
              {...control}
              className="w-full"
              value={draft.digest}
              options={notificationDigests.map((value) => ({ value, label: digestLabels[value] }))}
              onChange={({ target }) => {
                const found = notificationDigests.find((each) => each === target.value)
                if (found) change({ digest: found })
              }}
            />
          )}
        </Field>
      </div>
      <fieldset className="flex flex-col gap-2">
        <legend className="mb-2 font-medium">Send to</legend>
        <Checkbox
          label="The console"
          checked={draft.inApp}
          onChange={({ target }) => change({ inApp: target.checked })}
        />
        <Checkbox
          label="Mail"
          hint={isMailConfigured ? undefined : 'This server sends no mail. Ask whoever runs it to set it up.'}
          disabled={!isMailConfigured && !draft.mail}
          checked={draft.mail}
          onChange={({ target }) => change({ mail: target.checked })}
        />
        {channels
          .filter((channel) => channel.owner === owner)
          .map(({ id, name, host }) => (
            <Checkbox
              key={id}
              label={name}
              hint={host}
              checked={draft.channelIds.includes(id)}
              onChange={({ target }) => change({ channelIds: toggled(draft.channelIds, id, target.checked) })}
            />
          ))}
      </fieldset>
      <QuietHours draft={draft} onChange={change} />
      {form.refusal ? (
        <Notice tone="danger" title="The rule was not saved">
          {form.refusal}
        </Notice>
      ) : null}
      <div className="flex justify-end gap-2">
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" variant="primary" busy={form.isBusy}>
          {rule ? 'Save rule' : 'Create rule'}
        </Button>
      </div>
    </form>
  )
}

function QuietHours({
  draft: { quiet, timeZone },
  onChange,
}: {
  draft: NotificationRuleInput
  onChange: (part: Partial<NotificationRuleInput>) => void
}) {
  return (
    <div className="flex flex-col gap-3">
      <Checkbox
        label="Quiet hours"
        hint="Mail and channels wait for their end; the console lists at once."
        checked={quiet !== null}
        onChange={({ target }) => onChange({ quiet: target.checked ? { from: '22:00', to: '07:00' } : null })}
      />
      {quiet ? (
        <div className="grid gap-4 sm:grid-cols-2">
          {(['from', 'to'] as const).map((end) => (
            <Field key={end} label={end === 'from' ? 'From' : 'To'}>
              {(control) => (
                <Input
                  {...control}
                  type="time"
                  required
                  value={quiet[end]}
                  onChange={({ target }) => onChange({ quiet: { ...quiet, [end]: target.value } })}
                />
              )}
            </Field>
          ))}
        </div>
      ) : null}
      <Field label="Time zone" hint="Of quiet hours and of the morning.">
        {(control) => (
          <Select
            {...control}
            className="w-full"
            value={timeZone}
            options={[...new Set([timeZone, ...timeZones()])].map((zone) => ({
              value: zone,
              label: zone.replaceAll('_', ' '),
            }))}
            onChange={({ target }) => onChange({ timeZone: target.value })}
          />
        )}
      </Field>
    </div>
  )
}
