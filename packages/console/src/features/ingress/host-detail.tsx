import type { IngressHost, IngressRoute } from '@bey/contract'
import { objectPath } from '@bey/contract'
import { ingressPath } from '@bey/contract/ingress/rules'
import { useRead } from '../../data/use-read.ts'
import { HealthStatus } from '../../entities/health/health-status.tsx'
import { formatCount } from '../../lib/format.ts'
import { Link } from '../../ui/link.tsx'
import { Section } from '../../ui/section.tsx'
import { CertificateChain } from './certificate-chain.tsx'
import { HostTestPanel } from './host-test-panel.tsx'

const resources = {
  Ingress: 'ingresses.networking.k8s.io',
  HTTPRoute: 'httproutes.gateway.networking.k8s.io',
} as const

/** Beneath the row of a host: where its paths lead, its certificates with their chains, and a test from the server. */
export function HostDetail({ host }: { host: IngressHost }) {
  const rest = host.routeTotal - host.routes.length
  return (
    <div className="grid gap-x-8 gap-y-6 py-2 @3xl:grid-cols-[minmax(0,1fr)_minmax(0,1fr)]">
      <Section title="Paths">
        <ul className="flex flex-col gap-3">
          {host.routes.map((route) => (
            <li
              key={`${route.clusterId} ${route.kind} ${route.namespace} ${route.name} ${route.path} ${route.pathType}`}
            >
              <RouteLine route={route} />
            </li>
          ))}
        </ul>
        {rest > 0 ? (
          <p className="mt-2 text-small text-text-3">and {formatCount(rest, 'path')} more</p>
        ) : null}
        {host.addresses.length > 0 ? (
          <p className="mt-3 text-small text-text-2">
            Reached at <span className="font-mono">{host.addresses.join(', ')}</span>
          </p>
        ) : null}
      </Section>
      <Section title="Certificate">
        {host.certificates.length === 0 ? (
          <p className="text-text-2">
            {host.tls === 'none'
              ? 'No TLS is set up for this host.'
              : 'The controller shows a certificate of its own, which no object names.'}
          </p>
        ) : (
          <ul className="flex flex-col gap-4">
            {host.certificates.map((certificate) => (
              <li key={`${certificate.clusterId} ${certificate.namespace} ${certificate.name}`}>
                <HostCertificate certificate={certificate} />
              </li>
            ))}
          </ul>
        )}
      </Section>
      <div className="@3xl:col-span-2">
        <HostTestPanel host={host} />
      </div>
    </div>
  )
}

function RouteLine({ route }: { route: IngressRoute }) {
  const { clusterId, cluster, kind, namespace, name, path, pathType, isDefault, backends } = route
  const notes = [route.attachment, route.conflicts.length > 0 ? route.health.detail : null].filter(
    (note) => note !== null,
  )
  return (
    <>
      <div className="flex min-w-0 flex-wrap items-baseline gap-x-2">
        <span className="font-mono font-medium break-all">{isDefault ? 'anything else' : path}</span>
        {pathType === 'Prefix' ? null : <span className="text-small text-text-3">{pathType}</span>}
        <HealthStatus health={route.health} />
      </div>
      <ul>
        {backends.map((backend) => (
          <li
            key={`${backend.namespace} ${backend.service} ${backend.port} ${backend.text}`}
            className="flex min-w-0 flex-wrap gap-x-2 text-text-2"
          >
            {backend.service === null ? null : (
              <Link
                href={objectPath({
                  clusterId,
                  resource: 'services',
                  namespace: backend.namespace,
                  name: backend.service,
                })}
                className="break-all hover:underline"
              >
                {backend.namespace}/{backend.service}
                {backend.port === null ? '' : `:${backend.port}`}
              </Link>
            )}
            <span className={backend.health.state === 'failing' ? 'text-danger' : undefined}>
              {backend.text}
            </span>
            {backends.length > 1 ? <span>{Math.round(backend.weightPercent)} %</span> : null}
          </li>
        ))}
      </ul>
      <p className="text-small text-text-3">
        {kind}{' '}
        <Link
          href={objectPath({ clusterId, resource: resources[kind], namespace, name })}
          className="hover:underline"
        >
          {namespace}/{name}
        </Link>{' '}
        in {cluster}
        {route.className === null ? ', no class named' : ` (${route.className})`}
      </p>
      {notes.map((note) => (
        <p key={note} className="text-small text-text-2">
          {note}
        </p>
      ))}
    </>
  )
}

type Brief = IngressHost['certificates'][number]

function HostCertificate({ certificate }: { certificate: Brief }) {
  const { clusterId, namespace, name, text } = certificate
  const read = useRead('ingress.certificates', {
    query: { cluster: clusterId, namespace, search: name, limit: 20 },
  })
  const found = read.data?.certificates.find((each) => each.name === name)
  return (
    <>
      <p className="mb-2 flex min-w-0 flex-wrap items-baseline gap-x-2">
        <Link href={ingressPath({ certificate })} className="font-medium break-all hover:underline">
          {namespace}/{name}
        </Link>
        <span className="text-text-2">{text}</span>
      </p>
      {found ? <CertificateChain certificate={found} /> : null}
      {(found?.problems ?? []).map((problem) => (
        <p key={problem} className="mt-1 text-danger">
          {problem}
        </p>
      ))}
    </>
  )
}
