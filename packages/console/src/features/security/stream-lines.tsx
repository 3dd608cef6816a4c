import type { Webhook } from '@bey/contract'
import { auditEntriesEvent, deniedReason } from '@bey/contract'
import { Radio } from 'lucide-react'
import { useState } from 'react'
import { useRole } from '../../data/session.ts'
import { useStaleReason } from '../../data/stale-reason.ts'
import { useChange } from '../../data/use-change.ts'
import { useList } from '../../data/use-read.ts'
import { streamText } from '../../entities/webhooks/stream-text.ts'
import { toastCause } from '../../lib/error-text.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { cx } from '../../ui/class-names.ts'
import { StatusMark } from '../../ui/status-mark.tsx'
import { toast } from '../../ui/toast.ts'
import { StreamDialog } from './stream-dialog.tsx'

/** Where the audit log is streamed to, a line each. */
export function StreamLines() {
  const query = { event: auditEntriesEvent, limit: 50 }
  const { data } = useList('webhooks.list', { query })
  return data?.webhooks.map((webhook) => <StreamLine key={webhook.id} webhook={webhook} />)
}

function StreamLine({ webhook }: { webhook: Webhook }) {
  const { id, name, host, status, disabledReason, lastDelivery } = webhook
  const denied = deniedReason(useRole(), 'webhooks.manage')
  const stale = useStaleReason()
  const reason = denied ?? stale
  const update = useChange('webhooks.update')
  const test = useChange('webhooks.test')
  const isOn = status === 'enabled' || status === 'failing'
  const isTrouble = status === 'failing' || status === 'auto_disabled'
  const set = (next: 'enabled' | 'paused') =>
    update.mutate(
      { params: { id }, body: { status: next } },
      { onError: (error) => toast('error', 'Failed to change the stream', toastCause(error)) },
    )
  const sendTest = () =>
    test.mutate(
      { params: { id }, body: { type: auditEntriesEvent } },
      {
        onSuccess: () =>
          toast('success', 'The test is on its way', {
            description: 'Its answer appears in the deliveries.',
          }),
        onError: (error) => toast('error', 'Failed to send the test', toastCause(error)),
      },
    )
  return (
    <section
      aria-label={`Stream to ${name}`}
      className={cx(
        'flex shrink-0 flex-wrap items-center gap-x-3 gap-y-2 border-b border-line px-(--gutter) py-2',
        isTrouble && 'bg-danger-soft',
      )}
    >
      <div className="flex min-w-0 flex-1 basis-80 items-start gap-2.5">
        <span className={cx('flex h-5 items-center', isTrouble ? 'text-danger' : 'text-text-3')}>
          {isTrouble ? <StatusMark glyph="triangle" /> : <Radio size={16} aria-hidden />}
        </span>
        <p className="min-w-0 break-words">
          <strong className={cx('font-medium', isTrouble && 'text-danger')}>
            {headings[status]} {host}.
          </strong>{' '}
          <span className="text-text-2">
            {isTrouble ? `${disabledReason ?? lastDelivery?.error ?? ''} ` : ''}
            {streamText(webhook)}
          </span>
        </p>
      </div>
      <div className="flex flex-wrap gap-2">
        <Button
          size="small"
          busy={update.isPending}
          disabledReason={reason}
          onClick={() => set(isOn ? 'paused' : 'enabled')}
        >
          {isOn ? 'Pause' : status === 'paused' ? 'Resume' : 'Enable'}
        </Button>
        <Button
          size="small"
          busy={test.isPending}
          disabledReason={reason ?? (isOn ? undefined : 'Nothing is sent while it is off.')}
          onClick={sendTest}
        >
          Send test
        </Button>
        <ButtonLink size="small" href={`/workspaces/settings/webhooks/${id}`}>
          Deliveries
        </ButtonLink>
      </div>
    </section>
  )
}

const headings: Record<Webhook['status'], string> = {
  enabled: 'Streamed to',
  failing: 'Not taken by',
  paused: 'Paused: the stream to',
  auto_disabled: 'The server disabled the stream to',
}

/** Opens the form of a new stream. */
export function StreamButton() {
  const [isOpen, setOpen] = useState(false)
  const denied = deniedReason(useRole(), 'webhooks.manage')
  const stale = useStaleReason()
  const reason = denied ?? stale
  return (
    <>
      <Button icon={<Radio size={14} aria-hidden />} disabledReason={reason} onClick={() => setOpen(true)}>
        Stream…
      </Button>
      {isOpen ? <StreamDialog onClose={() => setOpen(false)} /> : null}
    </>
  )
}
