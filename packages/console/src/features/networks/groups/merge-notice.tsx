import type { GroupConflict } from '@bey/contract/networks/security-group-merge'
import type { SecurityGroup } from '../../../data/networks.ts'
import { formatCount } from '../../../lib/format.ts'
import { Button } from '../../../ui/button.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { ruleText } from './peer-text.ts'
import { useDatabaseNames } from './use-database-names.ts'
import type { ShownMerge } from './use-merged-draft.ts'

/** Says what somebody else changed while this group was edited, and lets one choose where both changed the same. */
export function MergeNotice({
  merge: { conflicts, taken },
  groups,
  onAnswer,
}: {
  merge: ShownMerge
  groups: readonly SecurityGroup[]
  onAnswer: (conflict: GroupConflict, choice: 'mine' | 'theirs') => void
}) {
  const databases = useDatabaseNames()
  return (
    <Notice
      tone={conflicts.length > 0 ? 'warn' : 'info'}
      title="Another person changed this group in the meantime"
    >
      <p>{takenText(taken)}</p>
      {conflicts.map((conflict) => (
        <section
          key={conflict.kind === 'rule' ? conflict.number : conflict.kind}
          aria-label={titleOf(conflict)}
          className="mt-3"
        >
          <p className="font-medium text-text">{titleOf(conflict)}</p>
          <dl>
            <dt className="text-small">Your change</dt>
            <dd className="text-text">{textOf(conflict, 'mine', groups, databases)}</dd>
            <dt className="mt-1 text-small">The other change</dt>
            <dd className="text-text">{textOf(conflict, 'theirs', groups, databases)}</dd>
          </dl>
          <div className="mt-2 flex flex-wrap gap-2">
            <Button size="small" onClick={() => onAnswer(conflict, 'mine')}>
              Keep mine
            </Button>
            <Button size="small" onClick={() => onAnswer(conflict, 'theirs')}>
              Take theirs
            </Button>
          </div>
        </section>
      ))}
    </Notice>
  )
}

function titleOf(conflict: GroupConflict): string {
  return conflict.kind === 'rule' ? `Both changed rule ${conflict.number}` : 'Both changed the description'
}

function textOf(
  conflict: GroupConflict,
  side: 'mine' | 'theirs',
  groups: readonly SecurityGroup[],
  databases: ReturnType<typeof useDatabaseNames>,
): string {
  if (conflict.kind === 'description') return conflict[side] || 'no description'
  const rule = conflict[side]
  if (rule === undefined) return 'removed'
  return rule.note === ''
    ? ruleText(rule, groups, databases)
    : `${ruleText(rule, groups, databases)} (${rule.note})`
}

function takenText({ rules, targets, others }: ShownMerge['taken']): string {
  const parts = [
    ...(rules > 0 ? [formatCount(rules, 'rule')] : []),
    ...(targets > 0 ? [formatCount(targets, 'target')] : []),
    ...(others > 0 ? [formatCount(others, 'setting')] : []),
  ]
  if (parts.length === 0) return 'Your changes stand as they are.'
  return `Merged with your changes: ${parts.join(', ')} of theirs. Nothing is saved yet.`
}
