import type { PaletteEntity } from '@bey/contract'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { apiKey } from '../../data/api-query.ts'
import { useOrganizationId } from '../../data/session.ts'
import { api } from '../../lib/api.ts'
import { causeOf } from '../../lib/error-text.ts'
import { toast } from '../../ui/toast.ts'

/** Opening the palette again sooner shows what it knew. */
const freshMs = 5_000

/** Every cluster and workflow of the organization, newest first of each kind; what was known before meanwhile. */
export function useEntities(): { entities: readonly PaletteEntity[] | undefined; isLoading: boolean } {
  const organizationId = useOrganizationId()
  const { data, error, isLoading } = useQuery({
    queryKey: [...apiKey(organizationId, 'palette.list'), 'all'],
    queryFn: ({ signal }) => readAll(signal),
    staleTime: freshMs,
    enabled: organizationId !== 0,
  })
  useEffect(() => {
    if (error) toast('error', 'Failed to load data', { id: 'palette', description: causeOf(error) })
  }, [error])
  return { entities: data, isLoading }
}

async function readAll(signal: AbortSignal): Promise<PaletteEntity[]> {
  const all: PaletteEntity[] = []
  let cursor: string | null = null
  do {
    const query: { cursor?: string } = cursor === null ? {} : { cursor }
    // oxlint-disable-next-line no-await-in-loop -- each page names the next
    const page: { items: PaletteEntity[]; nextCursor: string | null } = await api.call(
      'palette.list',
      { query },
      { signal },
    )
    all.push(...page.items)
    cursor = page.nextCursor
  } while (cursor !== null)
  return all
}
