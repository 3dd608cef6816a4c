import type { Webhook } from '@bey/contract'
import { deniedReason } from '@bey/contract'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useRole } from '../../data/session.ts'
import { useStaleReason } from '../../data/stale-reason.ts'
import { useChange } from '../../data/use-change.ts'
import { causeOf } from '../../lib/error-text.ts'
import { useSubmission } from '../../lib/use-submission.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { Notice } from '../../ui/notice.tsx'
import { OverlapDialog } from '../../ui/overlap-dialog.tsx'
import { Section } from '../../ui/section.tsx'
import { toast } from '../../ui/toast.ts'
import { ShownSecret } from '../../entities/webhooks/shown-secret.tsx'
import { draftOf, readDraft } from './webhook-draft.ts'
import { WebhookFields } from './webhook-fields.tsx'

/** Changes a webhook, gives it a new signing secret, or deletes it. */
export function SettingsTab({ webhook }: { webhook: Webhook }) {
  const [open, setOpen] = useState<'rotate' | 'delete'>()
  const denied = deniedReason(useRole(), 'webhooks.manage')
  const reason = useStaleReason() ?? denied
  const close = () => setOpen(undefined)
  return (
    <div className="grid items-start gap-x-10 gap-y-8 px-(--gutter) py-6 lg:grid-cols-[minmax(0,40rem)_minmax(18rem,24rem)]">
      <SettingsForm webhook={webhook} disabledReason={reason} />
      <div className="flex flex-col gap-8">
        <Section title="Signing secret">
          <p className="mb-3 text-text-2">
            For a while messages are signed with the old and the new one, so that the receiver can change
            over.
          </p>
          <Button disabledReason={reason} onClick={() => setOpen('rotate')}>
            Rotate secret
          </Button>
        </Section>
        <Section title="Delete">
          <p className="mb-3 text-text-2">Nothing more is sent, and the log goes with it.</p>
          <Button disabledReason={reason} onClick={() => setOpen('delete')}>
            Delete webhook
          </Button>
        </Section>
      </div>
      {open === 'rotate' ? <RotateDialog webhook={webhook} onClose={close} /> : null}
      {open === 'delete' ? <DeleteDialog webhook={webhook} onClose={close} /> : null}
    </div>
  )
}

function SettingsForm({ webhook, disabledReason }: { webhook: Webhook; disabledReason: string | undefined }) {
  const stored = draftOf(webhook)
  const [draft, setDraft] = useState(stored)
  const { input, invalid } = readDraft(draft)
  const isChanged = JSON.stringify(draft) !== JSON.stringify(stored)
  const { headers, ...rest } = input ?? {}
  const mutation = useChange('webhooks.update')
  const { errors, refusal, onChange, onSubmit, isBusy } = useSubmission({
    mutation,
    invalid,
    // Stored headers stay unless others are written.
    input: input && {
      params: { id: webhook.id },
      body: { ...rest, ...(draft.headers.trim() !== '' && { headers: headers ?? {} }) },
    },
    lost: isChanged ? 'your changes of the webhook' : undefined,
    fieldOfCode: { name_taken: 'name' },
    onSaved: (saved) => {
      setDraft(draftOf(saved))
      toast('success', `${saved.name} is changed`)
    },
  })
  return (
    <form
      noValidate
      aria-label="Settings of the webhook"
      className="flex min-w-0 flex-col gap-6"
      onSubmit={(event) => {
        event.preventDefault()
        onSubmit()
      }}
    >
      <WebhookFields
        draft={draft}
        errors={errors}
        storedHeaders={webhook.headers}
        onChange={(part) => {
          setDraft({ ...draft, ...part })
          onChange()
        }}
      />
      {refusal === undefined ? null : (
        <Notice tone="danger" title="The webhook was not changed">
          {refusal}
        </Notice>
      )}
      <div>
        <Button
          type="submit"
          variant="primary"
          busy={isBusy}
          disabledReason={disabledReason ?? (isChanged ? undefined : 'Nothing is changed.')}
        >
          Save changes
        </Button>
      </div>
    </form>
  )
}

function RotateDialog({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const rotate = useChange('webhooks.rotateSecret', { isSecret: true })
  if (rotate.data) return <ShownSecret made={rotate.data} onDone={onClose} />
  return (
    <OverlapDialog
      title="Give this webhook a new signing secret?"
      name={webhook.name}
      action="Rotate secret"
      label="The present secret"
      verb="signs"
      busy={rotate.isPending}
      error={rotate.error ? causeOf(rotate.error) : undefined}
      onConfirm={(hours) => rotate.mutate({ params: { id: webhook.id }, body: { overlapHours: hours } })}
      onClose={onClose}
    />
  )
}

function DeleteDialog({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const remove = useChange('webhooks.delete')
  const navigate = useNavigate()
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => (open ? undefined : onClose())}
      title="Are you sure you want to delete this webhook?"
      name={webhook.name}
      impact={[
        'Its log of deliveries',
        ...(webhook.waiting > 0 ? [`${webhook.waiting} waiting messages`] : []),
      ]}
      action="Delete webhook"
      busy={remove.isPending}
      error={remove.error ? causeOf(remove.error) : undefined}
      onConfirm={() =>
        remove.mutate(
          { params: { id: webhook.id } },
          {
            onSuccess: () => {
              toast('success', `${webhook.name} is deleted`)
              void navigate({ href: '/workspaces/settings/webhooks' })
            },
          },
        )
      }
    />
  )
}
