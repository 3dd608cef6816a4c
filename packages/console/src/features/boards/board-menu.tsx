import { Ellipsis } from 'lucide-react'
import { useState } from 'react'
import type { Board } from '../../data/boards.ts'
import { DeleteBoardDialog } from '../../entities/boards/delete-board-dialog.tsx'
import { api } from '../../lib/api.ts'
import { downloadText } from '../../lib/download.ts'
import { errorText } from '../../lib/error-text.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { Menu, MenuItem, MenuSeparator } from '../../ui/menu.tsx'
import { toast } from '../../ui/toast.ts'
import { VersionsDialog } from './versions-dialog.tsx'

/** What else is done with a saved board. */
export function BoardMenu({
  board,
  denied,
  onCopy,
  onDeleted,
}: {
  board: Board
  /** Why the role may not change boards. */
  denied: string | undefined
  onCopy: () => void
  onDeleted: () => void
}) {
  const [open, setOpen] = useState<'versions' | 'delete'>()
  const download = async (format: 'bey' | 'grafana') => {
    try {
      const { fileName, source, notes } = await api.call('boards.export', {
        params: { id: board.id },
        query: { format },
      })
      downloadText(fileName, source, 'application/json')
      if (notes.length > 0)
        toast('warning', 'Not everything fits into the file', { description: notes.join(' ') })
    } catch (error) {
      const { title, detail } = errorText('The board was not exported', error)
      toast('error', title, detail === undefined ? {} : { description: String(detail) })
    }
  }
  return (
    <>
      <Menu
        align="end"
        trigger={<IconButton label="More actions" icon={<Ellipsis size={16} aria-hidden />} />}
      >
        <MenuItem onSelect={() => setOpen('versions')}>Versions…</MenuItem>
        <MenuItem {...(denied === undefined ? { onSelect: onCopy } : { disabledReason: denied })}>
          Copy
        </MenuItem>
        <MenuItem onSelect={() => void download('bey')}>Export as JSON</MenuItem>
        <MenuItem onSelect={() => void download('grafana')}>Export for Grafana</MenuItem>
        <MenuSeparator />
        <MenuItem
          isDanger
          {...(denied === undefined ? { onSelect: () => setOpen('delete') } : { disabledReason: denied })}
        >
          Delete board…
        </MenuItem>
      </Menu>
      {open === 'versions' ? (
        <VersionsDialog board={board} denied={denied} onClose={() => setOpen(undefined)} />
      ) : null}
      {open === 'delete' ? (
        <DeleteBoardDialog board={board} onClose={() => setOpen(undefined)} onDeleted={onDeleted} />
      ) : null}
    </>
  )
}
