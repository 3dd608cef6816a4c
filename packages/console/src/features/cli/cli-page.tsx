import { ExternalLink } from 'lucide-react'
import { useCliBuild } from '../../data/cli.ts'
import { useList } from '../../data/use-read.ts'
import { formatCount } from '../../lib/format.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { CliAssistants } from './cli-assistants.tsx'
import { CliExamples } from './cli-examples.tsx'
import { CliLogins, cliSessions, maxSessionsRead } from './cli-logins.tsx'
import { CliSteps } from './cli-steps.tsx'

/** The command line of this server: how to install it and log it in, what it answers here, and where it is logged in. */
export function CliPage() {
  const build = useCliBuild()
  const sessions = useList('account.sessions', { query: { page: 1, limit: maxSessionsRead } })
  const logins = sessions.data && cliSessions(sessions.data.sessions)
  const latest = logins?.[0]
  return (
    <>
      <PageHeader
        title="Command line"
        description={
          logins === undefined ? (
            ' '
          ) : latest === undefined ? (
            'None of your machines is logged in.'
          ) : (
            <>
              {formatCount(logins.length, 'machine of yours is', 'machines of yours are')} logged in; the last
              call was <RelativeTime at={latest.lastUsedAt} /> from {latest.deviceName}.
            </>
          )
        }
        actions={
          <ButtonLink href="/api/docs" icon={<ExternalLink size={14} aria-hidden />}>
            API reference
          </ButtonLink>
        }
      />
      <div className="grid lg:grid-cols-[minmax(0,30rem)_minmax(0,1fr)]">
        <div className="min-w-0 px-(--gutter) py-5 lg:border-r lg:border-line">
          <CliSteps build={build} />
          <CliAssistants />
        </div>
        <div className="flex min-w-0 flex-col gap-8 px-(--gutter) py-5 max-lg:border-t max-lg:border-line">
          <CliExamples />
          <CliLogins sessions={sessions} />
        </div>
      </div>
      <p className="border-t border-line px-(--gutter) py-2 text-meta text-text-3">
        {build.data
          ? `bey ${build.data.version}, built with this server; bey version says when the two differ. `
          : ''}
        Exit codes: 0 done · 1 failed · 2 typed wrongly · 4 refused · 8 still running
      </p>
    </>
  )
}
