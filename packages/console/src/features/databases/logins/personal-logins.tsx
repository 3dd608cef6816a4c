import { type DatabaseLogin, deniedReason, loginRefusal } from '@bey/contract'
import { KeyRound } from 'lucide-react'
import { useState } from 'react'
import type { Database } from '../../../data/databases.ts'
import { useRole, useUser } from '../../../data/session.ts'
import { useStaleReason } from '../../../data/stale-reason.ts'
import { useChange } from '../../../data/use-change.ts'
import { useRead } from '../../../data/use-read.ts'
import { ActorName } from '../../../entities/actor-name.tsx'
import { causeOf } from '../../../lib/error-text.ts'
import { Button } from '../../../ui/button.tsx'
import { RelativeTime } from '../../../ui/relative-time.tsx'
import { Section } from '../../../ui/section.tsx'
import { toast } from '../../../ui/toast.ts'
import { LoginDialog } from './login-dialog.tsx'

/** Users of the server for one person and a while, so that nobody needs the owner's password. */
export function PersonalLogins({ database }: { database: Database }) {
  const params = { id: database.id }
  const { data } = useRead(
    'databases.logins.list',
    { params },
    { isEnabled: loginRefusal(database) === undefined },
  )
  const [isAsking, setAsking] = useState(false)
  const stale = useStaleReason()
  const role = useRole()
  const denied =
    stale ??
    deniedReason(role, 'databases.query') ??
    loginRefusal(database) ??
    (database.status === 'available' ? undefined : 'Its server does not answer at the moment.')
  const open = data?.logins.filter(({ status }) => status !== 'ended') ?? []
  return (
    <Section
      title="Personal logins"
      isCard
      aside={
        <Button
          size="small"
          icon={<KeyRound size={14} aria-hidden />}
          disabledReason={denied}
          onClick={() => setAsking(true)}
        >
          Get a login…
        </Button>
      }
    >
      {open.length === 0 ? (
        <p className="text-text-2">
          {loginRefusal(database) ??
            'No one has one at the moment. A login is yours alone, ends by itself, and the audit log names you.'}
        </p>
      ) : (
        <ul className="divide-y divide-line">
          {open.map((login) => (
            <li key={login.id} className="flex items-start justify-between gap-3 py-2 first:pt-0 last:pb-0">
              <div className="min-w-0">
                <p className="truncate font-medium">
                  <ActorName actor={login.createdBy} />{' '}
                  <span className="font-normal text-text-2">
                    {login.mode === 'write' ? 'writes' : 'reads'}
                  </span>
                </p>
                <p className="text-small break-words text-text-2">{login.reason}</p>
                <p className="text-small text-text-3">
                  <span className="font-mono">{login.username}</span>,{' '}
                  {login.status === 'ending' ? (
                    'removed once the server answers'
                  ) : (
                    <>
                      ends <RelativeTime at={login.expiresAt} />
                    </>
                  )}
                </p>
              </div>
              <EndButton databaseId={database.id} login={login} />
            </li>
          ))}
        </ul>
      )}
      {isAsking ? <LoginDialog database={database} onClose={() => setAsking(false)} /> : null}
    </Section>
  )
}

function EndButton({
  databaseId,
  login,
}: {
  databaseId: string
  login: Pick<DatabaseLogin, 'id' | 'username' | 'status' | 'createdBy'>
}) {
  const end = useChange('databases.logins.end')
  const stale = useStaleReason()
  const role = useRole()
  const user = useUser()
  const isMine = login.createdBy.type === 'user' && login.createdBy.id === String(user?.id)
  const denied = isMine ? undefined : deniedReason(role, 'databases.endSessions')
  return (
    <Button
      size="small"
      aria-label={`End ${login.username}`}
      busy={end.isPending}
      disabled={login.status === 'ending'}
      disabledReason={stale ?? denied}
      onClick={() =>
        end.mutate(
          { params: { id: databaseId, loginId: login.id } },
          { onError: (error) => toast('error', `The login was not ended: ${causeOf(error)}`) },
        )
      }
    >
      End
    </Button>
  )
}
