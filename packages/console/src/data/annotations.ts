import type { CallInput } from '@bey/contract'
import { useMutation } from '@tanstack/react-query'
import { api } from '../lib/api.ts'
import { apiPath, refetchBelow } from './api-query.ts'
import type { LiveReducers } from './live.ts'
import { useRefetch } from './use-refetch.ts'

export type AnnotationListQuery = NonNullable<CallInput<'annotations.list'>['query']>
export type NewAnnotation = NonNullable<CallInput<'annotations.create'>['body']>
type ExportQuery = NonNullable<CallInput<'annotations.export'>['query']>

const annotationsPath = apiPath('annotations.list')

/** Saves a note. The same `idempotencyKey` saves it once, however often a lost answer makes one try again. */
export function useCreateAnnotation() {
  const refetch = useRefetch(annotationsPath)
  return useMutation({
    mutationFn: ({ body, idempotencyKey }: { body: NewAnnotation; idempotencyKey: string }) =>
      api.call('annotations.create', { body }, { idempotencyKey }),
    onSuccess: refetch,
  })
}

/** The text of a file. */
export function useExportAnnotations() {
  return useMutation({ mutationFn: (query: ExportQuery) => api.call('annotations.export', { query }) })
}

export const annotationReducers: Pick<LiveReducers, 'ANNOTATIONS_UPDATE'> = {
  // Lists, places and the note itself stand below one path.
  ANNOTATIONS_UPDATE: (cache, { organizationId }) => refetchBelow(cache, organizationId, annotationsPath),
}
