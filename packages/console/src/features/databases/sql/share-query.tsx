import { Share2 } from 'lucide-react'
import { databaseHref } from '../../../entities/databases/database-text.ts'
import { Button } from '../../../ui/button.tsx'
import { useCopy } from '../../../ui/use-copy.ts'
import { isEdited, type SqlTabText } from './sql-tabs.ts'

/** Copies the address of a saved query, which opens it for every member who may see it. */
export function ShareQuery({ databaseId, tab }: { databaseId: string; tab: SqlTabText }) {
  const { outcome, copy } = useCopy()
  const label = { idle: 'Share', copied: 'Link copied', refused: 'Copying is not allowed' }[outcome]
  return (
    <Button
      size="small"
      icon={<Share2 size={12} aria-hidden />}
      disabledReason={shareRefusal(tab)}
      onClick={() =>
        void copy(`${location.origin}${databaseHref(databaseId, 'sql')}&query=${tab.saved?.id ?? ''}`)
      }
    >
      {label}
    </Button>
  )
}

function shareRefusal(tab: SqlTabText): string | undefined {
  if (tab.saved === null) return 'Save the statement first: the link leads to a saved query.'
  if (!tab.saved.isShared) return 'Only you see this query. Save it again and share it with the organization.'
  return isEdited(tab) ? 'Save your changes first: the link leads to what is saved.' : undefined
}
