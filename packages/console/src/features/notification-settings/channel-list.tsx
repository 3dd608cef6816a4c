import type { NotificationChannel, NotificationRule } from '@bey/contract'
import type { SubmitEvent } from 'react'
import { useState } from 'react'
import { useChange } from '../../data/use-change.ts'
import { causeOf, errorText } from '../../lib/error-text.ts'
import { formatDuration } from '../../lib/format.ts'
import { useSubmission } from '../../lib/use-submission.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { Input } from '../../ui/input.tsx'
import { Notice } from '../../ui/notice.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { Select } from '../../ui/select.tsx'
import { toast } from '../../ui/toast.ts'

const kindLabels = { slack: 'Slack format', webhook: 'JSON' }

interface ChannelListProps {
  owner: NotificationChannel['owner']
  channels: readonly NotificationChannel[]
  /** Those of all channels; deleting one says which send to it. */
  rules: readonly NotificationRule[]
  /** Why the reader may not change them. */
  reason: string | undefined
}

/** Where rules of the organization, or of the reader, send to. */
export function ChannelList({ owner, channels, rules, reason }: ChannelListProps) {
  const [adding, setAdding] = useState<ChannelStart>()
  return (
    <div className="flex max-w-3xl flex-col items-start gap-3">
      {channels.length === 0 ? (
        <ReadyChannels reason={reason} onChoose={setAdding} />
      ) : (
        <ul className="w-full divide-y divide-line rounded-card border border-line">
          {channels.map((channel) => (
            <ChannelRow key={channel.id} channel={channel} rules={rules} reason={reason} />
          ))}
        </ul>
      )}
      <Button disabledReason={reason} onClick={() => setAdding({ kind: 'slack', name: '' })}>
        Add channel
      </Button>
      {adding ? <ChannelDialog owner={owner} start={adding} onClose={() => setAdding(undefined)} /> : null}
    </div>
  )
}

/** What the form of a new channel begins with. */
type ChannelStart = Pick<NotificationChannel, 'kind' | 'name'>

const readyChannels: readonly { start: ChannelStart; about: string }[] = [
  {
    start: { kind: 'slack', name: 'Slack' },
    about: 'Paste the address of an incoming webhook. Mattermost and Rocket.Chat take the same format.',
  },
  {
    start: { kind: 'webhook', name: 'Own program' },
    about: 'Any https:// address: each notification is sent to it as JSON.',
  },
]

/** Channels that need an address and nothing else, while there is none. */
function ReadyChannels({
  reason,
  onChoose,
}: {
  reason: string | undefined
  onChoose: (start: ChannelStart) => void
}) {
  return (
    <>
      <p className="text-text-2">No channels yet.</p>
      <ul
        aria-label="Ready channels"
        className="w-full divide-y divide-line rounded-card border border-dashed border-line-strong"
      >
        {readyChannels.map(({ start, about }) => (
          <li key={start.kind} className="flex items-center gap-3 px-4 py-2.5">
            <div className="min-w-0 flex-1">
              <p className="font-medium">{start.name}</p>
              <p className="text-small text-text-2">{about}</p>
            </div>
            <Button
              size="small"
              disabledReason={reason}
              aria-label={`Set up ${start.name}`}
              onClick={() => onChoose(start)}
            >
              Set up
            </Button>
          </li>
        ))}
      </ul>
    </>
  )
}

interface ChannelRowProps extends Pick<ChannelListProps, 'rules' | 'reason'> {
  channel: NotificationChannel
}

