import type { SecurityPolicies } from '@bey/contract'
import { Field } from '../../ui/field.tsx'
import { Select } from '../../ui/select.tsx'
import { SettingsSection } from '../../ui/settings-section.tsx'
import { chosenNumber, idleChoices, lifeChoices, withCurrent } from './policy-choices.ts'

interface SessionPoliciesProps {
  draft: SecurityPolicies
  disabled: boolean
  onChange: (part: Partial<SecurityPolicies>) => void
}

/** How long a session lasts. */
export function SessionPolicies({ draft, disabled, onChange }: SessionPoliciesProps) {
  return (
    <SettingsSection title="Sessions" hint="For every member, whichever of their organizations they work in.">
      <div className="grid max-w-xl gap-4 sm:grid-cols-2">
        <Field label="End a session after" hint="Counted from signing in.">
          {(control) => (
            <Select
              {...control}
              className="w-full"
              disabled={disabled}
              value={String(draft.sessionLifeHours ?? '')}
              options={withCurrent(lifeChoices, draft.sessionLifeHours, 'hours')}
              onChange={({ target }) => onChange({ sessionLifeHours: chosenNumber(target.value) })}
            />
          )}
        </Field>
        <Field
          label="End an unused session after"
          hint="Unused means no activity on any page and no request by a program. An open page alone does not count as use."
        >
          {(control) => (
            <Select
              {...control}
              className="w-full"
              disabled={disabled}
              value={String(draft.sessionIdleMinutes ?? '')}
              options={withCurrent(idleChoices, draft.sessionIdleMinutes, 'minutes')}
              onChange={({ target }) => onChange({ sessionIdleMinutes: chosenNumber(target.value) })}
            />
          )}
        </Field>
      </div>
    </SettingsSection>
  )
}
