import type { Cluster, ClusterConnectionFacts } from '@bey/contract'
import { deniedReason } from '@bey/contract'
import { RotateCw } from 'lucide-react'
import { useState } from 'react'
import { useRole } from '../../data/session.ts'
import { useStaleReason } from '../../data/stale-reason.ts'
import { useRead } from '../../data/use-read.ts'
import { useChange } from '../../data/use-change.ts'
import { CertificateChain } from '../../entities/clusters/certificate-chain.tsx'
import { ConnectionChecks } from '../../entities/clusters/connection-checks.tsx'
import { IdentityAndRights } from '../../entities/clusters/connection-rights.tsx'
import { ProblemText } from '../../entities/clusters/problem-text.tsx'
import { causeOf } from '../../lib/error-text.ts'
import { failureOf } from '../../lib/failed-query.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Facts } from '../../ui/facts.tsx'
import type { Fact } from '../../ui/facts.tsx'
import { Notice } from '../../ui/notice.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { Section } from '../../ui/section.tsx'
import { DelayedSkeleton, Skeleton } from '../../ui/skeleton.tsx'
import { Status } from '../../ui/status.tsx'
import { NamespaceChoice } from './namespace-choice.tsx'
import { ReplaceCredentialsDialog } from './replace-credentials-dialog.tsx'

/** How this server reaches a cluster, as whom, and what it may do there. */
export function ConnectionTab({ cluster }: { cluster: Cluster }) {
  const query = useRead('clusters.connection', { params: { id: cluster.id } })
  const failure = failureOf('Failed to read the connection', query)
  if (query.data) return <Connection cluster={cluster} facts={query.data} />
  if (failure) return <ErrorState {...failure} />
  return (
    <DelayedSkeleton>
      <span className="grid gap-8 px-(--gutter) py-6 lg:grid-cols-2">
        <Skeleton className="h-48 w-full" />
        <Skeleton className="h-48 w-full" />
      </span>
    </DelayedSkeleton>
  )
}

function Connection({ cluster, facts }: { cluster: Cluster; facts: ClusterConnectionFacts }) {
  const { test } = facts
  return (
    <div className="flex max-w-6xl flex-col gap-6 px-(--gutter) py-6">
      {facts.isVerified ? null : (
        <Notice tone="warn" title="The certificate of this cluster is not checked">
          Its kubeconfig says insecure-skip-tls-verify: anyone on the way to it can read and change
          everything, and take the credentials. Replace the connection by one with a CA bundle.
        </Notice>
      )}
      {test?.problem ? (
        <div className="rounded-card border border-line p-4">
          <ProblemText problem={test.problem} />
        </div>
      ) : null}
      <div className="grid items-start gap-x-10 gap-y-8 lg:grid-cols-2">
        <Section
          title="Connection"
          aside={facts.isImported ? <ConnectionActions cluster={cluster} /> : undefined}
        >
          <Facts facts={connectionFacts(facts)} />
        </Section>
        {test ? (
          <Section title="Last test" aside={<RelativeTime at={test.at} />}>
            <ConnectionChecks checks={test.checks} />
          </Section>
        ) : null}
        {facts.isImported ? null : (
          <p className="max-w-prose text-text-2">
            This server started the cluster itself and looks after its connection. Members are named to the
            cluster under the group of their role.
          </p>
        )}
        {test?.rights || test?.identity ? (
          <Section title="Identity and rights">
            <IdentityAndRights test={test} />
          </Section>
        ) : null}
        {test && test.chain.length > 0 ? (
          <Section title="Certificates">
            <CertificateChain chain={test.chain} />
          </Section>
        ) : null}
        {facts.isImported && (test?.rights?.readsAll === false || facts.areNamespacesChosen) ? (
          <Section title="Watched namespaces">
            <NamespaceChoice cluster={cluster} facts={facts} />
          </Section>
        ) : null}
      </div>
    </div>
  )
}

/** Tests the connection of an imported cluster, or replaces it. */
export function ConnectionActions({ cluster }: { cluster: Cluster }) {
  const [isReplacing, setReplacing] = useState(false)
  const role = useRole()
  const stale = useStaleReason()
  const test = useChange('clusters.testConnection')
  const reason = stale ?? deniedReason(role, 'clusters.provision')
  return (
    <span className="flex flex-wrap gap-2">
      <Button
        size="small"
        icon={<RotateCw size={14} aria-hidden />}
        busy={test.isPending}
        disabledReason={reason}
        onClick={() => test.mutate({ params: { id: cluster.id } })}
      >
        Test again
      </Button>
      <Button size="small" disabledReason={reason} onClick={() => setReplacing(true)}>
        Replace credentials…
      </Button>
      <span role="alert" className={test.error ? 'w-full text-danger' : 'hidden'}>
        {test.error ? `It was not tested: ${causeOf(test.error)}` : null}
      </span>
      {isReplacing ? (
        <ReplaceCredentialsDialog cluster={cluster} onClose={() => setReplacing(false)} />
      ) : null}
    </span>
  )
}

const credentialLabels: Readonly<Record<ClusterConnectionFacts['credential'], string>> = {
  token: 'token',
  'client-certificate': 'client certificate',
  'token-and-certificate': 'token and client certificate',
  none: 'none',
}

/** The connection without what the last test found wrong. */
export function connectionFacts(facts: ClusterConnectionFacts): Fact[] {
  const { test } = facts
  return [
    { label: 'Server', value: <span className="font-mono text-small break-all">{facts.server || '—'}</span> },
    {
      label: 'Certificate',
      value: facts.isVerified ? (
        <Status status="healthy" label="verified" />
      ) : (
        <Status status="warning" label="not verified" />
      ),
    },
    ...(facts.tlsServerName ? [{ label: 'Name in the certificate', value: facts.tlsServerName }] : []),
    ...(facts.proxy ? [{ label: 'Proxy', value: facts.proxy }] : []),
    ...(facts.context === null
      ? []
      : [{ label: 'Context', value: <span className="break-all">{facts.context}</span> }]),
    { label: 'Credentials', value: credentialLabels[facts.credential] },
    ...(facts.credentialsExpireAt
      ? [{ label: 'Credentials expire', value: <RelativeTime at={facts.credentialsExpireAt} /> }]
      : []),
    {
      label: 'Members act as',
      value: facts.impersonates ? 'themselves' : (test?.identity?.user ?? facts.actsAs ?? 'this identity'),
    },
    ...(test?.version ? [{ label: 'Version', value: test.version }] : []),
    ...(test?.latencyMs == null
      ? []
      : [{ label: 'Latency', value: `${Math.max(1, Math.round(test.latencyMs))} ms` }]),
  ]
}
