import type { Workflow } from '@bey/contract'
import { deniedReason } from '@bey/contract'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { Pencil, Play } from 'lucide-react'
import { Suspense } from 'react'
import { useOrganizationId, useRole } from '../../data/session.ts'
import { useStaleReason } from '../../data/stale-reason.ts'
import { useRead } from '../../data/use-read.ts'
import { changeReason, executeReason, workflowHref } from '../../entities/workflows/workflow-text.ts'
import { failureOf, isMissing } from '../../lib/failed-query.ts'
import { lazyPart } from '../../lib/lazy-part.ts'
import { apiCommand, usePageCommands } from '../../lib/page-commands.ts'
import { usePageTitle } from '../../lib/page-title.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { DetailPage } from '../../ui/detail-page.tsx'
import type { DetailTab } from '../../ui/detail-page.tsx'
import { Notice } from '../../ui/notice.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { Status } from '../../ui/status.tsx'
import { WorkflowMenu, useMoveWorkflow, useRestore } from './workflow-menu.tsx'
import { WorkflowOverviewTab } from './workflow-overview-tab.tsx'
import { WorkflowRunsTab } from './workflow-runs-tab.tsx'
import { WorkflowSettingsTab } from './workflow-settings-tab.tsx'

const VersionsTab = lazyPart(async () => ({ default: (await import('./versions-tab.tsx')).VersionsTab }))
const TriggersTab = lazyPart(async () => ({
  default: (await import('./triggers/triggers-tab.tsx')).TriggersTab,
}))

const ActivityTable = lazyPart(async () => ({
  default: (await import('../../entities/audit/activity-table.tsx')).ActivityTable,
}))

const firstTabs: readonly DetailTab<Workflow>[] = [
  { id: 'overview', label: 'Overview', content: (workflow) => <WorkflowOverviewTab workflow={workflow} /> },
  { id: 'runs', label: 'Runs', content: (workflow) => <WorkflowRunsTab workflow={workflow} /> },
]
const ownTabs: readonly DetailTab<Workflow>[] = [
  ...firstTabs,
  {
    id: 'versions',
    label: 'Versions',
    content: (workflow) => (
      <Suspense fallback={null}>
        <VersionsTab workflow={workflow} />
      </Suspense>
    ),
  },
  {
    id: 'triggers',
    label: 'Triggers',
    content: (workflow) => (
      <Suspense fallback={null}>
        <TriggersTab workflow={workflow} />
      </Suspense>
    ),
  },
  {
    id: 'activity',
    label: 'Activity',
    content: (workflow) => (
      <Suspense fallback={null}>
        <ActivityTable
          subject={{ targetType: 'workflow', targetId: workflow.id }}
          empty="Changes of the workflow and who started it are listed here."
        />
      </Suspense>
    ),
  },
  { id: 'settings', label: 'Settings', content: (workflow) => <WorkflowSettingsTab workflow={workflow} /> },
]

/** One workflow: what it does, how it fares, its versions and what starts it. */
export function WorkflowDetailPage() {
  const { id = '' }: { id?: string } = useParams({ strict: false })
  const search: { tab?: unknown } = useSearch({ strict: false })
  const query = useRead('workflows.get', { params: { id } })
  const workflow = query.data?.workflow
  usePageTitle(isMissing(query) ? 'Workflow not found' : workflow?.name)
  usePageCommands([
    apiCommand('Read this workflow', 'workflows.get', { params: { id } }, useOrganizationId()),
  ])
  return (
    <DetailPage
      noun="workflow"
      subject={workflow}
      title={workflow?.name}
      badges={(shown) => <Badges workflow={shown} />}
      subtitle={({ description, version, isBuiltIn }) =>
        [description, isBuiltIn ? '' : `Version ${version}`].filter(Boolean).join(' · ') || ' '
      }
      actions={(shown) => <HeadActions workflow={shown} />}
      notice={(shown) => <StateNotice workflow={shown} />}
      tabs={workflow?.isBuiltIn ? firstTabs : ownTabs}
      tab={typeof search.tab === 'string' ? search.tab : undefined}
      tabHref={(tab) => workflowHref(id, tab)}
      missing={
        isMissing(query) && {
          title: 'There is no such workflow in this organization',
          action: <ButtonLink href="/workflows">All workflows</ButtonLink>,
        }
      }
      failure={failureOf('Failed to fetch workflow details', query)}
    />
  )
}

function Badges({ workflow: { status, state, isBuiltIn, purgeAt } }: { workflow: Workflow }) {
  return (
    <>
      <Status of="run" status={status} variant="badge" />
      {isBuiltIn ? (
        <Badge>built-in</Badge>
      ) : state === 'active' ? null : (
        <Badge>{purgeAt === null ? state : 'deleted'}</Badge>
      )}
    </>
  )
}

function HeadActions({ workflow }: { workflow: Workflow }) {
  const role = useRole()
  const stale = useStaleReason()
  const navigate = useNavigate()
  const href = workflowHref(workflow.id)
  if (workflow.isBuiltIn) return null
  return (
    <>
      <ButtonLink
        href={`${href}/edit`}
        icon={<Pencil size={14} aria-hidden />}
        disabledReason={changeReason(workflow, role)}
      >
        Edit
      </ButtonLink>
      <ButtonLink
        href={`${href}/execute`}
        variant="primary"
        icon={<Play size={14} aria-hidden />}
        disabledReason={executeReason(workflow, role) ?? stale}
      >
        Execute
      </ButtonLink>
      <WorkflowMenu
        workflow={workflow}
        isOnPage
        onDeleted={() => (workflow.purgeAt === null ? undefined : void navigate({ href: '/workflows' }))}
      />
    </>
  )
}

const notices = {
  draft: 'It is a draft: its triggers start nothing until it is activated.',
  paused: 'It is paused: its triggers start nothing until it is activated again.',
  archived: 'It is archived: nothing starts it until it is activated again.',
} as const

function StateNotice({ workflow }: { workflow: Workflow }) {
  const role = useRole()
  const stale = useStaleReason()
  const move = useMoveWorkflow(workflow)
  const restore = useRestore(workflow)
  if (workflow.isBuiltIn || workflow.state === 'active') return null
  if (workflow.purgeAt !== null) {
    return (
      <div className="px-(--gutter) pt-4">
        <Notice
          tone="warn"
          title="It is deleted: nothing starts it."
          actions={
            <Button
              size="small"
              onClick={restore}
              disabledReason={deniedReason(role, 'workflows.delete') ?? stale}
            >
              Restore
            </Button>
          }
        >
          It is gone with its versions, triggers and runs <RelativeTime at={workflow.purgeAt} />. Until then
          it can be restored as it was.
        </Notice>
      </div>
    )
  }
  return (
    <div className="px-(--gutter) pt-4">
      <Notice
        tone="info"
        title={notices[workflow.state]}
        actions={
          <Button size="small" onClick={() => move('active')} disabledReason={changeReason(workflow, role)}>
            Activate
          </Button>
        }
      />
    </div>
  )
}
