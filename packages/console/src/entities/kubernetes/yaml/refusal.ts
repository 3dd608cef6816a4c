import { KubernetesError } from '../../../lib/kubernetes-error.ts'
import { causeOf } from '../../../lib/error-text.ts'
import type { ManifestDocument } from './manifest-documents.ts'
import { parseFieldPath, positionOfPath } from './position-of-path.ts'
import type { Free, TextProblem } from './text-problem.ts'

/** A field that another manager applies, as the API server answers a server-side apply. */
export interface ManagerConflict {
  /** `.spec.template.spec.containers[name="web"].image`, as the server names it. */
  field: string
  manager: string
}

/** Why the cluster did not take an object. */
export interface Refusal {
  /** In the server's own words; empty where every word of it stands at a line. */
  message: string
  /** What can be said at a line. */
  problems: TextProblem[]
  /** The object changed since it was read. */
  isOutdated: boolean
  managerConflicts: ManagerConflict[]
  /** The object as it is, where the answer to a conflict needs it. */
  live?: Free
}

/** A refusal that stands above the text. */
export function topRefusal(message: string): Refusal {
  return { message, problems: [], isOutdated: false, managerConflicts: [] }
}

/** For an object that changed at every attempt. */
export const keepsChanging = topRefusal(
  'It changes faster than it can be checked, so nothing was applied. Try again in a moment.',
)

/** Sorts what a cluster answered: to fields in the text, to managers, or to the top of the page. */
export function refusalOf(error: unknown, document: ManifestDocument): Refusal {
  const refusal: Refusal = { message: causeOf(error), problems: [], isOutdated: false, managerConflicts: [] }
  if (!(error instanceof KubernetesError)) return refusal
  const { code, reason, message, causes } = error.failure
  // The server's own words are the ones that a web search and its administrator know.
  if (message !== '') refusal.message = message
  const managerConflicts = causes.flatMap((cause) =>
    cause.reason === 'FieldManagerConflict'
      ? [
          {
            field: cause.field,
            manager: /conflict with "([^"]*)"/.exec(cause.message)?.[1] ?? 'another manager',
          },
        ]
      : [],
  )
  if (managerConflicts.length > 0) return { ...refusal, managerConflicts }
  if (code === 409 && reason === 'Conflict') return { ...refusal, isOutdated: true }
  const said = [
    ...causes.map(({ field, message: text }) => ({ field, text })),
    ...[...message.matchAll(/(unknown|duplicate) field "([^"]+)"/g)].map(([, kind, field = '']) => ({
      field,
      text:
        kind === 'unknown' ? `The cluster knows no field "${field}".` : `The field "${field}" is here twice.`,
    })),
  ]
  refusal.problems = said.flatMap(({ field, text }) => {
    if (field === '' || field === '<nil>') return []
    const place = positionOfPath(document.node, parseFieldPath(field, document.object))
    return [{ ...place, severity: 'error' as const, message: text }]
  })
  return refusal
}
