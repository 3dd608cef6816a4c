import type { CallOutput, IngressCertificate } from '@bey/contract'
import { objectPath } from '@bey/contract'
import { ingressPath } from '@bey/contract/ingress/rules'
import { useList } from '../../data/use-read.ts'
import { HealthStatus } from '../../entities/health/health-status.tsx'
import { failureOf } from '../../lib/failed-query.ts'
import { formatCount } from '../../lib/format.ts'
import { useListLocation } from '../../lib/list-location.ts'
import { ErrorState } from '../../ui/error-state.tsx'
import { Facts } from '../../ui/facts.tsx'
import { Link } from '../../ui/link.tsx'
import { Section } from '../../ui/section.tsx'
import type { Column } from '../../ui/table.tsx'
import { Table } from '../../ui/table.tsx'
import { momentText } from '../../ui/time-text.ts'
import { Truncated } from '../../ui/truncated.tsx'
import { CertificateChain } from './certificate-chain.tsx'
import { ExpiryAxis, ExpiryLeft } from './expiry-axis.tsx'
import { IngressPage } from './ingress-page.tsx'
import { ingressControls, ingressQuery, ingressRefreshMs, toggledHref } from './ingress-query.ts'
import { leftText } from './ingress-text.ts'
import { NothingLeadsIn } from './nothing-leads-in.tsx'

const path = '/networking/ingress/certificates'
const sorts = ['expiresAt', 'name', 'health'] as const

/** Certificates that ingresses and gateways show: what ends first comes first. */
export function CertificateListPage() {
  const listLocation = useListLocation()
  const query = ingressQuery(listLocation, sorts)
  const list = useList('ingress.certificates', { query }, { refreshMs: ingressRefreshMs })
  const { data } = list
  const failure = failureOf('Failed to fetch certificates', list)
  // What is left is counted up to the moment at which it was read.
  const nowMs = list.dataUpdatedAt
  return (
    <IngressPage
      current={path}
      summary={data ? <Summary data={data} /> : ' '}
      noun="certificates"
      list={list}
      listLocation={listLocation}
    >
      <Table
        label="Certificates"
        isFilled
        columns={columnsAt(nowMs)}
        rows={data?.certificates}
        rowKey={keyOf}
        rowHref={(row) => toggledHref(path, listLocation, keyOf(row))}
        rowLabel={({ name }) => name}
        expansion={{
          current: listLocation.search.peek,
          content: (row) => <CertificateDetail certificate={row} />,
        }}
        {...ingressControls(listLocation, query, 'expiresAt')}
        isRefreshing={list.isPlaceholderData}
        error={failure && <ErrorState {...failure} />}
        empty={<NothingLeadsIn data={data} title="No certificate yet" what="certificates" />}
      />
    </IngressPage>
  )
}

const keyOf = ({ clusterId, namespace, name }: IngressCertificate) => `${clusterId}/${namespace}/${name}`

function Summary({ data }: { data: CallOutput<'ingress.certificates'> }) {
  const { counts, total } = data
  const parts = [
    counts.failing > 0 ? `${counts.failing} failing` : undefined,
    counts.degraded > 0 ? `${counts.degraded} degraded` : undefined,
  ].filter((part) => part !== undefined)
  const all = formatCount(total, 'certificate')
  const text = parts.length > 0 ? `Of ${all} ${parts.join(', ')}.` : all
  return counts.failing > 0 ? <span className="text-danger">{text}</span> : text
}

function columnsAt(nowMs: number): Column<IngressCertificate>[] {
  return [
    { key: 'name', header: 'Secret', sortKey: 'name', width: '18%', cell: ({ name }) => name },
    {
      key: 'health',
      header: 'Health',
      sortKey: 'health',
      width: '12.5rem',
      isVital: true,
      cell: ({ health }) => <HealthStatus health={health} />,
    },
    {
      key: 'hosts',
      header: 'Hosts',
      width: '12rem',
      cell: ({ hosts }) => (
        <Truncated>{hosts.length === 0 ? '—' : hosts.map(({ host }) => host).join(', ')}</Truncated>
      ),
    },
    {
      key: 'cluster',
      header: 'Cluster',
      width: '10rem',
      cell: ({ cluster, namespace }) => <Truncated>{`${cluster}, ${namespace}`}</Truncated>,
    },
    {
      key: 'issuer',
      header: 'Issuer',
      width: '8rem',
      isExtra: true,
      cell: ({ facts }) => <Truncated>{facts?.issuer ?? '—'}</Truncated>,
    },
    {
      key: 'axis',
      header: 'Now to 90 days',
      cell: ({ facts }) => <ExpiryAxis expiresAt={facts?.expiresAt ?? null} nowMs={nowMs} />,
    },
    {
      key: 'expiresAt',
      header: 'Valid',
      sortKey: 'expiresAt',
      width: '5.5rem',
      align: 'end',
      cell: ({ facts }) =>
        facts === null ? (
          <span className="text-text-3">unknown</span>
        ) : (
          <ExpiryLeft expiresAt={facts.expiresAt} text={leftText(facts.expiresAt, nowMs)} nowMs={nowMs} />
        ),
    },
  ]
}

function CertificateDetail({ certificate }: { certificate: IngressCertificate }) {
  const { facts, problems, hosts, usedBy, secret, clusterId, namespace, name, text } = certificate
  return (
    <div className="grid gap-x-8 gap-y-6 py-2 @3xl:grid-cols-[minmax(0,1fr)_minmax(0,1fr)]">
      <Section title="Chain">
        <CertificateChain certificate={certificate} />
        {problems.map((problem) => (
          <p key={problem} className="mt-2 text-danger">
            {problem}
          </p>
        ))}
      </Section>
      <Section title="Facts">
        <Facts
          facts={[
            { label: 'State', value: text },
            {
              label: 'Secret',
              value: (
                <Link
                  href={objectPath({ clusterId, resource: 'secrets', namespace, name })}
                  className="underline"
                >
                  {namespace}/{name}
                </Link>
              ),
            },
            {
              label: 'Copy of',
              value:
                secret === null ? (
                  '—'
                ) : (
                  <Link href={`/secrets/${secret.id}`} className="underline">
                    {secret.name}
                  </Link>
                ),
            },
            {
              label: 'Hosts',
              value:
                hosts.length === 0
                  ? '—'
                  : hosts.map(({ host, isCovered }) => (
                      <Link key={host} href={ingressPath({ host })} className="mr-2 inline-block underline">
                        {host}
                        {isCovered === false ? ' (not covered)' : ''}
                      </Link>
                    )),
            },
            { label: 'Used by', value: usedBy.map((each) => `${each.kind} ${each.name}`).join(', ') || '—' },
            ...(facts === null
              ? []
              : [
                  { label: 'Names', value: facts.names.join(', ') || '—' },
                  {
                    label: 'Valid',
                    value: `${momentText(facts.notBefore)} to ${momentText(facts.expiresAt)}`,
                  },
                  { label: 'Key', value: facts.keyType },
                  {
                    label: 'SHA-256',
                    value: <code className="text-small break-all">{facts.fingerprint}</code>,
                  },
                ]),
          ]}
        />
      </Section>
    </div>
  )
}
