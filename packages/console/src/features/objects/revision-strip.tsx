import type { Cluster, HealthState, OwnedObject } from '@bey/contract'
import { objectPath } from '@bey/contract'
import { formatCount } from '../../lib/format.ts'
import { cx } from '../../ui/class-names.ts'
import { Link } from '../../ui/link.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { Section } from '../../ui/section.tsx'
import { asKubernetesObject } from './kubernetes-object.ts'
import type { ObjectSubject } from './object-tabs.tsx'

/** As many as fit side by side. */
const shownRevisions = 3

/** The latest revisions of a deployment, each in the state of the pods that run it; grey where none does. */
export function RevisionStrip({ cluster, detail }: { cluster: Cluster; detail: ObjectSubject['detail'] }) {
  const revisions = revisionsOf(detail.owned)
  if (revisions.length === 0) return null
  const { metadata } = asKubernetesObject(detail.object)
  const history = objectPath(
    {
      clusterId: cluster.id,
      resource: detail.resource.resource,
      namespace: metadata?.namespace ?? '',
      name: metadata?.name ?? '',
    },
    'history',
  )
  return (
    <Section
      title="Revisions"
      aside={
        <Link href={history} className="rounded-badge underline underline-offset-2">
          History
        </Link>
      }
    >
      <ol className="flex gap-1">
        {revisions.slice(-shownRevisions).map((revision) => (
          <RevisionItem key={revision.number} revision={revision} />
        ))}
      </ol>
    </Section>
  )
}

interface Revision {
  number: number
  images: readonly string[]
  createdAt: string | null
  pods: number
  restarts: number
  /** The worst of its pods; undefined where it has none. */
  state: HealthState | undefined
}

const looks: Record<HealthState, { className: string; word: string }> = {
  failing: { className: 'bg-danger', word: 'failing' },
  degraded: { className: 'bg-warn', word: 'degraded' },
  unknown: { className: 'bg-line-strong', word: 'unknown' },
  starting: { className: 'bg-info', word: 'starting' },
  healthy: { className: 'bg-ok', word: 'healthy' },
}

function RevisionItem({ revision }: { revision: Revision }) {
  const { number, images, createdAt, pods, restarts, state } = revision
  const look = state && looks[state]
  return (
    <li className="min-w-0 flex-1">
      <span
        aria-hidden
        data-live-color=""
        className={cx('mb-1.5 block h-[3px] rounded-full', look?.className ?? 'bg-line-strong')}
      />
      <span className="flex min-w-0 items-baseline gap-1.5" data-tooltip={images.join('\n')}>
        <span className="font-semibold tabular-nums">{number}</span>
        <span className="truncate font-mono text-small">{images.map(tagOf).join(', ')}</span>
      </span>
      <span className="block text-small text-text-2">
        {look ? `${formatCount(pods, 'pod')} ${look.word}` : <RelativeTime at={createdAt} />}
        {restarts > 0 ? `, ${formatCount(restarts, 'restart')}` : ''}
      </span>
    </li>
  )
}

/** "2.15.0", or the name of an image that has no tag. */
function tagOf(image: string): string {
  const name = image.split('/').at(-1) ?? image
  return name.split('@')[0]?.split(':')[1] ?? name
}

const order: readonly HealthState[] = ['failing', 'degraded', 'unknown', 'starting', 'healthy']

/** The oldest first. A pod of a replica set begins with its name. */
function revisionsOf(owned: readonly OwnedObject[]): Revision[] {
  return owned
    .flatMap(({ name, createdAt, revision }) => {
      if (revision === null) return []
      const pods = owned.filter((each) => each.pod !== null && each.name.startsWith(`${name}-`))
      return [
        {
          ...revision,
          createdAt,
          pods: pods.length,
          restarts: pods.reduce((sum, { pod }) => sum + (pod?.restarts ?? 0), 0),
          state: order.find((state) => pods.some(({ health }) => health?.state === state)),
        },
      ]
    })
    .toSorted((a, b) => a.number - b.number)
}
