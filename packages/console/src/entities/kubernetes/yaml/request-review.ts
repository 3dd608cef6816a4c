import { onlyDocument, versionOf } from './edited-document.ts'
import { changesBetween, mergePatch } from './object-changes.ts'
import { patchObject } from './object-requests.ts'
import { withHiddenValues } from './object-text.ts'
import { refusalOf, topRefusal } from './refusal.ts'
import type { Refusal } from './refusal.ts'
import type { Review } from './review.ts'
import type { Free } from './text-problem.ts'

/** Asks the cluster by a dry run what a text would change; `start` is the text with the object it was edited from. */
export async function requestReview(
  subject: Parameters<typeof patchObject>[0],
  start: { base: Free; text: string },
  now: Free,
): Promise<{ review: Review } | { refusal: Refusal }> {
  const document = onlyDocument(start.text, start.base)
  if ('message' in document) return { refusal: topRefusal(document.message) }
  const patch = mergePatch(start.base, document.object)
  if (!patch) return { refusal: topRefusal('Nothing is changed, so there is nothing to apply.') }
  const startedAt = performance.now()
  try {
    const answer = await patchObject(subject, { patch, resourceVersion: versionOf(now), isDryRun: true })
    const after = withHiddenValues(answer['kind'] === 'PartialObjectMetadata' ? document.object : answer)
    return {
      review: {
        text: start.text,
        live: withHiddenValues(now),
        after,
        changes: changesBetween(withHiddenValues(now), after),
        patch,
        tookMs: Math.round(performance.now() - startedAt),
        at: new Date(),
      },
    }
  } catch (error) {
    return { refusal: refusalOf(error, document) }
  }
}
