import type { InvitationResult, InvitationRole } from '@bey/contract'
import { invitationBounds, invitationRoles } from '@bey/contract'
import { useState } from 'react'
import type { SubmitEvent } from 'react'
import { useInvite } from '../../data/invitations.ts'
import { useList, useRead } from '../../data/use-read.ts'
import { causeOf } from '../../lib/error-text.ts'
import { formatCount } from '../../lib/format.ts'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Select } from '../../ui/select.tsx'
import { TextArea } from '../../ui/text-area.tsx'
import { invalidAddresses, parseAddresses } from './addresses.ts'
import { InviteResults } from './invite-results.tsx'

const roleHints: Record<InvitationRole, string> = {
  ADMIN: 'Manages clusters, members and settings',
  MEMBER: 'Works with workloads, workflows and secrets',
  VIEWER: 'Sees everything but secret values',
}

const lifetimes = [
  { value: '48', label: '2 days' },
  { value: '96', label: '4 days' },
  { value: '168', label: '7 days' },
]

/** Invites several people at once, by mail and by link, and shows what became of each address. */
export function InviteDialog({ onClose }: { onClose: () => void }) {
  const [results, setResults] = useState<readonly InvitationResult[]>()
  return (
    <Dialog
      open
      onOpenChange={(open) => (open ? undefined : onClose())}
      title={results ? 'Invitations' : 'Invite people'}
      {...(results
        ? {
            footer: (
              <>
                <Button onClick={() => setResults(undefined)}>Invite more</Button>
                <Button variant="primary" onClick={onClose}>
                  Done
                </Button>
              </>
            ),
          }
        : { description: 'Each person gets a link that works once and for their address alone.' })}
      isModalStrict
    >
      {results ? (
        <InviteResults results={results} />
      ) : (
        <InviteForm onInvited={setResults} onClose={onClose} />
      )}
    </Dialog>
  )
}

interface InviteFormProps {
  onInvited: (results: readonly InvitationResult[]) => void
  onClose: () => void
}

function InviteForm({ onInvited, onClose }: InviteFormProps) {
  const [text, setText] = useState('')
  const [chosenRole, setRole] = useState<InvitationRole>()
  const [hours, setHours] = useState('168')
  const [isMailWanted, setMailWanted] = useState(true)
  const [wasSubmitted, setSubmitted] = useState(false)
  const invite = useInvite()
  const organization = useRead('organization.get', {})
  const role = chosenRole ?? organization.data?.defaultRole ?? 'MEMBER'
  const isMailConfigured =
    useList('invitations.list', { query: { limit: 1 } }, { isEnabled: true }).data?.isMailConfigured ?? false
  const addresses = parseAddresses(text)
  const wrong = problemOf(addresses)

  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    setSubmitted(true)
    if (wrong !== undefined || invite.isPending) return
    invite.mutate(
      {
        emails: addresses,
        role,
        expiresInHours: Number(hours),
        isMailed: isMailConfigured && isMailWanted,
      },
      { onSuccess: (reply) => onInvited(reply.results) },
    )
  }
  return (
    <form onSubmit={submit} className="flex flex-col gap-4 pb-1">
      <Field
        label="Addresses"
        hint={`Separated by commas, blanks or lines; up to ${invitationBounds.atOnce} at once.`}
        aside={addresses.length > 0 ? formatCount(addresses.length, 'address', 'addresses') : undefined}
        error={wasSubmitted ? wrong : undefined}
      >
        {(control) => (
          <TextArea
            {...control}
            data-initial-focus=""
            rows={4}
            spellCheck={false}
            autoComplete="off"
            placeholder="name@example.com"
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
        )}
      </Field>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label="Role" hint={roleHints[role]}>
          {(control) => (
            <Select
              {...control}
              className="w-full"
              options={invitationRoles.map((value) => ({ value, label: value }))}
              value={role}
              onChange={(event) => setRole(invitationRoles.find((each) => each === event.target.value))}
            />
          )}
        </Field>
        <Field label="Links work for" hint="Sending an invitation again extends it.">
          {(control) => (
            <Select
              {...control}
              className="w-full"
              options={lifetimes}
              value={hours}
              onChange={(event) => setHours(event.target.value)}
            />
          )}
        </Field>
      </div>
      <Checkbox
        label="Send the links by mail"
        hint={
          isMailConfigured
            ? 'You can copy each link as well.'
            : 'This server sends no mails: copy the links and pass them on.'
        }
        disabled={!isMailConfigured}
        checked={isMailConfigured && isMailWanted}
        onChange={(event) => setMailWanted(event.target.checked)}
      />
      {invite.error ? (
        <Notice tone="danger" title="Nobody was invited">
          {causeOf(invite.error)}
        </Notice>
      ) : null}
      <div className="flex justify-end gap-2">
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" variant="primary" busy={invite.isPending}>
          {addresses.length > 1 ? `Invite ${addresses.length} people` : 'Invite'}
        </Button>
      </div>
    </form>
  )
}

function problemOf(addresses: readonly string[]): string | undefined {
  if (addresses.length === 0) return 'Enter at least one e-mail address.'
  if (addresses.length > invitationBounds.atOnce) {
    return `These are ${addresses.length} addresses. Invite at most ${invitationBounds.atOnce} at once.`
  }
  const [first] = invalidAddresses(addresses)
  return first === undefined ? undefined : `“${first}” is no e-mail address.`
}
