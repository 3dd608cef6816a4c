import type { ErrorGroup, ErrorOccurrence } from '@bey/contract'
import { Check, Copy } from 'lucide-react'
import { Button } from '../../ui/button.tsx'
import { copyLabel, useCopy } from '../../ui/use-copy.ts'
import { reportText } from './error-text.ts'

export interface CopyReportProps {
  group: ErrorGroup
  occurrence: ErrorOccurrence | undefined
}

/** Copies what is known of an error as text, for an issue or a colleague. */
export function CopyReport({ group, occurrence }: CopyReportProps) {
  const { outcome, copy } = useCopy()
  return (
    <Button
      icon={outcome === 'copied' ? <Check size={14} aria-hidden /> : <Copy size={14} aria-hidden />}
      onClick={() => void copy(() => reportText(group, occurrence))}
    >
      {copyLabel(outcome, 'Copy report')}
    </Button>
  )
}
