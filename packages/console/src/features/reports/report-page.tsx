import { deniedReason } from '@bey/contract'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { Download, Link as LinkIcon, Printer, Send, Trash } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import {
  downloadIssue,
  type ReportDetail,
  type ReportIssueDetail,
  useReportPreview,
} from '../../data/reports.ts'
import { useOrganizationId, useRole } from '../../data/session.ts'
import { useStaleReason } from '../../data/stale-reason.ts'
import { useChange } from '../../data/use-change.ts'
import { useRead } from '../../data/use-read.ts'
import { errorText } from '../../lib/error-text.ts'
import { failureOf, isMissing } from '../../lib/failed-query.ts'
import { apiCommand, usePageCommands } from '../../lib/page-commands.ts'
import { usePageTitle } from '../../lib/page-title.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { DetailPage } from '../../ui/detail-page.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { momentText } from '../../ui/time-text.ts'
import { toast } from '../../ui/toast.ts'
import { DeleteReportDialog } from './delete-report-dialog.tsx'
import { PaperFrame } from './paper-frame.tsx'
import { draftOf, parametersOf } from './report-draft.ts'
import { ReportSide } from './report-side.tsx'
import { ShareDialog } from './share-dialog.tsx'

/** One report: the newest issue, or that of `?issue=`; `?issue=live` and a report without an issue show what it says now. */
export function ReportPage() {
  const { id = '' } = useParams({ strict: false })
  const search: { issue?: unknown } = useSearch({ strict: false })
  const query = useRead('reports.get', { params: { id } })
  const { data: report } = query
  const asked = typeof search.issue === 'string' ? search.issue : undefined
  usePageTitle(isMissing(query) ? 'Report not found' : report?.name)
  usePageCommands([apiCommand('Read this report', 'reports.get', { params: { id } }, useOrganizationId())])
  if (report) return <Loaded key={report.id} report={report} asked={asked} />
  return (
    <DetailPage
      noun="report"
      subject={undefined as ReportDetail | undefined}
      title={undefined}
      content={() => null}
      missing={
        isMissing(query) && {
          title: 'There is no such report in this organization that you may read',
          action: <ButtonLink href="/analytics/reports">All reports</ButtonLink>,
        }
      }
      failure={failureOf('Failed to fetch the report', query)}
    />
  )
}

