import { nameError } from '@bey/contract'
import { useNavigate } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { useCreateOrganization } from '../../data/organizations.ts'
import { useCurrentOrganization } from '../../data/session.ts'
import { useStaleReason } from '../../data/stale-reason.ts'
import { deviceTimeZone, timeZoneOptions } from '../../lib/time-zones.ts'
import { useSubmission } from '../../lib/use-submission.ts'
import { Facts } from '../../ui/facts.tsx'
import { Field } from '../../ui/field.tsx'
import { FormPage } from '../../ui/form-page.tsx'
import { Input } from '../../ui/input.tsx'
import { Section } from '../../ui/section.tsx'
import { Select } from '../../ui/select.tsx'
import { toast } from '../../ui/toast.ts'

/** Creates an organization, of which one becomes the owner, and continues in it. */
export function OrganizationCreatePage() {
  const [name, setName] = useState('')
  const [timeZone, setTimeZone] = useState(deviceTimeZone)
  const zones = useMemo(() => timeZoneOptions(deviceTimeZone()), [])
  const mutation = useCreateOrganization()
  const stale = useStaleReason()
  const navigate = useNavigate()
  const hasOrganization = useCurrentOrganization() !== undefined
  const trimmed = name.trim()
  const wrong = trimmed === '' ? 'Enter a name.' : nameError(name)
  const { errors, refusal, onChange, ...submission } = useSubmission({
    mutation,
    invalid: wrong === undefined ? {} : { name: wrong },
    input: wrong === undefined ? { name: trimmed, timeZone } : undefined,
    lost: trimmed === '' ? undefined : `the organization “${trimmed}”`,
    onSaved: (organization) => {
      toast('success', `You now work in ${organization.name}`)
      void navigate({ to: '/' })
    },
  })
  return (
    <FormPage
      title="Create organization"
      description="An organization has its own clusters, workflows and secrets, isolated from others."
      {...submission}
      refusal={
        refusal === undefined ? undefined : { title: 'Failed to create the organization', detail: refusal }
      }
      disabledReason={stale}
      cancelHref={hasOrganization ? '/' : undefined}
      summary={
        <Section title="Summary" isCard>
          <Facts
            facts={[
              { label: 'Organization', value: trimmed || '—' },
              { label: 'Your role', value: 'OWNER' },
              { label: 'Time zone', value: timeZone.replaceAll('_', ' ') },
            ]}
          />
        </Section>
      }
    >
      {hasOrganization ? null : (
        <p className="text-text-2">
          You belong to no organization yet. Create one, or ask a colleague to invite you to theirs.
        </p>
      )}
      <Field
        label="Name"
        required
        hint="A company, a team or a project. You become its owner."
        error={errors['name']}
      >
        {(control) => (
          <Input
            {...control}
            autoComplete="organization"
            value={name}
            onChange={(event) => {
              setName(event.target.value)
              onChange()
            }}
          />
        )}
      </Field>
      <Field label="Time zone" hint="Of times in mails that the organization sends.">
        {(control) => (
          <Select
            {...control}
            className="w-full"
            options={zones}
            value={timeZone}
            onChange={(event) => setTimeZone(event.target.value)}
          />
        )}
      </Field>
    </FormPage>
  )
}
