import {
  type EditedGroup,
  type GroupConflict,
  type GroupMerge,
  isSameGroup,
  mergeGroups,
  takeTheirs,
} from '@bey/contract/networks/security-group-merge'
import { useState } from 'react'
import type { SecurityGroup } from '../../../data/networks.ts'
import type { GroupDraft } from './group-form.tsx'

/** What others changed meanwhile; `conflicts` are those that still have to be answered. */
export type ShownMerge = Pick<GroupMerge, 'conflicts' | 'taken'>

interface Edited {
  /** What the draft was made from. */
  base: SecurityGroup
  draft: GroupDraft
  merge: ShownMerge | undefined
}

/** The draft of a group that is edited. What others save meanwhile is merged into it, and nothing of it is lost. */
export function useMergedDraft(group: SecurityGroup) {
  const [edited, setEdited] = useState<Edited>({ base: group, draft: draftOf(group), merge: undefined })
  // A newer version was read: while drawing, so that the old one is never shown beside it.
  const shown = group.version === edited.base.version ? edited : mergedWith(edited, group)
  if (shown !== edited) setEdited(shown)
  return {
    draft: shown.draft,
    merge: shown.merge,
    setDraft: (draft: GroupDraft) => setEdited({ ...shown, draft }),
    /** Settles a conflict: with theirs, or with mine, which stands already. */
    answer: (conflict: GroupConflict, choice: 'mine' | 'theirs') => {
      const { draft, merge } = shown
      if (merge === undefined) return
      const conflicts = merge.conflicts.filter((each) => each !== conflict)
      const next = choice === 'mine' ? draft : { ...draft, ...takeTheirs(draft, conflict) }
      setEdited({ ...shown, draft: next, merge: { ...merge, conflicts } })
    },
  }
}

function mergedWith({ base, draft, merge: before }: Edited, group: SecurityGroup): Edited {
  const [was, theirs]: EditedGroup[] = [draftOf(base), draftOf(group)]
  if (was === undefined || theirs === undefined) throw new Error('A group is always there')
  // Nothing was being edited, or this is what was just saved.
  if (isSameGroup(draft, was) || isSameGroup(draft, theirs)) {
    return { base: group, draft: draftOf(group), merge: undefined }
  }
  const { merged, conflicts, taken } = mergeGroups(was, draft, theirs)
  // What was not answered yet stays to be answered.
  const open = before === undefined ? conflicts : [...before.conflicts, ...conflicts]
  return { base: group, draft: { ...draft, ...merged }, merge: { conflicts: open, taken } }
}

export function draftOf(group: SecurityGroup): GroupDraft {
  const { name, description, filtersIn, filtersOut, rules, targets } = group
  return { name, description, filtersIn, filtersOut, rules, targets }
}
