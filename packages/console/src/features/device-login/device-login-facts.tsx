import type { DeviceLogin } from '@bey/contract'
import { deviceLoginBounds } from '@bey/contract'
import { Check, Info, TriangleAlert } from 'lucide-react'
import { useCurrentOrganization, useUser } from '../../data/session.ts'
import { cx } from '../../ui/class-names.ts'
import { RelativeTime } from '../../ui/relative-time.tsx'
import type { ReactNode } from 'react'

const looks = {
  ok: { icon: Check, mark: 'text-ok' },
  info: { icon: Info, mark: 'text-info' },
  warn: { icon: TriangleAlert, mark: 'text-warn' },
} as const

interface FactProps {
  state: keyof typeof looks
  title: string
  detail: ReactNode
  verdict: string
}

/** What a person checks before they confirm; what is suspicious is amber. */
export function DeviceLoginFacts({ request, isOld }: { request: DeviceLogin; isOld: boolean }) {
  const { ip, browserIp, isSameNetwork, hostName, client, version, platform, machineKnownSince } = request
  const organization = useCurrentOrganization()
  const others = (useUser()?.organizations.length ?? 0) > 1 ? ', and your other organizations' : ''
  return (
    <ul aria-label="Facts about the request" className="mt-6 divide-y divide-line border-y border-line">
      <Fact
        state={isSameNetwork ? 'ok' : 'warn'}
        title={isSameNetwork ? 'The same address as this browser' : 'Another address than this browser'}
        detail={isSameNetwork ? ip : `It asked from ${ip}; this browser is at ${browserIp}.`}
        verdict={isSameNetwork ? 'matches' : 'differs'}
      />
      <Fact
        state={isOld ? 'warn' : 'ok'}
        title={isOld ? 'Asked a while ago' : 'Asked a moment ago'}
        detail={
          isOld ? (
            <>
              More than {deviceLoginBounds.oldAfterMinutes} minutes ago, <RelativeTime at={request.askedAt} />
            </>
          ) : (
            <RelativeTime at={request.askedAt} />
          )
        }
        verdict={isOld ? 'old' : 'recent'}
      />
      <Fact
        state={machineKnownSince === null ? 'info' : 'ok'}
        title={machineKnownSince === null ? 'A machine not logged in before' : 'A machine that is logged in'}
        detail={
          machineKnownSince === null ? (
            `It calls itself ${hostName}. No session of yours has this name.`
          ) : (
            <>
              You logged {hostName} in <RelativeTime at={machineKnownSince} />.
            </>
          )
        }
        verdict={machineKnownSince === null ? 'new' : 'known'}
      />
      <Fact
        state="info"
        title="The program"
        detail={`It says that it is ${client} ${version} on ${platform}.`}
        verdict="its own words"
      />
      <Fact
        state="info"
        title="What it may do"
        detail={
          organization
            ? `Everything that you may: ${organization.role} in ${organization.name}${others}.`
            : 'Everything that you may.'
        }
        verdict="ends 30 days unused"
      />
    </ul>
  )
}

function Fact({ state, title, detail, verdict }: FactProps) {
  const { icon: Icon, mark } = looks[state]
  return (
    <li className={cx('flex items-start gap-3 py-2', state === 'warn' && 'bg-warn-soft px-2')}>
      <span className={cx('flex h-5 items-center', mark)}>
        <Icon size={14} strokeWidth={2} aria-hidden />
      </span>
      <div className="min-w-0 flex-1">
        <p className="font-medium">{title}</p>
        <p className="text-small break-words text-text-2">{detail}</p>
      </div>
      <span className={cx('shrink-0 text-small', state === 'warn' ? 'text-warn' : 'text-text-2')}>
        {verdict}
      </span>
    </li>
  )
}
