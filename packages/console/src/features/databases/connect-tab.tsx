import { engineRefusal } from '@bey/contract'
import { useDatabaseSessions } from '../../data/database-insight.ts'
import type { Database } from '../../data/databases.ts'
import { useRead } from '../../data/use-read.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Facts } from '../../ui/facts.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { Section } from '../../ui/section.tsx'
import { AllowListCard } from './changes/allow-list-card.tsx'
import { ConnectionString } from './connection-string.tsx'
import { ClusterServices, PortForward } from './cluster/cluster-access.tsx'
import { PersonalLogins } from './logins/personal-logins.tsx'
import { useSessionsAllowed } from './overview/use-sessions-allowed.ts'
import { WhoConnects } from './overview/who-connects.tsx'
import { useClientAccess } from './use-client-access.ts'

type SecretRef = NonNullable<Database['credential']>

/** Clients come and go without an event. */
const clientsMs = 15_000

/** How clients connect. The password exists only in what is copied. */
export function ConnectTab({ database }: { database: Database }) {
  const { endpoint, credential: secret } = database
  const access = useClientAccess(database)
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
              ...(access ? [{ label: 'Host from networks', value: access.host }] : []),
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
  if (provider === 'embedded') return 'offered to this machine, required from networks'
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
