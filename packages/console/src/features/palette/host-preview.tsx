import type { IngressHost } from '@bey/contract'
import { useRead } from '../../data/use-read.ts'
import { clusterHref } from '../../entities/clusters/cluster-text.ts'
import { HealthStatus } from '../../entities/health/health-status.tsx'
import { Button } from '../../ui/button.tsx'
import { Facts } from '../../ui/facts.tsx'
import { momentText } from '../../ui/time-text.ts'
import type { PaletteItems } from './item.ts'
import type { ActionsProps } from './kinds.tsx'

type Item = PaletteItems['host']

/** Where a host leads, whether that works, and its certificate: as it was found, then as it is now. */
export function HostDetails({ item }: { item: Item }) {
  const query = useRead('ingress.hosts', { query: { host: item.host.host, limit: 1 } })
  const host = query.data?.hosts[0] ?? item.host
  const { health, ready, total, clusters, addresses } = host
  return (
    <>
      <HealthStatus health={health} variant="badge" />
      {health.detail ? <p className="text-text-2">{health.detail}</p> : null}
      <Facts
        facts={[
          { label: 'Backends', value: backendsText(host) },
          {
            label: 'Ready',
            value: ready === null || total === null ? 'not known' : `${ready} of ${total} endpoints`,
          },
          { label: 'Certificate', value: <CertificateText host={host} /> },
          { label: 'Cluster', value: clusters.map(({ title }) => title).join(', ') },
          ...(addresses.length > 0 ? [{ label: 'Addresses', value: addresses.join(', ') }] : []),
        ]}
      />
    </>
  )
}

export function HostActions({ item: { host }, onChoose, onOpen }: ActionsProps<Item>) {
  const [cluster] = host.clusters
  return (
    <>
      <Button variant="primary" onClick={onChoose}>
        Open host
      </Button>
      {host.certificates.length > 0 ? (
        <Button onClick={() => onOpen('/networking/ingress/certificates')}>Certificates</Button>
      ) : null}
      {cluster ? <Button onClick={() => onOpen(clusterHref(cluster.id))}>Open cluster</Button> : null}
    </>
  )
}

function backendsText({ routes }: IngressHost): string {
  const names = routes.flatMap(({ backends }) =>
    backends.flatMap(({ service, namespace }) => (service === null ? [] : `${namespace}/${service}`)),
  )
  return [...new Set(names)].join(', ') || 'none'
}

/** When it ends; why it is bad is the sentence above, unless another fault of the host is worse. */
function CertificateText({ host: { tls, certificates, expiresAt, health } }: { host: IngressHost }) {
  if (tls === 'none') return 'no TLS'
  const [first] = certificates
  if (first === undefined) return 'of the controller'
  const tone = first.state === 'valid' ? undefined : first.state === 'expiring' ? 'text-warn' : 'text-danger'
  const end =
    expiresAt === null
      ? undefined
      : `${first.state === 'expired' ? 'ended' : 'until'} ${momentText(expiresAt)}`
  const reason = first.text === health.detail ? undefined : first.text.replace(/\.$/, '')
  return <span className={tone}>{[reason, end].filter(Boolean).join(', ') || 'not valid'}</span>
}
