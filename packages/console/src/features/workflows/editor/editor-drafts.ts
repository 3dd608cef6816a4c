import { readJson, storage } from '../../../lib/storage.ts'
import { isRecord } from '../definition/draft.ts'

/** Local storage holds about 5 MB for all pages of the console. */
const longestDraft = 500_000
const mostDrafts = 10

/** A text that is not saved yet. */
export interface KeptDraft {
  text: string
  /** The version that it was made from; undefined for a new workflow. */
  baseVersion: number | undefined
  /** When it was kept, in milliseconds. */
  keptAt: number
}

/** Whose draft of what: one user's of one workflow, or of a new one. */
export function draftKey(userId: number, organizationId: number, workflowId: string | undefined): string {
  return `${userId}/${organizationId}/${workflowId ?? 'new'}`
}

export function readKept(key: string): KeptDraft | undefined {
  const kept = all()[key]
  if (!isRecord(kept) || typeof kept['text'] !== 'string') return undefined
  const { text, baseVersion, keptAt } = kept
  return {
    text,
    baseVersion: typeof baseVersion === 'number' ? baseVersion : undefined,
    keptAt: typeof keptAt === 'number' ? keptAt : 0,
  }
}

/** Keeps a draft and forgets the oldest beyond ten. False: it is too large, and what was kept before is forgotten. */
export function keepDraft(key: string, draft: KeptDraft): boolean {
  const { [key]: _before, ...others } = all()
  const isKept = draft.text.length <= longestDraft
  const newest = Object.entries(isKept ? { ...others, [key]: draft } : others)
    .toSorted(([, left], [, right]) => keptAtOf(right) - keptAtOf(left))
    .slice(0, mostDrafts)
  storage.write('workflowDrafts', JSON.stringify(Object.fromEntries(newest)))
  return isKept
}

export function forgetDraft(key: string): void {
  const { [key]: _gone, ...others } = all()
  if (Object.keys(others).length === 0) storage.remove('workflowDrafts')
  else storage.write('workflowDrafts', JSON.stringify(others))
}

function all(): Record<string, unknown> {
  const stored = readJson(storage, 'workflowDrafts')
  return isRecord(stored) ? stored : {}
}

const keptAtOf = (draft: unknown) =>
  isRecord(draft) && typeof draft['keptAt'] === 'number' ? draft['keptAt'] : 0
