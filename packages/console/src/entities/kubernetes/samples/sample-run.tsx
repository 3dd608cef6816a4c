import type { Cluster } from '@bey/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { apiPath, refetchBelow } from '../../../data/api-query.ts'
import { sendToCluster } from '../../../data/kubernetes-proxy.ts'
import { useOrganizationId } from '../../../data/session.ts'
import { causeOf } from '../../../lib/error-text.ts'
import { formatCount } from '../../../lib/format.ts'
import { isGone } from '../../../lib/kubernetes-error.ts'
import { toast } from '../../../ui/toast.ts'
import { applyManifest } from '../manifests/apply-manifest.ts'
import { createKindFinder } from '../manifests/served-kinds.ts'
import { parseManifest } from '../yaml/manifest-documents.ts'
import { samples } from './sample-list.ts'
import type { Sample } from './sample-list.ts'
import { sampleManifests } from './sample-manifests.ts'

const goneTimeoutMs = 120_000
const gonePeriodMs = 1_000

export interface SampleRunProps {
  cluster: Cluster
  id: Sample['id']
  act: 'apply' | 'remove'
  onEnd: () => void
}

/** Applies or removes a sample once, and says how far it is. */
export function SampleRun({ cluster, id, act, onEnd }: SampleRunProps) {
  const [progress, setProgress] = useState(act === 'apply' ? 'Applying' : 'Removing')
  const cache = useQueryClient()
  const organizationId = useOrganizationId()
  const isStarted = useRef(false)
  useEffect(() => {
    // Mounted twice in development, it must still act once.
    if (isStarted.current) return
    isStarted.current = true
    const sample = samples.find((each) => each.id === id)
    if (!sample) return
    const done = act === 'apply' ? apply(cluster.id, sample, setProgress) : remove(cluster.id, sample)
    void done
      .then(
        (text) => toast('success', text),
        (error: unknown) =>
          toast('error', `Failed to ${act} ${sample.label}`, { description: causeOf(error) }),
      )
      .then(() => refetchBelow(cache, organizationId, apiPath('clusters.get', { id: cluster.id })))
      .then(onEnd)
  }, [act, cache, cluster.id, id, onEnd, organizationId])
  return <output className="mt-2 block text-small text-text-2">{progress}</output>
}

async function apply(clusterId: number, sample: Sample, onProgress: (text: string) => void): Promise<string> {
  const { documents } = parseManifest(sampleManifests[sample.id])
  let count = 0
  const results = await applyManifest(documents, {
    clusterId,
    find: createKindFinder(clusterId),
    namespace: sample.namespace,
    forced: new Set(),
    onResult: ({ outcome }) => {
      if (outcome.state !== 'running') count += 1
      onProgress(`${count} of ${documents.length} objects applied`)
    },
  })
  const refused = results.flatMap(({ document, outcome }) =>
    outcome.state === 'refused' ? [`${document.kind} ${document.name}: ${outcome.refusal.message}`] : [],
  )
  if (refused.length > 0) throw new Error(refused.slice(0, 3).join(' '))
  return `${sample.label} applied: ${formatCount(results.length, 'object')} in ${sample.namespace}`
}

/** Ends when the namespace is gone, with all that was in it. */
async function remove(clusterId: number, { label, namespace }: Sample): Promise<string> {
  const path = `/api/v1/namespaces/${namespace}`
  const deadline = performance.now() + goneTimeoutMs
  try {
    await sendToCluster(clusterId, { method: 'DELETE', path })
    while (performance.now() < deadline) {
      await new Promise((resolve) => setTimeout(resolve, gonePeriodMs))
      await sendToCluster(clusterId, { method: 'GET', path })
    }
    return `${label} is being removed: the namespace ${namespace} is still ending`
  } catch (error) {
    if (isGone(error)) return `${label} removed`
    throw error
  }
}
