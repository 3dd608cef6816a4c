import type { ServerStatus, VersionInfo } from '@bey/contract'
import type { ReactNode } from 'react'
import { useState } from 'react'
import { useUnreadChangelog } from '../../data/changelog-seen.ts'
import { useVersions } from '../../data/version.ts'
import { absent } from '../../lib/format.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Facts } from '../../ui/facts.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Popover } from '../../ui/popover.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'

/** The version as a button, and behind it what runs here and on the server, to be copied into a report. */
export default function VersionDetails({ children }: { children: ReactNode }) {
  const { client, server, isMismatch } = useVersions({ asksServer: true })
  const isUnread = useUnreadChangelog()
  const [isOpen, setOpen] = useState(false)
  const close = () => setOpen(false)
  return (
    <Popover
      label="Version"
      align="end"
      open={isOpen}
      onOpenChange={setOpen}
      trigger={
        <button
          type="button"
          className="-mr-1 flex h-6 min-w-6 shrink-0 items-center gap-1 rounded-badge px-1 hover:bg-hover hover:text-text"
        >
          {isUnread ? <span aria-hidden className="size-1.5 rounded-full bg-info" /> : null}
          {children}
          <span className="sr-only">, version details{isUnread ? ', unread changelog' : ''}</span>
        </button>
      }
    >
      <div className="w-80 max-w-full">
        <div className="flex items-center justify-between">
          <h2 className="font-medium">Version</h2>
          <CopyButton text={() => versionReport(client, server)} label="Copy for a bug report" />
        </div>
        {isMismatch ? (
          <div className="my-2">
            <Notice
              tone="warn"
              title="Client/Server version mismatch detected"
              actions={
                <Button size="small" onClick={() => location.reload()}>
                  Reload
                </Button>
              }
            >
              The server was replaced since this page was loaded.
            </Notice>
          </div>
        ) : null}
        <Facts
          facts={[
            { label: 'Console', value: client?.version ?? absent },
            { label: 'Commit', value: <Mono text={client?.gitCommit.slice(0, 12)} /> },
            { label: 'Built', value: client ? <RelativeTime at={client.buildTimestamp} /> : absent },
            { label: 'Environment', value: client?.environment ?? absent },
            { label: 'Server', value: server ? server.version : 'unknown: its status cannot be read' },
            { label: 'Deployment', value: <Mono text={server?.deploymentId} /> },
          ]}
        />
        <div className="mt-2">
          <ButtonLink href="/changelog" size="small" onClick={close}>
            Changelog
            {isUnread ? <span className="text-info">new</span> : null}
          </ButtonLink>
        </div>
      </div>
    </Popover>
  )
}

function Mono({ text }: { text: string | undefined }) {
  return text ? <code className="font-mono text-small">{text}</code> : absent
}

/** What a report of a bug needs to know of what runs. */
function versionReport(client: VersionInfo | undefined, server: ServerStatus | undefined): string {
  const lines = {
    Console: client?.version,
    Commit:
      client && [client.gitCommit, client.gitBranch && `(${client.gitBranch})`].filter(Boolean).join(' '),
    Built: client?.buildTimestamp,
    Environment: client?.environment,
    Deployment: client?.deploymentId,
    Server: server?.version,
    'Server deployment': server?.deploymentId,
    Runtime: server && `${server.runtimeVersion}, ${server.os} ${server.arch}`,
    Browser: navigator.userAgent,
  }
  return Object.entries(lines)
    .map(([label, value]) => `${label}: ${value || 'unknown'}`)
    .join('\n')
}
