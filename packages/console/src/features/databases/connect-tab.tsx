import type { ConnectFormat } from '@bey/contract'
import {
  connectFormatLabels,
  connectFormatsOf,
  connectText,
  engineRefusal,
  passwordPlaceholder,
} from '@bey/contract'
import { Copy, KeyRound } from 'lucide-react'
import { useState } from 'react'
import { useDatabaseSessions } from '../../data/database-insight.ts'
import type { Database } from '../../data/databases.ts'
import { revealSecret } from '../../data/secrets.ts'
import { useRole } from '../../data/session.ts'
import { useRead } from '../../data/use-read.ts'
import { revealReason } from '../../entities/secrets/reveal-reason.ts'
import { copyForAWhile } from '../../entities/secrets/use-reveal.ts'
import { causeOf } from '../../lib/error-text.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Facts } from '../../ui/facts.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { Section } from '../../ui/section.tsx'
import { Segmented } from '../../ui/segmented.tsx'
import { toast } from '../../ui/toast.ts'
import { AllowListCard } from './changes/allow-list-card.tsx'
import { ClusterServices, PortForward } from './cluster/cluster-access.tsx'
import { PersonalLogins } from './logins/personal-logins.tsx'
import { useSessionsAllowed } from './overview/use-sessions-allowed.ts'
import { WhoConnects } from './overview/who-connects.tsx'

type Endpoint = NonNullable<Database['endpoint']>
type SecretRef = NonNullable<Database['credential']>

/** Clients come and go without an event. */
const clientsMs = 15_000

/** How clients connect. The password exists only in what is copied. */
export function ConnectTab({ database }: { database: Database }) {
  const { endpoint, credential: secret } = database
  if (endpoint === null) {
    return (
      <EmptyState
        title="No address yet"
        description="Where the server listens is decided when it is created."
      />
    )
  }
  return (
    <div className="grid items-start gap-x-8 gap-y-8 px-(--gutter) py-6 lg:grid-cols-[minmax(0,1fr)_24rem]">
      <div className="flex min-w-0 flex-col gap-6">
        <ConnectionString database={database} endpoint={endpoint} />
        {database.cluster === null ? null : <PortForward cluster={database.cluster} />}
        {engineRefusal(database) === undefined ? <PersonalLogins database={database} /> : null}
        <ConnectedClients database={database} />
      </div>
      <div className="flex flex-col gap-6">
        <Section title="Address" isCard>
          <Facts
            facts={[
              { label: 'Host', value: endpoint.host },
              { label: 'Port', value: endpoint.port },
              { label: 'Database', value: endpoint.database },
              { label: 'User', value: endpoint.username },
              { label: 'TLS', value: tlsText(database) },
            ]}
          />
        </Section>
        {database.provider === 'embedded' ? <AllowListCard database={database} /> : null}
        {database.cluster === null ? null : <ClusterServices cluster={database.cluster} />}
        {secret === null ? null : <Password secret={secret} database={database} />}
      </div>
    </div>
  )
}

/** Who is connected now, where that may be seen. */
function ConnectedClients({ database }: { database: Database }) {
  const isRead = useSessionsAllowed(database)
  const { data, isError } = useDatabaseSessions(database.id, isRead, clientsMs)
  return isRead && data !== undefined && !isError ? <WhoConnects sessions={data} /> : null
}

