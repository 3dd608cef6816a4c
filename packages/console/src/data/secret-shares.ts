import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '../lib/api.ts'
import type { SharedText } from '../lib/share-box.ts'
import { openShare, sealShare } from '../lib/share-box.ts'
import { apiPath, refetchBelow } from './api-query.ts'
import { revealSecret } from './secrets.ts'
import { useOrganizationId } from './session.ts'

/** What is shared: a text that is typed, or the value of a secret, which is read with a reason first. */
export type NewShare = { hours: number } & (
  | { text: string }
  | { secret: { id: string; name: string }; reason: string }
)

/** Makes a link that opens once and answers it. The text is encrypted here; the key is in the link alone. */
export function useCreateShare() {
  const refetch = useRefetchShares()
  return useMutation({
    mutationFn: async (share: NewShare): Promise<string> => {
      const { ciphertext, key } = await sealShare(await textOf(share))
      const { id } = await api.call('secretShares.create', {
        body: {
          ciphertext,
          expiresInHours: share.hours,
          ...('secret' in share && { secretId: share.secret.id }),
        },
      })
      return `${location.origin}/share/${id}#${key}`
    },
    onSuccess: refetch,
    // Variables and result open the value.
    gcTime: 0,
  })
}

async function textOf(share: NewShare): Promise<SharedText> {
  if ('text' in share) return { value: share.text }
  const { id, name } = share.secret
  const { value } = await revealSecret(id, share.reason)
  return { name, value: typeof value === 'string' ? value : JSON.stringify(value, null, 2) }
}

/** Opens a link: the server wipes what it kept as it answers, so this works once. */
export async function takeShare(id: string, key: string): Promise<SharedText> {
  const { ciphertext } = await api.call('secretShares.open', { params: { id } })
  return openShare(ciphertext, key)
}

function useRefetchShares() {
  const cache = useQueryClient()
  const organizationId = useOrganizationId()
  return () => refetchBelow(cache, organizationId, apiPath('secretShares.list'))
}
