import type { InvitationRole, OrganizationDetail } from '@bey/contract'
import { invitationRoles } from '@bey/contract'
import { useMemo, useState } from 'react'
import { causeOf } from '../../lib/error-text.ts'
import { timeZoneOptions } from '../../lib/time-zones.ts'
import { Field } from '../../ui/field.tsx'
import { SavedState } from '../../ui/saved-state.tsx'
import { Select } from '../../ui/select.tsx'
import { session } from '../../data/session.ts'
import { useChange } from '../../data/use-change.ts'

interface OrganizationDefaultsFormProps {
  organization: OrganizationDetail
  disabledReason: string | undefined
}

type Defaults = Pick<OrganizationDetail, 'timeZone' | 'defaultRole'>

/** The time zone of the organization and the role that invitations propose; each choice is kept at once. */
export function OrganizationDefaultsForm({ organization, disabledReason }: OrganizationDefaultsFormProps) {
  const save = useChange('organization.update', { onReply: () => session.refresh() })
  // After a failure the choice is kept, and Retry sends it again.
  const [draft, setDraft] = useState<Partial<Defaults>>({})
  const { timeZone, defaultRole } = { ...organization, ...draft }
  const zones = useMemo(() => timeZoneOptions(timeZone), [timeZone])
  const choose = (part: Partial<Defaults>) => {
    setDraft({ ...draft, ...part })
    save.mutate({ body: part }, { onSuccess: () => setDraft({}) })
  }
  const phase = save.isPending ? 'saving' : save.isError ? 'failed' : save.isSuccess ? 'saved' : 'idle'
  const isDisabled = disabledReason !== undefined
  return (
    <div className="flex max-w-md flex-col gap-4">
      <Field label="Time zone" hint="Of times in mails that the organization sends.">
        {(control) => (
          <Select
            {...control}
            className="w-full"
            disabled={isDisabled}
            options={zones}
            value={timeZone}
            onChange={(event) => choose({ timeZone: event.target.value })}
          />
        )}
      </Field>
      <Field
        label="Role of new members"
        hint="What an invitation proposes; anyone who invites can choose another."
      >
        {(control) => (
          <Select
            {...control}
            className="w-full"
            disabled={isDisabled}
            options={invitationRoles.map((value) => ({ value, label: value }))}
            value={defaultRole}
            onChange={(event) => choose({ defaultRole: roleOf(event.target.value) })}
          />
        )}
      </Field>
      {isDisabled ? (
        <p className="text-small text-text-2">{disabledReason}</p>
      ) : (
        <div className="flex justify-end">
          <SavedState
            phase={phase}
            reason={save.isError ? causeOf(save.error) : undefined}
            onRetry={() => save.mutate({ body: draft }, { onSuccess: () => setDraft({}) })}
          />
        </div>
      )}
    </div>
  )
}

function roleOf(text: string): InvitationRole {
  return invitationRoles.find((role) => role === text) ?? 'MEMBER'
}
