import { useState } from 'react'
import type { ManifestDocument } from '../../entities/kubernetes/yaml/manifest-documents.ts'
import {
  applyManifest,
  documentKey,
  reviewManifest,
} from '../../entities/kubernetes/manifests/apply-manifest.ts'
import type { DocumentResult } from '../../entities/kubernetes/manifests/apply-manifest.ts'
import { createKindFinder } from '../../entities/kubernetes/manifests/served-kinds.ts'

export type ManifestPhase = 'editing' | 'reviewing' | 'reviewed' | 'applying' | 'applied'

/** A manifest on its way into a cluster: review, apply, and apply again what failed, with a result for each document. */
export function useManifestRun(clusterId: number, namespace: string) {
  const [phase, setPhase] = useState<ManifestPhase>('editing')
  const [results, setResults] = useState<ReadonlyMap<string, DocumentResult>>(new Map())
  const [forced, setForced] = useState<ReadonlySet<string>>(new Set())

  const run = (force: ReadonlySet<string>) => ({
    clusterId,
    namespace,
    // A new one each time: definitions come and go.
    find: createKindFinder(clusterId),
    forced: force,
    onResult: (result: DocumentResult) =>
      setResults((before) => new Map(before).set(documentKey(result.document), result)),
  })

  async function review(documents: readonly ManifestDocument[], force = forced): Promise<DocumentResult[]> {
    setPhase('reviewing')
    setResults(new Map())
    setForced(force)
    const found = await reviewManifest(documents, run(force))
    setPhase('reviewed')
    return found
  }

  async function apply(documents: readonly ManifestDocument[]): Promise<DocumentResult[]> {
    setPhase('applying')
    const found = await applyManifest(documents, run(forced))
    setPhase('applied')
    return found
  }

  return {
    phase,
    results: [...results.values()],
    isBusy: phase === 'reviewing' || phase === 'applying',
    forced,
    review,
    apply,
    /** Tries again only what was refused. */
    retry: () =>
      apply(
        [...results.values()].flatMap(({ document, outcome }) =>
          outcome.state === 'refused' ? [document] : [],
        ),
      ),
    /** The text is another one: what was found is old. */
    restart: () => {
      setPhase('editing')
      setResults(new Map())
    },
  }
}
