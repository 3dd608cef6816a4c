import type { NotificationChannel, NotificationRule, NotificationRuleInput } from '@bey/contract'
import type { SubmitEvent } from 'react'
import { useState } from 'react'
import { useSaveNotificationRule } from '../../data/notification-rules.ts'
import { deviceTimeZone } from '../../lib/time-zones.ts'
import { useSubmission } from '../../lib/use-submission.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { Input } from '../../ui/input.tsx'
import { Notice } from '../../ui/notice.tsx'
import { QuietHours } from './quiet-hours.tsx'
import { inputOf, newRule } from './rule-draft.ts'
import { RuleFilterFields } from './rule-filter-fields.tsx'
import { RuleTargetFields } from './rule-target-fields.tsx'

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
          ? 'Your rules replace the organization’s for you.'
          : 'For every member who has no rules of their own, and for channels.'
      }
      isModalStrict
    >
      <RuleForm owner={owner} rule={rule} onClose={onClose} {...rest} />
    </Dialog>
  )
}

function RuleForm({ owner, rule, channels, isMailConfigured, onClose }: RuleDialogProps) {
  const mutation = useSaveNotificationRule(rule?.id)
  const [draft, setDraft] = useState<NotificationRuleInput>(() =>
    rule ? inputOf(rule) : newRule(deviceTimeZone()),
  )
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
      <RuleFilterFields draft={draft} eventsError={form.errors['events']} onChange={change} />
      <RuleTargetFields
        draft={draft}
        channels={channels.filter((channel) => channel.owner === owner)}
        isMailConfigured={isMailConfigured}
        onChange={change}
      />
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
