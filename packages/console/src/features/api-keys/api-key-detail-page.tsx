import type { ApiKey } from '@bey/contract'
import { entityHref, entityOf } from '@bey/contract'
import { useParams } from '@tanstack/react-router'
import { RotateCw } from 'lucide-react'
import type { ReactNode } from 'react'
import { useState } from 'react'
import { useUser } from '../../data/session.ts'
import { useRead } from '../../data/use-read.ts'
import { failureOf, isMissing } from '../../lib/failed-query.ts'
import { usePageTitle } from '../../lib/page-title.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { DetailPage } from '../../ui/detail-page.tsx'
import { Facts } from '../../ui/facts.tsx'
import type { Fact } from '../../ui/facts.tsx'
import { Link } from '../../ui/link.tsx'
import { Notice } from '../../ui/notice.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { Section } from '../../ui/section.tsx'
import { Status } from '../../ui/status.tsx'
import { ApiKeyMenu } from './api-key-menu.tsx'
import type { KeyAct } from './api-key-menu.tsx'
import { KeyDialog } from './key-dialogs.tsx'
import { endedReason, ownerText } from './key-text.ts'
import { actorText } from '@bey/contract'

/** One API key: what it may do, from where, and when it was used last. */
export function ApiKeyDetailPage() {
  const { id = '' } = useParams({ strict: false })
  const query = useRead('apiKeys.get', { params: { id } })
  const userId = useUser()?.id
  const [act, setAct] = useState<KeyAct>()
  usePageTitle(query.data?.name)
  return (
    <>
      <DetailPage
        noun="API key"
        subject={query.data}
        title={query.data?.name}
        badges={(key) => (
          <>
            <Status status={key.status} variant="badge" />
            <Badge>{key.owner ? 'Personal' : 'Organization'}</Badge>
          </>
        )}
        subtitle={(key) => <Subtitle apiKey={key} />}
        actions={(key) => (
          <>
            <Button
              icon={<RotateCw size={14} aria-hidden />}
              disabledReason={
                endedReason(key) ??
                (key.owner && key.owner.id !== userId
                  ? 'Only its owner can rotate a personal key.'
                  : undefined)
              }
              onClick={() => setAct('rotate')}
            >
              Rotate
            </Button>
            <ApiKeyMenu apiKey={key} onAct={setAct} isOnPage />
          </>
        )}
        notice={(key) => <KeyNotice apiKey={key} />}
        content={(key) => <Content apiKey={key} userId={userId} />}
        missing={
          isMissing(query) && {
            title: 'There is no such API key in this organization',
            action: <ButtonLink href="/workspaces/settings/api-keys">All API keys</ButtonLink>,
          }
        }
        failure={failureOf('Failed to fetch the API key', query)}
      />
      {act && query.data ? (
        <KeyDialog apiKey={query.data} act={act} onClose={() => setAct(undefined)} />
      ) : null}
    </>
  )
}

function Subtitle({ apiKey }: { apiKey: ApiKey }) {
  return apiKey.lastUsedAt ? (
    <>
      Last used <RelativeTime at={apiKey.lastUsedAt} /> from {apiKey.lastUsedIp ?? 'an unknown address'}
    </>
  ) : (
    'Never used'
  )
}

function KeyNotice({ apiKey }: { apiKey: ApiKey }) {
  const { status, lostPermissions, previousValidUntil, role, owner } = apiKey
  if (status === 'revoked' || status === 'expired')
    return (
      <Box>
        <Notice tone="info" title={`This key is ${status} and no longer works`}>
          It is listed for 30 days, so that anyone who finds its secret can find out what it was.
        </Notice>
      </Box>
    )
  return (
    <>
      {lostPermissions.length > 0 ? (
        <Box>
          <Notice
            tone="warn"
            title={`${lostPermissions.join(', ')} ${lostPermissions.length === 1 ? 'has' : 'have'} no effect`}
          >
            {owner ? `${owner.name} has` : 'The key has'} the role {role}, which does not hold{' '}
            {lostPermissions.length === 1 ? 'it' : 'them'}.
          </Notice>
        </Box>
      ) : null}
      {previousValidUntil ? (
        <Box>
          <Notice tone="info" title="The previous secret still works">
            It ends <RelativeTime at={previousValidUntil} />. Rotate once more to end it at once.
          </Notice>
        </Box>
      ) : null}
    </>
  )
}

function Box({ children }: { children: ReactNode }) {
  return <div className="px-(--gutter) pt-4">{children}</div>
}

function Content({ apiKey, userId }: { apiKey: ApiKey; userId: number | undefined }) {
  return (
    <div className="grid max-w-6xl items-start gap-x-10 gap-y-8 px-(--gutter) py-6 lg:grid-cols-2">
      <Section title="Key">
        <Facts facts={factsOf(apiKey, userId)} />
      </Section>
      <div className="flex flex-col gap-8">
        <Section title="Permissions" aside={String(apiKey.permissions.length)}>
          <ul className="grid gap-x-6 gap-y-1 sm:grid-cols-2">
            {apiKey.permissions.map((permission) => (
              <li
                key={permission}
                className={
                  apiKey.lostPermissions.includes(permission) ? 'text-text-3 line-through' : undefined
                }
              >
                <code className="font-mono text-small">{permission}</code>
              </li>
            ))}
          </ul>
        </Section>
        <Section title="Limited to">
          {apiKey.resources.length === 0 ? (
            <p className="text-text-2">Everything in the organization.</p>
          ) : (
            <ul className="flex flex-col gap-1">
              {apiKey.resources.map(({ type, id, name }) => (
                <li key={`${type} ${id}`}>
                  {name === null ? (
                    <span className="text-text-3">{id}, which is gone</span>
                  ) : (
                    <Link href={entityHref({ type, id }) ?? '/'}>{name}</Link>
                  )}{' '}
                  <span className="text-text-3">{entityOf(type).singular}</span>
                </li>
              ))}
            </ul>
          )}
        </Section>
      </div>
    </div>
  )
}

function factsOf(key: ApiKey, userId: number | undefined): Fact[] {
  return [
    { label: 'Secret begins with', value: <code className="font-mono text-small">{key.start}…</code> },
    { label: 'Belongs to', value: ownerText(key, userId) },
    { label: 'Created', value: <RelativeTime at={key.createdAt} /> },
    { label: 'Created by', value: actorText(key.madeBy) },
    { label: 'Expires', value: key.expiresAt ? <RelativeTime at={key.expiresAt} /> : 'never' },
    ...(key.revokedAt ? [{ label: 'Revoked', value: <RelativeTime at={key.revokedAt} /> }] : []),
    { label: 'Bounded by the role', value: key.owner ? `${key.role}, as its owner has now` : key.role },
    {
      label: 'Allowed addresses',
      value: key.allowedAddresses.length === 0 ? 'any' : key.allowedAddresses.join(', '),
    },
    {
      label: 'Requests per minute',
      value: key.requestsPerMinute ?? 'as many as a person may send',
    },
  ]
}
