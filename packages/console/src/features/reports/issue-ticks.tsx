import type { ReportIssue } from '@bey/contract'
import { reportBounds } from '@bey/contract'
import { momentText } from '../../ui/time-text.ts'

const height = 16

/** The last ten issues, the newest at the right: each as high as the share of its recipients who read it. */
export function IssueTicks({ issues }: { issues: readonly ReportIssue[] }) {
  const slots = reportBounds.shownIssues
  const first = slots - issues.length
  return (
    <span className="inline-flex">
      <span className="sr-only">
        {issues.length === 0 ? 'No issue yet' : issues.map(issueText).join('; ')}
      </span>
      <svg width={slots * 8} height={height} aria-hidden>
        {Array.from({ length: slots }, (_, slot) => {
          const issue = issues[slot - first]
          if (issue === undefined) {
            return (
              <rect key={slot} x={slot * 8} y={height - 2} width={5} height={2} className="fill-active" />
            )
          }
          const share = readShare(issue)
          const filled = Math.max(2, Math.round(share * height))
          return (
            <g key={issue.id}>
              <rect x={slot * 8} y={0} width={5} height={height} className="fill-active" />
              <rect
                x={slot * 8}
                y={height - filled}
                width={5}
                height={filled}
                className={share === 0 ? 'fill-warn' : 'fill-text-3'}
              />
            </g>
          )
        })}
      </svg>
    </span>
  )
}

/** Of the recipients; of an issue without recipients whether anybody read it. */
function readShare({ recipientCount, recipientReadCount, readCount, openedCount }: ReportIssue): number {
  if (recipientCount > 0) return recipientReadCount / recipientCount
  return readCount + openedCount > 0 ? 1 : 0
}

const issueText = (issue: ReportIssue) => `${momentText(issue.asOf)}: ${readText(issue)}`

/** "3 of 4 read" */
export function readText({
  recipientCount,
  recipientReadCount,
  readCount,
  openedCount,
}: ReportIssue): string {
  if (recipientCount > 0) return `${recipientReadCount} of ${recipientCount} read`
  const parts = [
    readCount > 0 ? `${readCount} read` : '',
    openedCount > 0 ? `opened ${openedCount} times by link` : '',
  ].filter(Boolean)
  return parts.length > 0 ? parts.join(', ') : 'nobody read it'
}
