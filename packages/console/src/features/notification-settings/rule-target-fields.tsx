import type { NotificationChannel, NotificationRuleInput } from '@bey/contract'
import { Checkbox } from '../../ui/checkbox.tsx'
import { toggled } from './rule-draft.ts'

interface RuleTargetFieldsProps {
  draft: NotificationRuleInput
  /** Those that the rule may use. */
  channels: readonly NotificationChannel[]
  isMailConfigured: boolean
  onChange: (part: Partial<NotificationRuleInput>) => void
}

/** Where a rule sends to. */
export function RuleTargetFields({ draft, channels, isMailConfigured, onChange }: RuleTargetFieldsProps) {
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-2 font-medium">Send to</legend>
      <Checkbox
        label="The console"
        checked={draft.inApp}
        onChange={({ target }) => onChange({ inApp: target.checked })}
      />
      <Checkbox
        label="Mail"
        hint={isMailConfigured ? undefined : 'This server sends no mail. Ask its operator to set it up.'}
        disabled={!isMailConfigured && !draft.mail}
        checked={draft.mail}
        onChange={({ target }) => onChange({ mail: target.checked })}
      />
      {channels.map(({ id, name, host }) => (
        <Checkbox
          key={id}
          label={name}
          hint={host}
          checked={draft.channelIds.includes(id)}
          onChange={({ target }) => onChange({ channelIds: toggled(draft.channelIds, id, target.checked) })}
        />
      ))}
    </fieldset>
  )
}
