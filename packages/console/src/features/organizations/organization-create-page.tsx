import { nameError } from '@bey/contract'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { SubmitEvent } from 'react'
import { useCreateOrganization } from '../../data/organizations.ts'
import { useStaleReason } from '../../data/stale-reason.ts'
import { errorMessage, fieldErrorsOf } from '../../lib/error-text.ts'
import { useUnsaved } from '../../lib/unsaved.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { Input } from '../../ui/input.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { toast } from '../../ui/toast.ts'

/** Creates an organization, of which one becomes the owner, and goes on in it. */
export function OrganizationCreatePage() {
  const [name, setName] = useState('')
  const create = useCreateOrganization()
  const stale = useStaleReason()
  const navigate = useNavigate()
  const saved = useUnsaved(name.trim() === '' ? undefined : `the organization “${name.trim()}”`)
  const wrong = nameError(name)
  const fieldError = fieldErrorsOf(create.error)['name']

  const submit = async (event: SubmitEvent) => {
    event.preventDefault()
    if (name.trim() === '' || wrong !== undefined || create.isPending) return
    // A failure is shown below the field.
    const organization = await create.mutateAsync(name.trim()).catch(() => undefined)
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
          <ButtonLink href="/" variant="ghost">
            Cancel
          </ButtonLink>
        </div>
      </form>
    </>
  )
}
