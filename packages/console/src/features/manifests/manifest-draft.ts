import { readJson, tabStorage } from '../../lib/storage.ts'
import { parseManifest } from '../../entities/kubernetes/yaml/manifest-documents.ts'

/** Session storage holds about 5 MB for all pages of the console. */
const maxDraftLength = 500_000

/** The draft of one user for one cluster, kept in this tab until it is applied. */
export function readDraft(userId: number, clusterId: number): string {
  const draft = drafts()[keyOf(userId, clusterId)]
  return typeof draft === 'string' ? draft : ''
}

/** Keeps a draft, or says why it is not kept; the one before is then forgotten as well. */
export function writeDraft(userId: number, clusterId: number, text: string): string | undefined {
  const reason = notKeptReason(text)
  const { [keyOf(userId, clusterId)]: _before, ...others } = drafts()
  const kept = text === '' || reason ? others : { ...others, [keyOf(userId, clusterId)]: text }
  tabStorage.write('manifestDrafts', JSON.stringify(kept))
  return reason
}

/** Also a text that cannot be read may hold a Secret. */
function notKeptReason(text: string): string | undefined {
  if (
    /kind["']?\s*:\s*["']?Secret\b/i.test(text) ||
    parseManifest(text).documents.some(({ kind }) => kind === 'Secret')
  ) {
    return 'This draft is not kept in the browser, because it holds a Secret: a reload loses it.'
  }
  if (text.length > maxDraftLength)
    return 'This draft is too large to be kept in the browser: a reload loses it.'
  return undefined
}

function keyOf(userId: number, clusterId: number): string {
  return `${userId}/${clusterId}`
}

function drafts(): Record<string, unknown> {
  const stored = readJson(tabStorage, 'manifestDrafts')
  return typeof stored === 'object' && stored !== null ? { ...stored } : {}
}
