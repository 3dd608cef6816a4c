import type { ReactNode } from 'react'
import { errorText } from '../../lib/error-text.ts'
import { CodeBlock } from '../../ui/code-block.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Section } from '../../ui/section.tsx'
import { DelayedSkeleton, Skeleton } from '../../ui/skeleton.tsx'

export interface RecordProps {
  title: string
  /** As the API answered it; undefined while it has not. */
  value: unknown
  error: unknown
  onRetry: () => void
  aside?: ReactNode
}

/** What the API answers, as it answers it. */
export function Record({ title, value, error, onRetry, aside }: RecordProps) {
  return (
    <Section title={title} aside={aside}>
      {value !== undefined ? (
        <CodeBlock label={`${title} as JSON`} text={JSON.stringify(value, null, 2)} maxHeight="20rem" />
      ) : error ? (
        <ErrorState {...errorText(`Failed to fetch: ${title}`, error)} onRetry={onRetry} isCompact />
      ) : (
        <DelayedSkeleton>
          {/* As high as most records, which scroll within. */}
          <Skeleton className="h-[calc(20rem+2px)] w-full" />
        </DelayedSkeleton>
      )}
    </Section>
  )
}
