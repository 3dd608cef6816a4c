import type { ReactNode } from 'react'
import { cx } from './class-names.ts'
import { FilterInput } from './filter-input.tsx'
import { PageHeader } from './page-header.tsx'
import { Pagination } from './pagination.tsx'
import type { PaginationProps } from './pagination.tsx'
import { Table } from './table.tsx'
import type { TableProps } from './table.tsx'
import { Toolbar } from './toolbar.tsx'

export interface ListPageProps<Row> extends Omit<TableProps<Row>, 'label' | 'isFilled'> {
  title: string
  /** How many there are, in words; undefined while that is being read. */
  summary: ReactNode
  /** Buttons of the page, the primary one last. */
  actions?: ReactNode
  /** Between head and toolbar: a picture of the whole. */
  above?: ReactNode
  /** What is typed to narrow the list. */
  search?: { value: string; onChange: (value: string) => void }
  /** Selects beside the search. */
  filters?: ReactNode
  /** In the place of search and filters while rows are selected: what can be done with them; null while none is. */
  bulkBar?: ReactNode
  /** Between toolbar and table: what was just done, and Undo. */
  notice?: ReactNode
  /** Beneath the table, which then takes the height of its rows: a second, shorter list. */
  below?: ReactNode
  /** Undefined while the first page is being read. */
  page: Omit<PaginationProps, 'onPageChange'> | undefined
  onPageChange: (page: number) => void
}

/** The page of a list: head, toolbar with filters and paging, table. Filters, order and page live in the address. */
export function ListPage<Row>(props: ListPageProps<Row>) {
  const {
    title,
    summary,
    actions,
    above,
    search,
    filters,
    bulkBar,
    notice,
    page,
    onPageChange,
    below,
    ...table
  } = props
  return (
    <>
      <PageHeader title={title} description={summary ?? ' '} actions={actions} />
      {above}
      <Toolbar isPagesAlone pages={page ? <Pagination {...page} onPageChange={onPageChange} /> : null}>
        <FilterRow bulkBar={bulkBar}>
          {search ? <FilterInput label={`Filter ${inSentence(title)}`} {...search} /> : null}
          {filters}
        </FilterRow>
      </Toolbar>
      {notice}
      <Table
        // A new one once rows are here: a notice that comes with them stands above it, and pushes nothing.
        key={table.rows ? 'rows' : 'waiting'}
        label={title}
        isFilled={below === undefined}
        {...table}
      />
      {below}
    </>
  )
}

function FilterRow({ bulkBar, children }: { bulkBar: ReactNode; children: ReactNode }) {
  if (bulkBar === undefined) return children
  return (
    <div className="grid min-w-0 grow-99 basis-80 [&>*]:col-start-1 [&>*]:row-start-1">
      {/* They keep their room beneath the bar: selecting moves nothing. */}
      <div className={cx('flex flex-wrap gap-2', bulkBar !== null && 'invisible')}>{children}</div>
      {bulkBar}
    </div>
  )
}

/** A title as it stands within a sentence: "Team members" loses its capital, "API keys" keeps them. */
function inSentence(title: string): string {
  return /^[A-Z]{2}/.test(title) ? title : title.toLowerCase()
}
