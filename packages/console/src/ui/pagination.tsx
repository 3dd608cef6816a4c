import { ChevronLeft, ChevronRight } from 'lucide-react'
import { IconButton } from './icon-button.tsx'

export interface PaginationProps {
  /** 1-based. */
  page: number
  /** Rows per page. */
  limit: number
  total: number
  /** False when the server stopped counting at `total`. */
  totalIsExact?: boolean
  onPageChange: (page: number) => void
}

export function Pagination({ page, limit, total, totalIsExact = true, onPageChange }: PaginationProps) {
  const lastPage = Math.max(1, Math.ceil(total / limit))
  const first = total === 0 ? 0 : (page - 1) * limit + 1
  const last = Math.min(total, page * limit)
  if (total <= limit && page === 1) return null
  return (
    <nav aria-label="Pages" className="flex items-center gap-2 text-small text-text-2 tabular-nums">
      {/* Where a list leaves no room for it, the list says it in the strip at the bottom. */}
      <span className="@max-[19rem]:sr-only">
        {first.toLocaleString('en')}–{last.toLocaleString('en')} of {total.toLocaleString('en')}
        {totalIsExact ? '' : '+'}
      </span>
      <IconButton
        label="Previous page"
        size="small"
        disabled={page <= 1}
        icon={<ChevronLeft size={16} aria-hidden />}
        onClick={() => onPageChange(page - 1)}
      />
      <IconButton
        label="Next page"
        size="small"
        disabled={page >= lastPage && totalIsExact}
        icon={<ChevronRight size={16} aria-hidden />}
        onClick={() => onPageChange(page + 1)}
      />
    </nav>
  )
}
