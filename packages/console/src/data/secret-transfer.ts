import type { CallInput } from '@bey/contract'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '../lib/api.ts'
import { downloadText } from '../lib/download.ts'
import { apiPath, refetchBelow } from './api-query.ts'
import { useOrganizationId } from './session.ts'

export type SecretsToImport = NonNullable<CallInput<'secrets.import'>['body']>
export type SecretsToExport = NonNullable<CallInput<'secrets.export'>['body']>

/** What would become of each entry of a file; stores nothing. */
export function usePreviewImport() {
  return useMutation({
    mutationFn: (body: SecretsToImport) => api.call('secrets.import', { body: { ...body, dryRun: true } }),
    // The variables hold the values: they are forgotten with the form.
    gcTime: 0,
  })
}

const files = {
  env: { name: 'secrets.env', mediaType: 'text/plain' },
  yaml: { name: 'secrets.yaml', mediaType: 'application/yaml' },
  kubernetes: { name: 'secrets.kubernetes.yaml', mediaType: 'application/yaml' },
}

/** Hands the values over as a file; no cache keeps them. */
export function useExportSecrets() {
  const cache = useQueryClient()
  const organizationId = useOrganizationId()
  return useMutation({
    mutationFn: async (body: SecretsToExport): Promise<void> => {
      const { name, mediaType } = files[body.format]
      downloadText(name, await api.call('secrets.export', { body }), mediaType)
    },
    onSuccess: () => refetchBelow(cache, organizationId, apiPath('secrets.list')),
    gcTime: 0,
  })
}
