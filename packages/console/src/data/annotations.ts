import type { AnnotationDetail, CallInput } from '@bey/contract'
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '../lib/api.ts'
import { apiKey, apiPath, apiQuery, refetchBelow } from './api-query.ts'
import type { LiveReducers } from './live.ts'
import { useOrganizationId } from './session.ts'
import { useRefetch } from './use-refetch.ts'

export type AnnotationListQuery = NonNullable<CallInput<'annotations.list'>['query']>
export type NewAnnotation = NonNullable<CallInput<'annotations.create'>['body']>
type Change = NonNullable<CallInput<'annotations.update'>['body']>
type ExportQuery = NonNullable<CallInput<'annotations.export'>['query']>

const annotationsPath = apiPath('annotations.list')

export function useAnnotations(query: AnnotationListQuery) {
  const organizationId = useOrganizationId()
  return useQuery({
    ...apiQuery(organizationId, 'annotations.list', { query }),
    placeholderData: keepPreviousData,
  })
}

/** Pages and components that have notes. */
export function useAnnotationPlaces() {
  const organizationId = useOrganizationId()
  return useQuery(apiQuery(organizationId, 'annotations.places', {}))
}

/** One note with its replies. */
export function useAnnotation(id: string) {
  return useQuery(apiQuery(useOrganizationId(), 'annotations.get', { params: { id } }))
}

/** Saves a note. The same `idempotencyKey` saves it once, however often a lost answer makes one try again. */
export function useCreateAnnotation() {
  const refetch = useRefetch(annotationsPath)
  return useMutation({
    mutationFn: ({ body, idempotencyKey }: { body: NewAnnotation; idempotencyKey: string }) =>
      api.call('annotations.create', { body }, { idempotencyKey }),
    onSuccess: refetch,
  })
}

export function useReply(id: string) {
  const keep = useKeepDetail()
  return useMutation({
    mutationFn: (text: string) => api.call('annotations.reply', { params: { id }, body: { text } }),
    onSuccess: keep,
  })
}

export function useUpdateAnnotation(id: string) {
  const keep = useKeepDetail()
  return useMutation({
    mutationFn: (body: Change) => api.call('annotations.update', { params: { id }, body }),
    onSuccess: keep,
  })
}

export function useDeleteAnnotation() {
  const refetch = useRefetch(annotationsPath)
  return useMutation({
    mutationFn: (id: string) => api.call('annotations.delete', { params: { id } }),
    onSuccess: refetch,
  })
}

/** The text of a file. */
export function useExportAnnotations() {
  return useMutation({ mutationFn: (query: ExportQuery) => api.call('annotations.export', { query }) })
}

function useKeepDetail() {
  const cache = useQueryClient()
  const organizationId = useOrganizationId()
  return (detail: AnnotationDetail) => {
    cache.setQueryData(apiKey(organizationId, 'annotations.get', { params: { id: detail.id } }), detail)
    void cache.invalidateQueries({ queryKey: [annotationsPath, organizationId] })
  }
}

export const annotationReducers: Pick<LiveReducers, 'ANNOTATIONS_UPDATE'> = {
  // Lists, places and the note itself stand below one path.
  ANNOTATIONS_UPDATE: (cache, { organizationId }) => refetchBelow(cache, organizationId, annotationsPath),
}
