import { deniedReason } from '@bey/contract'
import { useRole } from '../../data/session.ts'
import { useRead } from '../../data/use-read.ts'
import { failureOf } from '../../lib/failed-query.ts'
import { ErrorState } from '../../ui/error-state.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { SettingsSection } from '../../ui/settings-section.tsx'
import { DelayedSkeleton, Skeleton } from '../../ui/skeleton.tsx'
import { ChannelList } from './channel-list.tsx'
import { RuleList } from './rule-list.tsx'

const groups = [
  {
    owner: 'mine',
    title: 'Your rules',
    hint: 'They replace the organization’s rules for you. Without rules of your own, the organization’s apply.',
    empty: 'You have no rules of your own.',
  },
  {
    owner: 'organization',
    title: 'Rules of the organization',
    hint: 'For members without rules of their own, and for channels.',
    empty: 'No rules yet: members see what concerns them in the console.',
  },
] as const

/** Who is notified of what, where and when. */
export function NotificationSettingsPage() {
  const reason = deniedReason(useRole(), 'notifications.manage')
  const query = useRead('notificationRules.list', {})
  const ownReason = deniedReason(useRole(), 'notifications.channels')
  const channelQuery = useRead('notificationChannels.list', {})
  const channels = channelQuery.data?.channels ?? []
  const channelsOf = (owner: 'organization' | 'mine') => channels.filter((channel) => channel.owner === owner)
  const failure = failureOf('Failed to fetch the rules', query)
  const channelFailure = failureOf('Failed to fetch the channels', channelQuery)
  return (
    <>
      <PageHeader title="Notifications" description="Who is notified of what, where and when." />
      {failure ? <ErrorState {...failure} /> : null}
      {query.data ? (
        <div className="min-h-0 flex-1 overflow-y-auto">
          {groups.map(({ owner, title, hint, empty }) => (
            <SettingsSection key={owner} title={title} hint={hint}>
              <RuleList
                owner={owner}
                rules={query.data.rules.filter((rule) => rule.owner === owner)}
                channels={channels}
                isMailConfigured={query.data.isMailConfigured}
                empty={empty}
                reason={owner === 'mine' ? undefined : reason}
              />
            </SettingsSection>
          ))}
          <SettingsSection
            title="Your channels"
            hint="Where your own rules send to. Nobody else sees them, and they go when you leave."
          >
            {channelFailure ? (
              <ErrorState {...channelFailure} />
            ) : (
              <ChannelList
                owner="mine"
                channels={channelsOf('mine')}
                rules={query.data.rules}
                reason={ownReason}
              />
            )}
          </SettingsSection>
          <SettingsSection
            title="Channels of the organization"
            hint="Where rules of the organization send to. Redirects are not followed."
          >
            {channelFailure ? (
              <ErrorState {...channelFailure} />
            ) : reason === undefined ? (
              <ChannelList
                owner="organization"
                channels={channelsOf('organization')}
                rules={query.data.rules}
                reason={undefined}
              />
            ) : (
              <p className="text-text-2">{reason}</p>
            )}
          </SettingsSection>
        </div>
      ) : failure ? null : (
        <DelayedSkeleton>
          <span className="block px-(--gutter) py-6">
            <Skeleton className="h-48 max-w-3xl" />
          </span>
        </DelayedSkeleton>
      )}
    </>
  )
}
