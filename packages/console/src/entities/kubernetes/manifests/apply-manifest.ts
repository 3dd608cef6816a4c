import { kubernetesPath, resourceName } from '@bey/contract'
import { sendToCluster } from '../../../data/kubernetes-proxy.ts'
import { isGone, KubernetesError } from '../../../lib/kubernetes-error.ts'
import type { ManifestDocument } from '../yaml/manifest-documents.ts'
import { changesBetween } from '../yaml/object-changes.ts'
import type { FieldChange } from '../yaml/object-changes.ts'
import { applyObject } from '../yaml/object-requests.ts'
import { withMaskedValues } from '../yaml/object-text.ts'
import { refusalOf } from '../yaml/refusal.ts'
import type { Refusal } from '../yaml/refusal.ts'
import type { Free } from '../yaml/text-problem.ts'
import { isFree } from '../yaml/text-problem.ts'
import { definedKinds, inApplyOrder } from './manifest-order.ts'
import type { FindKind, ServedResource } from './served-kinds.ts'

/** How long a kind may take to be served after its definition was applied. */
const kindTimeoutMs = 30_000
const kindPeriodMs = 400

/** What applying one document does, or did. */
export type DocumentOutcome =
  | { state: 'create' | 'created' }
  | { state: 'change' | 'changed'; changes: FieldChange[]; live: Free; after: Free }
  | { state: 'unchanged' }
  /** It cannot be tried before something else of the manifest is there. */
  | { state: 'later'; reason: string }
  | { state: 'running'; reason: string }
  | { state: 'refused'; refusal: Refusal }

export interface DocumentResult {
  document: ManifestDocument
  /** Where it goes; empty for what belongs to no namespace, and while nothing is known of its kind. */
  namespace: string
  resource: string | undefined
  outcome: DocumentOutcome
}

export interface ManifestRun {
  clusterId: number
  find: FindKind
  /** Where objects go that name no namespace. */
  namespace: string
  /** Documents of which every conflict with another manager was answered with ours, by their key. */
  forced: ReadonlySet<string>
  onResult: (result: DocumentResult) => void
}

/** Names a document within its manifest. */
export function documentKey({ apiVersion, kind, namespace, name }: ManifestDocument): string {
  return `${apiVersion}/${kind}/${namespace}/${name}`
}

/** Asks the cluster, with dry runs, what applying the documents would do. Never throws for a single document. */
export async function reviewManifest(
  documents: readonly ManifestDocument[],
  run: ManifestRun,
): Promise<DocumentResult[]> {
  const all = inApplyOrder(documents)
  const defined = definedKinds(all)
  const namespaces = new Set(all.filter(({ kind }) => kind === 'Namespace').map(({ name }) => name))
  const results: DocumentResult[] = []
  for (const document of all) {
    const result = await reviewDocument(document, run, { defined, namespaces })
    results.push(result)
    run.onResult(result)
  }
  return results
}

/** Applies the documents one after the other; what fails does not keep the others from being applied. */
export async function applyManifest(
  documents: readonly ManifestDocument[],
  run: ManifestRun,
): Promise<DocumentResult[]> {
  const all = inApplyOrder(documents)
  const defined = definedKinds(all)
  const results: DocumentResult[] = []
  for (const document of all) {
    const result = await applyDocument(document, run, defined)
    results.push(result)
    run.onResult(result)
  }
  return results
}

async function reviewDocument(
  document: ManifestDocument,
  run: ManifestRun,
  own: { defined: ReadonlySet<string>; namespaces: ReadonlySet<string> },
): Promise<DocumentResult> {
  const { kind, apiVersion } = document
  try {
    const served = await run.find(apiVersion, kind)
    if (!served) {
      const isOwn = own.defined.has(`${apiVersion.split('/')[0]}/${kind}`)
      const outcome: DocumentOutcome = isOwn
        ? { state: 'later', reason: 'Checked once its definition above is applied.' }
        : notServed(document)
      return { document, namespace: document.namespace, resource: undefined, outcome }
    }
    const place = placeOf(document, served, run)
    const live = await readLive(place)
    const isAwaited = place.namespace !== '' && own.namespaces.has(place.namespace) && !live
    try {
      const after = await applyObject(place, {
        object: objectFor(document, place.namespace),
        isDryRun: true,
        isForced: run.forced.has(documentKey(document)),
      })
      return { ...facts(document, place, served), outcome: outcomeOf(live, after, 'create', 'change') }
    } catch (error) {
      const isMissingNamespace = isAwaited && error instanceof KubernetesError && error.failure.code === 404
      const outcome: DocumentOutcome = isMissingNamespace
        ? { state: 'later', reason: 'Checked once its namespace above is created.' }
        : { state: 'refused', refusal: { ...refusalOf(error, document), ...(live && { live }) } }
      return { ...facts(document, place, served), outcome }
    }
  } catch (error) {
    const outcome: DocumentOutcome = { state: 'refused', refusal: refusalOf(error, document) }
    return { document, namespace: document.namespace, resource: undefined, outcome }
  }
}

