import type { Webhook } from '@bey/contract'
import { deniedReason } from '@bey/contract'
import { useParams, useSearch } from '@tanstack/react-router'
import { Pause, Play, Send } from 'lucide-react'
import type { ReactNode } from 'react'
import { useState } from 'react'
import { useRole } from '../../data/session.ts'
import { useStaleReason } from '../../data/stale-reason.ts'
import { useChange } from '../../data/use-change.ts'
import { useRead } from '../../data/use-read.ts'
import { streamText } from '../../entities/webhooks/stream-text.ts'
import { toastCause } from '../../lib/error-text.ts'
import { ageText } from '../../entities/health/age-text.ts'
import { failureOf, isMissing } from '../../lib/failed-query.ts'
import { useNow } from '../../lib/now.ts'
import { usePageTitle } from '../../lib/page-title.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { DetailPage } from '../../ui/detail-page.tsx'
import type { DetailTab } from '../../ui/detail-page.tsx'
import { Notice } from '../../ui/notice.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { Status } from '../../ui/status.tsx'
import { toast } from '../../ui/toast.ts'
import { DeliveriesTab } from './deliveries-tab.tsx'
import { SettingsTab } from './settings-tab.tsx'
import { TestDialog } from './test-dialog.tsx'
import { webhookHref } from './webhook-text.ts'

const tabs: readonly DetailTab<Webhook>[] = [
  { id: 'deliveries', label: 'Deliveries', content: (webhook) => <DeliveriesTab webhook={webhook} /> },
  // A form for each webhook: its draft must not follow to the next one.
  {
    id: 'settings',
    label: 'Settings',
    content: (webhook) => <SettingsTab key={webhook.id} webhook={webhook} />,
  },
]

/** One webhook: the log of what was sent, and its settings. */
export function WebhookDetailPage() {
  const { id = '' } = useParams({ strict: false })
  const search: { tab?: unknown } = useSearch({ strict: false })
  const query = useRead('webhooks.get', { params: { id } })
  const [isTesting, setTesting] = useState(false)
  usePageTitle(query.data?.name)
  return (
    <>
      <DetailPage
        noun="webhook"
        subject={query.data}
        title={query.data?.name}
        badges={({ status }) => <Status status={status} variant="badge" />}
        subtitle={({ url }) => <span className="break-all">{url}</span>}
        actions={(webhook) => <Actions webhook={webhook} onTest={() => setTesting(true)} />}
        notice={(webhook) => <WebhookNotice webhook={webhook} />}
        tabs={tabs}
        tab={typeof search.tab === 'string' ? search.tab : undefined}
        tabHref={(tab) => (tab === undefined ? webhookHref(id) : `${webhookHref(id)}?tab=${tab}`)}
        missing={
          isMissing(query) && {
            title: 'There is no such webhook in this organization',
            action: <ButtonLink href="/workspaces/settings/webhooks">All webhooks</ButtonLink>,
          }
        }
        failure={failureOf('Failed to fetch the webhook', query)}
      />
      {isTesting && query.data ? <TestDialog webhook={query.data} onClose={() => setTesting(false)} /> : null}
    </>
  )
}

function Actions({ webhook, onTest }: { webhook: Webhook; onTest: () => void }) {
  const denied = deniedReason(useRole(), 'webhooks.manage')
  const stale = useStaleReason()
  const update = useChange('webhooks.update')
  const isOn = webhook.status === 'enabled' || webhook.status === 'failing'
  const set = (status: 'enabled' | 'paused') =>
    update.mutate(
      { params: { id: webhook.id }, body: { status } },
      { onError: (error) => toast('error', 'Failed to change the webhook', toastCause(error)) },
    )
  return (
    <>
      {isOn ? (
        <Button
          icon={<Pause size={14} aria-hidden />}
          busy={update.isPending}
          disabledReason={denied ?? stale}
          onClick={() => set('paused')}
        >
          Pause
        </Button>
      ) : (
        <Button
          icon={<Play size={14} aria-hidden />}
          variant="primary"
          busy={update.isPending}
          disabledReason={denied ?? stale}
          onClick={() => set('enabled')}
        >
          {webhook.status === 'paused' ? 'Resume' : 'Enable'}
        </Button>
      )}
      <Button
        icon={<Send size={14} aria-hidden />}
        disabledReason={denied ?? stale ?? (isOn ? undefined : 'Nothing is sent while it is off.')}
        onClick={onTest}
      >
        Send test
      </Button>
    </>
  )
}

function WebhookNotice({ webhook }: { webhook: Webhook }) {
  const { status, failingSince, disabledReason, previousSecretUntil } = webhook
  const now = new Date(useNow(status === 'failing'))
  return (
    <>
      {status === 'auto_disabled' ? (
        <Box>
          <Notice tone="danger" title="The server disabled this webhook">
            {disabledReason}{' '}
            {webhook.audit
              ? 'The audit log goes on where it stopped once it is enabled again.'
              : 'What was not delivered can be replayed once it is enabled again.'}
          </Notice>
        </Box>
      ) : null}
      {status === 'failing' && failingSince ? (
        <Box>
          <Notice tone="warn" title="Every message fails">
            For {ageText(failingSince, now)}
            {webhook.lastDelivery?.error ? `: ${webhook.lastDelivery.error}` : '.'} It is disabled after five
            days of failures.
          </Notice>
        </Box>
      ) : null}
      {webhook.audit ? (
        <Box>
          <Notice tone="info" title="Streams the audit log">
            {streamText(webhook)}
          </Notice>
        </Box>
      ) : null}
      {previousSecretUntil ? (
        <Box>
          <Notice tone="info" title="Messages are signed with two secrets">
            The one before ends <RelativeTime at={previousSecretUntil} />.
          </Notice>
        </Box>
      ) : null}
    </>
  )
}

function Box({ children }: { children: ReactNode }) {
  return <div className="px-(--gutter) pt-4">{children}</div>
}
