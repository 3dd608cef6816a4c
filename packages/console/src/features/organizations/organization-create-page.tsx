import { nameError } from '@bey/contract'
import { useNavigate } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import type { SubmitEvent } from 'react'
import { useCreateOrganization } from '../../data/organizations.ts'
import { useCurrentOrganization } from '../../data/session.ts'
import { useStaleReason } from '../../data/stale-reason.ts'
import { errorMessage, fieldErrorsOf } from '../../lib/error-text.ts'
import { deviceTimeZone, timeZoneOptions } from '../../lib/time-zones.ts'
import { useUnsaved } from '../../lib/unsaved.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { Input } from '../../ui/input.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { Select } from '../../ui/select.tsx'
import { toast } from '../../ui/toast.ts'

/** Creates an organization, of which one becomes the owner, and goes on in it. */
export function OrganizationCreatePage() {
  const [name, setName] = useState('')
  const [timeZone, setTimeZone] = useState(deviceTimeZone)
  const zones = useMemo(() => timeZoneOptions(deviceTimeZone()), [])
  const create = useCreateOrganization()
  const stale = useStaleReason()
  const navigate = useNavigate()
  const hasOrganization = useCurrentOrganization() !== undefined
  const saved = useUnsaved(name.trim() === '' ? undefined : `the organization “${name.trim()}”`)
  const wrong = nameError(name)
  const fieldError = fieldErrorsOf(create.error)['name']

  const submit = async (event: SubmitEvent) => {
    event.preventDefault()
    if (name.trim() === '' || wrong !== undefined || create.isPending) return
    // A failure is shown below the field.
    const organization = await create.mutateAsync({ name: name.trim(), timeZone }).catch(() => undefined)
    if (!organization) return
    saved()
    toast('success', `You now work in ${organization.name}`)
    await navigate({ to: '/' })
  }

  return (
    <>
      <PageHeader
        title="Create organization"
        description="An organization has its own clusters, workflows and secrets, isolated from others."
      />
      <form
        onSubmit={(event) => void submit(event)}
        className="flex max-w-md flex-col gap-4 px-(--gutter) py-6"
      >
        {hasOrganization ? null : (
          <p className="text-text-2">
            You belong to no organization yet. Create one, or ask somebody to invite you to theirs.
          </p>
        )}
        <Field
          label="Name"
          hint="A company, a team or a project. You become its owner."
          error={
            wrong ??
            fieldError ??
            (create.error ? errorMessage(create.error, 'Failed to create the organization') : undefined)
          }
        >
          {(control) => (
            <Input
              {...control}
              autoComplete="organization"
              value={name}
              onChange={(event) => setName(event.target.value)}
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
        <div className="flex gap-2">
          <Button
            type="submit"
            variant="primary"
            disabled={name.trim() === '' || wrong !== undefined}
            busy={create.isPending}
            disabledReason={stale}
          >
            Create organization
          </Button>
          {hasOrganization ? (
            <ButtonLink href="/" variant="ghost">
              Cancel
            </ButtonLink>
          ) : null}
        </div>
      </form>
    </>
  )
}
