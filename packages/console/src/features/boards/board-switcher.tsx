import { readyBoardIds, readyBoards } from '@bey/contract'
import { ChevronDown } from 'lucide-react'
import { useList } from '../../data/use-read.ts'
import { Button } from '../../ui/button.tsx'
import { Menu, MenuItem, MenuLabel, MenuSeparator } from '../../ui/menu.tsx'

export const boardHref = (id: string) => `/analytics/dashboard/${id}`

/** Leads to the other boards: the saved ones, then those that are computed. */
export function BoardSwitcher({
  id,
  onCreate,
  onImport,
}: {
  id: string
  onCreate: (() => void) | undefined
  onImport: (() => void) | undefined
}) {
  const { data, error } = useList('boards.list', { query: { limit: 100, sort: 'name' } })
  return (
    <Menu
      align="start"
      trigger={
        <Button variant="ghost" size="small" icon={<ChevronDown size={14} aria-hidden />}>
          Boards
        </Button>
      }
    >
      <MenuLabel>Saved boards</MenuLabel>
      {(data?.boards ?? []).map((board) => (
        <MenuItem
          key={board.id}
          href={boardHref(board.id)}
          checked={board.id === id}
          hint={board.visibility === 'private' ? 'Private' : undefined}
        >
          {board.name}
        </MenuItem>
      ))}
      {data?.boards.length === 0 ? (
        <MenuItem disabledReason="Copy a ready board, or create an empty one.">
          No board is saved yet
        </MenuItem>
      ) : null}
      {error && !data ? (
        <MenuItem disabledReason="The server does not answer.">Boards cannot be read</MenuItem>
      ) : null}
      <MenuSeparator />
      <MenuLabel>Ready boards</MenuLabel>
      {readyBoardIds.map((ready) => (
        <MenuItem
          key={ready}
          href={boardHref(ready)}
          checked={ready === id}
          hint={readyBoards[ready].description}
        >
          {readyBoards[ready].name}
        </MenuItem>
      ))}
      <MenuSeparator />
      <MenuItem {...actionOf(onCreate)}>Create an empty board</MenuItem>
      <MenuItem {...actionOf(onImport)}>Import a board…</MenuItem>
    </Menu>
  )
}

const actionOf = (run: (() => void) | undefined) =>
  run ? { onSelect: run } : { disabledReason: 'Viewers cannot create boards.' }
