import type { ReactNode } from 'react'
import { ButtonLink } from './button.tsx'
import { Drawer } from './drawer.tsx'
import { Facts } from './facts.tsx'
import type { Column } from './table-types.ts'

export interface RowDrawerProps<Row> {
  row: Row
  /** The row in words. */
  title: string
  /** What the rows are: "Clusters". */
  listLabel: string
  columns: readonly Column<Row>[]
  /** Where the row leads. */
  href: string | undefined
  onClose: () => void
}

/** All that a list knows of one row, also what its width has no room for. Space, which opens it, closes it too. */
export function RowDrawer<Row>({ row, title, listLabel, columns, href, onClose }: RowDrawerProps<Row>) {
  return (
    <Drawer
      open
      onOpenChange={onClose}
      title={title}
      description={listLabel}
      isTextOnly={href === undefined}
      footer={
        href === undefined ? undefined : (
          <ButtonLink
            href={href}
            variant="primary"
            data-initial-focus=""
            onClick={onClose}
            onKeyDown={(event) => {
              if (event.key !== ' ') return
              event.preventDefault()
              onClose()
            }}
          >
            Open
          </ButtonLink>
        )
      }
    >
      <Facts
        facts={columns
          .filter(({ header }) => header !== '')
          .map(({ header, cell }) => ({ label: header, value: factOf(cell(row)) }))}
      />
    </Drawer>
  )
}

/** An empty cell says nothing in a column, and here that there is nothing. */
function factOf(cell: ReactNode): ReactNode {
  return cell === null || cell === undefined || cell === '' ? '—' : cell
}