function ConnectionString({ database, endpoint }: { database: Database; endpoint: Endpoint }) {
  const [format, setFormat] = useState<ConnectFormat>('uri')
  const [isCopying, setCopying] = useState(false)
  const { credential: secret, name } = database
  const held = useRead('secrets.get', { params: { id: secret?.id ?? '' } }, { isEnabled: secret !== null })
  const role = useRole()
  const refusal = held.data ? revealReason(held.data, role) : secret === null ? undefined : 'Loading...'

  async function copy(withPassword: boolean): Promise<void> {
    setCopying(true)
    try {
      if (secret === null || !withPassword) {
        await navigator.clipboard.writeText(connectText(format, endpoint))
        toast('success', 'Copied')
        return
      }
      const { value } = await revealSecret(secret.id, `Connecting to the database ${name}`)
      await copyForAWhile(connectText(format, endpoint, typeof value === 'string' ? value : ''))
      toast('success', 'Copied with the password; the clipboard is emptied after a minute')
    } catch (error) {
      toast('error', `Failed to copy: ${causeOf(error)}`)
    } finally {
      setCopying(false)
    }
  }

  return (
    <Section
      title="String"
      aside={
        <Segmented
          label="Format"
          value={format}
          onChange={setFormat}
          options={connectFormatsOf(endpoint).map((value) => ({ value, label: connectFormatLabels[value] }))}
        />
      }
    >
      <div className="rounded-card border border-line">
        <pre
          // A section would lose the whitespace that pre keeps.
          // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
          role="region"
          aria-label="Connection string"
          // A box that scrolls must be reachable by keyboard.
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
          tabIndex={0}
          className="overflow-auto p-4 font-mono text-small leading-6 whitespace-pre-wrap break-all"
        >
          {withMark(connectText(format, endpoint), secret !== null)}
        </pre>
        <div className="flex flex-wrap items-center justify-end gap-2 border-t border-line px-4 py-2.5">
          <Button icon={<Copy size={14} aria-hidden />} onClick={() => void copy(false)}>
            {secret === null ? 'Copy' : 'Copy without password'}
          </Button>
          {secret === null ? null : (
            <Button
              variant="primary"
              icon={<KeyRound size={14} aria-hidden />}
              busy={isCopying}
              disabledReason={refusal}
              onClick={() => void copy(true)}
            >
              Copy with password
            </Button>
          )}
        </div>
      </div>
      {secret === null ? null : (
        <p className="mt-2 text-small text-text-3">
          The password is read when you copy it, and the audit log records who did.
          {engineRefusal(database) === undefined && database.cluster === null ? (
            <>
              {' Without copying, '}
              <code>{`bey databases connect ${name}`}</code> opens psql.
            </>
          ) : null}
        </p>
      )}
    </Section>
  )
}

/** The string with a mark in the place of the password. */
function withMark(text: string, hasPassword: boolean) {
  const parts = text.split(passwordPlaceholder)
  if (!hasPassword || parts.length < 2) return parts.join('')
  return parts.map((part, index) => (
    // Parts have no identity but their place.
    // oxlint-disable-next-line react/no-array-index-key
    <span key={index}>
      {index > 0 ? (
        <span className="inline-flex items-center gap-1 rounded-badge bg-accent-soft px-1.5 font-sans text-accent-text">
          <KeyRound size={12} aria-hidden />
          read when you copy
        </span>
      ) : null}
      {part}
    </span>
  ))
}

function Password({ secret, database }: { secret: SecretRef; database: Database }) {
  const { data } = useRead('secrets.get', { params: { id: secret.id } })
  return (
    <Section
      title="Password"
      isCard
      aside={
        <ButtonLink size="small" href={`/secrets/${secret.id}`}>
          Open the secret
        </ButtonLink>
      }
    >
      <Facts
        facts={[
          { label: 'Secret', value: secret.name },
          { label: 'Version', value: data?.currentVersion ?? '—' },
          { label: 'Stored', value: data ? <RelativeTime at={data.valueChangedAt} /> : '—' },
          { label: 'Last read', value: data ? <RelativeTime at={data.lastReadAt} /> : '—' },
        ]}
      />
      <p className="mt-3 text-small text-text-3">
        {database.provider === 'embedded'
          ? 'Rotate it in the secret: the server gets the new password within 15 s, and open connections go on.'
          : database.provider === 'cnpg'
            ? 'CloudNativePG sets it. When it is changed in the cluster, Bey takes it over within 15 s.'
            : 'Bey does not change passwords of external servers: change it there first, then store it in the secret.'}
      </p>
    </Section>
  )
}

function tlsText({ provider, endpoint }: Database): string {
  if (provider === 'embedded') return 'none'
  if (provider === 'cnpg') return 'required, certificate of the operator'
  switch (endpoint?.tls) {
    case 'disable':
      return 'none'
    case 'prefer':
      return 'where the server offers it'
    case 'require':
      return 'required, certificate not checked'
    case 'verify-ca':
      return 'required, authority checked'
    default:
      return 'required, certificate and name checked'
  }
}
