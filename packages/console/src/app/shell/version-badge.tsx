import { TriangleAlert } from 'lucide-react'
import { useVersions } from '../../data/version.ts'

/** The small badge at the bottom right, in a strip of its own so that it never covers anything. */
export function VersionBadge() {
  const { client, isMismatch } = useVersions()
  return (
    <footer className="flex h-6 shrink-0 items-center justify-end px-3 text-meta text-text-3 tabular-nums">
      {isMismatch ? (
        <span className="mr-2 inline-flex items-center gap-1 text-warn">
          <TriangleAlert size={12} aria-hidden />
          Client/Server version mismatch detected
        </span>
      ) : null}
      <span data-tooltip={client ? versionDetails(client) : undefined}>v{client?.version ?? '…'}</span>
    </footer>
  )
}

function versionDetails(client: { gitCommit: string; environment: string; deploymentId: string }): string {
  return [`Commit ${client.gitCommit.slice(0, 12) || 'unknown'}`, client.environment, client.deploymentId]
    .filter(Boolean)
    .join('\n')
}
