import type { NotificationChannel, NotificationRule, NotificationRuleInput } from '@bey/contract'
import { Ellipsis } from 'lucide-react'
import { useState } from 'react'
import { useChange } from '../../data/use-change.ts'
import { causeOf, errorText } from '../../lib/error-text.ts'
import { deviceTimeZone } from '../../lib/time-zones.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { Menu, MenuItem, MenuSeparator } from '../../ui/menu.tsx'
import { Switch } from '../../ui/switch.tsx'
import { toast } from '../../ui/toast.ts'
import { RuleDialog } from './rule-dialog.tsx'
import { readyRules } from './ready-rules.ts'
import { inputOf } from './rule-draft.ts'
import { isMutedNow, ruleSubject, ruleTargets } from './rule-text.ts'

interface RuleListProps {
  owner: NotificationRule['owner']
  rules: readonly NotificationRule[]
  channels: readonly NotificationChannel[]
  isMailConfigured: boolean
  /** What is in force while there is no rule. */
  empty: string
  /** Why the reader may not change them. */
  reason: string | undefined
}

/** Rules of the organization, or of the reader. */
export function RuleList({ owner, rules, empty, reason, ...rest }: RuleListProps) {
  const [open, setOpen] = useState<{ rule: NotificationRule | undefined }>()
  const [deleted, setDeleted] = useState<NotificationRule>()
  return (
    <div className="flex max-w-3xl flex-col items-start gap-3">
      {rules.length === 0 ? <p className="text-text-2">{empty}</p> : null}
      <ReadyRules owner={owner} rules={rules} isMailConfigured={rest.isMailConfigured} reason={reason} />
      {rules.length > 0 ? (
        <ul className="w-full divide-y divide-line rounded-card border border-line">
          {rules.map((rule) => (
            <li key={rule.id} className="flex items-center gap-3 px-4 py-2.5">
              <div className="min-w-0 flex-1">
                <p className="truncate font-medium">{rule.name}</p>
                <p className="text-text-2">{ruleSubject(rule)}</p>
                <p className="text-small text-text-3">{ruleTargets(rule, rest.channels)}</p>
              </div>
              <RuleMenu
                rule={rule}
                reason={reason}
                onChange={() => setOpen({ rule })}
                onDelete={() => setDeleted(rule)}
              />
            </li>
          ))}
        </ul>
      ) : null}
      <Button disabledReason={reason} onClick={() => setOpen({ rule: undefined })}>
        Add rule
      </Button>
      {open ? (
        <RuleDialog owner={owner} rule={open.rule} onClose={() => setOpen(undefined)} {...rest} />
      ) : null}
      {deleted ? <DeleteRule rule={deleted} onClose={() => setDeleted(undefined)} /> : null}
    </div>
  )
}

/** Rules to switch on, less those that there are already by their name. */
function ReadyRules({
  owner,
  rules,
  isMailConfigured,
  reason,
}: Pick<RuleListProps, 'owner' | 'rules' | 'isMailConfigured' | 'reason'>) {
  const create = useChange('notificationRules.create')
  const names = new Set(rules.map(({ name }) => name))
  const ready = readyRules(deviceTimeZone(), isMailConfigured).filter(
    // Nobody in particular has runs of the organization.
    ({ rule }) => !names.has(rule.name) && (owner === 'mine' || rule.whose !== 'mine'),
  )
  if (ready.length === 0) return null
  async function switchOn(rule: NotificationRuleInput) {
    try {
      await create.mutateAsync({ body: { owner, ...rule } })
    } catch (error) {
      const { title, detail } = errorText('Failed to switch the rule on', error)
      toast('error', title, detail ? { description: detail } : {})
    }
  }
  return (
    <ul
      aria-label="Ready rules"
      className="w-full divide-y divide-line rounded-card border border-dashed border-line-strong"
    >
      {ready.map(({ rule, about }) => (
        <li key={rule.name} className="px-4 py-2.5">
          <Switch
            label={rule.name}
            hint={reason ?? about}
            checked={false}
            disabled={reason !== undefined || create.isPending}
            onChange={() => void switchOn(rule)}
          />
        </li>
      ))}
    </ul>
  )
}

function DeleteRule({ rule, onClose }: { rule: NotificationRule; onClose: () => void }) {
  const remove = useChange('notificationRules.delete')
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => (open ? undefined : onClose())}
      title="Delete this rule?"
      name={rule.name}
      impact={['Notifications that it has not sent yet are dropped']}
      action="Delete rule"
      busy={remove.isPending}
      error={remove.error ? causeOf(remove.error) : undefined}
      onConfirm={() => remove.mutate({ params: { id: rule.id } }, { onSuccess: onClose })}
    />
  )
}

const hourMs = 3_600_000

function RuleMenu({
  rule,
  reason,
  onChange,
  onDelete,
}: {
  rule: NotificationRule
  reason: string | undefined
  onChange: () => void
  onDelete: () => void
}) {
  const save = useChange('notificationRules.update')
  const attempt = async (work: Promise<unknown>) => {
    try {
      await work
    } catch (error) {
      const { title, detail } = errorText('Failed to change the rule', error)
      toast('error', title, detail ? { description: detail } : {})
    }
  }
  const change = (part: Partial<NotificationRule>) =>
    void attempt(save.mutateAsync({ params: { id: rule.id }, body: { ...inputOf(rule), ...part } }))
  const mute = (hours: number) => change({ mutedUntil: new Date(Date.now() + hours * hourMs).toISOString() })
  const isMuted = isMutedNow(rule)
  const disabled = reason === undefined ? {} : { disabledReason: reason }
  return (
    <Menu
      trigger={<IconButton label={`Actions of ${rule.name}`} icon={<Ellipsis size={16} aria-hidden />} />}
    >
      <MenuItem {...disabled} onSelect={onChange}>
        Change…
      </MenuItem>
      {isMuted ? (
        <MenuItem {...disabled} onSelect={() => change({ mutedUntil: null })}>
          Unmute
        </MenuItem>
      ) : (
        <>
          <MenuItem {...disabled} onSelect={() => mute(1)}>
            Mute for an hour
          </MenuItem>
          <MenuItem {...disabled} onSelect={() => mute(24)}>
            Mute for a day
          </MenuItem>
        </>
      )}
      <MenuItem {...disabled} onSelect={() => change({ isEnabled: !rule.isEnabled })}>
        {rule.isEnabled ? 'Switch off' : 'Switch on'}
      </MenuItem>
      <MenuSeparator />
      <MenuItem {...disabled} isDanger onSelect={onDelete}>
        Delete…
      </MenuItem>
    </Menu>
  )
}
