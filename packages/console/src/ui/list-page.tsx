import type { ReactNode } from 'react'
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
  summary: string | undefined
  /** Buttons of the page, the primary one last. */
  actions?: ReactNode
  /** What is typed to narrow the list. */
  search?: { value: string; onChange: (value: string) => void }
  /** Selects beside the search. */
  filters?: ReactNode
  /** Undefined while the first page is being read. */
  page: Omit<PaginationProps, 'onPageChange'> | undefined
  onPageChange: (page: number) => void
}

/** The page of a list: head, toolbar with filters and paging, table. Filters, order and page live in the address. */
export function ListPage<Row>(props: ListPageProps<Row>) {
  const { title, summary, actions, search, filters, page, onPageChange, ...table } = props
  return (
    <>
      <PageHeader title={title} description={summary ?? ' '} actions={actions} />
      <Toolbar end={page ? <Pagination {...page} onPageChange={onPageChange} /> : null}>
        {search ? <FilterInput label={`Filter ${title.toLowerCase()}`} {...search} /> : null}
        {filters}
      </Toolbar>
      <Table label={title} isFilled {...table} />
    </>
  )
}
