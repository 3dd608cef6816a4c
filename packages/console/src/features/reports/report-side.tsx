import { deniedReason, type ReportIssue } from '@bey/contract'
import type { ReactNode } from 'react'
import type { ReportDetail, ReportIssueDetail } from '../../data/reports.ts'
import { useRole } from '../../data/session.ts'
import { useStaleReason } from '../../data/stale-reason.ts'
import { useChange } from '../../data/use-change.ts'
import { errorText } from '../../lib/error-text.ts'
import { Button } from '../../ui/button.tsx'
import { Link } from '../../ui/link.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Select } from '../../ui/select.tsx'
import { momentText } from '../../ui/time-text.ts'
import { readText } from './issue-ticks.tsx'
import { draftOf, parametersOf, type ReportDraft } from './report-draft.ts'
import { CoversFields, GoesOutFields } from './report-fields.tsx'

interface ReportSideProps {
  report: ReportDetail
  draft: ReportDraft
  onDraft: (part: Partial<ReportDraft>) => void
  /** Undefined while the live version is shown. */
  issue: ReportIssueDetail | undefined
  sources: readonly { number: number; label: string; text: string; path: string | null }[]
  onShow: (issueId: string) => void
}

/** Beside the paper: which issue, what moved since, where figures come from, what it covers and to whom it goes. */
export function ReportSide({ report, draft, onDraft, issue, sources, onShow }: ReportSideProps) {
  return (
    <aside className="border-line lg:border-l">
      <Part title="Issue">
        <Select
          aria-label="Issue"
          className="max-w-full"
          value={issue?.id ?? 'live'}
          onChange={({ target }) => onShow(target.value)}
          options={[
            { value: 'live', label: 'Live: what it says now' },
            ...issueOptions(report.issues, issue),
          ]}
        />
        {issue ? <p className="mt-2 text-small text-text-2">{readText(issue)}</p> : null}
      </Part>
      {issue?.moved && issue.moved.length > 0 ? (
        <Part title="Moved since">
          <ul className="border-l-2 border-info pl-2 text-small">
            {issue.moved.map(({ label, was, is }) => (
              <li key={label}>
                {label}: {was} to {is}
              </li>
            ))}
          </ul>
        </Part>
      ) : null}
      <Part title="Figures can be traced">
        <ol className="flex flex-col gap-1.5">
          {sources.map(({ number, label, text, path }) => (
            <li key={number}>
              {number} {path === null ? label : <Link href={path}>{label}</Link>}
              <span className="block text-small break-words text-text-3">{text}</span>
            </li>
          ))}
        </ol>
      </Part>
      <EditPart report={report} draft={draft} onDraft={onDraft} />
    </aside>
  )
}

function EditPart({ report, draft, onDraft }: Pick<ReportSideProps, 'report' | 'draft' | 'onDraft'>) {
  const update = useChange('reports.update')
  const role = useRole()
  const stale = useStaleReason()
  const denied = deniedReason(role, 'reports.update') ?? stale
  const isChanged = JSON.stringify(draft) !== JSON.stringify(draftOf(report))
  const failure = update.error ? errorText('The report was not saved', update.error) : undefined
  const save = () =>
    update.mutate({
      params: { id: report.id },
      body: {
        parameters: parametersOf(draft),
        schedule: draft.schedule === '' ? null : draft.schedule,
        recipients: draft.recipients,
      },
    })
  return (
    <>
      <Part title="Covers">
        <div className="flex flex-col gap-3">
          <CoversFields draft={draft} onChange={onDraft} />
        </div>
      </Part>
      <Part title="Goes out" aside={report.nextAt === null ? undefined : `next ${momentText(report.nextAt)}`}>
        <div className="flex flex-col gap-3">
          <GoesOutFields draft={draft} onChange={onDraft} isMailConfigured={report.isMailConfigured} />
          {failure ? (
            <Notice tone="danger" title={failure.title}>
              {failure.detail}
            </Notice>
          ) : null}
          <div>
            <Button
              busy={update.isPending}
              disabledReason={
                denied ?? (isChanged || report.status === 'paused' ? undefined : 'Nothing was changed.')
              }
              onClick={save}
            >
              Save report
            </Button>
          </div>
        </div>
      </Part>
    </>
  )
}

/** The shown issue is an option even where it is older than the last ten. */
function issueOptions(issues: readonly ReportIssue[], shown: ReportIssue | undefined) {
  const isListed = shown === undefined || issues.some(({ id }) => id === shown.id)
  return [...issues.toReversed(), ...(isListed ? [] : [shown])].map(({ id, asOf }) => ({
    value: id,
    label: momentText(asOf),
  }))
}

function Part({
  title,
  aside,
  children,
}: {
  title: string
  aside?: string | undefined
  children: ReactNode
}) {
  return (
    <section className="border-b border-line px-4 py-4">
      <div className="mb-2 flex items-baseline justify-between gap-3">
        <h2 className="font-semibold">{title}</h2>
        {aside ? <span className="text-small text-text-3">{aside}</span> : null}
      </div>
      {children}
    </section>
  )
}