function Loaded({ report, asked }: { report: ReportDetail; asked: string | undefined }) {
  const { id } = report
  const navigate = useNavigate()
  const role = useRole()
  const stale = useStaleReason()
  const [draft, setDraft] = useState(() => draftOf(report))
  const [dialog, setDialog] = useState<'share' | 'delete'>()
  const frame = useRef<HTMLIFrameElement>(null)
  const issueId = asked === 'live' ? undefined : (asked ?? report.issues.at(-1)?.id)
  const params = { id, issueId: issueId ?? '' }
  const issue = useRead('reports.getIssue', { params }, { isEnabled: issueId !== undefined })
  const live = useReportPreview(
    issueId === undefined ? { kind: report.kind, parameters: parametersOf(draft) } : undefined,
  )
  const issueNow = useChange('reports.issue')
  const markRead = useChange('reports.markRead')
  const { mutate: mark } = markRead
  const isShown = issue.data !== undefined && issueId !== undefined
  useEffect(() => {
    // The server is told that somebody looked at the issue, as often as they do.
    if (isShown && issueId !== undefined) mark({ params: { id, issueId } })
  }, [isShown, issueId, id, mark])
  const denied = deniedReason(role, 'reports.update') ?? stale
  const show = (to: string) => void navigate({ href: `/analytics/reports/${id}?issue=${to}` })
  const save = (format: 'pdf' | 'csv') => {
    if (!issue.data) return
    downloadIssue(params, issue.data.title, format).catch((error: unknown) => {
      const { title, detail } = errorText('The file was not created', error)
      toast('error', title, { ...(detail !== undefined && { description: detail }) })
    })
  }
  const html = issueId === undefined ? live.data?.html : issue.data?.html
  const failure =
    issueId === undefined
      ? failureOf('Failed to read what the report says', live)
      : failureOf('Failed to fetch the issue', issue)
  return (
    <>
      <DetailPage
        noun="report"
        subject={report}
        title={issue.data && issueId !== undefined ? issue.data.title : report.name}
        badges={() => <Badge>{issueId === undefined ? 'live' : 'issued'}</Badge>}
        subtitle={() => <Subtitle report={report} issue={issueId === undefined ? undefined : issue.data} />}
        actions={() => (
          <>
            {issueId === undefined ? null : (
              <>
                <Button
                  icon={<LinkIcon size={14} aria-hidden />}
                  disabledReason={deniedReason(role, 'reports.share') ?? stale}
                  onClick={() => setDialog('share')}
                >
                  Share
                </Button>
                <Button icon={<Download size={14} aria-hidden />} onClick={() => save('csv')}>
                  CSV
                </Button>
                <Button icon={<Download size={14} aria-hidden />} onClick={() => save('pdf')}>
                  PDF
                </Button>
              </>
            )}
            <IconButton
              label="Print"
              icon={<Printer size={14} aria-hidden />}
              onClick={() => frame.current?.contentWindow?.print()}
            />
            <IconButton
              label="Delete report"
              icon={<Trash size={14} aria-hidden />}
              disabledReason={deniedReason(role, 'reports.delete') ?? stale}
              onClick={() => setDialog('delete')}
            />
            <Button
              variant="primary"
              icon={<Send size={14} aria-hidden />}
              busy={issueNow.isPending}
              disabledReason={denied}
              onClick={() =>
                issueNow.mutate(
                  { params: { id } },
                  {
                    onSuccess: (made) => show(made.id),
                    onError: (error) => {
                      const { title, detail } = errorText('Nothing was issued', error)
                      toast('error', title, { ...(detail !== undefined && { description: detail }) })
                    },
                  },
                )
              }
            >
              {report.recipients.length > 0 ? 'Issue and send' : 'Issue'}
            </Button>
          </>
        )}
        notice={() => <Notices report={report} />}
        content={() => (
          <div className="grid min-h-0 grow lg:grid-cols-[minmax(0,1fr)_20rem]">
            <div className="min-w-0 bg-active px-2 pb-4">
              {failure ? <ErrorState {...failure} /> : null}
              {html !== undefined && !failure ? (
                <PaperFrame
                  title={`Paper: ${report.name}`}
                  html={html}
                  isStale={live.isPlaceholderData}
                  onFrame={(element) => {
                    frame.current = element
                  }}
                />
              ) : null}
            </div>
            <ReportSide
              report={report}
              draft={draft}
              onDraft={(part) => {
                setDraft({ ...draft, ...part })
                if (issueId !== undefined) show('live')
              }}
              issue={issueId === undefined ? undefined : issue.data}
              sources={(issueId === undefined ? live.data?.paper : issue.data?.paper)?.sources ?? []}
              onShow={show}
            />
          </div>
        )}
      />
      {dialog === 'share' && issueId !== undefined ? (
        <ShareDialog id={id} issueId={issueId} onClose={() => setDialog(undefined)} />
      ) : null}
      {dialog === 'delete' ? (
        <DeleteReportDialog
          report={report}
          onClose={() => setDialog(undefined)}
          onDeleted={() => void navigate({ href: '/analytics/reports', replace: true })}
        />
      ) : null}
    </>
  )
}

/** When the data are from, and what moved since. */
function Subtitle({ report, issue }: { report: ReportDetail; issue: ReportIssueDetail | undefined }) {
  if (!issue) {
    return report.issueCount === 0
      ? 'Not issued yet: this is what it says now.'
      : 'This is what it says now; nothing of it is kept until it is issued.'
  }
  const moved =
    issue.moved === null
      ? 'It could not be compared with the present.'
      : issue.moved.length === 0
        ? 'No figure moved since then.'
        : `Since then ${issue.moved.length === 1 ? '1 figure' : `${issue.moved.length} figures`} moved.`
  return `Its data are from ${momentText(issue.asOf)} and stay as they were. ${moved}`
}

function Notices({ report }: { report: ReportDetail }) {
  return (
    <div className="flex flex-col gap-2 px-(--gutter) py-3 empty:hidden">
      {report.note ? <Notice tone="warn" title={report.note} /> : null}
      {report.isUnread ? (
        <Notice tone="warn" title="Nobody read the last 3 scheduled issues">
          Stop the schedule, or choose other recipients.
        </Notice>
      ) : null}
      {report.recipients.length > 0 && !report.isMailConfigured ? (
        <Notice tone="info" title="No mail server is configured">
          Recipients are not mailed; they find the issues here.
        </Notice>
      ) : null}
    </div>
  )
}
