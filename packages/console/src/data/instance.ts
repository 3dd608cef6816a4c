import type { CallInput, Instance, OauthProvider } from '@bey/contract'
import { useMutation, useQuery } from '@tanstack/react-query'
import { api } from '../lib/api.ts'
import { apiQuery } from './api-query.ts'
import { queryClient } from './query-client.ts'

const instanceQuery = () => apiQuery(undefined, 'instance.get', {})

/** The settings of the whole server; refused to anyone who does not operate it. */
export function useInstance() {
  return useQuery({ ...instanceQuery(), retry: false })
}

const healthEveryMs = 15_000

/** How the server is, read again every 15 s; refused to anyone who does not operate it. */
export function useInstanceHealth() {
  return useQuery({
    ...apiQuery(undefined, 'instance.health', {}),
    retry: false,
    refetchInterval: ({ state }) => (state.data === undefined ? false : healthEveryMs),
  })
}

function keep(instance: Instance): void {
  queryClient.setQueryData(instanceQuery().queryKey, instance)
  void queryClient.invalidateQueries({ queryKey: ['sign-in-options'] })
}

export function useUpdateGeneral() {
  return useMutation({
    mutationFn: (body: CallInput<'instance.updateGeneral'>['body']) =>
      api.call('instance.updateGeneral', { body }),
    onSuccess: keep,
  })
}

export function useSetReadOnly() {
  return useMutation({
    mutationFn: (body: CallInput<'instance.setReadOnly'>['body']) =>
      api.call('instance.setReadOnly', { body }),
    onSuccess(instance) {
      keep(instance)
      void queryClient.invalidateQueries({ queryKey: ['status'] })
    },
  })
}

export function useUpdateSmtp() {
  return useMutation({
    mutationFn: (body: CallInput<'instance.updateSmtp'>['body']) => api.call('instance.updateSmtp', { body }),
    onSuccess: keep,
  })
}

export function useRemoveSmtp() {
  return useMutation({ mutationFn: () => api.call('instance.removeSmtp', {}), onSuccess: keep })
}

/** Sends a test mail to the user. */
export function useTestSmtp() {
  return useMutation({ mutationFn: () => api.call('instance.testSmtp', {}) })
}

export function useUpdateProvider(provider: OauthProvider) {
  return useMutation({
    mutationFn: (body: CallInput<'instance.updateProvider'>['body']) =>
      api.call('instance.updateProvider', { params: { provider }, body }),
    onSuccess: keep,
  })
}

export function useRemoveProvider(provider: OauthProvider) {
  return useMutation({
    mutationFn: () => api.call('instance.removeProvider', { params: { provider } }),
    onSuccess: keep,
  })
}
