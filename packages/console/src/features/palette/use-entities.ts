import type { PaletteEntity } from '@bey/contract'
import { useEffect } from 'react'
import { usePaletteEntities } from '../../data/palette.ts'
import { toastCause } from '../../lib/error-text.ts'
import { toast } from '../../ui/toast.ts'

/** What the palette finds of the organization; what was known before while it is read anew. */
export function useEntities(): { entities: readonly PaletteEntity[] | undefined; isLoading: boolean } {
  const { data, error, isLoading } = usePaletteEntities()
  useEffect(() => {
    if (error) toast('error', 'Failed to load data', { id: 'palette', ...toastCause(error) })
  }, [error])
  return { entities: data, isLoading }
}
