import { Tabs } from '../../ui/tabs.tsx'

const root = '/workspaces/settings/instance'

/** How the server is, and how it is set. */
export function InstanceTabs({ current }: { current: 'overview' | 'settings' }) {
  return (
    <Tabs
      label="Parts of the instance"
      tabs={[
        { href: root, label: 'Overview', isCurrent: current === 'overview' },
        { href: `${root}/settings`, label: 'Settings', isCurrent: current === 'settings' },
      ]}
    />
  )
}