function ChannelRow({ channel, rules, reason }: ChannelRowProps) {
  const { id, name, kind, host, lastSentAt, lastError } = channel
  const test = useChange('notificationChannels.test')
  const [isDeleting, setDeleting] = useState(false)
  async function sendTest() {
    try {
      const { isDelivered, message, durationMs } = await test.mutateAsync({ params: { id } })
      toast(isDelivered ? 'success' : 'error', isDelivered ? 'Test sent' : 'Test not delivered', {
        description: `${message} ${formatDuration(durationMs)}`,
      })
    } catch (error) {
      const { title, detail } = errorText('Failed to send the test', error)
      toast('error', title, detail ? { description: detail } : {})
    }
  }
  return (
    <li className="flex flex-wrap items-center gap-3 px-4 py-2.5">
      <div className="min-w-0 flex-1 basis-56">
        <p className="truncate font-medium">{name}</p>
        <p className="truncate text-text-2">
          {kindLabels[kind]} · {host}
        </p>
        <p className="text-small text-text-3">
          {lastError ? (
            <span className="text-danger">{lastError}</span>
          ) : lastSentAt ? (
            <>
              Sent <RelativeTime at={lastSentAt} />
            </>
          ) : (
            'Nothing sent yet'
          )}
        </p>
      </div>
      <Button
        size="small"
        busy={test.isPending}
        disabledReason={reason}
        aria-label={`Send a test to ${name}`}
        onClick={() => void sendTest()}
      >
        Send test
      </Button>
      <Button
        size="small"
        disabledReason={reason}
        aria-label={`Delete ${name}`}
        onClick={() => setDeleting(true)}
      >
        Delete
      </Button>
      {isDeleting ? (
        <DeleteChannel
          channel={channel}
          rules={rules.filter(({ channelIds }) => channelIds.includes(id))}
          onClose={() => setDeleting(false)}
        />
      ) : null}
    </li>
  )
}

function DeleteChannel({
  channel,
  rules,
  onClose,
}: {
  channel: NotificationChannel
  rules: readonly NotificationRule[]
  onClose: () => void
}) {
  const remove = useChange('notificationChannels.delete')
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => (open ? undefined : onClose())}
      title="Delete this channel?"
      name={channel.name}
      impact={[
        ...rules.map(({ name }) => `The rule ${name} no longer sends to it`),
        'What waits to be sent to it is dropped',
      ]}
      action="Delete channel"
      busy={remove.isPending}
      error={remove.error ? causeOf(remove.error) : undefined}
      onConfirm={() => remove.mutate({ params: { id: channel.id } }, { onSuccess: onClose })}
    />
  )
}

interface ChannelDialogProps {
  owner: NotificationChannel['owner']
  start: ChannelStart
  onClose: () => void
}

function ChannelDialog({ owner, start, onClose }: ChannelDialogProps) {
  return (
    <Dialog
      open
      onOpenChange={(open) => (open ? undefined : onClose())}
      title={owner === 'mine' ? 'Add a channel of yours' : 'Add channel'}
      description="The address is kept encrypted and not shown again."
      isModalStrict
    >
      <ChannelForm owner={owner} start={start} onClose={onClose} />
    </Dialog>
  )
}

function ChannelForm({ owner, start, onClose }: ChannelDialogProps) {
  const mutation = useChange('notificationChannels.create', { isSecret: true })
  const [name, setName] = useState(start.name)
  const [kind, setKind] = useState(start.kind)
  const [url, setUrl] = useState('')
  const invalid: Record<string, string> = {
    ...(name.trim() === '' && { name: 'Enter a name.' }),
    ...(!/^https?:\/\/\S+$/.test(url) && { url: 'Enter an address that begins with https://.' }),
  }
  const form = useSubmission({
    mutation,
    invalid,
    input: Object.keys(invalid).length === 0 ? { body: { owner, name, kind, url } } : undefined,
    lost: undefined,
    onSaved: onClose,
  })
  return (
    <form
      className="flex flex-col gap-4"
      onChange={form.onChange}
      onSubmit={(event: SubmitEvent) => {
        event.preventDefault()
        form.onSubmit()
      }}
    >
      <Field label="Name" error={form.errors['name']}>
        {(control) => (
          <Input {...control} value={name} maxLength={80} onChange={({ target }) => setName(target.value)} />
        )}
      </Field>
      <Field label="Format">
        {(control) => (
          <Select
            {...control}
            className="w-full"
            value={kind}
            options={[
              { value: 'slack', label: 'Slack, Mattermost and others of its format' },
              { value: 'webhook', label: 'JSON' },
            ]}
            onChange={({ target }) => setKind(target.value === 'slack' ? 'slack' : 'webhook')}
          />
        )}
      </Field>
      <Field label="Address" error={form.errors['url']}>
        {(control) => (
          <Input
            {...control}
            type="url"
            autoComplete="off"
            value={url}
            onChange={({ target }) => setUrl(target.value)}
          />
        )}
      </Field>
      {form.refusal ? (
        <Notice tone="danger" title="The channel was not added">
          {form.refusal}
        </Notice>
      ) : null}
      <div className="flex justify-end gap-2">
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" variant="primary" busy={form.isBusy}>
          Add channel
        </Button>
      </div>
    </form>
  )
}
