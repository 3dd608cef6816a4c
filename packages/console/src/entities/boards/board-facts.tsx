import { actorText } from '@bey/contract'
import type { Board } from '../../data/boards.ts'
import { Facts } from '../../ui/facts.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'

/** What is known of a board beside its name. */
export function BoardFacts({ board }: { board: Board }) {
  const { description, createdBy, createdAt, updatedAt } = board
  return (
    <Facts
      facts={[
        { label: 'Description', value: description || '—' },
        { label: 'Created by', value: actorText(createdBy) },
        { label: 'Created', value: <RelativeTime at={createdAt} /> },
        { label: 'Changed', value: <RelativeTime at={updatedAt} /> },
      ]}
    />
  )
}