async function applyDocument(
  document: ManifestDocument,
  run: ManifestRun,
  defined: ReadonlySet<string>,
): Promise<DocumentResult> {
  const { kind, apiVersion, namespace } = document
  const nowhere = { document, namespace, resource: undefined }
  try {
    run.onResult({ ...nowhere, outcome: { state: 'running', reason: 'Applying' } })
    const isOwn = defined.has(`${apiVersion.split('/')[0]}/${kind}`)
    const served = await untilServed(document, run, isOwn)
    if (!served) return { ...nowhere, outcome: notServed(document) }
    const place = placeOf(document, served, run)
    const live = await readLive(place)
    const after = await applyObject(place, {
      object: objectFor(document, place.namespace),
      isDryRun: false,
      isForced: run.forced.has(documentKey(document)),
    })
    return { ...facts(document, place, served), outcome: outcomeOf(live, after, 'created', 'changed') }
  } catch (error) {
    return { ...nowhere, outcome: { state: 'refused', refusal: refusalOf(error, document) } }
  }
}

async function untilServed(
  document: ManifestDocument,
  run: ManifestRun,
  isOwn: boolean,
): Promise<ServedResource | undefined> {
  const deadline = performance.now() + kindTimeoutMs
  for (;;) {
    const served = await run.find(document.apiVersion, document.kind)
    if (served || !isOwn || performance.now() > deadline) return served
    const reason = `Waiting until the cluster serves ${document.kind}`
    run.onResult({ document, namespace: '', resource: undefined, outcome: { state: 'running', reason } })
    await new Promise((resolve) => setTimeout(resolve, kindPeriodMs))
  }
}

function placeOf(document: ManifestDocument, served: ServedResource, run: ManifestRun) {
  const namespace = served.isNamespaced ? document.namespace || run.namespace : ''
  return { clusterId: run.clusterId, resource: served, namespace, name: document.name }
}

type Place = ReturnType<typeof placeOf>

function facts(document: ManifestDocument, place: Place, { plural, group }: ServedResource) {
  return { document, namespace: place.namespace, resource: resourceName(plural, group) }
}

/** The object as it is now; undefined where there is none. Of a Secret its metadata alone. */
async function readLive({ clusterId, resource, namespace, name }: Place): Promise<Free | undefined> {
  try {
    const path = kubernetesPath(resource, namespace, name)
    const isMetadataOnly = resource.plural === 'secrets'
    const live = await sendToCluster(clusterId, { method: 'GET', path, isMetadataOnly })
    return isFree(live) ? live : undefined
  } catch (error) {
    if (isGone(error)) return undefined
    throw error
  }
}

/** What is sent: without what the server keeps itself, so that an exported object can be applied again. */
function objectFor({ object }: ManifestDocument, namespace: string): Free {
  const { status: _status, metadata, ...rest } = object
  const {
    managedFields: _managedFields,
    resourceVersion: _resourceVersion,
    uid: _uid,
    creationTimestamp: _creationTimestamp,
    generation: _generation,
    ...kept
  } = isFree(metadata) ? metadata : {}
  return { ...rest, metadata: { ...kept, ...(namespace && { namespace }) } }
}

function outcomeOf(
  live: Free | undefined,
  after: Free,
  made: 'create' | 'created',
  changed: 'change' | 'changed',
): DocumentOutcome {
  if (!live) return { state: made }
  const changes = changesBetween(withMaskedValues(live), withMaskedValues(after))
  const isSecret = after['kind'] === 'PartialObjectMetadata'
  if (changes.length === 0 && !isSecret) return { state: 'unchanged' }
  return { state: changed, changes, live, after }
}

function notServed({ apiVersion, kind, from }: ManifestDocument): DocumentOutcome {
  const message = `The cluster serves no ${kind} of ${apiVersion}. Apply its definition first, or correct apiVersion and kind.`
  const problems = [{ from, to: from + 1, severity: 'error' as const, message }]
  return { state: 'refused', refusal: { message, problems, isOutdated: false, managerConflicts: [] } }
}
