import type { Cluster } from '@bey/contract'
import { deniedReason } from '@bey/contract'
import { useState } from 'react'
import { useNamespaces } from '../../../data/kubernetes.ts'
import { useRole } from '../../../data/session.ts'
import { useClusterStaleReason } from '../../clusters/use-cluster-stale-reason.ts'
import { formatCount } from '../../../lib/format.ts'
import { lazyPart } from '../../../lib/lazy-part.ts'
import { Button } from '../../../ui/button.tsx'
import { Section } from '../../../ui/section.tsx'
import { samples } from './sample-list.ts'
import type { Sample } from './sample-list.ts'
import { Suspense } from 'react'

const SamplePreview = lazyPart(async () => ({
  default: (await import('./sample-preview.tsx')).SamplePreview,
}))
const SampleRun = lazyPart(async () => ({ default: (await import('./sample-run.tsx')).SampleRun }))

/** Applications that make a new cluster worth looking at: each is shown before it is applied, in a namespace of its own that is removed with it. */
export function SampleApplications({ cluster }: { cluster: Cluster }) {
  const namespaces = useNamespaces(cluster.id, cluster.status === 'RUNNING')
  const present = new Set(namespaces.data?.namespaces.map(({ name }) => name))
  return (
    <Section title="Sample applications">
      <ul className="grid gap-px">
        {samples.map((sample) => (
          <SampleRow
            key={sample.id}
            cluster={cluster}
            sample={sample}
            isThere={namespaces.data ? present.has(sample.namespace) : undefined}
          />
        ))}
      </ul>
    </Section>
  )
}

function SampleRow({
  cluster,
  sample,
  isThere,
}: {
  cluster: Cluster
  sample: Sample
  /** Undefined while it is not known. */
  isThere: boolean | undefined
}) {
  const [act, setAct] = useState<'preview' | 'apply' | 'remove'>()
  const denied = deniedReason(useRole(), 'kubernetes.write')
  const secrets = deniedReason(useRole(), 'kubernetes.secrets')
  const stale = useClusterStaleReason(cluster.id)
  const reason = denied ?? secrets ?? stale
  // Its namespace is there first: until all of it is applied, there is nothing to remove.
  const canRemove = act === undefined || act === 'preview' ? isThere : act === 'remove'
  const waiting = isThere === undefined ? 'The namespaces of the cluster are being read.' : undefined
  return (
    <li className="border-b border-line py-3 last:border-b-0">
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
        <div className="min-w-0 flex-1 basis-60">
          <h3 className="font-medium">{sample.label}</h3>
          <p className="text-text-2">{sample.description}</p>
          <p className="mt-1 text-small text-text-3">
            Namespace {sample.namespace}, {formatCount(sample.images.length, 'image')}:{' '}
            <span className="font-mono break-all">{sample.images.join(', ')}</span>
          </p>
        </div>
        {canRemove ? (
          <Button
            size="small"
            aria-label={`Remove ${sample.label}`}
            disabledReason={reason}
            busy={act === 'remove'}
            onClick={() => setAct('remove')}
          >
            Remove
          </Button>
        ) : (
          <Button
            size="small"
            aria-label={`Apply ${sample.label}`}
            disabledReason={reason ?? waiting}
            busy={act === 'apply'}
            onClick={() => setAct('preview')}
          >
            Apply
          </Button>
        )}
      </div>
      {act === 'preview' ? (
        <Suspense fallback={null}>
          <SamplePreview
            id={sample.id}
            clusterTitle={cluster.title}
            onApply={() => setAct('apply')}
            onClose={() => setAct(undefined)}
          />
        </Suspense>
      ) : act ? (
        <Suspense fallback={null}>
          <SampleRun key={act} cluster={cluster} id={sample.id} act={act} onEnd={() => setAct(undefined)} />
        </Suspense>
      ) : null}
    </li>
  )
}
