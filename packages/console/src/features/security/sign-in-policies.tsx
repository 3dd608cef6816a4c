import type { SecurityPolicies } from '@bey/contract'
import { useState } from 'react'
import { formatCount } from '../../lib/format.ts'
import { Field } from '../../ui/field.tsx'
import { Link } from '../../ui/link.tsx'
import { Select } from '../../ui/select.tsx'
import { SettingsSection } from '../../ui/settings-section.tsx'
import { useTimeStyle } from '../../ui/time-style.ts'
import { dateText } from '../../ui/time-text.ts'
import { graceChoices, inDays } from './policy-choices.ts'
import { useList } from '../../data/use-read.ts'

export interface SignInPoliciesProps {
  draft: SecurityPolicies
  /** What is in force. */
  saved: SecurityPolicies
  disabled: boolean
  errorAt: (field: string) => string | undefined
  onChange: (part: Partial<SecurityPolicies>) => void
}

/** How members have to prove who they are. */
export function SignInPolicies({ draft, saved, disabled, errorAt, onChange }: SignInPoliciesProps) {
  useTimeStyle()
  const { twoFactorFrom: savedFrom } = saved
  const [choice, setChoice] = useState(savedFrom === null ? '' : 'keep')
  const choices =
    savedFrom === null ? graceChoices : [...graceChoices, { value: 'keep', label: sinceText(savedFrom) }]
  return (
    <SettingsSection
      title="Signing in"
      hint="Members who do not meet this keep their account and are asked for what is missing."
    >
      <div className="grid max-w-xl gap-4 sm:grid-cols-2">
        <Field
          label="Second factor"
          hint="An authenticator app or a passkey. Until the date members see a notice; then sessions, sockets, kubeconfigs and personal keys of members without one are refused."
          error={errorAt('twoFactorFrom')}
        >
          {(control) => (
            <Select
              {...control}
              className="w-full"
              disabled={disabled}
              value={choice}
              options={choices}
              onChange={({ target: { value } }) => {
                setChoice(value)
                onChange({ twoFactorFrom: timeOf(value, savedFrom) })
              }}
            />
          )}
        </Field>
        <Field
          label="Passwords"
          hint="Off: only passkeys and linked accounts log in here. Open sessions that began with a password are refused at once."
        >
          {(control) => (
            <Select
              {...control}
              className="w-full"
              disabled={disabled}
              value={draft.allowsPassword ? 'on' : 'off'}
              options={[
                { value: 'on', label: 'Allowed' },
                { value: 'off', label: 'Off' },
              ]}
              onChange={({ target }) => onChange({ allowsPassword: target.value === 'on' })}
            />
          )}
        </Field>
      </div>
      <WithoutFactor />
    </SettingsSection>
  )
}

/** How many members a required second factor would stop. */
function WithoutFactor() {
  const { data } = useList('members.list', { query: { secondFactor: 'none', limit: 1 } })
  return (
    <p className="mt-4 min-h-4 text-small text-text-2">
      {data === undefined ? null : data.total === 0 ? (
        'Every member has a second factor.'
      ) : (
        <>
          <Link
            href="/workspaces/members?status=none"
            className="font-medium text-accent-text underline-offset-2 hover:underline"
          >
            {formatCount(data.total, 'member')}
          </Link>{' '}
          {data.total === 1 ? 'has' : 'have'} no second factor yet.
        </>
      )}
    </p>
  )
}

function sinceText(from: string): string {
  const date = new Date(from)
  return `Required ${date.getTime() <= Date.now() ? 'since' : 'from'} ${dateText(date)}`
}

function timeOf(choice: string, savedFrom: string | null): string | null {
  if (choice === '') return null
  return choice === 'keep' ? savedFrom : inDays(Number(choice))
}
