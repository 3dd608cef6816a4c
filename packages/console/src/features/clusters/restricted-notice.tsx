import type { Cluster } from '@bey/contract'
import { clusterHref } from '../../entities/clusters/cluster-text.ts'
import { Link } from '../../ui/link.tsx'
import { useRead } from '../../data/use-read.ts'

const shownNames = 8

/** Above the lists of a cluster of which Bey may read only some namespaces: which, and why not the rest. */
export function RestrictedNotice({ cluster }: { cluster: Cluster }) {
  const { data } = useRead('clusters.connection', { params: { id: cluster.id } })
  const isRestricted = cluster.status === 'RUNNING' && data?.test?.rights?.readsAll === false
  if (!isRestricted) return null
  const names = data.namespaces ?? []
  const shown = names.slice(0, shownNames).join(', ')
  const rest = names.length - shownNames
  return (
    <p className="border-b border-line px-(--gutter) py-2 text-small text-text-2">
      {names.length === 0
        ? 'Bey may read no namespace of this cluster. '
        : `Shown: ${shown}${rest > 0 ? ` and ${rest} more` : ''}. Bey’s identity may not read the other namespaces. `}
      <Link
        href={clusterHref(cluster.id, 'connection')}
        className="text-text underline hover:text-accent-text"
      >
        Rights and namespaces
      </Link>
    </p>
  )
}
