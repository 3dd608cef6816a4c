import type { BoardDefinition, BoardPanel } from '@bey/contract'

/** An edited board with its one history of undo and redo. */
export interface BoardDraft {
  past: readonly BoardDefinition[]
  now: BoardDefinition
  future: readonly BoardDefinition[]
}

export type DraftAction = { type: 'set'; definition: BoardDefinition } | { type: 'undo' } | { type: 'redo' }

const maxSteps = 200

export const newDraft = (now: BoardDefinition): BoardDraft => ({ past: [], now, future: [] })

export function changeDraft(draft: BoardDraft, action: DraftAction): BoardDraft {
  const { past, now, future } = draft
  switch (action.type) {
    case 'set':
      return { past: [...past, now].slice(-maxSteps), now: action.definition, future: [] }
    case 'undo': {
      const before = past.at(-1)
      return before ? { past: past.slice(0, -1), now: before, future: [now, ...future] } : draft
    }
    case 'redo': {
      const [next, ...rest] = future
      return next ? { past: [...past, now], now: next, future: rest } : draft
    }
  }
}

/** What differs from the saved board, a phrase a panel: "Requests moved and resized", "Disk added". */
export function changeTexts(saved: BoardDefinition, now: BoardDefinition): string[] {
  const before = new Map(saved.panels.map((panel) => [panel.id, panel]))
  const texts = now.panels.flatMap((panel) => {
    const old = before.get(panel.id)
    before.delete(panel.id)
    if (!old) return [`${nameOf(panel)} added`]
    const verbs = [
      (old.x !== panel.x || old.y !== panel.y) && 'moved',
      (old.width !== panel.width || old.height !== panel.height) && 'resized',
      contentOf(old) !== contentOf(panel) && 'changed',
    ].filter((verb) => verb !== false)
    return verbs.length > 0 ? [`${nameOf(panel)} ${verbs.join(' and ')}`] : []
  })
  for (const panel of before.values()) texts.push(`${nameOf(panel)} removed`)
  const { panels: _, ...settings } = saved
  const { panels: __, ...nowSettings } = now
  if (JSON.stringify(settings) !== JSON.stringify(nowSettings)) texts.push('settings changed')
  return texts
}

const nameOf = ({ title }: BoardPanel) => title || 'Untitled panel'

function contentOf({ x: _x, y: _y, width: _w, height: _h, ...content }: BoardPanel): string {
  return JSON.stringify(content)
}
